#include "analyze/field.h"

#include <inttypes.h>
#include <math.h>
#include <time.h>

#include "base/version.h"

static void put_schema(FILE *out, const struct line *line)
{
	(void)line;
	fprintf(out, "%d", SCHEMA);
}

static void put_time(FILE *out, const struct line *line)
{
	const time_t seconds = (time_t)line->result->host->started_s;
	char text[32];
	struct tm utc;

	strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
	fputs(text, out);
}

static void put_host(FILE *out, const struct line *line)
{
	fputs(line->result->host->name, out);
}

static void put_kernel(FILE *out, const struct line *line)
{
	fputs(line->result->host->kernel, out);
}

static void put_version(FILE *out, const struct line *line)
{
	(void)line;
	fputs(VERSION, out);
}

static void put_nothing(FILE *out, const struct line *line)
{
	(void)out, (void)line;
}

static void put_seed(FILE *out, const struct line *line)
{
	fprintf(out, "%" PRIu64, line->result->plan->limits.seed);
}

static void put_disk(FILE *out, const struct line *line)
{
	fputs(line->row->disk ? line->row->disk->name : "all", out);
}

static void put_path(FILE *out, const struct line *line)
{
	if (line->row->disk)
		fputs(line->row->disk->path, out);
}

static void put_id(FILE *out, const struct line *line)
{
	if (line->row->disk)
		fputs(line->row->disk->id, out);
}

static void put_model(FILE *out, const struct line *line)
{
	if (line->row->disk)
		fputs(line->row->disk->model, out);
}

static void put_capacity(FILE *out, const struct line *line)
{
	if (line->row->disk)
		fprintf(out, "%" PRIu64, line->row->disk->size_bytes);
}

static void put_sector(FILE *out, const struct line *line)
{
	if (line->row->disk)
		fprintf(out, "%" PRIu32, line->row->disk->sector_bytes);
}

static void put_mode(FILE *out, const struct line *line)
{
	fputs(mode_names[line->row->cell->mode], out);
}

static void put_access(FILE *out, const struct line *line)
{
	fputs(access_names[line->row->cell->access], out);
}

static void put_block(FILE *out, const struct line *line)
{
	fprintf(out, "%" PRIu32, line->row->cell->block_bytes);
}

static void put_depth(FILE *out, const struct line *line)
{
	fprintf(out, "%" PRIu32, line->row->cell->depth);
}

static void put_engine(FILE *out, const struct line *line)
{
	(void)line;
	fputs("sync", out);
}

static void put_order(FILE *out, const struct line *line)
{
	fputs(order_names[line->result->plan->order], out);
}

static void put_members(FILE *out, const struct line *line)
{
	for (unsigned i = 0; i < line->row->cell->disks; i++)
		fprintf(out, "%s%s", i ? "+" : "", line->result->plan->disk[line->row->cell->first + i]->name);
}

static void put_span_start(FILE *out, const struct line *line)
{
	if (line->row->disk)
		fprintf(out, "%" PRIu64, line->row->span_start_bytes);
}

static void put_span(FILE *out, const struct line *line)
{
	fprintf(out, "%" PRIu64, line->row->span_bytes);
}

static void put_status(FILE *out, const struct line *line)
{
	fputs(status_names[line->row->status], out);
}

#define TEXT(name, put) { name, true, put, -1, 0 }
#define NUMBER(name, put) { name, false, put, -1, 0 }
#define DIGITS(name, figure, digits) { name, false, NULL, figure, -(digits) }
#define DECIMALS(name, figure, decimals) { name, false, NULL, figure, decimals }

const struct field fields[] = {
	NUMBER("schema", put_schema),
	TEXT("time", put_time),
	TEXT("host", put_host),
	TEXT("kernel", put_kernel),
	TEXT("version", put_version),
	TEXT("label", put_nothing),
	NUMBER("seed", put_seed),
	TEXT("disk", put_disk),
	TEXT("path", put_path),
	TEXT("id", put_id),
	TEXT("model", put_model),
	NUMBER("capacity_bytes", put_capacity),
	NUMBER("sector_bytes", put_sector),
	TEXT("mode", put_mode),
	TEXT("access", put_access),
	NUMBER("block_bytes", put_block),
	NUMBER("queue_depth", put_depth),
	TEXT("engine", put_engine),
	TEXT("order", put_order),
	TEXT("members", put_members),
	NUMBER("span_start_bytes", put_span_start),
	NUMBER("span_bytes", put_span),
	DECIMALS("seconds", FIGURE_SECONDS, 9),
	DECIMALS("requests", FIGURE_REQUESTS, 0),
	DECIMALS("bytes", FIGURE_BYTES, 0),
	DECIMALS("errors", FIGURE_ERRORS, 0),
	DIGITS("requests_per_second", FIGURE_REQUEST_RATE, 12),
	DIGITS("ci95_percent", FIGURE_CI95, 4),
	DIGITS("bytes_per_second", FIGURE_BYTE_RATE, 12),
	DIGITS("latency_mean_ns", FIGURE_MEAN, 12),
	DIGITS("latency_stdev_ns", FIGURE_STDEV, 12),
	DECIMALS("latency_min_ns", FIGURE_MIN, 0),
	DECIMALS("latency_p50_ns", FIGURE_P50, 0),
	DECIMALS("latency_p90_ns", FIGURE_P90, 0),
	DECIMALS("latency_p95_ns", FIGURE_P95, 0),
	DECIMALS("latency_p99_ns", FIGURE_P99, 0),
	DECIMALS("latency_p99_lo_ns", FIGURE_P99_LO, 0),
	DECIMALS("latency_p99_hi_ns", FIGURE_P99_HI, 0),
	DECIMALS("latency_p99_9_ns", FIGURE_P99_9, 0),
	DECIMALS("latency_max_ns", FIGURE_MAX, 0),
	TEXT("status", put_status),
};

const size_t fields_count = TEXT_COUNT(fields);

void field_put(FILE *out, const struct field *field, const struct line *line)
{
	if (field->put)
		field->put(out, line);
	else if (isnan(line->row->figure[field->figure]))
		return;
	else if (field->decimals < 0)
		fprintf(out, "%.*g", -field->decimals, line->row->figure[field->figure]);
	else
		fprintf(out, "%.*f", field->decimals, line->row->figure[field->figure]);
}
