/* Requirements: what they may say, what they are held against, and how a row that falls short is told. */
#include "test.h"

#include <errno.h>

#include "analyze/judge.h"
#include "base/clock.h"
#include "scene.h"

#define NO_TEST "is no test; use one such as random/4k:req/s>=100 or p99<=20ms"
#define NO_VALUE "has no plain figure after its sign; use one such as random/4k:req/s>=100 or p99<=20ms"
#define NO_MODE "has a mode that is not known; use random, linear or reread"
#define NO_SIZE "has no block size after its mode; use one such as random/4k:req/s>=100"
#define NO_FIGURE "has a figure that is not known; use a column of the table such as req/s, MB/s or p99, or of the CSV"
#define NO_UNIT "has a latency without its unit; use 20ms or 500us"

enum { ANY = -1 };

static void a_test_is_a_figure_a_sign_and_a_value(void **state)
{
	static const struct {
		const char *text, *field;
		bool least;
		double value;
		int mode;
		uint32_t block_bytes;
	} good[] = {
		{ "req/s>=100", "requests_per_second", true, 100, ANY, 0 },
		{ "requests_per_second>=100", "requests_per_second", true, 100, ANY, 0 },
		{ "MB/s>=150", "bytes_per_second", true, 150e6, ANY, 0 },
		{ "bytes_per_second>=150", "bytes_per_second", true, 150, ANY, 0 },
		{ "p99<=20ms", "latency_p99_ns", false, 20e6, ANY, 0 },
		{ "p99.9<=1.5s", "latency_p99_9_ns", false, 1.5e9, ANY, 0 },
		{ "mean<=500us", "latency_mean_ns", false, 5e5, ANY, 0 },
		{ "latency_p99_ns<=20000000", "latency_p99_ns", false, 20e6, ANY, 0 },
		{ "latency_p99_ns<=20ms", "latency_p99_ns", false, 20e6, ANY, 0 },
		{ "errors<=0", "errors", false, 0, ANY, 0 },
		{ "+-95%<=5", "ci95_percent", false, 5, ANY, 0 },
		{ "random:req/s>=.5", "requests_per_second", true, .5, MODE_RANDOM, 0 },
		{ "random/4k:req/s>=100", "requests_per_second", true, 100, MODE_RANDOM, 4096 },
		{ "linear/1m:MB/s>=100", "bytes_per_second", true, 100e6, MODE_LINEAR, 1048576 },
		{ "reread/512:max<=1s", "latency_max_ns", false, 1e9, MODE_REREAD, 512 },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(good); i++) {
		struct requirement requirement;
		const char *why = requirement_parse(good[i].text, &requirement);

		if (why)
			fail_msg("'%s' %s", good[i].text, why);
		assert_string_equal(requirement.text, good[i].text);
		assert_string_equal(requirement.field->name, good[i].field);
		assert_int_equal(requirement.least, good[i].least);
		if (requirement.value < good[i].value || requirement.value > good[i].value)
			fail_msg("'%s': %.17g", good[i].text, requirement.value);
		assert_int_equal(requirement.mode, good[i].mode);
		assert_int_equal(requirement.block_bytes, good[i].block_bytes);
	}
}

static void what_is_no_test_says_why(void **state)
{
	static const struct {
		const char *text, *why;
	} bad[] = {
		{ "", NO_TEST }, { "req/s", NO_TEST }, { "req/s=100", NO_TEST }, { "req/s>100", NO_TEST }, { "req/s<100", NO_TEST },
		{ "req/s=>100", NO_TEST }, { "req/s>=", NO_VALUE }, { "req/s>=fast", NO_VALUE }, { "req/s>=1e3", NO_VALUE },
		{ "req/s>=-1", NO_VALUE }, { "req/s>= 100", NO_VALUE }, { "req/s>=100ms", NO_VALUE }, { "MB/s>=150m", NO_VALUE },
		{ ">=100", NO_FIGURE }, { "iops>=100", NO_FIGURE }, { "status>=1", NO_FIGURE }, { "block_bytes>=1", NO_FIGURE },
		{ "req/s >=100", NO_FIGURE }, { "a name of more than thirty-two letters>=1", NO_FIGURE },
		{ "p99<=20", NO_UNIT }, { "mean<=0.5", NO_UNIT }, { "p99<=20mm", NO_VALUE }, { "p99<=", NO_VALUE },
		{ ":req/s>=100", NO_MODE }, { "sideways:req/s>=100", NO_MODE }, { "random,linear:req/s>=1", NO_MODE },
		{ "4k:req/s>=100", NO_MODE }, { "random/:req/s>=100", NO_SIZE }, { "random/4k,8k:req/s>=1", NO_SIZE },
		{ "random/4k:8k:req/s>=1", NO_FIGURE }, { "random/0:req/s>=1", NO_SIZE }, { "random/4x:req/s>=1", NO_SIZE },
		{ "random/2g:req/s>=1", NO_SIZE },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(bad); i++) {
		struct requirement requirement;
		const char *why = requirement_parse(bad[i].text, &requirement);

		if (!why || strcmp(why, bad[i].why) != 0)
			fail_msg("'%s' %s", bad[i].text, why ? why : "is taken");
	}
}

static struct scene scene;
static struct wishes wishes;

static int release(void **state)
{
	(void)state;
	words_release(&wishes.requirements);
	judge_release(&scene.judge);
	scene_close(&scene);
	return 0;
}

static void require(const char *text)
{
	struct error error;

	words_add(&wishes.requirements, text, strlen(text));
	judge_release(&scene.judge);
	if (judge_init(&scene.judge, &wishes, &error) < 0)
		fail_msg("%s", error.text);
}

static void assert_misses(size_t count, const char *const *miss)
{
	assert_int_equal(result_finish(&scene.result), 0);
	for (size_t i = 0; i < count && i < scene.result.unmet.count; i++)
		assert_string_equal(scene.result.unmet.word[i], miss[i]);
	assert_int_equal(scene.result.unmet.count, count);
}

static void bad_wishes_are_refused_by_name(void **state)
{
	struct error error;

	(void)state;
	scene_init(&scene, 1);
	words_add(&wishes.requirements, "errors<=0", 9);
	words_add(&wishes.requirements, "p99<=20", 7);
	assert_int_equal(judge_init(&scene.judge, &wishes, &error), -1);
	assert_int_equal(error.status, STATUS_USAGE);
	assert_string_equal(error.text, "--require 'p99<=20' " NO_UNIT);
	assert_null(scene.judge.requirement);
}

static void a_test_that_no_row_can_be_held_against_is_refused(void **state)
{
	static const struct {
		const char *text;
		bool applies;
	} cases[] = {
		{ "req/s>=1", true }, { "random:req/s>=1", true }, { "random/4k:req/s>=1", true }, { "linear/64k:req/s>=1", true },
		{ "reread:req/s>=1", false }, { "random/8k:req/s>=1", false }, { "reread/4k:req/s>=1", false },
	};

	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		struct error error = { 0 };
		char wanted[128];

		scene_init(&scene, 1);
		scene.sweep.modes |= 1U << MODE_LINEAR;
		assert_null(sizes_parse("64k", &scene.sweep.sizes));
		require(cases[i].text);
		scene_plan(&scene);
		assert_int_equal(judge_check(&scene.judge, &scene.plan, &error), cases[i].applies ? 0 : -1);
		snprintf(wanted, sizeof wanted, "--require '%s' is of a mode and size that is not measured; take it into -m and -s",
			 cases[i].text);
		if (!cases[i].applies)
			assert_string_equal(error.text, wanted);
		assert_int_equal(error.status, cases[i].applies ? STATUS_OK : STATUS_USAGE);
		release(state);
	}
	scene_init(&scene, 1);
}

static void each_row_that_falls_short_is_named_with_its_figure(void **state)
{
	static const char *const miss[] = {
		"'/dev/sda': random 4k: req/s is 100, and 'req/s>=101' is required",
		"'/dev/sda': random 64k: req/s is 100, and 'req/s>=101' is required",
		"'/dev/sda': random 4k: max is 4 ms, and 'random/4k:max<=3.9ms' is required",
		"'/dev/sda': random 64k: MB/s is 6.5536, and 'random/64k:MB/s>=6.6' is required",
	};

	(void)state;
	scene_init(&scene, 2);
	assert_null(sizes_parse("64k", &scene.sweep.sizes));
	require("req/s>=101");
	require("req/s>=100");
	require("random/4k:max<=3.9ms");
	require("max<=4ms");
	require("random/64k:MB/s>=6.6");
	require("errors<=0");
	scene_plan(&scene);
	for (size_t cell = 0; cell < 2; cell++) {
		scene_cell(&scene, cell);
		scene_reads(&scene, 0, 1000, NS_PER_MS, 4 * NS_PER_MS);
		scene_reads(&scene, 1, 2000, NS_PER_MS, 2 * NS_PER_MS);
		scene_done(&scene);
	}
	assert_misses(TEXT_COUNT(miss), miss);
}

/* 50 and 5000 reads make a p99 of all, and of one disk alone. */
static void what_is_not_known_is_a_miss(void **state)
{
	static const char *const miss[] = { "'/dev/sda': random 4k: p99 is not known, and 'p99<=20ms' is required" };

	(void)state;
	scene_init(&scene, 2);
	require("p99<=20ms");
	scene_plan(&scene);
	scene_cell(&scene, 0);
	scene_reads(&scene, 0, 50, NS_PER_MS, NS_PER_MS);
	scene_reads(&scene, 1, 5000, NS_PER_MS, NS_PER_MS);
	scene_done(&scene);
	assert_misses(1, miss);
}

static void lost_and_skipped_rows_are_misses(void **state)
{
	static const char *const miss[] = {
		"'/dev/sda': random 4k: lost after 2 s: no such device, and 'req/s>=1' is required",
		("'/dev/sdb': random 4k: block size 4k is not a multiple of its 8192-byte sector; use 8192 or more, and 'req/s>=1' is "
		"required"),
		"'/dev/sdd': random 4k: it could not be opened, and 'req/s>=1' is required",
	};

	(void)state;
	scene_init(&scene, 4);
	scene.disk[1].sector_bytes = 8192;
	scene.disk[3].missing = true;
	scene.sweep.sizes.chosen = false;
	scene.sweep.sizes.value[scene.sweep.sizes.count++] = 65536;
	require("req/s>=1");
	scene_plan(&scene);
	scene_cell(&scene, 0);
	scene_reads(&scene, 0, 1000, NS_PER_MS, NS_PER_MS);
	scene_ends(&scene, 0, ENDED_GONE, -ENODEV, 2 * NS_PER_S);
	scene_reads(&scene, 2, 1000, NS_PER_MS, NS_PER_MS);
	scene_done(&scene);
	assert_misses(TEXT_COUNT(miss), miss);
}

static void errors_can_be_forbidden(void **state)
{
	static const char *const miss[] = { "'/dev/sda': random 4k: errors is 7, and 'errors<=0' is required" };

	(void)state;
	scene_init(&scene, 1);
	require("errors<=0");
	scene_plan(&scene);
	scene_cell(&scene, 0);
	scene_reads(&scene, 0, 1000, NS_PER_MS, NS_PER_MS);
	scene_faults(&scene, 0, 7, -EIO, 0);
	scene_done(&scene);
	assert_misses(1, miss);
}

#define JUDGE_TEST(test) cmocka_unit_test_teardown(test, release)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_test_is_a_figure_a_sign_and_a_value),
		cmocka_unit_test(what_is_no_test_says_why),
		JUDGE_TEST(bad_wishes_are_refused_by_name),
		JUDGE_TEST(a_test_that_no_row_can_be_held_against_is_refused),
		JUDGE_TEST(each_row_that_falls_short_is_named_with_its_figure),
		JUDGE_TEST(what_is_not_known_is_a_miss),
		JUDGE_TEST(lost_and_skipped_rows_are_misses),
		JUDGE_TEST(errors_can_be_forbidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
