/* Sizes, durations and figures are read whole or refused with a remedy, and printed as they are read. */
#include "test.h"

#include <math.h>

#include "base/clock.h"
#include "base/rng.h"
#include "base/units.h"

static void a_size_is_digits_and_a_power_of_1024(void **state)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} size[] = {
		{ "512", 512 }, { "4k", 4096 }, { "4K", 4096 }, { "4kB", 4096 }, { "4KiB", 4096 }, { "1m", MIB },
		{ "2g", 2 * GIB },
		{ "1t", GIB * KIB }, { "512B", 512 }, { "16777215t", UINT64_C(16777215) * GIB * KIB },
		{ "18446744073709551615", UINT64_MAX }, { "007k", 7 * KIB }, { "3tib", 3 * GIB * KIB },
	};
	uint64_t bytes;

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(size); i++) {
		assert_null(size_parse(size[i].text, &bytes));
		assert_int_equal(bytes, size[i].bytes);
	}
}

static void what_is_no_size_is_refused_with_a_remedy(void **state)
{
	static const char *const text[] = {
		"", "k", "12junk", "1.5m", "0", "-4k", "+4k", " 4k", "4k ", "0x10", "17179869185g", "18446744073709551616",
		"4kk", "4iB",
		"1e3", "4kib ", "4 k", "-0", "00", "4kb,", "16777216t", "k4", "4p",
	};
	uint64_t bytes;

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(text); i++)
		assert_non_null(strstr(size_parse(text[i], &bytes), "; use "));
}

static void a_size_that_was_printed_reads_back_the_same(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} size[] = {
		{ 0, "0" }, { 1, "1" }, { 512, "512" }, { 1023, "1023" }, { 1024, "1k" }, { 4000, "4000" },
		{ 16384, "16k" }, { MIB, "1m" },
		{ MIB + 512, "1049088" }, { 1536 * KIB, "1536k" }, { 3 * GIB, "3g" }, { 5 * GIB * KIB, "5t" },
		{ UINT64_MAX, "18446744073709551615" },
	};
	char text[UNITS_TEXT];
	struct rng rng;
	uint64_t bytes;

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(size); i++)
		assert_string_equal(size_print(text, size[i].bytes), size[i].text);
	rng_init(&rng, 1);
	for (int i = 0; i < 10000; i++) {
		const uint64_t any = rng_next(&rng) >> rng_below(&rng, 64) << rng_below(&rng, 64) | 1024;

		assert_null(size_parse(size_print(text, any), &bytes));
		assert_int_equal(bytes, any);
	}
}

static void a_duration_is_a_decimal_number_and_a_unit(void **state)
{
	static const struct {
		const char *text;
		int64_t ns;
	} duration[] = {
		{ "0", 0 }, { "5", 5 * NS_PER_S }, { "5s", 5 * NS_PER_S }, { "500ms", NS_PER_S / 2 },
		{ "0.5s", NS_PER_S / 2 },
		{ "0.5", NS_PER_S / 2 }, { ".5", NS_PER_S / 2 }, { "2m", 120 * NS_PER_S }, { "1.5h", 5400 * NS_PER_S },
		{ "1.123456789s", 1123456789 },
		{ "0.000001ms", 1 }, { "0.000000001", 1 }, { "0.1", 100000000 }, { "08", 8 * NS_PER_S },
		{ "4611686018s", INT64_C(4611686018) * NS_PER_S }, { "250us", 250000 }, { "1.5us", 1500 }, { "7ns", 7 },
	};
	int64_t ns;

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(duration); i++) {
		assert_null(duration_parse(duration[i].text, &ns));
		assert_int_equal(ns, duration[i].ns);
	}
	for (int64_t any = 1; any < NS_PER_S; any += 999983) {
		char text[UNITS_TEXT];

		snprintf(text, sizeof text, "1.%09lld", (long long)any);
		assert_null(duration_parse(text, &ns));
		assert_int_equal(ns, NS_PER_S + any);
	}
}

static void what_is_no_duration_is_refused_with_a_remedy(void **state)
{
	static const char *const text[] = {
		"", "s", "5x", "5 s", " 5", "5s ", "-1", "+1", "1e3", "0x10", "5.", ".", ".s", "5.s", "1.1234567890", "1,5",
		"1.5.5", "5S", "inf",
		"nan", "5min", "4611686019s", "99999999999999999999999999h",
	};
	int64_t ns;

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(text); i++)
		assert_non_null(strstr(duration_parse(text[i], &ns), "; use "));
}

static void a_count_is_digits_alone(void **state)
{
	static const char *const bad[] = { "", "-1", "+1", " 1", "1 ", "1k", "1.0", "0x1", "18446744073709551616", "one" };
	uint64_t count;

	(void)state;
	assert_null(count_parse("0", &count));
	assert_int_equal(count, 0);
	assert_null(count_parse("18446744073709551615", &count));
	assert_int_equal(count, UINT64_MAX);
	for (size_t i = 0; i < TEXT_COUNT(bad); i++)
		assert_non_null(strstr(count_parse(bad[i], &count), "; use "));
}

static void a_percentage_lies_above_0_and_up_to_100(void **state)
{
	static const struct {
		const char *text;
		double percent;
	} good[] = { { "2", 2 }, { "2%", 2 }, { "0.5", 0.5 }, { ".5%", 0.5 }, { "100", 100 }, { "100%", 100 } };
	static const char *const bad[] = {
		"", "%", ".", "0", "0%", "0.0", "-1", "+1", "100.1", "1e1", "0x1", "2 %", "2%%", "%2", "1.2.3", "nan",
		"inf", "two",
	};
	double percent;

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(good); i++) {
		assert_null(percent_parse(good[i].text, &percent));
		assert_true(percent == good[i].percent);
	}
	for (size_t i = 0; i < TEXT_COUNT(bad); i++)
		assert_non_null(strstr(percent_parse(bad[i], &percent), "is not a percentage"));
}

static void a_capacity_has_three_digits_in_powers_of_1000(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} capacity[] = {
		{ 0, "0 B" }, { 512, "512 B" }, { 999, "999 B" }, { 1000, "1.00 kB" }, { 9994, "9.99 kB" },
		{ 9996, "10.0 kB" },
		{ 99940, "99.9 kB" }, { 99960, "100 kB" }, { 999499, "999 kB" }, { 999500, "1.00 MB" },
		{ 240000000, "240 MB" },
		{ UINT64_C(4000787030016), "4.00 TB" }, { UINT64_C(20000588955648), "20.0 TB" }, { UINT64_MAX, "18.4 EB" },
	};
	char text[UNITS_TEXT];

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(capacity); i++)
		assert_string_equal(capacity_print(text, capacity[i].bytes), capacity[i].text);
}

static void a_duration_is_printed_for_people(void **state)
{
	static const struct {
		int64_t ns;
		const char *text;
	} duration[] = {
		{ INT64_MIN, "0 ms" }, { -1, "0 ms" }, { 0, "0 ms" }, { 499999, "0 ms" }, { 500000, "1 ms" },
		{ 250 * NS_PER_MS, "250 ms" },
		{ 999499999, "999 ms" }, { 999500000, "1 s" }, { NS_PER_S, "1 s" }, { 9500 * NS_PER_MS, "9.5 s" },
		{ 10 * NS_PER_S, "10 s" },
		{ 59949 * NS_PER_MS, "59.9 s" }, { 59950 * NS_PER_MS, "1 min 00 s" }, { 750 * NS_PER_S, "12 min 30 s" },
		{ 3599499 * NS_PER_MS, "59 min 59 s" }, { 3599500 * NS_PER_MS, "1 h 00 min" },
		{ 11100 * NS_PER_S, "3 h 05 min" },
		{ INT64_MAX, "2562047 h 47 min" },
	};
	char text[UNITS_TEXT];

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(duration); i++)
		assert_string_equal(duration_print(text, duration[i].ns), duration[i].text);
}

static void a_latency_has_four_digits_and_its_unit(void **state)
{
	static const struct {
		double ns;
		const char *text;
	} latency[] = {
		{ NAN, "-" }, { 0, "0 ns" }, { 812, "812 ns" }, { 81340, "81.34 us" }, { 8300000, "8.3 ms" },
		{ 999949999, "999.9 ms" }, { 1.25e9, "1.25 s" }, { 20e9, "20 s" },
	};
	char text[UNITS_TEXT];

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(latency); i++)
		assert_string_equal(latency_print(text, latency[i].ns), latency[i].text);
}

static void a_number_is_decimal_and_whole_or_refused(void **state)
{
	static const struct {
		const char *text;
		double number;
	} good[] = { { "0", 0 }, { "100", 100 }, { "0.5", .5 }, { ".25", .25 }, { "12.000000001", 12.000000001 } };
	static const char *const bad[] = { "", ".", "-1", "+1", " 1", "1 ", "1e3", "inf", "nan", "0x1", "1,5", "5.", "1.5.5",
					   "0.1234567891", "100000000000000000000000000000000" };
	double number;

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(good); i++) {
		assert_null(number_parse(good[i].text, &number));
		assert_true(number == good[i].number);
	}
	for (size_t i = 0; i < TEXT_COUNT(bad); i++)
		assert_non_null(strstr(number_parse(bad[i], &number), "; use "));
}

static void a_figure_gives_up_decimals_to_fit_its_width(void **state)
{
	static const struct {
		double value;
		int decimals, width;
		const char *text;
	} figure[] = {
		{ 118.24, 1, 8, "118.2" }, { 118.26, 1, 8, "118.3" }, { 0, 3, 8, "0.000" }, { -1.5, 1, 8, "-1.5" },
		{ 1234.567, 3, 8, "1234.567" },
		{ 1234.567, 3, 7, "1234.57" }, { 1234.567, 3, 6, "1234.6" }, { 1234.567, 3, 5, "1235" },
		{ 1234.567, 3, 4, "1235" },
		{ 1234.567, 3, 2, "1235" }, { 9.996, 2, 4, "10.0" }, { 7, 0, 1, "7" }, { NAN, 2, 8, "-" },
		{ -NAN, 0, 1, "-" },
	};
	char text[UNITS_TEXT];

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(figure); i++)
		assert_string_equal(figure_print(text, figure[i].value, figure[i].decimals, figure[i].width), figure[i].text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_size_is_digits_and_a_power_of_1024),
		cmocka_unit_test(what_is_no_size_is_refused_with_a_remedy),
		cmocka_unit_test(a_size_that_was_printed_reads_back_the_same),
		cmocka_unit_test(a_duration_is_a_decimal_number_and_a_unit),
		cmocka_unit_test(what_is_no_duration_is_refused_with_a_remedy),
		cmocka_unit_test(a_count_is_digits_alone),
		cmocka_unit_test(a_percentage_lies_above_0_and_up_to_100),
		cmocka_unit_test(a_capacity_has_three_digits_in_powers_of_1000),
		cmocka_unit_test(a_duration_is_printed_for_people),
		cmocka_unit_test(a_latency_has_four_digits_and_its_unit),
		cmocka_unit_test(a_number_is_decimal_and_whole_or_refused),
		cmocka_unit_test(a_figure_gives_up_decimals_to_fit_its_width),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
