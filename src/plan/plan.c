#include "plan/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/units.h"

static uint64_t percent_of(uint64_t bytes, uint64_t percent)
{
	return bytes / 100 * percent + bytes % 100 * percent / 100;
}

/* Where a span starts and how long it is on a disk of that size. Both edges of a percentage are rounded,
 * not its length, so that neighbouring spans touch. */
static void span_resolve(const struct span_wish *span, uint64_t size_bytes, struct job *job)
{
	job->span_start_bytes = span->start.percent ? percent_of(size_bytes, span->start.value) : span->start.value;
	if (!span->length.percent)
		job->span_bytes = span->length.value;
	else if (span->start.percent)
		job->span_bytes = percent_of(size_bytes, span->start.value + span->length.value) - job->span_start_bytes;
	else
		job->span_bytes = percent_of(size_bytes, span->length.value);
}

/* Neighbouring zones touch, as spans do. */
static void zone_resolve(const struct cell *cell, struct job *job)
{
	const uint64_t each = job->span_bytes / cell->zones, rest = job->span_bytes % cell->zones;
	const uint64_t start = each * cell->zone + rest * cell->zone / cell->zones;

	job->span_bytes = each * (cell->zone + 1) + rest * (cell->zone + 1) / cell->zones - start;
	job->span_start_bytes += start;
}

static uint64_t job_seed(const struct plan *plan, const struct job *job, unsigned disk)
{
	const struct cell *cell = job->cell;
	const uint64_t coordinate[] = { disk, cell->mode, cell->access, cell->block_bytes, cell->depth,
					job->span_start_bytes, job->span_bytes };
	uint64_t seed = plan->limits.seed;

	for (size_t i = 0; i < TEXT_COUNT(coordinate); i++)
		seed = rng_mix(seed, coordinate[i]);
	return seed;
}

struct job plan_job(const struct plan *plan, const struct cell *cell, unsigned disk)
{
	const struct device_info *info = plan->disk[disk];
	const uint64_t block = cell->block_bytes;
	struct job job = { .cell = cell };
	uint64_t end_bytes, first;

	span_resolve(&cell->span, info->size_bytes, &job);
	if (cell->zones)
		zone_resolve(cell, &job);
	job.seed = job_seed(plan, &job, disk);
	if (info->missing) {
		job.unfit = UNFIT_MISSING;
		return job;
	}
	if (cell->access == ACCESS_RAW && block % info->sector_bytes) {
		job.unfit = UNFIT_SECTOR;
		return job;
	}
	if (__builtin_add_overflow(job.span_start_bytes, job.span_bytes, &end_bytes) || end_bytes > info->size_bytes) {
		job.unfit = UNFIT_SPAN;
		return job;
	}
	first = job.span_start_bytes / block + (job.span_start_bytes % block != 0);
	job.start_bytes = first * block;
	job.blocks = end_bytes / block > first ? end_bytes / block - first : 0;
	job.unfit = job.blocks ? FITS : UNFIT_SIZE;
	return job;
}

char *span_print(char text[SPAN_TEXT], const struct span_wish *span)
{
	const struct place *place[] = { &span->start, &span->length };
	char part[2][UNITS_TEXT];

	for (int i = 0; i < 2; i++)
		if (place[i]->percent && place[i]->value)
			snprintf(part[i], UNITS_TEXT, "%llu%%", (unsigned long long)place[i]->value);
		else
			size_print(part[i], place[i]->value);
	snprintf(text, SPAN_TEXT, "%s:%s", part[0], part[1]);
	return text;
}

bool cell_is_whole(const struct cell *cell)
{
	return !cell->zones && span_same(&cell->span, &span_whole);
}

char *part_print(char text[SPAN_TEXT], const struct cell *cell)
{
	int length;

	if (!cell->zones)
		return span_print(text, &cell->span);
	length = snprintf(text, SPAN_TEXT, "%u/%u", cell->zone + 1, cell->zones);
	if (!span_same(&cell->span, &span_whole)) {
		char span[SPAN_TEXT];

		snprintf(text + length, SPAN_TEXT - (size_t)length, " of %s", span_print(span, &cell->span));
	}
	return text;
}

/* Of a disk or a file: exact, and never a bare number. */
static void whole_print(char text[UNITS_TEXT + 8], uint64_t bytes)
{
	size_print(text, bytes);
	if (bytes % KIB)
		strcat(text, " bytes");
}

char *unfit_print(char text[UNFIT_TEXT], const struct plan *plan, const struct job *job, unsigned disk)
{
	const struct device_info *info = plan->disk[disk];
	const uint32_t block = job->cell->block_bytes, sector = info->sector_bytes;
	char span[SPAN_TEXT], size[UNITS_TEXT], capacity[UNITS_TEXT + 8];

	part_print(span, job->cell);
	size_print(size, block);
	whole_print(capacity, info->size_bytes);
	if (job->unfit == UNFIT_MISSING)
		snprintf(text, UNFIT_TEXT, "it could not be opened");
	else if (job->unfit == UNFIT_SECTOR && block < sector)
		snprintf(text, UNFIT_TEXT, "block size %s is not a multiple of its %u-byte sector; use %u or more", size, sector,
			 sector);
	else if (job->unfit == UNFIT_SECTOR)
		snprintf(text, UNFIT_TEXT, "block size %s is not a multiple of its %u-byte sector; use %u or %u", size, sector,
			 block / sector * sector, (block / sector + 1) * sector);
	else if (job->unfit == UNFIT_SPAN)
		snprintf(text, UNFIT_TEXT, "span %s ends past its size, %s; use a shorter one or percentages", span, capacity);
	else if (job->span_bytes == info->size_bytes)
		snprintf(text, UNFIT_TEXT, "block size %s is larger than %s, %s; use a smaller one", size,
			 info->kind == KIND_FILE ? "the file" : "the disk", capacity);
	else
		snprintf(text, UNFIT_TEXT, "block size %s has no aligned block in span %s; use a smaller one", size, span);
	return text;
}

char *cell_print(char text[CELL_TEXT], const struct cell *cell)
{
	char size[UNITS_TEXT], depth[UNITS_TEXT] = "", part[SPAN_TEXT];
	const bool whole = cell_is_whole(cell);

	if (cell->depth > 1)
		snprintf(depth, sizeof depth, ", depth %u", cell->depth);
	snprintf(text, CELL_TEXT, "%s %s%s%s%s%s", mode_names[cell->mode], size_print(size, cell->block_bytes), depth,
		 cell->access == ACCESS_COOKED ? ", cooked" : "", whole ? "" : ", ", whole ? "" : part_print(part, cell));
	return text;
}

static size_t bits(unsigned set)
{
	return (size_t)__builtin_popcount(set);
}

static unsigned at_least_one(unsigned count)
{
	return count ? count : 1;
}

static enum engine engine_for(const struct sweep *sweep, const struct host *host, uint32_t depth)
{
	if (sweep->engine != ENGINE_AUTO)
		return sweep->engine;
	if (depth == 1)
		return ENGINE_SYNC;
	return host->engine_errno[ENGINE_URING] ? ENGINE_AIO : ENGINE_URING;
}

/* All sizes of one depth and span, of a mode and access that are set in cell, in each zone of the span. */
static void add_sizes(struct plan *plan, const struct sweep *sweep, struct cell cell)
{
	cell.zones = sweep->zones;
	for (cell.zone = 0; cell.zone < at_least_one(cell.zones); cell.zone++)
		for (unsigned size = 0; size < sweep->sizes.count; size++) {
			cell.block_bytes = sweep->sizes.value[size];
			plan->cell[plan->cells++] = cell;
		}
}

static void add_depths(struct plan *plan, const struct sweep *sweep, const struct host *host, struct cell cell)
{
	for (unsigned depth = 0; depth < at_least_one(sweep->depths.count); depth++)
		for (unsigned span = 0; span < at_least_one(sweep->spans.count); span++) {
			cell.depth = sweep->depths.count ? sweep->depths.value[depth] : 1;
			cell.engine = engine_for(sweep, host, cell.depth);
			cell.span = sweep->spans.count ? sweep->spans.wish[span] : span_whole;
			add_sizes(plan, sweep, cell);
		}
}

static void add_cells(struct plan *plan, const struct sweep *sweep, const struct host *host, struct cell cell)
{
	for (cell.mode = 0; cell.mode < MODES; cell.mode++)
		for (cell.access = 0; cell.access < ACCESSES; cell.access++)
			if (sweep->modes & 1U << cell.mode && sweep->accesses & 1U << cell.access)
				add_depths(plan, sweep, host, cell);
}

/* NULL when memory is short. */
static const char *add_members(struct plan *plan, unsigned first, unsigned disks)
{
	size_t length = 0;
	char *names, *end;

	for (unsigned disk = first; disk < first + disks; disk++)
		length += strlen(plan->disk[disk]->name) + 1;
	names = end = malloc(length + 1);
	if (!names)
		return NULL;
	*names = '\0';
	for (unsigned disk = first; disk < first + disks; disk++)
		if (!plan->disk[disk]->missing)
			end = stpcpy(stpcpy(end, end > names ? "+" : ""), plan->disk[disk]->name);
	words_add(&plan->members, names, (size_t)(end - names));
	free(names);
	return plan->members.incomplete ? NULL : plan->members.word[plan->members.count - 1];
}

/* So many cells of each coordinate: scale has each disk alone, then the first 2, 3 ... of them. */
static unsigned groups_of(const struct plan *plan)
{
	return plan->order == ORDER_TOGETHER ? 1 : plan->order == ORDER_ALONE ? plan->disks : 2 * plan->disks - 1;
}

static void set_group(struct cell *cell, const struct plan *plan, unsigned group)
{
	cell->first = plan->order == ORDER_TOGETHER || group >= plan->disks ? 0 : group;
	cell->disks = plan->order == ORDER_TOGETHER ? plan->disks : group < plan->disks ? 1 : group - plan->disks + 2;
}

static int make_cells(struct plan *plan, const struct sweep *sweep, const struct host *host)
{
	const unsigned groups = groups_of(plan);
	const size_t cells = groups * bits(sweep->modes) * bits(sweep->accesses) * at_least_one(sweep->depths.count) *
			     at_least_one(sweep->spans.count) * at_least_one(sweep->zones) * sweep->sizes.count;

	plan->cell = calloc(cells, sizeof *plan->cell);
	if (!plan->cell)
		return -1;
	for (unsigned group = 0; group < groups; group++) {
		struct cell cell = { .depth = 1 };

		set_group(&cell, plan, group);
		cell.members = add_members(plan, cell.first, cell.disks);
		if (!cell.members)
			return -1;
		add_cells(plan, sweep, host, cell);
	}
	return 0;
}

/* Whether the kernel lets every depth have an engine. */
static int check_engine(const struct sweep *sweep, const struct host *host, struct error *error)
{
	static const char *const remedy[ENGINES] = {
		[ENGINE_URING] = "look at sysctl kernel.io_uring_disabled and at the seccomp filter of a container, or use "
				 "--engine auto",
		[ENGINE_AIO] = "raise sysctl fs.aio-max-nr, or use --engine auto",
	};
	const uint32_t depth = depths_most(&sweep->depths);
	const enum engine engine = engine_for(sweep, host, depth);
	const int refused = host->engine_errno[engine];

	if (!refused)
		return 0;
	if (sweep->engine == ENGINE_AUTO)
		return error_set(error, STATUS_START, "--queue-depth '%u': the kernel refuses io_uring, and aio too: %s; use -q 1",
				 depth, error_reason(refused));
	return error_set(error, STATUS_START, "--engine '%s': the kernel refuses it: %s; %s", engine_names[engine],
			 error_reason(refused), remedy[engine]);
}

static int check_twice(const struct plan *plan, struct error *error)
{
	for (unsigned i = 0; i < plan->disks; i++)
		for (unsigned j = 0; j < i; j++)
			if (device_same(plan->disk[i], plan->disk[j]))
				return error_set(error, STATUS_USAGE, "'%s' is the same disk as '%s'; name it once",
						 plan->disk[i]->path, plan->disk[j]->path);
	return 0;
}

static int check_in_use(const struct plan *plan, const struct sweep *sweep, struct error *error)
{
	if (!(sweep->accesses & 1U << ACCESS_COOKED) || sweep->force)
		return 0;
	for (unsigned i = 0; i < plan->disks; i++)
		if (*plan->disk[i]->in_use)
			return error_set(error, STATUS_START,
					 "'%s': %s, and cooked reads would push its users' data out of the page cache; "
					 "use -a raw, or --force", plan->disk[i]->path, plan->disk[i]->in_use);
	return 0;
}

static int refuse(const struct plan *plan, const struct job *job, unsigned disk, struct error *error)
{
	char reason[UNFIT_TEXT];

	return error_set(error, STATUS_START, "'%s': %s", plan->disk[disk]->path, unfit_print(reason, plan, job, disk));
}

/* Each size and span that was asked for must fit some disk. */
static int check_cells(const struct plan *plan, const struct sweep *sweep, struct error *error)
{
	if (!sweep->sizes.chosen && !sweep->spans.count)
		return 0;
	for (const struct cell *cell = plan->cell; cell < plan->cell + plan->cells; cell++) {
		struct job misfit = { .unfit = FITS };
		unsigned disk, last = 0;

		for (disk = 0; disk < plan->disks; disk++) {
			const struct job job = plan_job(plan, cell, disk);

			if (job.unfit == UNFIT_MISSING)
				continue;
			if (!job.unfit || (job.unfit != UNFIT_SPAN && !sweep->sizes.chosen))
				break;
			misfit = job;
			last = disk;
		}
		if (disk == plan->disks && misfit.unfit)
			return refuse(plan, &misfit, last, error);
	}
	return 0;
}

static int check_disks(const struct plan *plan, struct error *error)
{
	for (unsigned disk = 0; disk < plan->disks; disk++) {
		const struct job first = plan_job(plan, &plan->cell[0], disk);
		size_t i = 0;

		while (i < plan->cells && plan_job(plan, &plan->cell[i], disk).unfit)
			i++;
		if (i == plan->cells && !plan->disk[disk]->missing)
			return refuse(plan, &first, disk, error);
	}
	return 0;
}

/* What changes fastest, as long as it is one thing. */
static enum axis find_axis(const struct sweep *sweep)
{
	if (sweep->zones)
		return AXIS_ZONE;
	if (sweep->sizes.count > 1)
		return AXIS_SIZE;
	return sweep->spans.count > 1 ? AXIS_SPAN : sweep->depths.count > 1 ? AXIS_DEPTH : AXIS_SIZE;
}

int plan_make(struct plan *plan, const struct sweep *sweep, const struct limits *limits, const struct host *host,
	      const struct device_info *const *disk, unsigned disks, struct error *error)
{
	*plan = (struct plan){
		.disk = disk,
		.disks = disks,
		.order = sweep->order,
		.axis = find_axis(sweep),
		.limits = *limits,
	};
	if (check_twice(plan, error) < 0 || check_in_use(plan, sweep, error) < 0 || check_engine(sweep, host, error) < 0)
		return -1;
	if (make_cells(plan, sweep, host) < 0) {
		plan_release(plan);
		return error_set(error, STATUS_START, "not enough memory for the plan; use fewer sizes, depths or spans");
	}
	if (check_cells(plan, sweep, error) < 0 || check_disks(plan, error) < 0) {
		plan_release(plan);
		return -1;
	}
	return 0;
}

uint32_t plan_depth(const struct plan *plan)
{
	uint32_t depth = 1;

	for (const struct cell *cell = plan->cell; cell < plan->cell + plan->cells; cell++)
		if (cell->depth > depth)
			depth = cell->depth;
	return depth;
}

bool plan_has_engine(const struct plan *plan, enum engine engine)
{
	for (const struct cell *cell = plan->cell; cell < plan->cell + plan->cells; cell++)
		if (cell->engine == engine)
			return true;
	return false;
}

void plan_release(struct plan *plan)
{
	free(plan->cell);
	words_release(&plan->members);
	plan->cell = NULL;
	plan->cells = 0;
}

int64_t plan_longest_ns(const struct plan *plan, size_t from_cell)
{
	int64_t each, all;

	if (__builtin_add_overflow(plan->limits.warmup_ns, plan->limits.time_ns, &each) ||
	    __builtin_mul_overflow(each, (int64_t)(plan->cells - from_cell), &all))
		return INT64_MAX;
	return all;
}
