#include "report/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/units.h"
#include "report/disks.h"
#include "report/format.h"

enum { DISK_LEAST = 4, DISK_MOST = 9, BOTH_WIDTH = 28, LINE_TEXT = 256, REPORT_MOST_BYTES = 1 << 28 };

static void put_percent(FILE *out, const struct change *change)
{
	char text[UNITS_TEXT];

	if (isnan(change->percent))
		snprintf(text, sizeof text, "-");
	else if (change->percent < 99999.5)
		snprintf(text, sizeof text, "%+.*f%%", change->percent < 999.95, change->percent);
	else
		snprintf(text, sizeof text, "%+.0e%%", change->percent);
	fprintf(out, "%8s", text);
}

/* What the names of disks leave is for those of rows. */
static int disk_width(const struct comparison *comparison)
{
	size_t width = DISK_LEAST;

	for (const struct pair *pair = comparison->pair; pair < comparison->pair + comparison->pairs; pair++)
		if (pair->now && pair->before && strlen(record_value(pair->now, "disk")) > width)
			width = strlen(record_value(pair->now, "disk"));
	return width < DISK_MOST ? (int)width : DISK_MOST;
}

static void put_pair(FILE *out, const struct pair *pair, int width)
{
	const struct change *rate = &pair->change[ASPECT_RATE];
	char full[RECORD_TEXT], row[BOTH_WIDTH], disk[DISK_MOST + 1], before[UNITS_TEXT], now[UNITS_TEXT];

	fprintf(out, "%-*s %-*s %9s %8s", BOTH_WIDTH - width,
		name_print(row, BOTH_WIDTH - width, record_print(full, pair->now)), width,
		name_print(disk, width, record_value(pair->now, "disk")),
		figure_print(before, rate->before, rate->before < 10 ? 3 : 1, 9),
		figure_print(now, rate->now, rate->now < 10 ? 3 : 1, 8));
	for (enum aspect aspect = 0; aspect < ASPECTS; aspect++)
		put_percent(out, &pair->change[aspect]);
	fprintf(out, "  %s\n", verdict_names[pair->verdict]);
}

static void print_single(char text[LINE_TEXT], const struct record *record, const struct record *unusable)
{
	char row[RECORD_TEXT];
	const int length = snprintf(text, LINE_TEXT, "%.100s %s", record_value(record, "disk"), record_print(row, record));

	if (unusable)
		snprintf(text + length, LINE_TEXT - (size_t)length, " (now %.20s)", record_value(unusable, "status"));
}

/* All rows that stand on one side only, in one paragraph. */
static void put_singles(FILE *out, const struct comparison *comparison, const char *side, bool now)
{
	struct paragraph paragraph = { 0 };
	char text[LINE_TEXT + 1];

	for (const struct pair *pair = comparison->pair; pair < comparison->pair + comparison->pairs; pair++) {
		if (now ? !!pair->before : !!pair->now)
			continue;
		if (paragraph.out)
			paragraph_add(&paragraph, strcat(text, ";"));
		else
			paragraph = paragraph_begin(out, side);
		print_single(text, now ? pair->now : pair->before, pair->unusable);
	}
	if (!paragraph.out)
		return;
	paragraph_add(&paragraph, text);
	paragraph_end(&paragraph);
}

void comparison_put(FILE *out, const struct comparison *comparison, double tolerance_percent)
{
	const int width = disk_width(comparison);
	char text[LINE_TEXT];

	fprintf(out, "%s\n", comparison_print(text, comparison));
	if (comparison->compared)
		fprintf(out, "\n%-*s %-*s %9s %8s%8s%8s%8s\n", BOTH_WIDTH - width, "row", width, "disk", "req/s was", "is",
			"change", "p50", "p99");
	for (const struct pair *pair = comparison->pair; pair < comparison->pair + comparison->pairs; pair++)
		if (pair->now && pair->before)
			put_pair(out, pair, width);
	fputc('\n', out);
	put_singles(out, comparison, "- only before: ", false);
	put_singles(out, comparison, "- only now: ", true);
	if (comparison->compared)
		snprintf(text, sizeof text, "better and WORSE: changed by more than %g %%; req/s and p99 also by more than the noise of both "
			 "sides allows.", tolerance_percent);
	else
		snprintf(text, sizeof text, COMPARISON_NEEDS ".");
	paragraph_put(out, "- ", text);
}

static int report_read(struct records *records, const char *path, struct error *error)
{
	char *text;
	size_t length;
	int result = file_read(path, REPORT_MOST_BYTES, &text, &length);

	if (result < 0)
		return error_set(error, STATUS_START, "'%s': %s; name a report that diskbench wrote by -f csv", path,
				 error_reason(-result));
	result = records_read(records, path, text, length, error);
	free(text);
	return result;
}

int reports_read(struct records *records, char *const *path, size_t count, struct error *error)
{
	for (size_t i = 0; i < count; i++)
		if (report_read(records, path[i], error) < 0)
			return -1;
	return 0;
}

int reports_compare(FILE *out, const struct words *paths, double tolerance_percent, struct words *misses, struct error *error)
{
	const size_t last = paths->count - 1;
	struct records before = { 0 }, now = { 0 };
	struct comparison comparison = { 0 };
	int result = -1;

	if (reports_read(&before, paths->word, last, error) < 0 || reports_read(&now, paths->word + last, 1, error) < 0)
		goto out_release;
	if (compare(&comparison, &before, &now, tolerance_percent) < 0) {
		error_set(error, STATUS_START, "not enough memory for the comparison");
		goto out_release;
	}
	comparison_misses(misses, &comparison);
	if (out)
		comparison_put(out, &comparison, tolerance_percent);
	result = 0;
out_release:
	comparison_release(&comparison);
	records_release(&before);
	records_release(&now);
	return result;
}
