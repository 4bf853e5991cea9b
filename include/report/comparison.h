/* A comparison with earlier reports for people: in the table report, and for --compare. */
#ifndef REPORT_COMPARISON_H
#define REPORT_COMPARISON_H

#include <stdio.h>

#include "analyze/compare.h"
#include "base/error.h"

/* Adds the rows of count CSV reports in files. On error (STATUS_START) those of some of them were added. */
int reports_read(struct records *records, char *const *path, size_t count, struct error *error);

/* The verdict in one line, then each row with its figures before and now, then what stands on one side only. */
void comparison_put(FILE *out, const struct comparison *comparison, double tolerance_percent);

/* Compares the last of some CSV reports in files, two at least, with the others. Prints that to out, unless it is NULL; misses get
 * a line for each worse row. On error (STATUS_START) nothing was printed. */
int reports_compare(FILE *out, const struct words *paths, double tolerance_percent, struct words *misses, struct error *error);

#endif
