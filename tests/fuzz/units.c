/* Single sizes, durations, counts and percentages, and how figures are printed. */
#include "fuzz.h"

#include "base/units.h"

static bool fits(const char *text)
{
	return *text && strlen(text) < UNITS_TEXT && fuzz_printable(text);
}

static void check_size(const char *text)
{
	char printed[UNITS_TEXT];
	uint64_t bytes, same;
	const char *why = size_parse(text, &bytes);

	if (why) {
		promise(fuzz_phrase(why));
		return;
	}
	promise(bytes > 0);
	promise(!size_parse(size_print(printed, bytes), &same) && same == bytes);
	promise(fits(capacity_print(printed, bytes)));
}

static void check_duration(const char *text)
{
	char printed[UNITS_TEXT];
	int64_t ns;
	const char *why = duration_parse(text, &ns);

	if (why) {
		promise(fuzz_phrase(why));
		return;
	}
	promise(ns >= 0 && ns <= INT64_C(1) << 62);
	promise(fits(duration_print(printed, ns)));
}

static void check_numbers(const char *text)
{
	char printed[UNITS_TEXT];
	uint64_t count;
	double percent;
	const char *why = count_parse(text, &count);

	promise(!why || fuzz_phrase(why));
	if (!why)
		promise(fits(figure_print(printed, (double)count, 3, 9)));
	why = percent_parse(text, &percent);
	promise(!why || fuzz_phrase(why));
	if (!why)
		promise(percent > 0 && percent <= 100 && fits(figure_print(printed, percent, 1, 7)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);

	check_size(text);
	check_duration(text);
	check_numbers(text);
	free(text);
	return 0;
}
