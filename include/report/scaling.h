/* How disks scale, for people: the last part of the table report of --order scale. */
#ifndef REPORT_SCALING_H
#define REPORT_SCALING_H

#include <stdio.h>

#include "analyze/result.h"

/* A table for each coordinate, whose first column is the number of disks, then what the models say of disks and bus. Of one disk
 * only what it is made of; of another order nothing. */
void scaling_put(FILE *out, const struct result *result);

#endif
