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

static const char *time_text(const struct line *line, unsigned piece)
{
	const time_t seconds = (time_t)line->result->host->started_s;
	static _Thread_local char text[32];
	struct tm utc;

	strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
	return piece ? NULL : text;
}

static const char *host_text(const struct line *line, unsigned piece)
{
	return piece ? NULL : line->result->host->name;
}

static const char *kernel_text(const struct line *line, unsigned piece)
{
	return piece ? NULL : line->result->host->kernel;
}

static const char *version_text(const struct line *line, unsigned piece)
{
	(void)line;
	return piece ? NULL : VERSION;
}

static const char *label_text(const struct line *line, unsigned piece)
{
	(void)line, (void)piece;
	return NULL;
}

static void put_seed(FILE *out, const struct line *line)
{
	fprintf(out, "%" PRIu64, line->result->plan->limits.seed);
}

static const char *disk_text(const struct line *line, unsigned piece)
{
	return piece ? NULL : line->row->disk ? line->row->disk->name : "all";
}

static const char *path_text(const struct line *line, unsigned piece)
{
	return piece || !line->row->disk ? NULL : line->row->disk->path;
}

static const char *id_text(const struct line *line, unsigned piece)
{
	return piece || !line->row->disk ? NULL : line->row->disk->id;
}

static const char *model_text(const struct line *line, unsigned piece)
{
	return piece || !line->row->disk ? NULL : line->row->disk->model;
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

static const char *mode_text(const struct line *line, unsigned piece)
{
	return piece ? NULL : mode_names[line->row->cell->mode];
}

static const char *access_text(const struct line *line, unsigned piece)
{
	return piece ? NULL : access_names[line->row->cell->access];
}

static void put_block(FILE *out, const struct line *line)
{
	fprintf(out, "%" PRIu32, line->row->cell->block_bytes);
}

static void put_depth(FILE *out, const struct line *line)
{
	fprintf(out, "%" PRIu32, line->row->cell->depth);
}

static const char *engine_text(const struct line *line, unsigned piece)
{
	return piece ? NULL : engine_names[line->row->cell->engine];
}

static const char *order_text(const struct line *line, unsigned piece)
{
	return piece ? NULL : order_names[line->result->plan->order];
}

static const char *members_text(const struct line *line, unsigned piece)
{
	const struct cell *cell = line->row->cell;

	if (piece % 2 == 0)
		return line->result->plan->disk[cell->first + piece / 2]->name;
	return piece / 2 + 1 < cell->disks ? "+" : NULL;
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

static const char *status_text(const struct line *line, unsigned piece)
{
	return piece ? NULL : status_names[line->row->status];
}

#define TEXT(name, text) { name, text, NULL, -1, 0 }
#define NUMBER(name, put) { name, NULL, put, -1, 0 }
#define DIGITS(name, figure, digits) { name, NULL, NULL, figure, -(digits) }
#define DECIMALS(name, figure, decimals) { name, NULL, NULL, figure, decimals }

const struct field fields[] = {
	NUMBER("schema", put_schema),
	TEXT("time", time_text),
	TEXT("host", host_text),
	TEXT("kernel", kernel_text),
	TEXT("version", version_text),
	TEXT("label", label_text),
	NUMBER("seed", put_seed),
	TEXT("disk", disk_text),
	TEXT("path", path_text),
	TEXT("id", id_text),
	TEXT("model", model_text),
	NUMBER("capacity_bytes", put_capacity),
	NUMBER("sector_bytes", put_sector),
	TEXT("mode", mode_text),
	TEXT("access", access_text),
	NUMBER("block_bytes", put_block),
	NUMBER("queue_depth", put_depth),
	TEXT("engine", engine_text),
	TEXT("order", order_text),
	TEXT("members", members_text),
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
	TEXT("status", status_text),
	DECIMALS("kernel_seconds", FIGURE_KERNEL_SECONDS, 9),
	DIGITS("kernel_reads_per_second", FIGURE_KERNEL_READ_RATE, 12),
	DIGITS("kernel_bytes_per_second", FIGURE_KERNEL_BYTE_RATE, 12),
	DIGITS("kernel_read_bytes", FIGURE_KERNEL_READ_BYTES, 12),
	DIGITS("kernel_merged_percent", FIGURE_KERNEL_MERGED, 6),
	DIGITS("kernel_await_ns", FIGURE_KERNEL_AWAIT, 12),
	DIGITS("kernel_queue_length", FIGURE_KERNEL_QUEUE, 6),
	DIGITS("kernel_busy_percent", FIGURE_KERNEL_BUSY, 6),
	DIGITS("kernel_service_ns", FIGURE_KERNEL_SERVICE, 12),
};

const size_t fields_count = TEXT_COUNT(fields);

void field_put_number(FILE *out, const struct field *field, const struct line *line)
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
