/* Sizes, durations and figures are read whole or refused with a remedy, and printed as they are read. */
#include "test.h"

#include <math.h>

#include "base/clock.h"
#include "base/units.h"

static void a_size_is_digits_and_a_power_of_1024(void **state)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} size[] = {
		{ "512", 512 }, { "4k", 4096 }, { "4K", 4096 }, { "4kB", 4096 }, { "4KiB", 4096 }, { "1m", MIB }, { "2g", 2 * GIB },
		{ "1t", GIB * KIB }, { "512B", 512 }, { "16777215t", UINT64_C(16777215) * GIB * KIB },
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
		"", "k", "12junk", "1.5m", "0", "-4k", "+4k", " 4k", "4k ", "0x10", "17179869185g", "18446744073709551616", "4kk", "4iB",
		"1e3",
	};
	uint64_t bytes;

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(text); i++)
		assert_non_null(strstr(size_parse(text[i], &bytes), "; use "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_size_is_digits_and_a_power_of_1024),
		cmocka_unit_test(what_is_no_size_is_refused_with_a_remedy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
