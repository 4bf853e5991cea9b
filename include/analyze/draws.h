/* A disk's latencies, to be drawn from; and the least and the largest that several such disks draw: MPT(D) of R. Barve
 * et al., "Modeling and optimizing I/O throughput of multiple disks on a bus" (1998), is the least of positioning
 * times. */
#ifndef ANALYZE_DRAWS_H
#define ANALYZE_DRAWS_H

#include "collect/histogram.h"

/* How many are wanted for each disk of a prediction, and how many are kept: enough for 68 disks. */
enum { DRAWS_PER_DISK = 30, DRAWS_MAX = 2048 };

struct draws {
	unsigned count;                 /* up to DRAWS_MAX */
	double ns[DRAWS_MAX];           /* ascending */
};

/* Each latency of a histogram, or evenly spaced quantiles when there are more than DRAWS_MAX; to half a bucket, .4 %.
 * A tail of less than 1 read in 4096, however long, is left out. */
void draws_from(struct draws *draws, const struct histogram *histogram);

/* The expected least and largest of so many of them, no one drawn twice, over all ways to choose them: exact. NAN for
 * more disks than draws, and for none. Of latencies uniform over 0 .. m, the least is m / (disks + 1). */
double draws_min_ns(const struct draws *draws, unsigned disks);
double draws_max_ns(const struct draws *draws, unsigned disks);

#endif
