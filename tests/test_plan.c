/* Wishes and disks become cells in order, and jobs that never leave their span, or a refusal with the numbers. */
#include "test.h"

#include <errno.h>

#include "base/clock.h"
#include "base/rng.h"
#include "base/units.h"
#include "plan/plan.h"

enum { DISKS_MAX = 4 };

/* Disks to plan for: of the given sizes and sectors, sda, sdb ..., not in use. */
struct shelf {
	struct device_info info[DISKS_MAX];
	const struct device_info *disk[DISKS_MAX];
};

static void shelf_fill(struct shelf *shelf, uint64_t size_bytes, uint32_t sector_bytes)
{
	static const char *const path[DISKS_MAX] = { "/dev/sda", "/dev/sdb", "/dev/sdc", "/dev/sdd" };

	*shelf = (struct shelf){ 0 };
	for (unsigned i = 0; i < DISKS_MAX; i++) {
		shelf->info[i] = (struct device_info){
			.path = path[i],
			.rdev = 0x800 + i,
			.size_bytes = size_bytes,
			.sector_bytes = sector_bytes,
		};
		shelf->disk[i] = &shelf->info[i];
	}
}

/* Raw random reads of 4k, unless a test changes that. */
static struct sweep sweep_of(uint32_t block_bytes, const char *spans)
{
	struct sweep sweep = {
		.modes = 1 << MODE_RANDOM,
		.accesses = 1 << ACCESS_RAW,
		.sizes = { .value = { block_bytes }, .count = 1, .chosen = true },
	};

	if (spans)
		assert_null(spans_parse(spans, &sweep.spans));
	return sweep;
}

/* Refuses nothing, unless a test lets it. */
static struct host host;

static void plan_well(struct plan *plan, const struct sweep *sweep, const struct shelf *shelf, unsigned disks)
{
	static const struct limits limits = { .time_ns = 10 * NS_PER_S, .warmup_ns = NS_PER_S / 2, .seed = 42 };
	struct error error = { 0 };

	if (plan_make(plan, sweep, &limits, &host, shelf->disk, disks, &error) < 0)
		fail_msg("refused: %s", error.text);
}

static void plan_badly(const struct sweep *sweep, const struct shelf *shelf, unsigned disks, enum exit_status status,
		       const char *text)
{
	const struct limits limits = { .time_ns = NS_PER_S };
	struct error error = { 0 };
	struct plan plan;

	assert_int_equal(plan_make(&plan, sweep, &limits, &host, shelf->disk, disks, &error), -1);
	assert_string_equal(error.text, text);
	assert_int_equal(error.status, status);
}

/* The cells as text, one letter or size per coordinate: "0+2 random raw 0:10% 4k|..." */
static const char *cells_text(const struct plan *plan)
{
	static char text[4096];

	text[0] = '\0';
	for (const struct cell *cell = plan->cell; cell < plan->cell + plan->cells; cell++) {
		char size[UNITS_TEXT], span[SPAN_TEXT];

		sprintf(text + strlen(text), "%s%u+%u %s %s %s %s", cell == plan->cell ? "" : "|", cell->first, cell->disks,
			mode_names[cell->mode], access_names[cell->access], span_print(span, &cell->span),
			size_print(size, cell->block_bytes));
		if (cell->depth > 1 || cell->engine != ENGINE_SYNC)
			sprintf(text + strlen(text), " %u by %s", cell->depth, engine_names[cell->engine]);
	}
	return text;
}

static void cells_run_by_mode_then_access_then_span_then_size(void **state)
{
	struct sweep sweep = sweep_of(8192, "50%:50%,0:10%");
	struct shelf shelf;
	struct plan plan;

	(void)state;
	shelf_fill(&shelf, GIB, 512);
	sweep.modes = 7;
	sweep.accesses = 3;
	sweep.sizes.value[1] = 4096;
	sweep.sizes.count = 2;
	plan_well(&plan, &sweep, &shelf, 2);
	assert_string_equal(cells_text(&plan),
			    "0+2 random raw 50%:50% 8k|0+2 random raw 50%:50% 4k|0+2 random raw 0:10% 8k|0+2 random raw 0:10% 4k|"
			    "0+2 random cooked 50%:50% 8k|0+2 random cooked 50%:50% 4k|0+2 random cooked 0:10% 8k|"
			    "0+2 random cooked 0:10% 4k|"
			    "0+2 linear raw 50%:50% 8k|0+2 linear raw 50%:50% 4k|0+2 linear raw 0:10% 8k|0+2 linear raw 0:10% 4k|"
			    "0+2 linear cooked 50%:50% 8k|0+2 linear cooked 50%:50% 4k|0+2 linear cooked 0:10% 8k|"
			    "0+2 linear cooked 0:10% 4k|"
			    "0+2 reread raw 50%:50% 8k|0+2 reread raw 50%:50% 4k|0+2 reread raw 0:10% 8k|0+2 reread raw 0:10% 4k|"
			    "0+2 reread cooked 50%:50% 8k|0+2 reread cooked 50%:50% 4k|0+2 reread cooked 0:10% 8k|"
			    "0+2 reread cooked 0:10% 4k");
	assert_int_equal(plan.axis, AXIS_SIZE);
	plan_release(&plan);
	assert_int_equal(plan.cells, 0);
}

static void alone_runs_all_cells_of_a_disk_before_the_next(void **state)
{
	struct sweep sweep = sweep_of(4096, NULL);
	struct shelf shelf;
	struct plan plan;

	(void)state;
	shelf_fill(&shelf, GIB, 512);
	sweep.modes = 1 << MODE_RANDOM | 1 << MODE_REREAD;
	sweep.order = ORDER_ALONE;
	plan_well(&plan, &sweep, &shelf, 3);
	assert_string_equal(cells_text(&plan),
			    "0+1 random raw 0:100% 4k|0+1 reread raw 0:100% 4k|1+1 random raw 0:100% 4k|1+1 reread raw 0:100% 4k|"
			    "2+1 random raw 0:100% 4k|2+1 reread raw 0:100% 4k");
	plan_release(&plan);
}

static void scale_runs_each_disk_alone_and_then_ever_more_of_them(void **state)
{
	struct sweep sweep = sweep_of(4096, NULL);
	struct shelf shelf;
	struct plan plan;

	(void)state;
	shelf_fill(&shelf, GIB, 512);
	sweep.order = ORDER_SCALE;
	sweep.modes = 1 << MODE_RANDOM | 1 << MODE_REREAD;
	plan_well(&plan, &sweep, &shelf, 3);
	assert_string_equal(cells_text(&plan),
			    "0+1 random raw 0:100% 4k|0+1 reread raw 0:100% 4k|1+1 random raw 0:100% 4k|1+1 reread raw 0:100% 4k|"
			    "2+1 random raw 0:100% 4k|2+1 reread raw 0:100% 4k|0+2 random raw 0:100% 4k|0+2 reread raw 0:100% 4k|"
			    "0+3 random raw 0:100% 4k|0+3 reread raw 0:100% 4k");
	plan_release(&plan);
	plan_well(&plan, &sweep, &shelf, 1);
	assert_string_equal(cells_text(&plan), "0+1 random raw 0:100% 4k|0+1 reread raw 0:100% 4k");
	plan_release(&plan);
}

static void only_several_spans_of_one_size_make_the_span_the_axis(void **state)
{
	const struct sweep sweep = sweep_of(4096, "0:10%,90%:10%"), single = sweep_of(4096, "0:10%");
	struct shelf shelf;
	struct plan plan;

	(void)state;
	shelf_fill(&shelf, GIB, 512);
	plan_well(&plan, &sweep, &shelf, 1);
	assert_int_equal(plan.axis, AXIS_SPAN);
	plan_release(&plan);
	plan_well(&plan, &single, &shelf, 1);
	assert_int_equal(plan.axis, AXIS_SIZE);
	plan_release(&plan);
}

static void depth_changes_slower_than_span_and_size(void **state)
{
	struct sweep sweep = sweep_of(4096, "0:10%,90%:10%");
	struct shelf shelf;
	struct plan plan;

	(void)state;
	shelf_fill(&shelf, GIB, 512);
	sweep.modes = 1 << MODE_RANDOM | 1 << MODE_LINEAR;
	assert_null(depths_parse("1,8", &sweep.depths));
	plan_well(&plan, &sweep, &shelf, 1);
	assert_string_equal(cells_text(&plan),
			    "0+1 random raw 0:10% 4k|0+1 random raw 90%:10% 4k|0+1 random raw 0:10% 4k 8 by uring|"
			    "0+1 random raw 90%:10% 4k 8 by uring|0+1 linear raw 0:10% 4k|0+1 linear raw 90%:10% 4k|"
			    "0+1 linear raw 0:10% 4k 8 by uring|0+1 linear raw 90%:10% 4k 8 by uring");
	assert_int_equal(plan.axis, AXIS_SPAN);
	plan_release(&plan);
}

static void only_several_depths_of_one_size_and_span_make_the_depth_the_axis(void **state)
{
	static const struct {
		const char *depths, *spans;
		unsigned sizes;
		enum axis axis;
	} cases[] = {
		{ "1:8", NULL, 1, AXIS_DEPTH }, { "1:8", "0:10%", 1, AXIS_DEPTH }, { "8", NULL, 1, AXIS_SIZE },
		{ "1:8", NULL, 2, AXIS_SIZE }, { "1:8", "0:10%,90%:10%", 1, AXIS_SPAN }, { "1:8", "0:10%,90%:10%", 2, AXIS_SIZE },
	};
	struct shelf shelf;

	(void)state;
	shelf_fill(&shelf, GIB, 512);
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		struct sweep sweep = sweep_of(4096, cases[i].spans);
		struct plan plan;

		assert_null(depths_parse(cases[i].depths, &sweep.depths));
		sweep.sizes.value[1] = 8192;
		sweep.sizes.count = cases[i].sizes;
		plan_well(&plan, &sweep, &shelf, 1);
		assert_int_equal(plan.axis, cases[i].axis);
		plan_release(&plan);
	}
}

static void an_engine_is_the_one_wished_or_the_first_that_the_kernel_allows(void **state)
{
	static const struct {
		enum engine wish;
		const char *depths;
		int uring_errno, aio_errno;
		const char *cells, *error;
	} cases[] = {
		{ ENGINE_AUTO, NULL, 0, 0, "", NULL },
		{ ENGINE_AUTO, "1", EPERM, ENOSYS, "", NULL },
		{ ENGINE_AUTO, "8", 0, 0, " 8 by uring", NULL },
		{ ENGINE_AUTO, "8", 0, ENOSYS, " 8 by uring", NULL },
		{ ENGINE_AUTO, "8", EPERM, 0, " 8 by aio", NULL },
		{ ENGINE_AUTO, "8", EPERM, ENOSYS, NULL,
		  "--queue-depth '8': the kernel refuses io_uring, and aio too: function not implemented; use -q 1" },
		{ ENGINE_SYNC, NULL, EPERM, ENOSYS, "", NULL },
		{ ENGINE_URING, "1", 0, 0, " 1 by uring", NULL },
		{ ENGINE_URING, "8", 0, 0, " 8 by uring", NULL },
		{ ENGINE_URING, "1", EPERM, 0, NULL,
		  "--engine 'uring': the kernel refuses it: operation not permitted; look at sysctl kernel.io_uring_disabled and at "
		  "the seccomp filter of a container, or use --engine auto" },
		{ ENGINE_AIO, "1", 0, 0, " 1 by aio", NULL },
		{ ENGINE_AIO, "8", EPERM, 0, " 8 by aio", NULL },
		{ ENGINE_AIO, "8", 0, EAGAIN, NULL,
		  "--engine 'aio': the kernel refuses it: resource temporarily unavailable; raise sysctl fs.aio-max-nr, or use "
		  "--engine auto" },
	};
	struct shelf shelf;

	(void)state;
	shelf_fill(&shelf, GIB, 512);
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		struct sweep sweep = sweep_of(4096, NULL);
		char cells[64];
		struct plan plan;

		sweep.engine = cases[i].wish;
		if (cases[i].depths)
			assert_null(depths_parse(cases[i].depths, &sweep.depths));
		host.engine_errno[ENGINE_URING] = cases[i].uring_errno;
		host.engine_errno[ENGINE_AIO] = cases[i].aio_errno;
		if (cases[i].error) {
			plan_badly(&sweep, &shelf, 1, STATUS_START, cases[i].error);
			continue;
		}
		plan_well(&plan, &sweep, &shelf, 1);
		snprintf(cells, sizeof cells, "0+1 random raw 0:100%% 4k%s", cases[i].cells);
		assert_string_equal(cells_text(&plan), cells);
		assert_true(plan_has_engine(&plan, plan.cell[0].engine));
		assert_false(plan_has_engine(&plan, ENGINE_AUTO));
		plan_release(&plan);
	}
	host = (struct host){ 0 };
}

static void a_disk_named_twice_is_refused(void **state)
{
	const struct sweep sweep = sweep_of(4096, NULL);
	struct shelf shelf;

	(void)state;
	shelf_fill(&shelf, GIB, 512);
	shelf.info[2].rdev = shelf.info[0].rdev;
	shelf.info[2].path = "/dev/disk/by-id/ata-1";
	plan_badly(&sweep, &shelf, 3, STATUS_USAGE, "'/dev/disk/by-id/ata-1' is the same disk as '/dev/sda'; name it once");
	for (int i = 0; i < 2; i++) {
		shelf.info[i].rdev = 0;
		shelf.info[i].dev = 1;
		shelf.info[i].inode = 77;
	}
	plan_badly(&sweep, &shelf, 2, STATUS_USAGE, "'/dev/sdb' is the same disk as '/dev/sda'; name it once");
}

static void files_of_one_number_on_two_filesystems_are_two_disks(void **state)
{
	const struct sweep sweep = sweep_of(4096, NULL);
	struct shelf shelf;
	struct plan plan;

	(void)state;
	shelf_fill(&shelf, GIB, 512);
	for (int i = 0; i < 2; i++) {
		shelf.info[i].rdev = 0;
		shelf.info[i].dev = 1U + (unsigned)i;
		shelf.info[i].inode = 77;
	}
	plan_well(&plan, &sweep, &shelf, 2);
	plan_release(&plan);
}

static void cooked_reads_of_a_disk_in_use_need_force(void **state)
{
	struct sweep sweep = sweep_of(4096, NULL);
	struct shelf shelf;
	struct plan plan;

	(void)state;
	shelf_fill(&shelf, GIB, 512);
	strcpy(shelf.info[1].in_use, "mounted on /home");
	plan_well(&plan, &sweep, &shelf, 2);
	plan_release(&plan);
	sweep.accesses = 1 << ACCESS_COOKED | 1 << ACCESS_RAW;
	plan_badly(&sweep, &shelf, 2, STATUS_START,
		   "'/dev/sdb': mounted on /home, and cooked reads would push its users' data out of the page cache; "
		   "use -a raw, or --force");
	sweep.force = true;
	plan_well(&plan, &sweep, &shelf, 2);
	plan_release(&plan);
}

static void a_size_that_is_no_multiple_of_the_sector_is_refused_with_its_neighbours(void **state)
{
	static const struct {
		uint32_t block_bytes, sector_bytes;
		const char *text;
	} cases[] = {
		{ 512, 4096, "'/dev/sda': block size 512 is not a multiple of its 4096-byte sector; use 4096 or more" },
		{ 4000, 4096, "'/dev/sda': block size 4000 is not a multiple of its 4096-byte sector; use 4096 or more" },
		{ 6144, 4096, "'/dev/sda': block size 6k is not a multiple of its 4096-byte sector; use 4096 or 8192" },
		{ 4000, 512, "'/dev/sda': block size 4000 is not a multiple of its 512-byte sector; use 3584 or 4096" },
		{ 1, 512, "'/dev/sda': block size 1 is not a multiple of its 512-byte sector; use 512 or more" },
	};
	struct shelf shelf;
	struct plan plan;

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		struct sweep sweep = sweep_of(cases[i].block_bytes, NULL);

		shelf_fill(&shelf, GIB, cases[i].sector_bytes);
		plan_badly(&sweep, &shelf, 1, STATUS_START, cases[i].text);
		/* The page cache takes any size. */
		sweep.accesses = 1 << ACCESS_COOKED;
		plan_well(&plan, &sweep, &shelf, 1);
		plan_release(&plan);
	}
}

static void a_size_or_span_that_does_not_fit_is_refused(void **state)
{
	static const struct {
		uint64_t size_bytes;
		uint32_t block_bytes;
		const char *spans, *text;
	} cases[] = {
		{ MIB, 2 * MIB, NULL, "'/dev/sda': block size 2m is larger than the disk, 1m; use a smaller one" },
		{ MIB - 512, MIB, NULL, "'/dev/sda': block size 1m is larger than the disk, 1048064 bytes; use a smaller one" },
		{ GIB, MIB, "0:512k", "'/dev/sda': block size 1m has no aligned block in span 0:512k; use a smaller one" },
		{ GIB, MIB, "512k:1m", "'/dev/sda': block size 1m has no aligned block in span 512k:1m; use a smaller one" },
		{ 10 * MIB, MIB, "0:5%", "'/dev/sda': block size 1m has no aligned block in span 0:5%; use a smaller one" },
		{ GIB, 4096, "1g:4k", "'/dev/sda': span 1g:4k ends past its size, 1g; use a shorter one or percentages" },
		{ GIB, 4096, "1g:1%", "'/dev/sda': span 1g:1% ends past its size, 1g; use a shorter one or percentages" },
		{ GIB, 4096, "4k:1g", "'/dev/sda': span 4k:1g ends past its size, 1g; use a shorter one or percentages" },
		{ GIB, 4096, "50%:600m", "'/dev/sda': span 50%:600m ends past its size, 1g; use a shorter one or percentages" },
		{ GIB, 4096, "900m:50%", "'/dev/sda': span 900m:50% ends past its size, 1g; use a shorter one or percentages" },
		{ GIB, 4096, "16777215t:1t",
		  "'/dev/sda': span 16777215t:1t ends past its size, 1g; use a shorter one or percentages" },
	};
	struct shelf shelf;

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		const struct sweep sweep = sweep_of(cases[i].block_bytes, cases[i].spans);

		shelf_fill(&shelf, cases[i].size_bytes, 512);
		plan_badly(&sweep, &shelf, 1, STATUS_START, cases[i].text);
	}
}

static void a_size_that_fits_one_of_the_disks_is_planned(void **state)
{
	struct sweep sweep = sweep_of(512, NULL);
	struct shelf shelf;
	struct plan plan;

	(void)state;
	shelf_fill(&shelf, GIB, 512);
	shelf.info[1].sector_bytes = 4096;
	sweep.sizes.value[1] = 4096;
	sweep.sizes.count = 2;
	plan_well(&plan, &sweep, &shelf, 2);
	assert_int_equal(plan_job(&plan, &plan.cell[0], 0).unfit, FITS);
	assert_int_equal(plan_job(&plan, &plan.cell[0], 1).unfit, UNFIT_SECTOR);
	assert_int_equal(plan_job(&plan, &plan.cell[1], 1).unfit, FITS);
	plan_release(&plan);
}

static void a_disk_that_no_cell_fits_is_refused(void **state)
{
	struct sweep sweep = sweep_of(512, NULL);
	struct shelf shelf;

	(void)state;
	shelf_fill(&shelf, GIB, 512);
	shelf.info[1].sector_bytes = 4096;
	plan_badly(&sweep, &shelf, 2, STATUS_START,
		   "'/dev/sdb': block size 512 is not a multiple of its 4096-byte sector; use 4096 or more");
	sweep.sizes.value[0] = 4096;
	sweep.sizes.chosen = false;
	shelf.info[1].size_bytes = 1024;
	plan_badly(&sweep, &shelf, 2, STATUS_START,
		   "'/dev/sdb': block size 4k is larger than the disk, 1k; use a smaller one");
}

static void a_default_size_that_fits_no_disk_is_not_refused(void **state)
{
	struct sweep sweep = sweep_of(4096, NULL);
	struct shelf shelf;
	struct plan plan;

	(void)state;
	shelf_fill(&shelf, 64 * KIB, 512);
	sweep.sizes.value[1] = MIB;
	sweep.sizes.count = 2;
	sweep.sizes.chosen = false;
	plan_well(&plan, &sweep, &shelf, 1);
	assert_int_equal(plan_job(&plan, &plan.cell[1], 0).unfit, UNFIT_SIZE);
	plan_release(&plan);
	assert_null(spans_parse("0:32k", &sweep.spans));
	plan_well(&plan, &sweep, &shelf, 1);
	plan_release(&plan);
	sweep.spans.count = 0;
	sweep.sizes.chosen = true;
	plan_badly(&sweep, &shelf, 1, STATUS_START,
		   "'/dev/sda': block size 1m is larger than the disk, 64k; use a smaller one");
}

static void a_missing_disk_fits_nothing_and_is_refused_nothing(void **state)
{
	struct sweep sweep = sweep_of(4096, "0:10%");
	char text[UNFIT_TEXT];
	struct shelf shelf;
	struct plan plan;
	struct job job;

	(void)state;
	sweep.accesses |= 1 << ACCESS_COOKED;
	shelf_fill(&shelf, GIB, 512);
	shelf.info[1] = (struct device_info){ .path = "/dev/sdb", .name = "sdb", .missing = true };
	shelf.info[2] = (struct device_info){ .path = "/dev/sdx", .name = "sdx", .missing = true };
	plan_well(&plan, &sweep, &shelf, 3);
	assert_int_equal(plan.cells, 2);
	for (size_t cell = 0; cell < 2; cell++) {
		job = plan_job(&plan, &plan.cell[cell], 1);
		assert_int_equal(job.unfit, UNFIT_MISSING);
		assert_string_equal(unfit_print(text, &plan, &job, 1), "it could not be opened");
		assert_int_equal(plan_job(&plan, &plan.cell[cell], 0).unfit, FITS);
	}
	plan_release(&plan);
	/* The others are held to everything. */
	sweep.sizes.value[0] = 513;
	sweep.accesses = 1 << ACCESS_RAW;
	plan_badly(&sweep, &shelf, 3, STATUS_START,
		   "'/dev/sda': block size 513 is not a multiple of its 512-byte sector; use 512 or 1024");
	shelf.info[2].path = "/dev/sdb";
	plan_badly(&sweep, &shelf, 3, STATUS_USAGE, "'/dev/sdb' is the same disk as '/dev/sdb'; name it once");
}

static void blocks_are_the_whole_aligned_ones_of_the_span(void **state)
{
	static const struct {
		uint64_t size_bytes;
		uint32_t block_bytes;
		const char *spans;
		uint64_t span_start_bytes, span_bytes, start_bytes, blocks;
	} cases[] = {
		{ 10 * MIB + 512, 4096, NULL, 0, 10 * MIB + 512, 0, 2560 },
		{ 10 * MIB + 512, 512, NULL, 0, 10 * MIB + 512, 0, 20481 },
		{ 10 * MIB - 512, MIB, NULL, 0, 10 * MIB - 512, 0, 9 },
		{ 4096, 4096, NULL, 0, 4096, 0, 1 },
		{ GIB, 4096, "0:10%", 0, 107374182, 0, 26214 },
		{ GIB, 4096, "10%:10%", 107374182, 107374182, 26215 * 4096, 26213 },
		{ GIB, 4096, "90%:10%", 966367641, 107374183, UINT64_C(235930) * 4096, 26214 },
		{ GIB, 4096, "1000:8192", 1000, 8192, 4096, 1 },
		{ GIB, 4096, "4096:8192", 4096, 8192, 4096, 2 },
		{ GIB, 4096, "4095:8193", 4095, 8193, 4096, 2 },
		{ GIB, 4096, "4095:8192", 4095, 8192, 4096, 1 },
		{ GIB, MIB, "512m:50%", 512 * MIB, 512 * MIB, 512 * MIB, 512 },
		{ UINT64_C(20) << 40, 4096, "50%:1%", UINT64_C(10) << 40, UINT64_C(219902325555), UINT64_C(10) << 40, 53687091 },
	};
	struct shelf shelf;

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		const struct sweep sweep = sweep_of(cases[i].block_bytes, cases[i].spans);
		const struct cell cell = {
			.block_bytes = cases[i].block_bytes,
			.span = cases[i].spans ? sweep.spans.wish[0] : span_whole,
		};
		const struct plan plan = { .disk = shelf.disk, .disks = 1 };
		struct job job;

		shelf_fill(&shelf, cases[i].size_bytes, 512);
		job = plan_job(&plan, &cell, 0);
		assert_int_equal(job.unfit, FITS);
		assert_int_equal(job.span_start_bytes, cases[i].span_start_bytes);
		assert_int_equal(job.span_bytes, cases[i].span_bytes);
		assert_int_equal(job.start_bytes, cases[i].start_bytes);
		assert_int_equal(job.blocks, cases[i].blocks);
	}
}

static void neighbouring_percentages_touch_and_cover_the_disk(void **state)
{
	static const uint64_t size_bytes[] = { 10 * MIB + 512, 1000204886016, 99, UINT64_MAX };
	struct shelf shelf;

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(size_bytes); i++) {
		const struct plan plan = { .disk = shelf.disk, .disks = 1 };
		uint64_t end_bytes = 0;

		shelf_fill(&shelf, size_bytes[i], 1);
		for (uint64_t percent = 0; percent < 100; percent++) {
			const struct cell cell = { .block_bytes = 1, .span = { { percent, true }, { 1, true } } };
			const struct job job = plan_job(&plan, &cell, 0);

			assert_int_equal(job.span_start_bytes, end_bytes);
			end_bytes += job.span_bytes;
		}
		assert_int_equal(end_bytes, size_bytes[i]);
	}
}

static void no_block_ever_leaves_its_span_or_disk(void **state)
{
	struct shelf shelf;
	struct rng rng;
	unsigned fitting = 0;

	(void)state;
	rng_init(&rng, 3);
	for (int i = 0; i < 20000; i++) {
		const struct plan plan = { .disk = shelf.disk, .disks = 1 };
		struct cell cell = { .block_bytes = (uint32_t)(rng_below(&rng, GIB) >> rng_below(&rng, 30)) + 1 };
		struct job job;
		uint64_t end_bytes;

		shelf_fill(&shelf, rng_next(&rng) >> rng_below(&rng, 50), 1);
		cell.span = (struct span_wish){
			.start = { rng_next(&rng) >> rng_below(&rng, 64), false },
			.length = { rng_next(&rng) >> rng_below(&rng, 64), false },
		};
		if (rng_below(&rng, 2))
			cell.span.start = (struct place){ rng_below(&rng, 101), true };
		if (rng_below(&rng, 2))
			cell.span.length = (struct place){ 1 + rng_below(&rng, 100), true };
		job = plan_job(&plan, &cell, 0);
		if (job.unfit)
			continue;
		fitting++;
		end_bytes = job.start_bytes + job.blocks * cell.block_bytes;
		assert_int_equal(job.start_bytes % cell.block_bytes, 0);
		assert_true(job.blocks > 0 && job.start_bytes >= job.span_start_bytes);
		assert_true(end_bytes > job.start_bytes && end_bytes <= job.span_start_bytes + job.span_bytes);
		assert_true(end_bytes <= shelf.info[0].size_bytes);
		/* And none is left out. */
		assert_true(job.start_bytes - job.span_start_bytes < cell.block_bytes);
		assert_true(job.span_start_bytes + job.span_bytes - end_bytes < cell.block_bytes);
	}
	assert_true(fitting > 4000);
}

static void a_seed_depends_on_its_own_coordinate_alone(void **state)
{
	struct sweep one = sweep_of(65536, "10%:10%"), many = sweep_of(4096, "0:10%,10%:10%");
	struct plan a, b;
	struct shelf shelf;

	(void)state;
	shelf_fill(&shelf, GIB, 512);
	many.modes = 7;
	many.sizes.value[1] = 65536;
	many.sizes.count = 2;
	plan_well(&a, &one, &shelf, 2);
	plan_well(&b, &many, &shelf, 4);
	assert_int_equal(b.cell[3].block_bytes, 65536);
	for (unsigned disk = 0; disk < 2; disk++)
		assert_int_equal(plan_job(&a, &a.cell[0], disk).seed, plan_job(&b, &b.cell[3], disk).seed);
	plan_release(&a);
	plan_release(&b);
}

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void no_two_coordinates_share_a_seed(void **state)
{
	struct sweep sweep = sweep_of(4096, "0:10%,10%:10%,0:20%");
	uint64_t seed[1024];
	size_t seeds = 0;
	struct shelf shelf;
	struct plan plan;

	(void)state;
	shelf_fill(&shelf, GIB, 512);
	sweep.modes = 7;
	sweep.accesses = 3;
	for (uint32_t i = 0; i < 9; i++)
		sweep.sizes.value[i] = 4096U << i;
	sweep.sizes.count = 9;
	plan_well(&plan, &sweep, &shelf, 4);
	for (int depths = 0; depths < 2; depths++)
		for (size_t i = 0; i < plan.cells && seeds < TEXT_COUNT(seed); i++) {
			struct cell cell = plan.cell[i];

			cell.depth = depths ? 32 : 1;
			for (unsigned disk = 0; disk < 4 && seeds < TEXT_COUNT(seed); disk++)
				seed[seeds++] = plan_job(&plan, &cell, disk).seed;
		}
	assert_int_equal(seeds, TEXT_COUNT(seed));
	qsort(seed, seeds, sizeof *seed, compare);
	for (size_t i = 1; i < seeds; i++)
		assert_true(seed[i] != seed[i - 1]);
	plan.limits.seed++;
	for (unsigned disk = 0; disk < 4; disk++) {
		const uint64_t other = plan_job(&plan, &plan.cell[0], disk).seed;

		assert_null(bsearch(&other, seed, seeds, sizeof *seed, compare));
	}
	plan_release(&plan);
}

static void zones_cut_a_span_without_gaps(void **state)
{
	static const struct {
		uint64_t size_bytes;
		unsigned zones;
		const char *span;
	} cases[] = {
		{ GIB, 8, NULL }, { GIB + 512, 7, NULL }, { UINT64_C(18000207937536), 100, NULL }, { UINT64_MAX, 100, NULL },
		{ GIB, 3, "10%:33%" }, { GIB, 2, "4096:1000001" },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		struct sweep sweep = sweep_of(4096, cases[i].span);
		struct shelf shelf;
		struct plan plan;
		struct job whole;
		uint64_t end_bytes;

		shelf_fill(&shelf, cases[i].size_bytes, 512);
		plan_well(&plan, &sweep, &shelf, 1);
		whole = plan_job(&plan, &plan.cell[0], 0);
		plan_release(&plan);
		sweep.zones = cases[i].zones;
		plan_well(&plan, &sweep, &shelf, 1);
		assert_int_equal(plan.cells, cases[i].zones);
		assert_int_equal(plan.axis, AXIS_ZONE);
		end_bytes = whole.span_start_bytes;
		for (unsigned zone = 0; zone < plan.cells; zone++) {
			const struct job job = plan_job(&plan, &plan.cell[zone], 0);

			assert_int_equal(plan.cell[zone].zone, zone);
			assert_true(job.span_start_bytes == end_bytes);
			assert_in_range(job.span_bytes - whole.span_bytes / cases[i].zones, 0, 1);
			assert_int_equal(job.unfit, FITS);
			end_bytes += job.span_bytes;
		}
		assert_true(end_bytes == whole.span_start_bytes + whole.span_bytes);
		plan_release(&plan);
	}
}

static void the_longest_time_is_that_of_the_cells_left_or_the_most_there_is(void **state)
{
	static const struct {
		int64_t warmup_ns, time_ns;
		size_t cells, from;
		int64_t longest_ns;
	} cases[] = {
		{ NS_PER_S / 2, 10 * NS_PER_S, 15, 0, INT64_C(157500000000) },
		{ NS_PER_S / 2, 10 * NS_PER_S, 15, 14, INT64_C(10500000000) },
		{ NS_PER_S / 2, 10 * NS_PER_S, 15, 15, 0 }, { INT64_C(1) << 62, INT64_C(1) << 62, 1, 0, INT64_MAX },
		{ 0, INT64_C(1) << 62, 1, 0, INT64_C(1) << 62 }, { 0, INT64_C(1) << 62, 2, 0, INT64_MAX },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		const struct plan plan = {
			.cells = cases[i].cells,
			.limits = { .warmup_ns = cases[i].warmup_ns, .time_ns = cases[i].time_ns },
		};

		assert_int_equal(plan_longest_ns(&plan, cases[i].from), cases[i].longest_ns);
	}
}

static void cells_and_spans_are_named_as_the_command_line_takes_them(void **state)
{
	static const char *const spans[] = { "0:10%", "90%:10%", "1g:512m", "1000:4000", "1t:50%" };
	const struct cell raw = { .mode = MODE_RANDOM, .block_bytes = 65536, .depth = 8, .span = span_whole };
	const struct cell cooked = { .mode = MODE_LINEAR, .access = ACCESS_COOKED, .block_bytes = 4000, .span = span_whole };
	const struct cell zone = { .mode = MODE_LINEAR, .block_bytes = 65536, .span = span_whole, .zone = 2, .zones = 8 };
	const struct cell part = { .mode = MODE_RANDOM, .block_bytes = 65536, .span = { { 5, true }, { 10, true } } };
	char cell[CELL_TEXT], span[SPAN_TEXT];

	(void)state;
	assert_string_equal(cell_print(cell, &raw), "random 64k, depth 8");
	assert_string_equal(cell_print(cell, &cooked), "linear 4000, cooked");
	assert_string_equal(cell_print(cell, &zone), "linear 64k, 3/8");
	assert_string_equal(cell_print(cell, &part), "random 64k, 5%:10%");
	for (size_t i = 0; i < TEXT_COUNT(spans); i++) {
		struct spans parsed = { 0 };

		assert_null(spans_parse(spans[i], &parsed));
		assert_string_equal(span_print(span, &parsed.wish[0]), spans[i]);
	}
	assert_string_equal(span_print(span, &span_whole), "0:100%");
	assert_string_equal(part_print(span, &(struct cell){ .span = span_whole }), "0:100%");
	assert_string_equal(part_print(span, &(struct cell){ .span = span_whole, .zone = 2, .zones = 8 }), "3/8");
	assert_string_equal(part_print(span, &(struct cell){ .span = { { 5, true }, { 10, true } }, .zone = 99, .zones = 100 }),
			    "100/100 of 5%:10%");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_run_by_mode_then_access_then_span_then_size),
		cmocka_unit_test(alone_runs_all_cells_of_a_disk_before_the_next),
		cmocka_unit_test(scale_runs_each_disk_alone_and_then_ever_more_of_them),
		cmocka_unit_test(only_several_spans_of_one_size_make_the_span_the_axis),
		cmocka_unit_test(depth_changes_slower_than_span_and_size),
		cmocka_unit_test(only_several_depths_of_one_size_and_span_make_the_depth_the_axis),
		cmocka_unit_test(an_engine_is_the_one_wished_or_the_first_that_the_kernel_allows),
		cmocka_unit_test(a_disk_named_twice_is_refused),
		cmocka_unit_test(files_of_one_number_on_two_filesystems_are_two_disks),
		cmocka_unit_test(cooked_reads_of_a_disk_in_use_need_force),
		cmocka_unit_test(a_size_that_is_no_multiple_of_the_sector_is_refused_with_its_neighbours),
		cmocka_unit_test(a_size_or_span_that_does_not_fit_is_refused),
		cmocka_unit_test(a_size_that_fits_one_of_the_disks_is_planned),
		cmocka_unit_test(a_disk_that_no_cell_fits_is_refused),
		cmocka_unit_test(a_default_size_that_fits_no_disk_is_not_refused),
		cmocka_unit_test(a_missing_disk_fits_nothing_and_is_refused_nothing),
		cmocka_unit_test(blocks_are_the_whole_aligned_ones_of_the_span),
		cmocka_unit_test(neighbouring_percentages_touch_and_cover_the_disk),
		cmocka_unit_test(no_block_ever_leaves_its_span_or_disk),
		cmocka_unit_test(a_seed_depends_on_its_own_coordinate_alone),
		cmocka_unit_test(no_two_coordinates_share_a_seed),
		cmocka_unit_test(zones_cut_a_span_without_gaps),
		cmocka_unit_test(the_longest_time_is_that_of_the_cells_left_or_the_most_there_is),
		cmocka_unit_test(cells_and_spans_are_named_as_the_command_line_takes_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
