#include "analyze/compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

const char *const verdict_names[VERDICTS] = { "same", "better", "WORSE" };

enum { DATE = 10, BASELINE_TEXT = 80 };         /* of "2026-11-29T02:00:00Z" */

static bool is_ok(const struct record *record)
{
	return strcmp(record_value(record, "status"), status_names[ROW_OK]) == 0;
}

static bool same_key(const struct record *a, const struct record *b)
{
	return strcmp(a->key, b->key) == 0;
}

static const struct record *find(const struct records *records, const struct record *like, bool ok)
{
	for (const struct record *record = records->record; record < records->record + records->count; record++)
		if (same_key(record, like) && is_ok(record) == ok)
			return record;
	return NULL;
}

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Of the figure in all rows of before with that key, where it is known. room: for a figure of each of them. */
static double median(const struct records *before, const struct record *like, enum figure figure, double *room)
{
	size_t count = 0;

	for (const struct record *record = before->record; record < before->record + before->count; record++)
		if (same_key(record, like) && is_ok(record) && !isnan(record->figure[figure]))
			room[count++] = record->figure[figure];
	if (!count)
		return NAN;
	qsort(room, count, sizeof *room, by_value);
	return (room[(count - 1) / 2] + room[count / 2]) / 2;
}

static struct change change_of(double before, double now)
{
	return (struct change){ before, now, before > 0 ? 100 * (now - before) / before : NAN, VERDICT_SAME };
}

/* gain_percent: by how much it is better now; clear: more than noise. */
static enum verdict verdict_of(double gain_percent, double tolerance_percent, bool clear)
{
	if (!clear || !(fabs(gain_percent) > tolerance_percent))
		return VERDICT_SAME;
	return gain_percent > 0 ? VERDICT_BETTER : VERDICT_WORSE;
}

static void judge_rate(struct change *change, double before_ci95_percent, double now_ci95_percent, double tolerance_percent)
{
	const double noise = hypot(change->before * before_ci95_percent, change->now * now_ci95_percent) / 100;

	change->verdict = verdict_of(change->percent, tolerance_percent, !(fabs(change->now - change->before) <= noise));
}

static void judge_pair(struct pair *pair, const struct records *before, double tolerance_percent, double *room)
{
	static const enum figure figure[ASPECTS] = { FIGURE_REQUEST_RATE, FIGURE_P50, FIGURE_P99 };
	const double *now = pair->now->figure;
	struct change *change = pair->change;

	for (enum aspect aspect = 0; aspect < ASPECTS; aspect++)
		change[aspect] = change_of(median(before, pair->now, figure[aspect], room), now[figure[aspect]]);
	judge_rate(&change[ASPECT_RATE], median(before, pair->now, FIGURE_CI95, room), now[FIGURE_CI95], tolerance_percent);
	change[ASPECT_P50].verdict = verdict_of(-change[ASPECT_P50].percent, tolerance_percent, true);
	change[ASPECT_P99].verdict = verdict_of(-change[ASPECT_P99].percent, tolerance_percent,
						now[FIGURE_P99_LO] > median(before, pair->now, FIGURE_P99_HI, room) ||
						now[FIGURE_P99_HI] < median(before, pair->now, FIGURE_P99_LO, room));
	for (enum aspect aspect = 0; aspect < ASPECTS; aspect++)
		if (change[aspect].verdict > pair->verdict)
			pair->verdict = change[aspect].verdict;
}

/* Whether it can be compared: not the row of all of one disk, which is that of the disk again. */
static bool counts(const struct record *record)
{
	return is_ok(record) && (!record_is_all(record) || strchr(record_value(record, "members"), '+'));
}

static void add_now(struct comparison *comparison, const struct records *before, const struct record *record,
		    double tolerance_percent, double *room)
{
	struct pair *pair = &comparison->pair[comparison->pairs++];

	*pair = (struct pair){ .before = find(before, record, true), .now = record };
	if (!pair->before)
		return;
	judge_pair(pair, before, tolerance_percent, room);
	comparison->compared++;
	comparison->worse += pair->verdict == VERDICT_WORSE;
}

/* first: of those of before with its key. */
/* A disk that fails is no better than one that is slow; one whose turn a signal cut short may be well. */
static bool has_failed(const struct record *record)
{
	return strcmp(record_value(record, "status"), status_names[ROW_INTERRUPTED]) != 0;
}

static void add_before(struct comparison *comparison, const struct record *first, const struct records *now)
{
	struct pair *pair = &comparison->pair[comparison->pairs];

	if (find(now, first, true))
		return;
	*pair = (struct pair){ .before = first, .unusable = find(now, first, false) };
	comparison->pairs++;
	if (!pair->unusable || !has_failed(pair->unusable))
		return;
	pair->verdict = VERDICT_WORSE;
	comparison->compared++;
	comparison->worse++;
}

/* Reports are told apart by their time, which stands in each of their rows. */
static void find_times(struct comparison *comparison, const struct records *before)
{
	const char *previous = "";

	for (const struct record *record = before->record; record < before->record + before->count; record++) {
		const char *time = record_value(record, "time");

		if (!comparison->first || strcmp(time, comparison->first) < 0)
			comparison->first = time;
		if (!comparison->last || strcmp(time, comparison->last) > 0)
			comparison->last = time;
		comparison->reports += strcmp(time, previous) != 0;
		previous = time;
	}
}

int compare(struct comparison *comparison, const struct records *before, const struct records *now, double tolerance_percent)
{
	double *room = calloc(before->count + 1, sizeof *room);

	*comparison = (struct comparison){ .pair = calloc(before->count + now->count + 1, sizeof *comparison->pair) };
	if (!room || !comparison->pair) {
		free(room);
		comparison_release(comparison);
		return -ENOMEM;
	}
	find_times(comparison, before);
	for (size_t i = 0; i < now->count; i++)
		if (counts(&now->record[i]))
			add_now(comparison, before, &now->record[i], tolerance_percent, room);
	for (size_t i = 0; i < before->count; i++)
		if (counts(&before->record[i]) && find(before, &before->record[i], true) == &before->record[i])
			add_before(comparison, &before->record[i], now);
	free(room);
	return 0;
}

void comparison_release(struct comparison *comparison)
{
	free(comparison->pair);
	comparison->pair = NULL;
	comparison->pairs = 0;
}

/* "2026-11-29", "the median of 7 reports, 2026-11-22 to 2026-11-29". */
static const char *baseline_print(char text[BASELINE_TEXT], const struct comparison *comparison)
{
	if (comparison->reports == 1)
		snprintf(text, BASELINE_TEXT, "%.*s", DATE, comparison->first);
	else
		snprintf(text, BASELINE_TEXT, "the median of %u reports, %.*s to %.*s", comparison->reports, DATE,
			 comparison->first, DATE, comparison->last);
	return text;
}

char *comparison_print(char text[COMPARISON_TEXT], const struct comparison *comparison)
{
	char baseline[BASELINE_TEXT], worse[UNITS_TEXT];

	baseline_print(baseline, comparison);
	snprintf(worse, sizeof worse, "%zu", comparison->worse);
	if (!comparison->compared)
		snprintf(text, COMPARISON_TEXT, "no row can be compared with %s", baseline);
	else
		snprintf(text, COMPARISON_TEXT, "%s of %zu row%s worse than %s", comparison->worse ? worse : "none",
			 comparison->compared, comparison->compared == 1 ? "" : "s", baseline);
	text_ascii(text);
	return text;
}

static void say_worse(struct words *misses, const struct pair *pair, const char *baseline)
{
	static const char *const name[ASPECTS] = { "req/s", "p50", "p99" };
	char row[RECORD_TEXT], before[UNITS_TEXT], now[UNITS_TEXT];

	record_print(row, pair->now);
	for (enum aspect aspect = 0; aspect < ASPECTS; aspect++) {
		const struct change *change = &pair->change[aspect];

		if (change->verdict != VERDICT_WORSE)
			continue;
		if (aspect == ASPECT_RATE) {
			figure_print(before, change->before, 1, 12);
			figure_print(now, change->now, 1, 12);
		} else {
			latency_print(before, change->before);
			latency_print(now, change->now);
		}
		words_say(misses, "'%s': %s: %s %s, %+.1f %% against %s of %s", record_value(pair->now, "disk"), row,
			  name[aspect], now, change->percent, before, baseline);
	}
}

void comparison_misses(struct words *misses, const struct comparison *comparison)
{
	char text[COMPARISON_TEXT], baseline[BASELINE_TEXT], row[RECORD_TEXT];

	if (!comparison->compared)
		words_say(misses, "%s: " COMPARISON_NEEDS, comparison_print(text, comparison));
	baseline_print(baseline, comparison);
	for (const struct pair *pair = comparison->pair; pair < comparison->pair + comparison->pairs; pair++)
		if (pair->verdict == VERDICT_WORSE && pair->now)
			say_worse(misses, pair, baseline);
		else if (pair->verdict == VERDICT_WORSE)
			words_say(misses, "'%s': %s: %s now, and ok before, %s", record_value(pair->before, "disk"),
				  record_print(row, pair->before), record_value(pair->unusable, "status"), baseline);
}
