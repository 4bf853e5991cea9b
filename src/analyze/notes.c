#include "analyze/notes.h"

#include <math.h>
#include <stdio.h>

#include "analyze/notes_of_many.h"
#include "base/clock.h"
#include "base/units.h"

static const double sure_correlation = .6;
static const double chance_of_drift = .08;      /* of a correlation over DRIFT_CORRELATION */

enum { WHERE_TEXT = CELL_TEXT + 32, RATE_TEXT = UNITS_TEXT + 32 };

static void note_use(struct words *notes, const struct device_info *disk)
{
	if (*disk->in_use)
		words_say(notes, "%s is in use (%s): what others read and write there slows it down, and is slowed down by this.",
			  disk->name, disk->in_use);
}

static void note_backing(struct words *notes, const struct device_info *disk)
{
	if (disk->backing == BACKING_MEMORY)
		words_say(notes, "%s lies in memory: its figures are those of this machine's memory and kernel, not of a disk.",
			  disk->name);
	if (disk->backing == BACKING_PAGE_CACHE)
		words_say(notes, "%s reads its file through the page cache, which may answer in the disk's stead; set it up with "
			  "losetup --direct-io=on.", disk->name);
}

static void note_zoned(struct words *notes, const struct device_info *disk)
{
	if (disk->host_managed)
		words_say(notes, "%s is a host-managed zoned disk: what was never written in a zone is answered without the medium, "
			  "or not at all; measure a --span that is full.", disk->name);
}

static void note_probe(struct words *notes, const struct device_info *disk, const struct probe *probe)
{
	char first[UNITS_TEXT], median[UNITS_TEXT];

	if (probe->blocks >= 8 && probe->zero_blocks > probe->blocks / 2)
		words_say(notes, "%s: %u of %u random blocks hold nothing but zeros, as on a disk that was never written or was "
			  "trimmed; an SSD or a thin volume answers such reads without its medium, and is slower when filled.",
			  disk->name, probe->zero_blocks, probe->blocks);
	if (probe->median_ns && probe->first_ns > 50 * probe->median_ns && probe->first_ns > NS_PER_S / 10)
		words_say(notes, "%s: the very first read took %s and the next ones %s: the disk may have been asleep; its figures "
			  "were taken after that.", disk->name, duration_print(first, probe->first_ns),
			  probe->median_ns < NS_PER_MS ? "under 1 ms" : duration_print(median, probe->median_ns));
}

/* "random 64k", "4 cells, most in random 64k". */
static char *where(char text[WHERE_TEXT], const struct finding *finding)
{
	char cell[CELL_TEXT];

	cell_print(cell, finding->cell);
	if (finding->cells == 1)
		snprintf(text, WHERE_TEXT, "%s", cell);
	else
		snprintf(text, WHERE_TEXT, "%u cells, most in %s", finding->cells, cell);
	return text;
}

static void rate_print(char text[RATE_TEXT], double per_second, const char *what)
{
	if (per_second < 1)
		snprintf(text, RATE_TEXT, "less than one %s", what);
	else
		snprintf(text, RATE_TEXT, "%.0f %s%s", per_second, what, per_second < 1.5 ? "" : "s");
}

static void note_others(struct words *notes, const struct device_info *disk, const struct finding *finding)
{
	char cells[WHERE_TEXT], reads[RATE_TEXT] = "", writes[RATE_TEXT] = "";

	if (!finding->cells)
		return;
	if (isnan(finding->others_reads))
		snprintf(reads, sizeof reads, "other reads of %.3g MB", finding->others_bytes / 1e6);
	else if (finding->others_reads > 0)
		rate_print(reads, finding->others_reads, "other read");
	if (finding->writes > 0)
		rate_print(writes, finding->writes, "write");
	words_say(notes, "%s: %s%s%s a second during %s: figures are disturbed; measure when nobody else uses it.", disk->name,
		  reads, *reads && *writes ? " and " : "", writes, where(cells, finding));
}

static void note_drift(struct words *notes, const struct device_info *disk, const struct finding *finding,
		       unsigned measured)
{
	const double by_chance = measured * chance_of_drift;
	const double credible = fmax(1, by_chance + 2 * sqrt(by_chance * (1 - chance_of_drift)));
	char cells[WHERE_TEXT];

	/* A few cells drift by chance: say it when more do, or one so much that chance hardly makes it. */
	if (!finding->cells || (finding->value < sure_correlation && finding->cells <= credible))
		return;
	words_say(notes, "%s: the rate drifts during %s, so that +-95%% is too narrow; use a longer -w and -t.", disk->name,
		  where(cells, finding));
}

static void note_host(struct words *notes, const struct device_info *disk, const struct finding finding[FINDINGS])
{
	char cells[WHERE_TEXT], size[UNITS_TEXT], mean[UNITS_TEXT], await[UNITS_TEXT];

	if (finding[FOUND_HOST].cells)
		words_say(notes, "%s: its thread used %.0f %% of a processor during %s: the host, not the disk, is the limit here; "
			  "larger blocks show more of the disk.", disk->name, finding[FOUND_HOST].value,
			  where(cells, &finding[FOUND_HOST]));
	if (finding[FOUND_BUSY].cells)
		words_say(notes, "%s: a read took %s, and the kernel had it for %s of that, in %s: the rest was lost in this machine, "
			  "which is too busy; measure when it is idle.", disk->name,
			  latency_print(mean, finding[FOUND_BUSY].mean_ns), latency_print(await, finding[FOUND_BUSY].await_ns),
			  where(cells, &finding[FOUND_BUSY]));
	if (finding[FOUND_FEW].cells)
		words_say(notes, "%s: fewer than ten times as many reads as were in flight count in %s: too few to tell a rate; use a "
			  "longer -t or a larger -n.", disk->name, where(cells, &finding[FOUND_FEW]));
	if (finding[FOUND_LITTLE].cells)
		words_say(notes, "%s: req/s x mean latency misses the depth by %.3g %% in %s: there were not as many reads in flight "
			  "all the time; this machine is too busy, or reads are stuck.", disk->name, finding[FOUND_LITTLE].value,
			  where(cells, &finding[FOUND_LITTLE]));
	if (finding[FOUND_PLAIN].cells)
		words_say(notes, "%s: the memlock limit has no room for the %s that are read into in %s, so that each read costs the "
			  "host more; raise it with ulimit -l.", disk->name,
			  size_print(size, (uint64_t)finding[FOUND_PLAIN].value), where(cells, &finding[FOUND_PLAIN]));
}

static void note_findings(struct words *notes, const struct device_info *disk, const struct finding finding[FINDINGS],
			  unsigned measured)
{
	char cells[WHERE_TEXT], duration[UNITS_TEXT];

	note_others(notes, disk, &finding[FOUND_OTHERS]);
	note_drift(notes, disk, &finding[FOUND_DRIFT], measured);
	if (finding[FOUND_QUICK].cells)
		words_say(notes, "%s: half of the reads took no more than %.0f ns in %s: no medium is so quick, so memory answered, "
			  "of a RAM disk, a controller or a hypervisor; measure a --span larger than that.", disk->name,
			  1 / finding[FOUND_QUICK].value, where(cells, &finding[FOUND_QUICK]));
	if (finding[FOUND_LINK].cells)
		words_say(notes, "%s: the rate is %.3g times what its link (%s) can carry in %s: data came from a cache on this side "
			  "of it, or the link is not the disk's own; do not take this for the disk's rate.", disk->name,
			  finding[FOUND_LINK].value, disk->link, where(cells, &finding[FOUND_LINK]));
	if (finding[FOUND_SLOW].cells)
		words_say(notes, "%s: %.0f %% slower than its %u siblings %s %s: look at its SMART data, its link and its slot.",
			  disk->name, finding[FOUND_SLOW].value, finding[FOUND_SLOW].siblings,
			  finding[FOUND_SLOW].cells == 1 ? "at" : "in", where(cells, &finding[FOUND_SLOW]));
	if (finding[FOUND_UNSEEN].cells)
		words_say(notes, "%s: the kernel's counters miss %.3g %% of what was read during %s: that came from elsewhere than "
			  "this disk.", disk->name, finding[FOUND_UNSEEN].value, where(cells, &finding[FOUND_UNSEEN]));
	if (finding[FOUND_STALL].cells)
		words_say(notes, "%s: just before or after the measured time a read took %s in %s, ten times as long as any "
			  "inside: the disk stalled; measure it again, for longer.", disk->name,
			  duration_print(duration, (int64_t)finding[FOUND_STALL].value), where(cells, &finding[FOUND_STALL]));
	if (finding[FOUND_IMPRECISE].cells)
		words_say(notes, "%s: time was up before the precision was reached in %s (+-%.1f %%); use a longer -t.", disk->name,
			  where(cells, &finding[FOUND_IMPRECISE]), finding[FOUND_IMPRECISE].value);
	if (finding[FOUND_WRAPPED].cells)
		words_say(notes, "%s: linear reads came to the end and began again at the start in %u cell%s: a cache may have "
			  "answered the second time.", disk->name, finding[FOUND_WRAPPED].cells,
			  finding[FOUND_WRAPPED].cells == 1 ? "" : "s");
	if (finding[FOUND_WAITS].cells)
		words_say(notes, "%s: %.2g %% of the reads were held up because the collector had no processor during %s: this "
			  "machine is too busy to measure.", disk->name, finding[FOUND_WAITS].value,
			  where(cells, &finding[FOUND_WAITS]));
	note_host(notes, disk, finding);
}

static void note_split(struct words *notes, const struct device_info *disk, const struct finding *finding)
{
	char cells[WHERE_TEXT], size[UNITS_TEXT], limit[UNITS_TEXT + 64] = "";

	if (!finding->cells)
		return;
	if (disk->max_read_bytes && disk->max_read_bytes < finding->cell->block_bytes)
		snprintf(limit, sizeof limit, ", since it takes %s at most (max_sectors_kb, max_segments)",
			 size_print(size, disk->max_read_bytes));
	words_say(notes, "%s: the kernel made %.3g requests of each read during %s%s: r/s, rareq-sz and r_await are those of "
		  "the parts.", disk->name, finding->value, where(cells, finding), limit);
}

/* Cells in which the disk's rate has an interval. */
static unsigned cells_measured(const struct result *result, const struct device_info *disk)
{
	unsigned cells = 0;

	for (const struct row *row = result->row; row < result->row + result->rows; row++)
		cells += row->disk == disk && !isnan(row->figure[FIGURE_CI95]);
	return cells;
}

static size_t cells_present(const struct result *result)
{
	size_t cells = 0;

	for (const struct row *row = result->row; row < result->row + result->rows; row++)
		cells += !row->disk;
	return cells;
}

static void note_engine(struct words *notes, const struct result *result)
{
	const int refused = result->host->engine_errno[ENGINE_URING];

	if (refused && plan_has_engine(result->plan, ENGINE_AIO))
		words_say(notes, "the kernel refuses io_uring (%s), so several reads in flight go through aio, which costs the host "
			  "more; look at sysctl kernel.io_uring_disabled and at the seccomp filter of a container.",
			  error_reason(refused));
}

void notes_write(struct words *notes, const struct result *result)
{
	const struct plan *plan = result->plan;
	char duration[UNITS_TEXT], cell[CELL_TEXT];

	note_engine(notes, result);
	for (unsigned i = 0; i < plan->disks; i++) {
		const struct device_info *disk = plan->disk[i];

		note_use(notes, disk);
		note_backing(notes, disk);
		note_zoned(notes, disk);
		if (result->probe)
			note_probe(notes, disk, &result->probe[i]);
		note_findings(notes, disk, result->finding[i], cells_measured(result, disk));
		if (result->extended)
			note_split(notes, disk, &result->finding[i][FOUND_SPLIT]);
	}
	notes_of_topology(notes, result);
	if (result->unlocked)
		words_say(notes, "the disks could not be locked in /run/lock (%s): see that no other run measures them at the "
			  "same time.", error_reason(-result->unlocked));
	notes_of_scaling(notes, result);
	if (result->paused_cell)
		words_say(notes, "the program stood still for %s, first in %s, as when it or its terminal is stopped: "
			  "rates there may be too low.",
			  duration_print(duration, result->paused_ns), cell_print(cell, result->paused_cell));
	if (result->interrupted && !result->rows)
		words_say(notes, "a signal ended the run before its first cell: nothing was measured.");
	else if (result->interrupted)
		words_say(notes, "a signal ended the run early: %zu of %zu cells stand here, the last of a shorter window.",
			  cells_present(result), plan->cells);
}

static void complain_faults(struct words *complaints, const struct device_info *disk, const struct trouble *trouble)
{
	for (const struct fault *f = trouble->fault; f < trouble->fault + TALLY_FAULTS && f->error; f++)
		words_say(complaints, "'%s': %llu read%s failed, the first at byte %llu: %s", disk->path,
			  (unsigned long long)f->count, f->count == 1 ? "" : "s", (unsigned long long)f->first_offset,
			  error_reason(-f->error));
}

static void complain_lost(struct words *complaints, const struct device_info *disk, const struct trouble *trouble,
			  const struct limits *limits)
{
	char cell[CELL_TEXT] = "the probe", duration[UNITS_TEXT];

	if (trouble->cell)
		cell_print(cell, trouble->cell);
	if (trouble->ending == ENDED_GONE)
		words_say(complaints, "'%s': lost during %s: %s", disk->path, cell, error_reason(-trouble->error));
	else if (trouble->ending == ENDED_HUNG)
		words_say(complaints, "'%s': given up during %s: a read took more than %s; --hang-timeout allows more", disk->path,
			  cell, duration_print(duration, limits->hang_ns));
	else if (trouble->ending == ENDED_CUT)
		words_say(complaints, "'%s': left behind during %s: a read did not end after the signal", disk->path, cell);
	else if (trouble->ending == ENDED_FAILING)
		words_say(complaints, "'%s': given up during %s: %llu read%s in a row failed; --max-errors allows more",
			  disk->path, cell, (unsigned long long)limits->max_errors, limits->max_errors == 1 ? "" : "s");
}

void complaints_write(struct words *complaints, const struct result *result)
{
	for (unsigned i = 0; i < result->plan->disks; i++) {
		complain_faults(complaints, result->plan->disk[i], &result->trouble[i]);
		complain_lost(complaints, result->plan->disk[i], &result->trouble[i], &result->plan->limits);
	}
}
