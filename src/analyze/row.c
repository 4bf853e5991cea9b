#include "analyze/row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"

const char *const status_names[ROW_STATUSES] = { "ok", "errors", "interrupted", "lost", "skipped" };

/* NAN where there are too few reads for one to lie beyond the percentile. */
static double percentile(const struct histogram *latency, unsigned permille)
{
	if (!latency->count || (permille > 500 && latency->count < 1000 / (1000 - permille)))
		return NAN;
	return (double)histogram_at_rank_ns(latency, histogram_rank(latency, permille));
}

/* The latency at a rank so many standard deviations of the binomial distribution away from that of p99. */
static double p99_bound(const struct histogram *latency, double deviations)
{
	const double n = (double)latency->count, rank = n * .99 + deviations * sqrt(n * .99 * .01);

	if (latency->count < 100)
		return NAN;
	return (double)histogram_at_rank_ns(latency, (uint64_t)(deviations < 0 ? floor(rank) : fmin(ceil(rank), n)));
}

static void fill_latencies(double figure[FIGURES], const struct histogram *latency)
{
	figure[FIGURE_MEAN] = histogram_mean_ns(latency);
	figure[FIGURE_STDEV] = histogram_stdev_ns(latency);
	figure[FIGURE_MIN] = latency->count ? (double)latency->min_ns : NAN;
	figure[FIGURE_P50] = percentile(latency, 500);
	figure[FIGURE_P90] = percentile(latency, 900);
	figure[FIGURE_P95] = percentile(latency, 950);
	figure[FIGURE_P99] = percentile(latency, 990);
	figure[FIGURE_P99_LO] = p99_bound(latency, -2);
	figure[FIGURE_P99_HI] = p99_bound(latency, 2);
	figure[FIGURE_P99_9] = percentile(latency, 999);
	figure[FIGURE_MAX] = latency->count ? (double)latency->max_ns : NAN;
}

static bool keep_buckets(struct row *row, const struct histogram *latency)
{
	size_t occupied = 0;

	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
		occupied += latency->bucket[i] != 0;
	row->bucket = calloc(occupied, sizeof *row->bucket);
	if (!row->bucket)
		return !occupied;
	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
		if (latency->bucket[i])
			row->bucket[row->buckets++] = (struct bucket){
				.upper_ns = i + 1 < HISTOGRAM_BUCKETS ? histogram_upper_ns(i) : latency->max_ns,
				.count = latency->bucket[i],
			};
	return true;
}

static bool fill_figures(struct row *row, const struct outcome *outcome, const struct tally *tally)
{
	const int64_t window_ns = outcome->end_ns - outcome->start_ns;
	const double seconds = (double)window_ns / (double)NS_PER_S;
	double *figure = row->figure;

	figure[FIGURE_SECONDS] = seconds;
	figure[FIGURE_REQUESTS] = (double)tally->requests;
	figure[FIGURE_BYTES] = (double)(tally->requests * row->cell->block_bytes);
	figure[FIGURE_ERRORS] = (double)tally->errors;
	figure[FIGURE_REQUEST_RATE] = figure[FIGURE_REQUESTS] / seconds;
	figure[FIGURE_BYTE_RATE] = figure[FIGURE_BYTES] / seconds;
	if (row->cell->access == ACCESS_RAW)
		figure[FIGURE_CI95] = series_ci95_percent(&tally->series, window_ns, tally->requests);
	fill_latencies(figure, &tally->latency);
	return keep_buckets(row, &tally->latency);
}

/* One that has not moved while the disk was read is not kept. */
static double moved(uint64_t counter)
{
	return counter ? (double)counter : NAN;
}

static void fill_kernel(double figure[FIGURES], const struct kstat *kernel)
{
	const double seconds = (double)kernel->time_ns / (double)NS_PER_S, reads = (double)kernel->reads;
	const double bytes = moved(kernel->read_sectors) * KSTAT_SECTOR_BYTES, merges = (double)kernel->read_merges;
	const double busy_ns = moved(kernel->busy_ms) * (double)NS_PER_MS;

	figure[FIGURE_KERNEL_SECONDS] = seconds;
	figure[FIGURE_KERNEL_READ_RATE] = reads / seconds;
	figure[FIGURE_KERNEL_BYTE_RATE] = bytes / seconds;
	figure[FIGURE_KERNEL_READ_BYTES] = bytes / reads;
	figure[FIGURE_KERNEL_MERGED] = 100 * merges / (reads + merges);
	figure[FIGURE_KERNEL_AWAIT] = moved(kernel->read_ms) * (double)NS_PER_MS / reads;
	figure[FIGURE_KERNEL_QUEUE] = moved(kernel->queue_ms) * (double)NS_PER_MS / (double)kernel->time_ns;
	figure[FIGURE_KERNEL_BUSY] = 100 * busy_ns / (double)kernel->time_ns;
	figure[FIGURE_KERNEL_SERVICE] = busy_ns / (reads + (double)kernel->writes);
}

static struct row empty_row(const struct cell *cell)
{
	struct row row = { .cell = cell };

	for (unsigned i = 0; i < FIGURES; i++)
		row.figure[i] = NAN;
	return row;
}

static enum status disk_status(const struct outcome *outcome, const struct track *track)
{
	switch (track->ending) {
	case ENDED_UNFIT:
	case ENDED_ABSENT:
		return ROW_SKIPPED;
	case ENDED_FAILING:
	case ENDED_GONE:
	case ENDED_HUNG:
		return ROW_LOST;
	case ENDED_CUT:
		return ROW_INTERRUPTED;
	case ENDED_WELL:
		break;
	}
	return outcome->interrupted ? ROW_INTERRUPTED : track->tally.errors ? ROW_ERRORS : ROW_OK;
}

/* "after 1.2 s", on the clock of the window. */
static const char *when(char text[UNITS_TEXT + 16], const struct outcome *outcome, const struct track *track)
{
	char duration[UNITS_TEXT];

	if (!outcome->start_ns || track->ended_ns <= outcome->start_ns)
		return strcpy(text, "in the warm-up");
	snprintf(text, UNITS_TEXT + 16, "after %s", duration_print(duration, track->ended_ns - outcome->start_ns));
	return text;
}

static void print_remark(struct row *row, const struct plan *plan, const struct outcome *outcome,
			 const struct track *track)
{
	const struct tally *tally = &track->tally;
	const char *error = error_reason(-track->error);
	char text[UNITS_TEXT + 16], duration[UNITS_TEXT];

	when(text, outcome, track);
	if (track->ending == ENDED_UNFIT)
		unfit_print(row->remark, plan, &track->job, (unsigned)(track->job.cell->first + (track - outcome->disk)));
	else if (track->ending == ENDED_ABSENT)
		snprintf(row->remark, REMARK_TEXT, "lost earlier");
	else if (track->ending == ENDED_GONE)
		snprintf(row->remark, REMARK_TEXT, "lost %s: %s", text, error);
	else if (track->ending == ENDED_FAILING)
		snprintf(row->remark, REMARK_TEXT, "lost %s: %llu read%s in a row failed: %s", text,
			 (unsigned long long)plan->limits.max_errors, plan->limits.max_errors == 1 ? "" : "s", error);
	else if (track->ending == ENDED_HUNG)
		snprintf(row->remark, REMARK_TEXT, "lost %s: a read took more than %s", text,
			 duration_print(duration, plan->limits.hang_ns));
	else if (track->ending == ENDED_CUT)
		snprintf(row->remark, REMARK_TEXT, "a read was still going on at the end");
	else if (tally->errors)
		snprintf(row->remark, REMARK_TEXT, "%llu error%s: %s", (unsigned long long)tally->errors,
			 tally->errors == 1 ? "" : "s", error_reason(-tally->fault[0].error));
}

bool row_of_disk(struct row *row, const struct plan *plan, const struct outcome *outcome, unsigned disk)
{
	const struct track *track = &outcome->disk[disk];

	*row = empty_row(outcome->cell);
	row->disk = plan->disk[outcome->cell->first + disk];
	row->span_start_bytes = track->job.span_start_bytes;
	row->span_bytes = track->job.span_bytes;
	row->status = disk_status(outcome, track);
	if (track->kernel_known && track->kernel.reads)
		fill_kernel(row->figure, &track->kernel);
	print_remark(row, plan, outcome, track);
	/* One that was lost in the warm-up had no part in the window: its rate is not 0, but unknown. */
	if (row->status == ROW_SKIPPED || !outcome->start_ns || track->ended_ns <= outcome->start_ns)
		return true;
	return fill_figures(row, outcome, &track->tally);
}

/* The worst of those that took part, and lost when one was lost earlier; skipped when none took part. */
static enum status all_status(const struct outcome *outcome, const struct row *disk_row)
{
	enum status status = ROW_SKIPPED;
	bool absent = false;

	for (unsigned i = 0; i < outcome->cell->disks; i++) {
		absent |= outcome->disk[i].ending == ENDED_ABSENT;
		if (disk_row[i].status != ROW_SKIPPED && (status == ROW_SKIPPED || disk_row[i].status > status))
			status = disk_row[i].status;
	}
	return absent && status != ROW_SKIPPED ? ROW_LOST : status;
}

bool row_of_all(struct row *row, const struct outcome *outcome, const struct row *disk_row)
{
	struct tally *sum = calloc(1, sizeof *sum);
	bool room = true;

	*row = empty_row(outcome->cell);
	if (!sum)
		return false;
	row->status = all_status(outcome, disk_row);
	for (unsigned i = 0; i < outcome->cell->disks; i++) {
		const struct tally *tally = &outcome->disk[i].tally;

		if (disk_row[i].status != ROW_SKIPPED)
			row->span_bytes += disk_row[i].span_bytes;
		sum->requests += tally->requests;
		sum->errors += tally->errors;
		histogram_merge(&sum->latency, &tally->latency);
		series_merge(&sum->series, &tally->series);
	}
	if (row->status != ROW_SKIPPED && outcome->start_ns)
		room = fill_figures(row, outcome, sum);
	free(sum);
	return room;
}

void row_release(struct row *row)
{
	free(row->bucket);
	row->bucket = NULL;
	row->buckets = 0;
}
