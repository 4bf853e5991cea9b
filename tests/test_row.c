/* Every figure of a row is arithmetic that a reader can redo, and what is not known is not a number. */
#include "test.h"

#include <errno.h>
#include <math.h>

#include "base/clock.h"
#include "scene.h"

/* The same but for rounding: a double keeps 15 digits. */
#define assert_near(value, wanted) \
	do { \
		const double value_ = (value), wanted_ = (wanted); \
		if (!(fabs(value_ - wanted_) <= 1e-14 * fabs(wanted_))) \
			fail_msg("%.17g is not %.17g", value_, wanted_); \
	} while (0)

static struct scene scene;

static int close_scene(void **state)
{
	(void)state;
	scene_close(&scene);
	return 0;
}

static void start(unsigned disks)
{
	scene_init(&scene, disks);
	scene_plan(&scene);
	scene_cell(&scene, 0);
}

static const double *figures(size_t row)
{
	assert_true(row < scene.result.rows);
	return scene.result.row[row].figure;
}

static void assert_row(size_t row, enum status status, const char *remark)
{
	assert_true(row < scene.result.rows);
	assert_string_equal(status_names[scene.result.row[row].status], status_names[status]);
	assert_string_equal(scene.result.row[row].remark, remark);
}

/* From what figure on all of them are unknown. */
static void assert_unknown(size_t row, enum figure from)
{
	for (int i = (int)from; i < FIGURES; i++)
		assert_true(isnan(figures(row)[i]));
}

static void rates_are_counts_over_the_window(void **state)
{
	(void)state;
	start(1);
	scene.outcome.end_ns = scene.outcome.start_ns + 2500 * NS_PER_MS;
	scene_reads(&scene, 0, 300, 1000, 1000);
	scene_done(&scene);
	assert_near(figures(0)[FIGURE_SECONDS], 2.5);
	assert_near(figures(0)[FIGURE_REQUESTS], 300);
	assert_near(figures(0)[FIGURE_BYTES], 300 * 4096);
	assert_near(figures(0)[FIGURE_ERRORS], 0);
	assert_near(figures(0)[FIGURE_REQUEST_RATE], 120);
	assert_near(figures(0)[FIGURE_BYTE_RATE], 120 * 4096);
	assert_row(0, ROW_OK, "");
	assert_ptr_equal(scene.result.row[0].disk, &scene.disk[0]);
	assert_int_equal(scene.result.row[0].span_bytes, scene.disk[0].size_bytes);
}

static void failed_reads_are_counted_apart_from_requests(void **state)
{
	(void)state;
	start(1);
	scene_reads(&scene, 0, 100, 1000, 1000);
	scene_faults(&scene, 0, 7, -EIO, 4096);
	scene_done(&scene);
	assert_near(figures(0)[FIGURE_REQUESTS], 100);
	assert_near(figures(0)[FIGURE_BYTES], 100 * 4096);
	assert_near(figures(0)[FIGURE_ERRORS], 7);
	assert_near(figures(0)[FIGURE_REQUEST_RATE], 10);
	assert_row(0, ROW_ERRORS, "7 errors: input/output error");
}

static void the_row_of_all_is_the_sum_of_its_disks(void **state)
{
	static const enum figure sum[] = { FIGURE_REQUESTS, FIGURE_BYTES, FIGURE_ERRORS, FIGURE_REQUEST_RATE,
					   FIGURE_BYTE_RATE };
	const struct row *all;
	struct series series;

	(void)state;
	start(3);
	scene_reads(&scene, 0, 100, 10, 20);
	scene_reads(&scene, 1, 300, 30, 40);
	scene_reads(&scene, 2, 600, 50, 100);
	scene_faults(&scene, 2, 3, -EIO, 0);
	scene_done(&scene);
	assert_int_equal(scene.result.rows, 4);
	all = &scene.result.row[3];
	assert_null(all->disk);
	for (size_t i = 0; i < TEXT_COUNT(sum); i++)
		assert_near(all->figure[sum[i]], figures(0)[sum[i]] + figures(1)[sum[i]] + figures(2)[sum[i]]);
	assert_near(all->figure[FIGURE_SECONDS], 10);
	assert_near(all->figure[FIGURE_MIN], 10);
	assert_near(all->figure[FIGURE_MAX], 100);
	/* The 500th of 1000 is the 100th of the third disk's 600. */
	assert_near(all->figure[FIGURE_P50], 50 + 50 * 99 / 599);
	series = scene.track[0].tally.series;
	series_merge(&series, &scene.track[1].tally.series);
	series_merge(&series, &scene.track[2].tally.series);
	assert_near(all->figure[FIGURE_CI95], series_ci95_percent(&series, 10 * NS_PER_S, 1000));
	assert_int_equal(all->span_bytes, 3 * scene.disk[0].size_bytes);
	assert_row(3, ROW_ERRORS, "");
}

static void a_row_keeps_the_buckets_that_hold_reads(void **state)
{
	static const struct bucket kept[] = { { 5, 1 }, { 100, 2 }, { 1003, 1 } };
	const struct row *row;

	(void)state;
	start(2);
	scene_reads(&scene, 0, 1, 5, 5);
	scene_reads(&scene, 0, 2, 100, 100);
	scene_reads(&scene, 1, 1, 1000, 1000);
	scene_done(&scene);
	row = scene.result.row;
	assert_int_equal(row[0].buckets, 2);
	assert_memory_equal(row[0].bucket, kept, sizeof kept[0] * 2);
	assert_int_equal(row[1].buckets, 1);
	assert_memory_equal(row[1].bucket, &kept[2], sizeof kept[2]);
	assert_int_equal(row[2].buckets, 3);
	assert_memory_equal(row[2].bucket, kept, sizeof kept);
}

static void the_kernels_figures_are_those_of_iostat(void **state)
{
	(void)state;
	start(1);
	scene_reads(&scene, 0, 1000, 1000, 1000);
	/* 1200 reads of 8 KiB took 14.4 s altogether, and another 300 became part of them. */
	scene.track[0].kernel = (struct kstat){ .time_ns = 10 * NS_PER_S, .reads = 1200, .read_merges = 300,
						.read_sectors = 19200, .read_ms = 14400, .busy_ms = 9600, .queue_ms = 14400 };
	scene_done(&scene);
	assert_near(figures(0)[FIGURE_KERNEL_SECONDS], 10);
	assert_near(figures(0)[FIGURE_KERNEL_READ_RATE], 120);
	assert_near(figures(0)[FIGURE_KERNEL_BYTE_RATE], 960 * 1024);
	assert_near(figures(0)[FIGURE_KERNEL_READ_BYTES], 8 * 1024);
	assert_near(figures(0)[FIGURE_KERNEL_MERGED], 20);
	assert_near(figures(0)[FIGURE_KERNEL_AWAIT], 12e6);
	assert_near(figures(0)[FIGURE_KERNEL_QUEUE], 1.44);
	assert_near(figures(0)[FIGURE_KERNEL_BUSY], 96);
	assert_near(figures(0)[FIGURE_KERNEL_SERVICE], 8e6);
	assert_unknown(1, FIGURE_KERNEL_SECONDS);
}

static void writes_share_the_disks_busy_time(void **state)
{
	(void)state;
	start(1);
	scene_reads(&scene, 0, 1000, 1000, 1000);
	scene.track[0].kernel.writes = 3000;
	scene.track[0].kernel.busy_ms = 8000;
	scene_done(&scene);
	assert_near(figures(0)[FIGURE_KERNEL_SERVICE], 2e6);
}

static void counters_that_stand_still_are_not_known(void **state)
{
	(void)state;
	for (int still = 0; still < 3; still++) {
		start(1);
		scene_reads(&scene, 0, 1000, 1000, 1000);
		if (still == 0)
			scene.track[0].kernel.reads = scene.track[0].kernel.read_sectors = 0;
		if (still == 1)
			scene.track[0].kernel_known = false;
		scene_done(&scene);
		assert_unknown(0, still < 2 ? FIGURE_KERNEL_SECONDS : FIGURE_KERNEL_AWAIT);
		assert_near(figures(0)[FIGURE_REQUEST_RATE], 100);
		if (still < 2)
			scene_close(&scene);
	}
	assert_near(figures(0)[FIGURE_KERNEL_READ_RATE], 100);
	assert_near(figures(0)[FIGURE_KERNEL_MERGED], 0);
}

/* Latencies under 128 ns have a bucket each, so that percentiles are exact. */
static void a_percentile_is_the_latency_at_its_rank(void **state)
{
	static const struct {
		uint64_t reads;
		int64_t latency_ns;
	} step[] = { { 499, 1 }, { 1, 2 }, { 399, 3 }, { 1, 4 }, { 49, 5 }, { 1, 6 }, { 32, 7 }, { 1, 8 }, { 6, 9 }, { 1, 10 },
		     { 6, 11 }, { 1, 12 }, { 1, 13 }, { 1, 14 }, { 1, 15 } };
	static const struct {
		enum figure figure;
		double ns;
	} wanted[] = {
		{ FIGURE_MIN, 1 },  { FIGURE_P50, 2 },	   { FIGURE_P90, 4 },	 { FIGURE_P95, 6 },  { FIGURE_P99_LO, 8 },
		{ FIGURE_P99, 10 }, { FIGURE_P99_HI, 12 }, { FIGURE_P99_9, 14 }, { FIGURE_MAX, 15 },
	};

	(void)state;
	start(1);
	for (size_t i = 0; i < TEXT_COUNT(step); i++)
		scene_reads(&scene, 0, step[i].reads, step[i].latency_ns, step[i].latency_ns);
	scene_done(&scene);
	assert_near(figures(0)[FIGURE_REQUESTS], 1000);
	for (size_t i = 0; i < TEXT_COUNT(wanted); i++)
		assert_near(figures(0)[wanted[i].figure], wanted[i].ns);
}

static void a_percentile_needs_a_read_beyond_it(void **state)
{
	static const struct {
		enum figure figure;
		uint64_t reads;
	} least[] = {
		{ FIGURE_P50, 1 },   { FIGURE_STDEV, 2 },    { FIGURE_P90, 10 },     { FIGURE_P95, 20 },
		{ FIGURE_P99, 100 }, { FIGURE_P99_LO, 100 }, { FIGURE_P99_HI, 100 }, { FIGURE_P99_9, 1000 },
	};

	for (size_t i = 0; i < TEXT_COUNT(least); i++) {
		start(1);
		scene_reads(&scene, 0, least[i].reads - 1, 50, 50);
		scene_done(&scene);
		scene_cell(&scene, 0);
		scene_reads(&scene, 0, least[i].reads, 50, 50);
		scene_done(&scene);
		assert_true(isnan(figures(0)[least[i].figure]));
		assert_near(figures(2)[least[i].figure], least[i].figure == FIGURE_STDEV ? 0 : 50);
		close_scene(state);
	}
	start(1);
}

static void the_interval_of_p99_ends_at_the_slowest_read(void **state)
{
	(void)state;
	start(1);
	scene_reads(&scene, 0, 100, 1, 100);
	scene_done(&scene);
	assert_near(figures(0)[FIGURE_P99_LO], 97);
	assert_near(figures(0)[FIGURE_P99], 99);
	assert_near(figures(0)[FIGURE_P99_HI], 100);
}

static void mean_and_deviation_are_exact(void **state)
{
	static const int64_t latency_ns[] = { 2000000001, 2000000003, 2000000003, 2000000009 };

	(void)state;
	start(1);
	for (size_t i = 0; i < TEXT_COUNT(latency_ns); i++)
		scene_reads(&scene, 0, 1, latency_ns[i], latency_ns[i]);
	scene_done(&scene);
	assert_near(figures(0)[FIGURE_MEAN], 2000000004);
	assert_near(figures(0)[FIGURE_STDEV], sqrt(12));
}

static void the_interval_of_a_rate_is_that_of_its_slices(void **state)
{
	(void)state;
	start(1);
	scene_reads(&scene, 0, 1000, 1000, 1000);
	scene_done(&scene);
	assert_near(figures(0)[FIGURE_CI95], series_ci95_percent(&scene.track[0].tally.series, 10 * NS_PER_S, 1000));
	assert_true(figures(0)[FIGURE_CI95] >= .1 && figures(0)[FIGURE_CI95] < .5);
}

static void cooked_reads_and_short_windows_have_no_interval(void **state)
{
	(void)state;
	scene_init(&scene, 1);
	scene.sweep.accesses = 1U << ACCESS_COOKED;
	scene_plan(&scene);
	scene_cell(&scene, 0);
	scene_reads(&scene, 0, 1000, 1000, 1000);
	scene_done(&scene);
	assert_true(isnan(figures(0)[FIGURE_CI95]));
	assert_true(isnan(figures(1)[FIGURE_CI95]));
	assert_near(figures(0)[FIGURE_REQUEST_RATE], 100);
	scene_close(&scene);
	start(1);
	scene.outcome.end_ns = scene.outcome.start_ns + NS_PER_S - 1;
	scene_reads(&scene, 0, 1000, 1000, 1000);
	scene_done(&scene);
	assert_true(isnan(figures(0)[FIGURE_CI95]));
}

static void no_read_in_a_window_is_a_rate_of_zero_without_latencies(void **state)
{
	(void)state;
	start(1);
	scene_done(&scene);
	assert_near(figures(0)[FIGURE_REQUEST_RATE], 0);
	assert_near(figures(0)[FIGURE_BYTE_RATE], 0);
	assert_true(isnan(figures(0)[FIGURE_CI95]));
	assert_unknown(0, FIGURE_MEAN);
}

static void a_window_that_never_opened_gives_no_figures(void **state)
{
	(void)state;
	start(2);
	scene.outcome.start_ns = scene.outcome.end_ns = 0;
	scene_ends(&scene, 0, ENDED_GONE, -ENODEV, 5 * NS_PER_S);
	scene_ends(&scene, 1, ENDED_HUNG, 0, 95 * NS_PER_S);
	scene_done(&scene);
	assert_row(0, ROW_LOST, "lost in the warm-up: no such device");
	assert_row(1, ROW_LOST, "lost in the warm-up: a read took more than 1 min 30 s");
	assert_row(2, ROW_LOST, "");
	for (size_t row = 0; row < 3; row++)
		assert_unknown(row, FIGURE_SECONDS);
}

static void how_a_disk_ended_is_its_status_and_remark(void **state)
{
	static const struct {
		enum ending ending;
		int error;
		int64_t after_ns;
		uint64_t faults;
		bool interrupted;
		enum status status;
		const char *remark;
	} end[] = {
		{ ENDED_WELL, 0, 10 * NS_PER_S, 0, false, ROW_OK, "" },
		{ ENDED_WELL, 0, 10 * NS_PER_S, 1, false, ROW_ERRORS, "1 error: input/output error" },
		{ ENDED_WELL, 0, 10 * NS_PER_S, 0, true, ROW_INTERRUPTED, "" },
		{ ENDED_WELL, 0, 10 * NS_PER_S, 2, true, ROW_INTERRUPTED, "2 errors: input/output error" },
		{ ENDED_CUT, 0, 10 * NS_PER_S, 0, true, ROW_INTERRUPTED, "a read was still going on at the end" },
		{ ENDED_FAILING, -EIO, 1200 * NS_PER_MS, 100, false, ROW_LOST,
		  "lost after 1.2 s: 100 reads in a row failed: input/output error" },
		{ ENDED_GONE, -ENXIO, 2 * NS_PER_S, 1, false, ROW_LOST, "lost after 2 s: no such device or address" },
		{ ENDED_GONE, -ENXIO, 0, 1, true, ROW_LOST, "lost in the warm-up: no such device or address" },
		{ ENDED_HUNG, 0, 95 * NS_PER_S, 0, false, ROW_LOST,
		  "lost after 1 min 35 s: a read took more than 1 min 30 s" },
		{ ENDED_ABSENT, 0, 0, 0, false, ROW_SKIPPED, "lost earlier" },
	};

	for (size_t i = 0; i < TEXT_COUNT(end); i++) {
		start(1);
		scene_faults(&scene, 0, end[i].faults, -EIO, 0);
		scene_ends(&scene, 0, end[i].ending, end[i].error, end[i].after_ns);
		scene.outcome.interrupted = end[i].interrupted;
		scene_done(&scene);
		assert_row(0, end[i].status, end[i].remark);
		assert_row(1, end[i].status, "");
		assert_int_equal(isnan(figures(0)[FIGURE_SECONDS]), end[i].status == ROW_SKIPPED || !end[i].after_ns);
		close_scene(state);
	}
	start(1);
}

static void a_size_that_does_not_fit_is_skipped_with_a_reason(void **state)
{
	(void)state;
	scene_init(&scene, 2);
	scene.sweep.sizes.value[0] = 512;
	scene.sweep.sizes.value[scene.sweep.sizes.count++] = 4096;
	scene.disk[1].sector_bytes = 4096;
	scene_plan(&scene);
	scene_cell(&scene, 0);
	scene_reads(&scene, 0, 100, 1000, 1000);
	scene_done(&scene);
	assert_row(0, ROW_OK, "");
	assert_row(1, ROW_SKIPPED, "block size 512 is not a multiple of its 4096-byte sector; use 4096 or more");
	assert_row(2, ROW_OK, "");
	assert_unknown(1, FIGURE_SECONDS);
	assert_near(figures(2)[FIGURE_REQUESTS], 100);
}

static void all_fares_as_the_worst_disk_that_took_part(void **state)
{
	(void)state;
	start(3);
	scene_ends(&scene, 0, ENDED_ABSENT, 0, 0);
	scene_reads(&scene, 1, 100, 1000, 1000);
	scene_ends(&scene, 2, ENDED_GONE, -ENODEV, NS_PER_S);
	scene_done(&scene);
	assert_row(3, ROW_LOST, "");
	assert_near(figures(3)[FIGURE_REQUESTS], 100);
	scene_cell(&scene, 0);
	for (unsigned i = 0; i < 3; i++)
		scene_ends(&scene, i, ENDED_ABSENT, 0, 0);
	scene_done(&scene);
	assert_row(7, ROW_SKIPPED, "");
	assert_unknown(7, FIGURE_SECONDS);
	/* Those that are left are not all. */
	scene_cell(&scene, 0);
	scene_ends(&scene, 0, ENDED_ABSENT, 0, 0);
	scene_reads(&scene, 1, 100, 1000, 1000);
	scene_reads(&scene, 2, 100, 1000, 1000);
	scene_done(&scene);
	assert_row(11, ROW_LOST, "");
}

#define SCENE_TEST(test) cmocka_unit_test_teardown(test, close_scene)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE_TEST(rates_are_counts_over_the_window),
		SCENE_TEST(failed_reads_are_counted_apart_from_requests),
		SCENE_TEST(the_row_of_all_is_the_sum_of_its_disks),
		SCENE_TEST(a_row_keeps_the_buckets_that_hold_reads),
		SCENE_TEST(the_kernels_figures_are_those_of_iostat),
		SCENE_TEST(writes_share_the_disks_busy_time),
		SCENE_TEST(counters_that_stand_still_are_not_known),
		SCENE_TEST(a_percentile_is_the_latency_at_its_rank),
		SCENE_TEST(a_percentile_needs_a_read_beyond_it),
		SCENE_TEST(the_interval_of_p99_ends_at_the_slowest_read),
		SCENE_TEST(mean_and_deviation_are_exact),
		SCENE_TEST(the_interval_of_a_rate_is_that_of_its_slices),
		SCENE_TEST(cooked_reads_and_short_windows_have_no_interval),
		SCENE_TEST(no_read_in_a_window_is_a_rate_of_zero_without_latencies),
		SCENE_TEST(a_window_that_never_opened_gives_no_figures),
		SCENE_TEST(how_a_disk_ended_is_its_status_and_remark),
		SCENE_TEST(a_size_that_does_not_fit_is_skipped_with_a_reason),
		SCENE_TEST(all_fares_as_the_worst_disk_that_took_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
