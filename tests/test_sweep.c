/* Lists of sizes, spans and names are read as written, duplicates merged, or refused with a remedy. */
#include "test.h"

#include "base/units.h"
#include "plan/sweep.h"

static void sizes_are_lists_of_sizes_and_of_ranges_that_double(void **state)
{
	static const struct {
		const char *text, *sizes;
	} cases[] = {
		{ "4k", "4k" }, { "16k:128k", "16k 32k 64k 128k" }, { "4k,64k,1m", "4k 64k 1m" }, { "64k,4k", "64k 4k" },
		{ "4K,1M", "4k 1m" },
		{ "512,4k:16k,1m", "512 4k 8k 16k 1m" }, { "4k,4096,2k:8k", "4k 2k 8k" }, { "4k:4k", "4k" },
		{ "3k:20k", "3k 6k 12k" },
		{ "1", "1" }, { "512:1000", "512" }, { "1g", "1g" }, { "512m:1g", "512m 1g" },
		{ "000000000000000000000000000000000000000004k", "4k" },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		struct list sizes = { 0 };
		char text[128] = "", size[UNITS_TEXT];

		assert_null(sizes_parse(cases[i].text, &sizes));
		assert_true(sizes.chosen);
		for (unsigned j = 0; j < sizes.count; j++)
			sprintf(text + strlen(text), "%s%s", j ? " " : "", size_print(size, sizes.value[j]));
		assert_string_equal(text, cases[i].sizes);
	}
}

static void what_is_no_list_of_sizes_is_refused_with_a_remedy(void **state)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{ "12junk", "is not a whole size; use " }, { "1.5m", "is not a whole size; use " },
		{ "0", "is not a size; use 1 or more" },
		{ "-4k", "is not a whole size; use " }, { "17179869185g", "is too large; use " },
		{ "1025m", "is too large for a block; use 1g or less" }, { "2t", "is too large for a block" },
		{ "128k:16k", "runs backwards; put the smaller one first" },
		{ "", "has an empty item; take out the extra comma" },
		{ "4k,", "has an empty item" }, { ",4k", "has an empty item" }, { "4k,,8k", "has an empty item" },
		{ "4k:", "is not a whole size" }, { ":4k", "is not a whole size" }, { ":", "is not a whole size" },
		{ "4k:8k:16k", "is not a whole size" }, { "0:4k", "is not a size" },
		{ "4k:2g", "is too large for a block" },
		{ "4k-8k", "is not a whole size" }, { "4k 8k", "is not a whole size" },
		{ "4k,000000000000000000000000000000000000000000000000000000000000004k", "has an item that is too long" },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		struct list sizes = { 0 };
		const char *why = sizes_parse(cases[i].text, &sizes);

		assert_non_null(why);
		assert_non_null(strstr(why, cases[i].why));
	}
}

static void more_than_64_sizes_are_refused(void **state)
{
	struct list sizes = { 0 };
	char text[UNITS_TEXT];

	(void)state;
	for (unsigned i = 1; i <= LIST_MAX; i++)
		assert_null(sizes_parse(size_print(text, i), &sizes));
	assert_null(sizes_parse("64", &sizes));
	assert_int_equal(sizes.count, LIST_MAX);
	assert_non_null(strstr(sizes_parse("65", &sizes), "; use fewer"));
	assert_int_equal(sizes.value[LIST_MAX - 1], LIST_MAX);
}

static void depths_are_lists_of_numbers_and_of_ranges_that_double(void **state)
{
	static const struct {
		const char *text, *depths;
	} cases[] = {
		{ "8", "8" }, { "1:32", "1 2 4 8 16 32" }, { "1,8,32", "1 8 32" }, { "32,1", "32 1" }, { "1:4,2,3,3:12", "1 2 4 3 6 12" },
		{ "1:1024", "1 2 4 8 16 32 64 128 256 512 1024" }, { "1000:1024", "1000" },
	};
	static const struct {
		const char *text, *why;
	} bad[] = {
		{ "0", "is no read in flight; use 1 or more" }, { "0:4", "is no read in flight" },
		{ "1025", "is too deep; use 1024 or less" }, { "1:2000", "is too deep" }, { "18446744073709551616", "; use " },
		{ "32:1", "runs backwards; put the smaller one first" }, { "", "has an empty item" }, { "1,", "has an empty item" },
		{ "4k", "is not a whole number; use decimal digits alone" }, { "1:", "is not a " }, { "-1", "is not a " },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		struct list depths = { 0 };
		char text[128] = "";

		assert_null(depths_parse(cases[i].text, &depths));
		for (unsigned j = 0; j < depths.count; j++)
			sprintf(text + strlen(text), "%s%u", j ? " " : "", depths.value[j]);
		assert_string_equal(text, cases[i].depths);
	}
	for (size_t i = 0; i < TEXT_COUNT(bad); i++) {
		struct list depths = { 0 };
		const char *why = depths_parse(bad[i].text, &depths);

		assert_non_null(why);
		assert_non_null(strstr(why, bad[i].why));
	}
}

static void the_greatest_depth_is_one_where_none_is_wished(void **state)
{
	struct list depths = { 0 };

	(void)state;
	assert_int_equal(depths_most(&depths), 1);
	assert_null(depths_parse("4,32,8", &depths));
	assert_int_equal(depths_most(&depths), 32);
}

static void a_span_is_a_start_and_a_length_in_bytes_or_whole_percent(void **state)
{
	static const struct {
		const char *text;
		struct span_wish wish;
	} cases[] = {
		{ "0:10%", { { 0, false }, { 10, true } } }, { "0%:100%", { { 0, true }, { 100, true } } },
		{ "1g:512m", { { GIB, false }, { 512 * MIB, false } } }, { "90%:10%", { { 90, true }, { 10, true } } },
		{ "50%:4k", { { 50, true }, { 4096, false } } }, { "1t:50%", { { GIB * KIB, false }, { 50, true } } },
		{ "4095:1", { { 4095, false }, { 1, false } } }, { "00:1", { { 0, false }, { 1, false } } },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		const struct span_wish *wish = &cases[i].wish;
		struct spans spans = { 0 };

		assert_null(spans_parse(cases[i].text, &spans));
		assert_int_equal(spans.count, 1);
		assert_int_equal(spans.wish[0].start.value, wish->start.value);
		assert_int_equal(spans.wish[0].start.percent, wish->start.percent);
		assert_int_equal(spans.wish[0].length.value, wish->length.value);
		assert_int_equal(spans.wish[0].length.percent, wish->length.percent);
	}
}

static void the_same_span_twice_is_one(void **state)
{
	struct spans spans = { 0 };

	(void)state;
	assert_null(spans_parse("0:10%,0%:10%,1024:1k,1k:1024", &spans));
	assert_int_equal(spans.count, 2);
	assert_null(spans_parse("0:100%", &spans));
	assert_int_equal(spans.count, 3);
	assert_true(span_same(&spans.wish[2], &span_whole));
	/* 10 bytes are not 10 %. */
	assert_null(spans_parse("0:10", &spans));
	assert_int_equal(spans.count, 4);
}

static void what_is_no_list_of_spans_is_refused_with_a_remedy(void **state)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{ "10%", "is not START:LENGTH; use " }, { "", "has an empty item" }, { "0:10%,", "has an empty item" },
		{ "0:0", "has a length of 0; use 1 or more" }, { "0:0%", "has a length of 0" }, { "0:", "use " },
		{ ":1g", "use " },
		{ "0:101%", "is not START:LENGTH" }, { "101%:1g", "is not START:LENGTH" },
		{ "0:1.5%", "is not START:LENGTH" },
		{ "-1%:10%", "is not START:LENGTH" }, { "0:%", "is not START:LENGTH" },
		{ "95%:10%", "ends past 100%; use a shorter length" },
		{ "0:12junk", "is not a whole size; use " }, { "-4k:1g", "is not a whole size" },
		{ "0:17179869185g", "is too large" },
		{ "0:10%:20%", "use " }, { "0:10%%", "is not START:LENGTH" },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		struct spans spans = { 0 };
		const char *why = spans_parse(cases[i].text, &spans);

		assert_non_null(why);
		assert_non_null(strstr(why, cases[i].why));
	}
}

static void more_than_32_spans_are_refused(void **state)
{
	struct spans spans = { 0 };
	char text[UNITS_TEXT];

	(void)state;
	for (unsigned i = 0; i < SPANS_MAX; i++) {
		snprintf(text, sizeof text, "%u%%:1%%", i);
		assert_null(spans_parse(text, &spans));
	}
	assert_non_null(strstr(spans_parse("90%:1%", &spans), "; use fewer"));
	assert_int_equal(spans.count, SPANS_MAX);
}

static void a_list_of_names_is_a_set(void **state)
{
	static const struct {
		const char *text;
		unsigned set;
	} good[] = {
		{ "random", 1 << MODE_RANDOM }, { "reread", 1 << MODE_REREAD },
		{ "linear,random", 1 << MODE_LINEAR | 1 << MODE_RANDOM },
		{ "random,random", 1 << MODE_RANDOM }, { "random,linear,reread", 7 },
	};
	static const char *const bad[] = { "fast", "rand", "Random", "random fast", "random,fast", "randomly", " random" };
	static const char *const empty[] = { "", "random,", ",random", "random,,linear" };
	unsigned set;

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(good); i++) {
		set = 0;
		assert_null(set_parse(good[i].text, mode_names, MODES, &set));
		assert_int_equal(set, good[i].set);
	}
	for (size_t i = 0; i < TEXT_COUNT(bad); i++)
		assert_string_equal(set_parse(bad[i], mode_names, MODES, &set), "is not known; use random, linear or reread");
	for (size_t i = 0; i < TEXT_COUNT(empty); i++)
		assert_non_null(strstr(set_parse(empty[i], mode_names, MODES, &set), "has an empty item; "));
}

static void a_set_adds_to_what_is_there(void **state)
{
	unsigned set = 1 << MODE_REREAD;

	(void)state;
	assert_null(set_parse("random", mode_names, MODES, &set));
	assert_int_equal(set, 1 << MODE_REREAD | 1 << MODE_RANDOM);
}

static void a_name_is_one_of_those_known(void **state)
{
	unsigned index;

	(void)state;
	for (unsigned i = 0; i < ORDERS; i++) {
		assert_null(name_parse(order_names[i], order_names, ORDERS, &index));
		assert_int_equal(index, i);
	}
	assert_string_equal(name_parse("scaled", order_names, ORDERS, &index), "is not known; use together, alone or scale");
	assert_non_null(name_parse("", order_names, ORDERS, &index));
	assert_non_null(name_parse("together,alone", order_names, ORDERS, &index));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_lists_of_sizes_and_of_ranges_that_double),
		cmocka_unit_test(what_is_no_list_of_sizes_is_refused_with_a_remedy),
		cmocka_unit_test(more_than_64_sizes_are_refused),
		cmocka_unit_test(depths_are_lists_of_numbers_and_of_ranges_that_double),
		cmocka_unit_test(the_greatest_depth_is_one_where_none_is_wished),
		cmocka_unit_test(a_span_is_a_start_and_a_length_in_bytes_or_whole_percent),
		cmocka_unit_test(the_same_span_twice_is_one),
		cmocka_unit_test(what_is_no_list_of_spans_is_refused_with_a_remedy),
		cmocka_unit_test(more_than_32_spans_are_refused),
		cmocka_unit_test(a_list_of_names_is_a_set),
		cmocka_unit_test(a_set_adds_to_what_is_there),
		cmocka_unit_test(a_name_is_one_of_those_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
