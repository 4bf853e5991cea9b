/* 80 columns of plain ASCII for people and posts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/units.h"
#include "base/version.h"
#include "report/comparison.h"
#include "report/disks.h"
#include "report/format.h"
#include "report/scaling.h"
#include "report/spread.h"
#include "report/zones.h"

/* 80 columns hold 16 of axis and disk, and wide bandwidths where those leave room. */
enum { AXIS_LEAST = 5, AXIS_MOST = 12, DISK_LEAST = 8, BOTH_LEAST = 14, BOTH_MOST = 16 };
enum { HEADING_TEXT = 256, QUEUE_TEXT = 256, NAME_WIDTH = 40 };

/* Widths that the plan's names and sizes ask for; fixed ones stand in put_row(). */
struct layout {
	int axis, disk, bytes;
	int all;                        /* of the whole line */
};

static const char *axis_print(char text[SPAN_TEXT], const struct plan *plan, const struct cell *cell)
{
	char size[UNITS_TEXT];

	if (plan->axis == AXIS_SPAN)
		return span_print(text, &cell->span);
	if (plan->axis == AXIS_ZONE)
		snprintf(text, SPAN_TEXT, "%u/%u", cell->zone + 1, cell->zones);
	else if (plan->axis == AXIS_DEPTH)
		snprintf(text, SPAN_TEXT, "%u", cell->depth);
	else
		snprintf(text, SPAN_TEXT, "%s", size_print(size, cell->block_bytes));
	return text;
}

static const char *const axis_names[] = { [AXIS_SIZE] = "bsize", [AXIS_SPAN] = "span", [AXIS_DEPTH] = "depth", [AXIS_ZONE] = "zone" };

static int clamp(size_t value, int least, int most)
{
	return value < (size_t)least ? least : value > (size_t)most ? most : (int)value;
}

static struct layout layout_find(const struct plan *plan)
{
	struct layout layout;
	char text[SPAN_TEXT];
	size_t axis = 0, disk = 0;

	for (const struct cell *cell = plan->cell; cell < plan->cell + plan->cells; cell++)
		if (strlen(axis_print(text, plan, cell)) > axis)
			axis = strlen(text);
	for (unsigned i = 0; i < plan->disks; i++)
		if (strlen(plan->disk[i]->name) > disk)
			disk = strlen(plan->disk[i]->name);
	layout.axis = clamp(axis, AXIS_LEAST, AXIS_MOST);
	layout.disk = clamp(disk > DISK_LEAST ? disk : DISK_LEAST, 1, BOTH_MOST - layout.axis);
	layout.bytes = 11 - clamp((size_t)(layout.axis + layout.disk), BOTH_LEAST, BOTH_MOST) + BOTH_LEAST;
	layout.all = layout.axis + 2 + layout.disk + 9 + 8 + layout.bytes + 4 * 9;
	return layout;
}

/* One unit for a whole block of rows, since they are compared; as coarse as its first row allows. */
struct latency_unit {
	const char *name;
	double ns;
};

static struct latency_unit latency_unit(double mean_ns)
{
	if (mean_ns < 1e6)
		return (struct latency_unit){ "us", 1e3 };
	if (mean_ns < 1e10 || isnan(mean_ns))
		return (struct latency_unit){ "ms", 1e6 };
	return (struct latency_unit){ "s", 1e9 };
}

/* Rows stand in one block while nothing but the axis changes. */
static bool same_block(const struct plan *plan, const struct cell *a, const struct cell *b)
{
	return a->mode == b->mode && a->access == b->access && a->first == b->first && a->disks == b->disks &&
	       (plan->axis == AXIS_DEPTH || a->depth == b->depth) &&
	       (plan->axis == AXIS_SPAN || span_same(&a->span, &b->span));
}

/* The first row of the block that row belongs to. */
static const struct row *block_start(const struct result *result, const struct row *row)
{
	while (row > result->row && same_block(result->plan, row[-1].cell, row->cell))
		row--;
	return row;
}

static void put_heading(FILE *out, const struct plan *plan, const struct cell *cell, const struct layout *layout,
			const char *unit)
{
	char left[HEADING_TEXT], span[SPAN_TEXT], size[UNITS_TEXT];
	int length = snprintf(left, sizeof left, "%s, %s", mode_names[cell->mode], access_names[cell->access]);

	if (plan->axis != AXIS_SIZE)
		length += snprintf(left + length, sizeof left - (size_t)length, ", bsize %s", size_print(size, cell->block_bytes));
	if (plan->axis != AXIS_DEPTH)
		length += snprintf(left + length, sizeof left - (size_t)length, ", depth %u", cell->depth);
	if (plan->axis != AXIS_SPAN && !span_same(&cell->span, &span_whole))
		length += snprintf(left + length, sizeof left - (size_t)length, ", span %s", span_print(span, &cell->span));
	if (plan->order != ORDER_TOGETHER && cell->disks == 1 && plan->disks > 1)
		snprintf(left + length, sizeof left - (size_t)length, ", %.40s alone", plan->disk[cell->first]->name);
	else if (plan->order == ORDER_SCALE && plan->disks > 1)
		snprintf(left + length, sizeof left - (size_t)length, ", %u disks", cell->disks);
	fprintf(out, "\n%-*s latency in %s\n", layout->all - (int)strlen(" latency in ") - (int)strlen(unit), left, unit);
	fprintf(out, "%*s  %-*s%9s%8s%*s%9s%9s%9s%9s\n", layout->axis, axis_names[plan->axis],
		layout->disk, "disk", "req/s", "+-95%", layout->bytes, "MB/s", "mean", "p50", "p99", "max");
}

static void put_figure(FILE *out, int width, double value, int decimals, const char *suffix)
{
	char text[UNITS_TEXT];

	figure_print(text, value, decimals, width - 1 - (int)strlen(suffix));
	fprintf(out, "%*s%s", width - (isnan(value) ? 0 : (int)strlen(suffix)), text, isnan(value) ? "" : suffix);
}

/* The first two columns of a row. */
static void put_place(FILE *out, const struct plan *plan, const struct row *row, const struct layout *layout)
{
	char axis[SPAN_TEXT], place[AXIS_MOST + 1], name[BOTH_MOST];

	axis_print(axis, plan, row->cell);
	fprintf(out, "%*s  %-*s", layout->axis, name_print(place, layout->axis, axis), layout->disk,
		row->disk ? name_print(name, layout->disk, row->disk->name) : "all");
}

static void put_row(FILE *out, const struct plan *plan, const struct row *row, const struct layout *layout, double unit_ns)
{
	static const enum figure latency[] = { FIGURE_MEAN, FIGURE_P50, FIGURE_P99, FIGURE_MAX };
	const double *figure = row->figure;

	put_place(out, plan, row, layout);
	put_figure(out, 9, figure[FIGURE_REQUEST_RATE], figure[FIGURE_REQUEST_RATE] < 10 ? 3 : 1, "");
	put_figure(out, 8, figure[FIGURE_CI95], 1, "%");
	put_figure(out, layout->bytes, figure[FIGURE_BYTE_RATE] / 1e6, 3, "");
	for (size_t i = 0; i < TEXT_COUNT(latency); i++)
		put_figure(out, 9, figure[latency[i]] / unit_ns, 2, "");
	fputc('\n', out);
	if (*row->remark) {
		char indent[32];

		snprintf(indent, sizeof indent, "%*s  ", layout->axis, "");
		paragraph_put(out, indent, row->remark);
	}
}

static struct latency_unit block_unit(const struct row *start)
{
	return latency_unit(start[start->cell->disks].figure[FIGURE_MEAN]);
}

static void put_kernel_row(FILE *out, const struct plan *plan, const struct row *row, const struct layout *layout,
			   double unit_ns)
{
	const double *figure = row->figure;
	const struct {
		int width, decimals;
		double value;
	} column[] = {
		{ 9, 1, figure[FIGURE_KERNEL_READ_RATE] },
		{ 10, 1, figure[FIGURE_KERNEL_BYTE_RATE] / 1024 },
		{ 9, 1, figure[FIGURE_KERNEL_READ_BYTES] / 1024 },
		{ 6, 1, figure[FIGURE_KERNEL_MERGED] },
		{ 8, 2, figure[FIGURE_KERNEL_AWAIT] / unit_ns },
		{ 7, 2, figure[FIGURE_KERNEL_QUEUE] },
		{ 6, 1, figure[FIGURE_KERNEL_BUSY] },
		{ 7, 2, figure[FIGURE_KERNEL_SERVICE] / unit_ns },
	};

	put_place(out, plan, row, layout);
	for (size_t i = 0; i < TEXT_COUNT(column); i++)
		if (isnan(column[i].value))
			fprintf(out, "%*s", column[i].width, "n/a");
		else
			put_figure(out, column[i].width, column[i].value, column[i].decimals, "");
	fputc('\n', out);
}

/* The same rows once more, as the kernel saw them. */
static void put_kernel(FILE *out, const struct result *result, const struct row *row, const struct row *end)
{
	const struct layout layout = layout_find(result->plan);
	const struct latency_unit unit = block_unit(row);

	fprintf(out, "\n  the kernel's counters, warm-up included; r_await and svctm in %s\n", unit.name);
	fprintf(out, "%*s  %-*s%9s%10s%9s%6s%8s%7s%6s%7s\n", layout.axis, axis_names[result->plan->axis], layout.disk, "disk", "r/s",
		"rkB/s", "rareq-sz", "%rrqm", "r_await", "aqu-sz", "%util", "svctm");
	for (; row < end; row++)
		if (row->disk)
			put_kernel_row(out, result->plan, row, &layout, unit.ns);
}

/* Of the disks of each cell together; size and depth are in the cell's own name. */
static void put_spreads(FILE *out, const struct plan *plan, const struct row *row, const struct row *end)
{
	char heading[HEADING_TEXT], name[NAME_WIDTH + 1], cell[CELL_TEXT];

	for (; row < end; row++) {
		if (row->disk)
			continue;
		snprintf(heading, sizeof heading, "latencies of %s, %s", row->cell->disks > 1 ? "all" :
			 name_print(name, NAME_WIDTH, plan->disk[row->cell->first]->name), cell_print(cell, row->cell));
		spread_put(out, heading, row);
	}
}

/* What was asked for besides the figures, once the block that ends before that row is complete. */
static void end_block(FILE *out, const struct result *result, const struct row *end)
{
	if (end == result->row)
		return;
	const struct row *start = block_start(result, end - 1);

	if (result->extended)
		put_kernel(out, result, start, end);
	if (result->plan->axis == AXIS_ZONE)
		zones_put(out, start, end);
	if (result->histogram)
		put_spreads(out, result->plan, start, end);
}

static void rows(FILE *out, const struct result *result, size_t from)
{
	const struct row *row = result->row + from, *start = block_start(result, row);
	const struct layout layout = layout_find(result->plan);
	const struct latency_unit unit = block_unit(start);

	if (start == row) {
		end_block(out, result, row);
		put_heading(out, result->plan, row->cell, &layout, unit.name);
	}
	for (const struct row *end = row + row->cell->disks; row <= end; row++)
		if (row->disk || row->cell->disks > 1)
			put_row(out, result->plan, row, &layout, unit.ns);
}

static bool has_access(const struct plan *plan, enum access access)
{
	for (const struct cell *cell = plan->cell; cell < plan->cell + plan->cells; cell++)
		if (cell->access == access)
			return true;
	return false;
}

static bool has_ssd(const struct plan *plan)
{
	for (unsigned i = 0; i < plan->disks; i++)
		if (plan->disk[i]->kind == KIND_SSD)
			return true;
	return false;
}

/* What has the reads in flight, and what one read in flight does not show. */
static void queue_print(char text[QUEUE_TEXT], const struct result *result)
{
	const struct plan *plan = result->plan;
	const int refused = result->host->engine_errno[ENGINE_URING];

	*text = '\0';
	if (plan_has_engine(plan, ENGINE_URING))
		snprintf(text, QUEUE_TEXT, " Reads in flight go through io_uring.");
	else if (plan_has_engine(plan, ENGINE_AIO) && refused)
		snprintf(text, QUEUE_TEXT, " Reads in flight go through aio, as the kernel refuses io_uring: %s.", error_reason(refused));
	else if (plan_has_engine(plan, ENGINE_AIO))
		snprintf(text, QUEUE_TEXT, " Reads in flight go through aio.");
	if (plan_depth(plan) == 1 && has_ssd(plan))
		strcat(text, " One read in flight: on an SSD this is latency, not the device's limit; -q 32 comes nearer to that.");
}

static void begin(FILE *out, const struct result *result)
{
	const struct host *host = result->host;
	const struct plan *plan = result->plan;
	const time_t started = (time_t)host->started_s;
	char time_text[32], queue[QUEUE_TEXT], text[768];
	struct tm utc;

	if (result->comparison.reports) {
		comparison_put(out, &result->comparison, result->judge->tolerance_percent);
		fputc('\n', out);
	}
	strftime(time_text, sizeof time_text, "%Y-%m-%d %H:%M:%S UTC", gmtime_r(&started, &utc));
	snprintf(text, sizeof text, "diskbench " VERSION ", %s, %s, %s", host->name, host->kernel, time_text);
	paragraph_put(out, "", text);
	if (*result->origin->label)
		paragraph_put(out, "", result->origin->label);
	queue_print(queue, result);
	snprintf(text, sizeof text,
		 "seed %llu; %s%sk and m are powers of 1024; MB/s is 10^6 bytes a second; latency is from issue to "
		 "completion, its clock costs %lld ns.%s", (unsigned long long)plan->limits.seed,
		 has_access(plan, ACCESS_RAW) ? "raw reads are O_DIRECT, past the page cache; " : "",
		 has_access(plan, ACCESS_COOKED) ? "cooked reads go through the page cache, cold at first; " : "",
		 (long long)host->clock_cost_ns, queue);
	paragraph_put(out, "", text);
	fputc('\n', out);
	disks_head(out);
	for (unsigned i = 0; i < plan->disks; i++) {
		disks_row(out, plan->disk[i]);
		if (result->extended && *plan->disk[i]->settings)
			paragraph_put(out, "  ", plan->disk[i]->settings);
	}
	if (result->topology)
		disks_shares(out, result->topology, plan->disk);
}

static void put_sentences(FILE *out, const struct words *sentences)
{
	if (sentences->count)
		fputc('\n', out);
	for (size_t i = 0; i < sentences->count; i++)
		paragraph_put(out, "- ", sentences->word[i]);
}

static void end(FILE *out, const struct result *result)
{
	end_block(out, result, result->row + result->rows);
	scaling_put(out, result);
	put_sentences(out, &result->unmet);
	put_sentences(out, &result->notes);
}

const struct format table_format = { "table", ".txt", true, true, begin, rows, end };
