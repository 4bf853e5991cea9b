/* CSV reports that are read back, and compared with themselves. */
#include "fuzz.h"

#include <math.h>

#include "analyze/compare.h"

static void check_record(const struct record *record)
{
	char text[RECORD_TEXT];

	promise(record->key && record->value.count == fields_count);
	promise(strlen(record_print(text, record)) < RECORD_TEXT);
	for (int figure = 0; figure < FIGURES; figure++)
		promise(isnan(record->figure[figure]) || (isfinite(record->figure[figure]) && record->figure[figure] >= 0));
}

/* A single row is as it was; rows of one key are not, since their median is between them. */
static void check_comparison(const struct records *records)
{
	struct comparison comparison;
	struct words misses = { 0 };
	char text[COMPARISON_TEXT];

	promise(compare(&comparison, records, records, 10) == 0);
	promise(comparison.pairs <= 2 * records->count && comparison.compared <= records->count);
	promise(fuzz_printable(comparison_print(text, &comparison)));
	comparison_misses(&misses, &comparison);
	for (size_t i = 0; i < misses.count; i++)
		promise(fuzz_printable(misses.word[i]));
	if (records->count == 1)
		promise(!comparison.worse);
	words_release(&misses);
	comparison_release(&comparison);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct records records = { 0 };
	struct error error = { 0 };

	if (records_read(&records, "report.csv", text, size, &error) == 0) {
		promise(records.count > 0);
		for (size_t i = 0; i < records.count; i++)
			check_record(&records.record[i]);
		check_comparison(&records);
	} else {
		promise(!records.count && error.status == STATUS_START);
		promise(fuzz_printable(error.text) && strstr(error.text, "report.csv"));
	}
	records_release(&records);
	free(text);
	return 0;
}
