/* A map of where on a disk it is fast. */
#ifndef REPORT_ZONES_H
#define REPORT_ZONES_H

#include <stdio.h>

#include "analyze/row.h"

/* Of each disk of a block of the table's rows, up to before end, whose cells differ by their zone alone: bars, and how
 * the last zone's rate compares with the first's. */
void zones_put(FILE *out, const struct row *row, const struct row *end);

#endif
