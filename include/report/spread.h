/* How the latencies of one row spread. */
#ifndef REPORT_SPREAD_H
#define REPORT_SPREAD_H

#include <stdio.h>

#include "analyze/row.h"

/* At most 20 lines under a heading, steps of latency that grow by the same factor: reads in each, in percent of all,
 * and up to there; with bars, relative to the longest. Steps end at preferred numbers (ISO 3), 20, 10, 5, 2 or 1 of them
 * to the decade. A step's end may be missed by the width of a bucket, less than 1 %. */
void spread_put(FILE *out, const char *heading, const struct row *row);

#endif
