#include "analyze/finding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

/* Counts a case. Returns the finding when it is the worst so far, else NULL. */
static struct finding *found(struct finding *finding, const struct cell *cell, double value)
{
	const bool worse = !finding->cells || value > finding->value;

	finding->cells++;
	if (!worse)
		return NULL;
	finding->cell = cell;
	finding->value = value;
	return finding;
}

/* What we have read of a medium in a cell: of a disk, and of its partitions that are measured beside it. */
struct ours {
	double reads, bytes, failed_bytes;
};

static bool same_medium(const struct device_info *a, const struct device_info *b)
{
	return a == b || (a->disk_rdev && a->disk_rdev == b->disk_rdev);
}

static struct ours ours_of(const struct plan *plan, const struct outcome *outcome, const struct device_info *disk)
{
	const double block_bytes = outcome->cell->block_bytes;
	struct ours ours = { 0 };

	for (unsigned i = 0; i < outcome->cell->disks; i++) {
		const struct tally *tally = &outcome->disk[i].tally;

		if (!same_medium(plan->disk[outcome->cell->first + i], disk))
			continue;
		ours.reads += (double)(tally->whole_requests + tally->whole_errors);
		ours.bytes += (double)tally->whole_requests * block_bytes;
		ours.failed_bytes += (double)tally->whole_errors * block_bytes;
	}
	return ours;
}

/* The kernel's counters against all that we issued. Where they did not move they count nothing, and
 * where the kernel may have split our reads their number is no guide. */
static void look_at_kernel(struct finding finding[FINDINGS], const struct track *track, const struct ours *ours,
			   const struct device_info *disk)
{
	const struct cell *cell = track->job.cell;
	const double seconds = (double)track->kernel.time_ns / (double)NS_PER_S;
	const double kernel = (double)(track->kernel.read_sectors * KSTAT_SECTOR_BYTES);
	const double others = cell->access == ACCESS_RAW ? fmax(kernel - ours->bytes - ours->failed_bytes, 0) : 0;
	const double other_reads = (double)track->kernel.reads - ours->reads;
	const double written = (double)(track->kernel.write_sectors * KSTAT_SECTOR_BYTES);
	const bool split = cell->block_bytes > disk->max_read_bytes;
	struct finding *worst;

	/* Of a read that was left behind the kernel may count what we do not. */
	if (track->ending == ENDED_HUNG || track->ending == ENDED_CUT)
		return;
	if (!track->kernel_known || (!track->kernel.reads && !track->kernel.writes))
		return;
	if (others > 0 || track->kernel.writes) {
		worst = found(&finding[FOUND_OTHERS], cell, (others + written) / seconds);
		if (worst) {
			worst->others_reads = others <= 0 ? 0 : split || other_reads <= 0 ? NAN : other_reads / seconds;
			worst->others_bytes = others / seconds;
			worst->writes = (double)track->kernel.writes / seconds;
		}
	}
	/* More of them, and yet no more bytes. */
	if (cell->access == ACCESS_RAW && others <= 0 && (double)track->kernel.reads > 1.01 * ours->reads)
		found(&finding[FOUND_SPLIT], cell, (double)track->kernel.reads / ours->reads);
	if (cell->access == ACCESS_RAW && kernel > 0 && kernel < ours->bytes)
		found(&finding[FOUND_UNSEEN], cell, 100 * (ours->bytes - kernel) / ours->bytes);
}

/* What a read takes beyond the time that the kernel has it passes in this machine: before it is asked for, or until its thread
 * runs again. Others' reads, and reads in parts, have their own share in the kernel's mean. */
static void look_at_delay(struct finding finding[FINDINGS], const struct track *track, const struct ours *ours, const struct row *row)
{
	const double mean_ns = row->figure[FIGURE_MEAN], await_ns = row->figure[FIGURE_KERNEL_AWAIT];
	struct finding *worst;

	if (row->cell->access != ACCESS_RAW || track->kernel.read_ms < BUSY_LEAST_MS ||
	    (double)track->kernel.reads > 1.01 * ours->reads || !(mean_ns > BUSY_FACTOR * await_ns))
		return;
	worst = found(&finding[FOUND_BUSY], row->cell, mean_ns / await_ns);
	if (!worst)
		return;
	worst->mean_ns = mean_ns;
	worst->await_ns = await_ns;
}

/* A stall before or after the window, or cut off by its edge: no figure shows it. */
static void look_outside(struct finding finding[FINDINGS], const struct track *track, const struct row *row)
{
	const double outside_ns = (double)track->tally.outside_max_ns;

	if (outside_ns > STALL_NS && outside_ns > 10 * row->figure[FIGURE_MAX])
		found(&finding[FOUND_STALL], row->cell, outside_ns);
}

static void look_at_rate(struct finding finding[FINDINGS], const struct outcome *outcome, const struct track *track,
			 const struct row *row, const struct limits *limits)
{
	const double ci95_percent = row->figure[FIGURE_CI95];
	uint64_t slice[SLICES];

	if (isnan(ci95_percent))
		return;
	if (series_slices(&track->tally.series, outcome->end_ns - outcome->start_ns, slice) &&
	    slices_correlation(slice) > DRIFT_CORRELATION)
		found(&finding[FOUND_DRIFT], outcome->cell, slices_correlation(slice));
	if (limits->precision_percent > 0 && ci95_percent > limits->precision_percent && !outcome->interrupted)
		found(&finding[FOUND_IMPRECISE], outcome->cell, ci95_percent);
}

/* J. Little, "A Proof for the Queuing Formula L = lambda W", 1961: the mean number of reads in flight is their rate times
 * their mean latency. Reads that straddle an edge of the window bring part of their latency from outside, or leave part of it
 * there, at most their own length of every slot: only what is over that is told. With one read in flight it says nothing of
 * the disk, and failed reads have no latency. */
static void look_at_queue(struct finding finding[FINDINGS], const struct track *track, const struct row *row)
{
	const double depth = row->cell->depth, seconds = row->figure[FIGURE_SECONDS];
	const double in_flight = row->figure[FIGURE_REQUEST_RATE] * row->figure[FIGURE_MEAN] / (double)NS_PER_S;
	const double edge_ns = fmax(row->figure[FIGURE_MAX], (double)track->tally.outside_max_ns);
	const double miss_percent = 100 * fabs(in_flight / depth - 1);

	if (depth <= 1)
		return;
	if (row->figure[FIGURE_REQUESTS] < FEW_READS * depth)
		found(&finding[FOUND_FEW], row->cell, depth / row->figure[FIGURE_REQUESTS]);
	else if (track->ending == ENDED_WELL && !track->tally.whole_errors &&
		 miss_percent > LITTLE_PERCENT + 100 * edge_ns / (seconds * (double)NS_PER_S))
		found(&finding[FOUND_LITTLE], row->cell, miss_percent);
}

/* Cooked reads are there to show what memory and processor can do. */
static void look_at_host(struct finding finding[FINDINGS], const struct track *track)
{
	const struct cell *cell = track->job.cell;
	const double cpu_percent = 100 * (double)track->cpu_ns / (double)track->worked_ns;

	if (cell->access == ACCESS_RAW && track->worked_ns >= HOST_LEAST_NS && cpu_percent > HOST_PERCENT)
		found(&finding[FOUND_HOST], cell, cpu_percent);
	if (track->plain_buffer)
		found(&finding[FOUND_PLAIN], cell, (double)cell->block_bytes * cell->depth);
}

double link_bytes_per_second(const char *link)
{
	char unit[8] = "";
	double speed;
	unsigned lanes;

	if (sscanf(link, "PCIe %lf GT/s x%u", &speed, &lanes) == 2)
		return speed * 1e9 * lanes * (speed < 8 ? 8. / 10 : 128. / 130) / 8;
	if (sscanf(link, "USB %lf Mb/s", &speed) == 1)
		return speed * 1e6 * (speed < 5000 ? 1 : speed < 10000 ? 8. / 10 : 128. / 132) / 8;
	if (sscanf(link, "%lf %7[Gbpsit]", &speed, unit) == 2 && unit[0] == 'G')
		return speed * 1e9 * (speed < 20 ? 8. / 10 : 128. / 150) / 8;
	return 0;
}

/* Raw figures that no disk can have. */
static void look_at_plausibility(struct finding finding[FINDINGS], const struct row *row)
{
	const double median_ns = row->figure[FIGURE_P50], link = link_bytes_per_second(row->disk->link);

	if (row->cell->access != ACCESS_RAW || row->disk->backing != BACKING_MEDIUM)
		return;
	if (median_ns < QUICK_NS)
		found(&finding[FOUND_QUICK], row->cell, 1 / median_ns);
	if (link > 0 && row->figure[FIGURE_BYTE_RATE] > link)
		found(&finding[FOUND_LINK], row->cell, row->figure[FIGURE_BYTE_RATE] / link);
}

void finding_look(struct finding finding[FINDINGS], const struct plan *plan, const struct outcome *outcome,
		  const struct track *track, const struct row *row)
{
	const struct ours ours = ours_of(plan, outcome, row->disk);
	const uint64_t reads = track->tally.whole_requests + track->tally.whole_errors;
	const double waits_percent = 100 * (double)track->ring_waits / (double)reads;

	if (row->status == ROW_SKIPPED)
		return;
	look_at_kernel(finding, track, &ours, row->disk);
	look_at_rate(finding, outcome, track, row, &plan->limits);
	look_outside(finding, track, row);
	look_at_delay(finding, track, &ours, row);
	look_at_queue(finding, track, row);
	look_at_host(finding, track);
	look_at_plausibility(finding, row);
	if (track->wrapped)
		found(&finding[FOUND_WRAPPED], outcome->cell, 1);
	if (waits_percent > WAITS_PERCENT)
		found(&finding[FOUND_WAITS], outcome->cell, waits_percent);
}

enum { SIBLINGS_LEAST = 3 };    /* besides the disk itself */

static bool siblings(const struct row *a, const struct row *b)
{
	return a != b && *a->disk->model && strcmp(a->disk->model, b->disk->model) == 0 &&
	       a->disk->size_bytes == b->disk->size_bytes;
}

static int by_rate(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* rate: room for one of each disk. */
static void look_at_family(struct finding finding[FINDINGS], const struct row *one, const struct row *row, unsigned disks,
			   double *rate)
{
	const double own = one->figure[FIGURE_REQUEST_RATE];
	double median, range;
	unsigned count = 0;
	struct finding *worst;

	for (const struct row *other = row; other < row + disks; other++)
		if (siblings(one, other) && other->status == ROW_OK)
			rate[count++] = other->figure[FIGURE_REQUEST_RATE];
	if (count < SIBLINGS_LEAST || one->status != ROW_OK)
		return;
	qsort(rate, count, sizeof *rate, by_rate);
	median = (rate[(count - 1) / 2] + rate[count / 2]) / 2;
	range = rate[count - 1] - rate[0];
	if (own >= .95 * median || median - own <= 3 * range)
		return;
	worst = found(&finding[FOUND_SLOW], one->cell, 100 * (median - own) / median);
	if (worst)
		worst->siblings = count;
}

void finding_look_at_siblings(struct finding (*finding)[FINDINGS], const struct row *row, unsigned disks)
{
	double *rate = disks > SIBLINGS_LEAST ? calloc(disks, sizeof *rate) : NULL;

	for (unsigned i = 0; rate && i < disks; i++)
		look_at_family(finding[i], &row[i], row, disks, rate);
	free(rate);
}
