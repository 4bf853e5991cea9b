/* Rows of now against rows of before: what has changed, and whether that is more than noise. */
#ifndef ANALYZE_COMPARE_H
#define ANALYZE_COMPARE_H

#include "analyze/record.h"

enum verdict { VERDICT_SAME, VERDICT_BETTER, VERDICT_WORSE, VERDICTS };
extern const char *const verdict_names[VERDICTS];       /* "same", "better", "WORSE" */

/* Bandwidth changes as the rate does, since rows of the same block size are compared. */
enum aspect { ASPECT_RATE, ASPECT_P50, ASPECT_P99, ASPECTS };

struct change {
	double before, now;             /* reads a second, ns, ns; NAN: not known */
	double percent;                 /* of before; NAN when one of them is not known */
	enum verdict verdict;
};

/* A row of now and those of before that it is compared with; one without the other, NULL, is only listed. */
struct pair {
	const struct record *before, *now;      /* before: the first of them */
	const struct record *unusable;  /* in place of now: it is there, but not ok; worse, unless a signal cut it short */
	struct change change[ASPECTS];
	enum verdict verdict;           /* worse if one aspect is, else better if one is */
};

/* Starts as all zeros. */
struct comparison {
	struct pair *pair;              /* rows of now in their order, then those that were there only before */
	size_t pairs;
	size_t compared, worse;         /* pairs with both, or with one that has failed now; and how many of them are worse */
	const char *first, *last;       /* the time of the oldest and the newest report of before */
	unsigned reports;               /* of before, by their times */
};

/* before: of one or more reports; the median of each figure counts. Only rows of status ok are compared, and of all disks only
 * where there are several; a row that was ok and has failed now is worse. A rate is worse when it has fallen by more than the tolerance and by more than sqrt(h1^2 + h2^2), h the
 * half widths of the two 95 % intervals, where both are known; the median latency when it has risen by more than the tolerance;
 * p99, which few reads make, when it has risen by more than the tolerance and the two intervals of its rank do not touch.
 * Better is the same the other way. The comparison keeps pointers into both. 0 or -ENOMEM. */
int compare(struct comparison *comparison, const struct records *before, const struct records *now, double tolerance_percent);
void comparison_release(struct comparison *comparison);

/* What rows must have in common. */
#define COMPARISON_NEEDS "the same disks measured at once, modes, sizes, depths, spans and order are needed"

/* "2 of 24 rows worse than 2026-11-29". */
enum { COMPARISON_TEXT = 160 };
char *comparison_print(char text[COMPARISON_TEXT], const struct comparison *comparison);

/* A line for each worse row, and one when nothing could be compared. */
void comparison_misses(struct words *misses, const struct comparison *comparison);

#endif
