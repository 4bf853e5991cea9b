/* What has changed between reports, and what of it is noise. */
#include "test.h"

#include <math.h>

#include "analyze/compare.h"
#include "scene.h"

enum { ROWS_MOST = 4 };

/* One row as text of its figures: "" where it is not known. Empty disk: none. */
struct night {
	const char *disk, *rate, *ci95, *p50, *p99, *lo, *hi;
	const char *status;             /* NULL: ok */
};

static struct records before, now;
static struct comparison comparison;

static int release(void **state)
{
	(void)state;
	comparison_release(&comparison);
	records_release(&before);
	records_release(&now);
	return 0;
}

static void add_report(struct records *records, const char *time, const struct night *night)
{
	static char text[4096];
	struct error error;
	int length = snprintf(text, sizeof text, "schema,time,disk,path,id,mode,access,block_bytes,queue_depth,order,members,"
			      "span_start_bytes,span_bytes,requests_per_second,ci95_percent,latency_p50_ns,latency_p99_ns,"
			      "latency_p99_lo_ns,latency_p99_hi_ns,status\n");

	for (int i = 0; i < ROWS_MOST && night[i].disk; i++) {
		const struct night *s = &night[i];
		const bool all = strcmp(s->disk, "all") == 0;

		length += snprintf(text + length, sizeof text - (size_t)length,
				   "1,%s,%s,%s%s,,random,raw,65536,1,together,sda+sdb,0,9,%s,%s,%s,%s,%s,%s,%s\n", time, s->disk,
				   all ? "" : "/dev/", all ? "" : s->disk, s->rate, s->ci95, s->p50, s->p99, s->lo, s->hi,
				   s->status ? s->status : "ok");
	}
	if (records_read(records, "r.csv", text, (size_t)length, &error) < 0)
		fail_msg("%s", error.text);
}

static void compare_well(double tolerance_percent)
{
	assert_int_equal(compare(&comparison, &before, &now, tolerance_percent), 0);
}

static void a_change_is_worse_when_it_is_more_than_tolerance_and_noise(void **state)
{
	static const struct {
		const char *what;
		struct night before, now;
		enum verdict rate, p50, p99;
	} cases[] = {
		{ "nothing", { "sda", "100", "2", "8e6", "16e6", "15e6", "17e6", NULL },
		  { "sda", "100", "2", "8e6", "16e6", "15e6", "17e6", NULL }, VERDICT_SAME, VERDICT_SAME, VERDICT_SAME },
		{ "the same noise", { "sda", "100", "4", "8e6", "16e6", "15e6", "17e6", NULL },
		  { "sda", "97", "4", "8.2e6", "17e6", "15e6", "18e6", NULL }, VERDICT_SAME, VERDICT_SAME, VERDICT_SAME },
		{ "a real drop", { "sda", "100", "2", "8e6", "16e6", "15e6", "17e6", NULL },
		  { "sda", "70", "2", "8e6", "16e6", "15e6", "17e6", NULL }, VERDICT_WORSE, VERDICT_SAME, VERDICT_SAME },
		{ "a drop by the tolerance", { "sda", "100", "2", "", "", "", "", NULL },
		  { "sda", "90", "2", "", "", "", "", NULL }, VERDICT_SAME, VERDICT_SAME, VERDICT_SAME },
		{ "by just more", { "sda", "100", "2", "", "", "", "", NULL },
		  { "sda", "89.9", "2", "", "", "", "", NULL }, VERDICT_WORSE, VERDICT_SAME, VERDICT_SAME },
		/* hypot(16, .8 * 15) = 20 */
		{ "a drop within wide intervals", { "sda", "100", "16", "", "", "", "", NULL },
		  { "sda", "80", "15", "", "", "", "", NULL }, VERDICT_SAME, VERDICT_SAME, VERDICT_SAME },
		{ "a drop past them", { "sda", "100", "16", "", "", "", "", NULL },
		  { "sda", "80", "14.9", "", "", "", "", NULL }, VERDICT_WORSE, VERDICT_SAME, VERDICT_SAME },
		{ "no interval now", { "sda", "100", "50", "", "", "", "", NULL },
		  { "sda", "85", "", "", "", "", "", NULL }, VERDICT_WORSE, VERDICT_SAME, VERDICT_SAME },
		{ "no interval before", { "sda", "100", "", "", "", "", "", NULL },
		  { "sda", "85", "50", "", "", "", "", NULL }, VERDICT_WORSE, VERDICT_SAME, VERDICT_SAME },
		{ "faster", { "sda", "100", "2", "8e6", "16e6", "15e6", "17e6", NULL },
		  { "sda", "120", "2", "6e6", "9e6", "8e6", "10e6", NULL }, VERDICT_BETTER, VERDICT_BETTER, VERDICT_BETTER },
		{ "a longer median", { "sda", "100", "2", "8e6", "", "", "", NULL },
		  { "sda", "100", "2", "8.9e6", "", "", "", NULL }, VERDICT_SAME, VERDICT_WORSE, VERDICT_SAME },
		{ "a median longer by less", { "sda", "100", "2", "8e6", "", "", "", NULL },
		  { "sda", "100", "2", "8.7e6", "", "", "", NULL }, VERDICT_SAME, VERDICT_SAME, VERDICT_SAME },
		{ "p99 whose intervals touch", { "sda", "100", "2", "8e6", "16e6", "15e6", "20e6", NULL },
		  { "sda", "100", "2", "8e6", "25e6", "20e6", "30e6", NULL }, VERDICT_SAME, VERDICT_SAME, VERDICT_SAME },
		{ "p99 whose intervals do not", { "sda", "100", "2", "8e6", "16e6", "15e6", "20e6", NULL },
		  { "sda", "100", "2", "8e6", "25e6", "20.1e6", "30e6", NULL }, VERDICT_SAME, VERDICT_SAME, VERDICT_WORSE },
		{ "a little p99, surely", { "sda", "100", "2", "8e6", "16e6", "16e6", "16e6", NULL },
		  { "sda", "100", "2", "8e6", "17e6", "17e6", "17e6", NULL }, VERDICT_SAME, VERDICT_SAME, VERDICT_SAME },
		{ "p99 of an older report", { "sda", "100", "2", "8e6", "16e6", "", "", NULL },
		  { "sda", "100", "2", "8e6", "32e6", "31e6", "33e6", NULL }, VERDICT_SAME, VERDICT_SAME, VERDICT_SAME },
		{ "no p99 for want of reads", { "sda", "100", "2", "8e6", "16e6", "15e6", "17e6", NULL },
		  { "sda", "100", "2", "8e6", "", "", "", NULL }, VERDICT_SAME, VERDICT_SAME, VERDICT_SAME },
		{ "a standstill before", { "sda", "0", "", "", "", "", "", NULL },
		  { "sda", "100", "2", "", "", "", "", NULL }, VERDICT_SAME, VERDICT_SAME, VERDICT_SAME },
	};

	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		const struct night then[ROWS_MOST] = { cases[i].before }, tonight[ROWS_MOST] = { cases[i].now };
		const struct pair *pair;

		add_report(&before, "2026-11-29T02:00:00Z", then);
		add_report(&now, "2026-11-30T02:00:00Z", tonight);
		compare_well(10);
		assert_int_equal(comparison.pairs, 1);
		pair = comparison.pair;
		if (pair->change[ASPECT_RATE].verdict != cases[i].rate || pair->change[ASPECT_P50].verdict != cases[i].p50 ||
		    pair->change[ASPECT_P99].verdict != cases[i].p99)
			fail_msg("%s: %s %s %s", cases[i].what, verdict_names[pair->change[ASPECT_RATE].verdict],
				 verdict_names[pair->change[ASPECT_P50].verdict], verdict_names[pair->change[ASPECT_P99].verdict]);
		release(state);
	}
}

static void a_row_is_worse_if_one_figure_is(void **state)
{
	static const struct night then[ROWS_MOST] = { { "sda", "100", "2", "8e6", "", "", "", NULL } };
	static const struct night tonight[ROWS_MOST] = { { "sda", "150", "2", "10e6", "", "", "", NULL } };

	(void)state;
	add_report(&before, "2026-11-29T02:00:00Z", then);
	add_report(&now, "2026-11-30T02:00:00Z", tonight);
	compare_well(10);
	assert_int_equal(comparison.pair[0].change[ASPECT_RATE].verdict, VERDICT_BETTER);
	assert_int_equal(comparison.pair[0].verdict, VERDICT_WORSE);
	assert_int_equal(comparison.worse, 1);
	assert_true(comparison.pair[0].change[ASPECT_P50].percent == 25);
}

static void the_tolerance_is_the_users(void **state)
{
	static const struct night then[ROWS_MOST] = { { "sda", "100", "2", "", "", "", "", NULL } };
	static const struct night tonight[ROWS_MOST] = { { "sda", "85", "2", "", "", "", "", NULL } };

	(void)state;
	add_report(&before, "2026-11-29T02:00:00Z", then);
	add_report(&now, "2026-11-30T02:00:00Z", tonight);
	compare_well(20);
	assert_int_equal(comparison.worse, 0);
	comparison_release(&comparison);
	compare_well(5);
	assert_int_equal(comparison.worse, 1);
}

static void of_several_reports_the_median_counts(void **state)
{
	static const struct night night[][ROWS_MOST] = {
		{ { "sda", "100", "2", "8e6", "", "", "", NULL } },
		{ { "sda", "500", "2", "1e6", "", "", "", NULL } },
		{ { "sda", "104", "8", "9e6", "", "", "", NULL } },
		{ { "sda", "1", "2", "99e6", "", "", "", "errors" } },
	};
	static const struct night tonight[ROWS_MOST] = { { "sda", "100", "2", "8e6", "", "", "", NULL } };
	char text[COMPARISON_TEXT];

	(void)state;
	add_report(&before, "2026-11-28T02:00:00Z", night[0]);
	add_report(&before, "2026-11-26T02:00:00Z", night[1]);
	add_report(&now, "2026-11-30T02:00:00Z", tonight);
	compare_well(10);
	assert_true(comparison.pair[0].change[ASPECT_RATE].before == 300);
	comparison_release(&comparison);
	add_report(&before, "2026-11-29T02:00:00Z", night[2]);
	add_report(&before, "2026-11-27T02:00:00Z", night[3]);
	compare_well(10);
	assert_true(comparison.pair[0].change[ASPECT_RATE].before == 104);
	assert_true(comparison.pair[0].change[ASPECT_P50].before == 8e6);
	assert_int_equal(comparison.pairs, 1);
	assert_string_equal(comparison_print(text, &comparison),
			    "none of 1 row worse than the median of 4 reports, 2026-11-26 to 2026-11-29");
}

static void rows_on_one_side_only_are_listed(void **state)
{
	static const struct night then[ROWS_MOST] = {
		{ "sda", "100", "2", "", "", "", "", NULL }, { "sdb", "100", "2", "", "", "", "", NULL },
		{ "sdc", "100", "2", "", "", "", "", NULL }, { "sdd", "100", "2", "", "", "", "", "skipped" },
	};
	static const struct night tonight[ROWS_MOST] = {
		{ "sda", "100", "2", "", "", "", "", NULL }, { "sdb", "10", "2", "", "", "", "", "lost" },
		{ "sdd", "100", "2", "", "", "", "", NULL }, { "all", "100", "2", "", "", "", "", NULL },
	};
	static const struct {
		const char *before, *now, *unusable;
	} wanted[] = { { "sda", "sda", NULL }, { NULL, "sdd", NULL }, { NULL, "all", NULL }, { "sdb", NULL, "lost" }, { "sdc", NULL, NULL } };
	char text[COMPARISON_TEXT];

	(void)state;
	add_report(&before, "2026-11-29T02:00:00Z", then);
	add_report(&now, "2026-11-30T02:00:00Z", tonight);
	compare_well(10);
	assert_int_equal(comparison.pairs, TEXT_COUNT(wanted));
	for (size_t i = 0; i < TEXT_COUNT(wanted); i++) {
		const struct pair *pair = &comparison.pair[i];

		assert_int_equal(pair->before != NULL, wanted[i].before != NULL);
		assert_int_equal(pair->now != NULL, wanted[i].now != NULL);
		if (wanted[i].before)
			assert_string_equal(record_value(pair->before, "disk"), wanted[i].before);
		if (wanted[i].now)
			assert_string_equal(record_value(pair->now, "disk"), wanted[i].now);
		assert_int_equal(pair->unusable != NULL, wanted[i].unusable != NULL);
		if (wanted[i].unusable)
			assert_string_equal(record_value(pair->unusable, "status"), wanted[i].unusable);
	}
	assert_string_equal(comparison_print(text, &comparison), "1 of 2 rows worse than 2026-11-29");
}

static void the_verdict_is_one_line_and_each_worse_figure_another(void **state)
{
	static const struct night then[ROWS_MOST] = {
		{ "sda", "100", "2", "8e6", "16e6", "15e6", "17e6", NULL }, { "sdb", "100", "2", "8e6", "16e6", "15e6", "17e6", NULL },
		{ "all", "200", "2", "8e6", "16e6", "15e6", "17e6", NULL },
	};
	static const struct night tonight[ROWS_MOST] = {
		{ "sda", "70", "2", "11.5e6", "31e6", "30e6", "32e6", NULL }, { "sdb", "100", "2", "8e6", "16e6", "15e6", "17e6", NULL },
		{ "all", "170", "2", "8e6", "16e6", "15e6", "17e6", NULL },
	};
	static const char *const wanted[] = {
		"'sda': random 64k: req/s 70.0, -30.0 % against 100.0 of 2026-11-29",
		"'sda': random 64k: p50 11.5 ms, +43.8 % against 8 ms of 2026-11-29",
		"'sda': random 64k: p99 31 ms, +93.8 % against 16 ms of 2026-11-29",
		"'all': random 64k: req/s 170.0, -15.0 % against 200.0 of 2026-11-29",
	};
	struct words misses = { 0 };
	char text[COMPARISON_TEXT];

	(void)state;
	add_report(&before, "2026-11-29T02:00:00Z", then);
	add_report(&now, "2026-11-30T02:00:00Z", tonight);
	compare_well(10);
	assert_string_equal(comparison_print(text, &comparison), "2 of 3 rows worse than 2026-11-29");
	comparison_misses(&misses, &comparison);
	assert_int_equal(misses.count, TEXT_COUNT(wanted));
	for (size_t i = 0; i < TEXT_COUNT(wanted); i++)
		assert_string_equal(misses.word[i], wanted[i]);
	words_release(&misses);
}

static void a_baseline_without_a_matching_row_is_a_miss(void **state)
{
	static const struct night then[ROWS_MOST] = { { "sda", "100", "2", "", "", "", "", NULL } };
	static const struct night tonight[ROWS_MOST] = { { "sdz", "100", "2", "", "", "", "", NULL } };
	struct words misses = { 0 };

	(void)state;
	add_report(&before, "2026-11-29T02:00:00Z", then);
	add_report(&now, "2026-11-30T02:00:00Z", tonight);
	compare_well(10);
	comparison_misses(&misses, &comparison);
	assert_int_equal(misses.count, 1);
	assert_string_equal(misses.word[0], "no row can be compared with 2026-11-29: " COMPARISON_NEEDS);
	words_release(&misses);
}

/* The row of all of one disk is that of the disk again: told once. */
static void all_of_one_disk_is_left_out(void **state)
{
	struct scene scene;

	(void)state;
	scene_init(&scene, 1);
	scene_plan(&scene);
	scene_cell(&scene, 0);
	scene_reads(&scene, 0, 1000, 1000000, 2000000);
	scene_done(&scene);
	assert_int_equal(records_of_result(&before, &scene.result), 0);
	assert_int_equal(records_of_result(&now, &scene.result), 0);
	scene_close(&scene);
	compare_well(10);
	assert_int_equal(comparison.pairs, 1);
	assert_int_equal(comparison.compared, 1);
	assert_int_equal(comparison.pair[0].verdict, VERDICT_SAME);
}

#define COMPARE_TEST(test) cmocka_unit_test_teardown(test, release)

int main(void)
{
	const struct CMUnitTest tests[] = {
		COMPARE_TEST(a_change_is_worse_when_it_is_more_than_tolerance_and_noise),
		COMPARE_TEST(a_row_is_worse_if_one_figure_is),
		COMPARE_TEST(the_tolerance_is_the_users),
		COMPARE_TEST(of_several_reports_the_median_counts),
		COMPARE_TEST(rows_on_one_side_only_are_listed),
		COMPARE_TEST(the_verdict_is_one_line_and_each_worse_figure_another),
		COMPARE_TEST(a_baseline_without_a_matching_row_is_a_miss),
		COMPARE_TEST(all_of_one_disk_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
