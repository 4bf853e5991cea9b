#include "analyze/field.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyze/result.h"
#include "base/version.h"

static const char *print_number(char room[FIELD_TEXT], uint64_t number)
{
	snprintf(room, FIELD_TEXT, "%" PRIu64, number);
	return room;
}

static const char *schema(const struct line *line, char room[FIELD_TEXT])
{
	(void)line;
	return print_number(room, SCHEMA);
}

static const char *start_time(const struct line *line, char room[FIELD_TEXT])
{
	const time_t seconds = (time_t)line->result->host->started_s;
	struct tm utc;

	strftime(room, FIELD_TEXT, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
	return room;
}

static const char *host(const struct line *line, char room[FIELD_TEXT])
{
	(void)room;
	return line->result->host->name;
}

static const char *kernel(const struct line *line, char room[FIELD_TEXT])
{
	(void)room;
	return line->result->host->kernel;
}

static const char *version(const struct line *line, char room[FIELD_TEXT])
{
	(void)line, (void)room;
	return VERSION;
}

static const char *label(const struct line *line, char room[FIELD_TEXT])
{
	(void)room;
	return line->result->origin->label;
}

static const char *seed(const struct line *line, char room[FIELD_TEXT])
{
	return print_number(room, line->result->plan->limits.seed);
}

static const char *disk(const struct line *line, char room[FIELD_TEXT])
{
	(void)room;
	return line->row->disk ? line->row->disk->name : "all";
}

static const char *path(const struct line *line, char room[FIELD_TEXT])
{
	(void)room;
	return line->row->disk ? line->row->disk->path : "";
}

static const char *id(const struct line *line, char room[FIELD_TEXT])
{
	(void)room;
	return line->row->disk ? line->row->disk->id : "";
}

static const char *model(const struct line *line, char room[FIELD_TEXT])
{
	(void)room;
	return line->row->disk ? line->row->disk->model : "";
}

/* Whether it is of a disk whose facts are known. */
static bool is_there(const struct row *row)
{
	return row->disk && !row->disk->missing;
}

static const char *capacity(const struct line *line, char room[FIELD_TEXT])
{
	return is_there(line->row) ? print_number(room, line->row->disk->size_bytes) : "";
}

static const char *sector(const struct line *line, char room[FIELD_TEXT])
{
	return is_there(line->row) ? print_number(room, line->row->disk->sector_bytes) : "";
}

static const char *mode(const struct line *line, char room[FIELD_TEXT])
{
	(void)room;
	return mode_names[line->row->cell->mode];
}

static const char *access_name(const struct line *line, char room[FIELD_TEXT])
{
	(void)room;
	return access_names[line->row->cell->access];
}

static const char *block(const struct line *line, char room[FIELD_TEXT])
{
	return print_number(room, line->row->cell->block_bytes);
}

static const char *depth(const struct line *line, char room[FIELD_TEXT])
{
	return print_number(room, line->row->cell->depth);
}

static const char *engine(const struct line *line, char room[FIELD_TEXT])
{
	(void)room;
	return engine_names[line->row->cell->engine];
}

static const char *order(const struct line *line, char room[FIELD_TEXT])
{
	(void)room;
	return order_names[line->result->plan->order];
}

static const char *members(const struct line *line, char room[FIELD_TEXT])
{
	(void)room;
	return line->row->cell->members;
}

static const char *span_start(const struct line *line, char room[FIELD_TEXT])
{
	return is_there(line->row) ? print_number(room, line->row->span_start_bytes) : "";
}

static const char *span(const struct line *line, char room[FIELD_TEXT])
{
	return !line->row->disk || is_there(line->row) ? print_number(room, line->row->span_bytes) : "";
}

static const char *status(const struct line *line, char room[FIELD_TEXT])
{
	(void)room;
	return status_names[line->row->status];
}

static const char *part(const struct line *line, char room[FIELD_TEXT])
{
	return cell_is_whole(line->row->cell) ? "" : part_print(room, line->row->cell);
}

#define TEXT(name, scope, value) { name, scope, true, value, 0, 0, 0, NULL, 0, NULL }
#define NUMBER(name, scope, value) { name, scope, false, value, 0, 0, 0, NULL, 0, NULL }
#define FIGURE(name, figure, decimals, unit, title, title_unit, help) \
	{ name, OF_ROW, false, NULL, figure, decimals, unit, title, title_unit, help }

const struct field fields[] = {
	NUMBER("schema", OF_RUN, schema),
	TEXT("time", OF_RUN, start_time),
	TEXT("host", OF_RUN, host),
	TEXT("kernel", OF_RUN, kernel),
	TEXT("version", OF_RUN, version),
	TEXT("label", OF_RUN, label),
	NUMBER("seed", OF_RUN, seed),
	TEXT("disk", OF_DISK, disk),
	TEXT("path", OF_DISK, path),
	TEXT("id", OF_DISK, id),
	TEXT("model", OF_DISK, model),
	NUMBER("capacity_bytes", OF_DISK, capacity),
	NUMBER("sector_bytes", OF_DISK, sector),
	TEXT("mode", OF_CELL, mode),
	TEXT("access", OF_CELL, access_name),
	NUMBER("block_bytes", OF_CELL, block),
	NUMBER("queue_depth", OF_CELL, depth),
	TEXT("engine", OF_ROW, engine),
	TEXT("order", OF_CELL, order),
	TEXT("members", OF_CELL, members),
	NUMBER("span_start_bytes", OF_CELL, span_start),
	NUMBER("span_bytes", OF_CELL, span),
	FIGURE("seconds", FIGURE_SECONDS, 9, UNIT_S, NULL, 1, "Length of the window in which reads count."),
	FIGURE("requests", FIGURE_REQUESTS, 0, UNIT_COUNT, NULL, 1, "Reads that completed well inside the window."),
	FIGURE("bytes", FIGURE_BYTES, 0, UNIT_BYTES, NULL, 1, "Bytes of the reads that completed well."),
	FIGURE("errors", FIGURE_ERRORS, 0, UNIT_COUNT, NULL, 1, "Reads that failed inside the window."),
	FIGURE("requests_per_second", FIGURE_REQUEST_RATE, -12, UNIT_COUNT, "req/s", 1, "Reads completed a second."),
	FIGURE("ci95_percent", FIGURE_CI95, -4, UNIT_PERCENT, "+-95%", 1,
	       "Half the 95 % confidence interval of reads a second, of that rate."),
	FIGURE("bytes_per_second", FIGURE_BYTE_RATE, -12, UNIT_BYTES, "MB/s", 1e6, "Bytes read a second."),
	FIGURE("latency_mean_ns", FIGURE_MEAN, -12, UNIT_NS, "mean", 1, "Mean latency of a read, issue to completion."),
	FIGURE("latency_stdev_ns", FIGURE_STDEV, -12, UNIT_NS, NULL, 1, "Standard deviation of the latencies."),
	FIGURE("latency_min_ns", FIGURE_MIN, 0, UNIT_NS, NULL, 1, "Shortest latency."),
	FIGURE("latency_p50_ns", FIGURE_P50, 0, UNIT_NS, "p50", 1, "Latency that half of the reads do not exceed."),
	FIGURE("latency_p90_ns", FIGURE_P90, 0, UNIT_NS, "p90", 1, "Latency that 90 % of the reads do not exceed."),
	FIGURE("latency_p95_ns", FIGURE_P95, 0, UNIT_NS, "p95", 1, "Latency that 95 % of the reads do not exceed."),
	FIGURE("latency_p99_ns", FIGURE_P99, 0, UNIT_NS, "p99", 1, "Latency that 99 % of the reads do not exceed."),
	FIGURE("latency_p99_lo_ns", FIGURE_P99_LO, 0, UNIT_NS, NULL, 1, "Lower end of the 95 % interval of the p99."),
	FIGURE("latency_p99_hi_ns", FIGURE_P99_HI, 0, UNIT_NS, NULL, 1, "Upper end of the 95 % interval of the p99."),
	FIGURE("latency_p99_9_ns", FIGURE_P99_9, 0, UNIT_NS, "p99.9", 1, "Latency that 99.9 % of the reads do not exceed."),
	FIGURE("latency_max_ns", FIGURE_MAX, 0, UNIT_NS, "max", 1, "Longest latency."),
	TEXT("status", OF_ROW, status),
	FIGURE("kernel_seconds", FIGURE_KERNEL_SECONDS, 9, UNIT_S, NULL, 1, "Time over which the kernel's counters were compared."),
	FIGURE("kernel_reads_per_second", FIGURE_KERNEL_READ_RATE, -12, UNIT_COUNT, NULL, 1, "Read requests a second, as the kernel counts."),
	FIGURE("kernel_bytes_per_second", FIGURE_KERNEL_BYTE_RATE, -12, UNIT_BYTES, NULL, 1, "Bytes read a second, as the kernel counts."),
	FIGURE("kernel_read_bytes", FIGURE_KERNEL_READ_BYTES, -12, UNIT_BYTES, NULL, 1, "Mean size of a read request of the kernel."),
	FIGURE("kernel_merged_percent", FIGURE_KERNEL_MERGED, -6, UNIT_PERCENT, NULL, 1, "Reads that were merged into others, of all."),
	FIGURE("kernel_await_ns", FIGURE_KERNEL_AWAIT, -12, UNIT_NS, NULL, 1, "Mean time of a read request in the kernel."),
	FIGURE("kernel_queue_length", FIGURE_KERNEL_QUEUE, -6, UNIT_COUNT, NULL, 1, "Mean number of requests in the kernel."),
	FIGURE("kernel_busy_percent", FIGURE_KERNEL_BUSY, -6, UNIT_PERCENT, NULL, 1, "Time with a request in the kernel, of all."),
	FIGURE("kernel_service_ns", FIGURE_KERNEL_SERVICE, -12, UNIT_NS, NULL, 1, "Busy time a request, the true service time."),
	TEXT("part", OF_CELL, part),
};

const size_t fields_count = TEXT_COUNT(fields);

const struct field *field_find(const char *name)
{
	for (const struct field *field = fields; field < fields + fields_count; field++)
		if (strcmp(field->name, name) == 0)
			return field;
	return NULL;
}

const struct field *field_of_figure(enum figure figure)
{
	const struct field *field = fields;

	while (field->value || field->figure != figure)
		field++;
	return field;
}

const char *field_value(const struct field *field, const struct line *line, char room[FIELD_TEXT])
{
	if (field->value)
		return field->value(line, room);
	if (isnan(line->row->figure[field->figure]))
		return "";
	snprintf(room, FIELD_TEXT, field->decimals < 0 ? "%.*g" : "%.*f", abs(field->decimals), line->row->figure[field->figure]);
	return room;
}
