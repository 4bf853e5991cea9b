/* What several disks together should yield, from what each yields alone and the rate of the bus that they share. */
#ifndef ANALYZE_PREDICTION_H
#define ANALYZE_PREDICTION_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/draws.h"

/* Disks share something when together they yield less than this part of what they yield alone. */
#define SCALES .9

/* An error over this counts as a miss: R. Barve et al. were within it (see analyze/bus.h). */
#define MISS_PERCENT 12

/* One disk alone, reading blocks of one size at random. */
struct soloist {
	double mean_ns;                 /* latency, over 0 */
	const struct draws *latency;
};

/* The rate of a bus, as far as rereads tell: random reads, which are to be predicted, have no part in it. */
struct plateau {
	bool saturated;                 /* rate: that of the bus; else it is at least that */
	double rate;                    /* bytes a second; NAN: nothing was measured */
};

/* Starts as { false, NAN } and takes in what all disks reread at one size, in bytes a second: each alone, added up, and
 * all at once; the highest rate at once decides. NAN where it is not known. */
void plateau_add(struct plateau *plateau, double alone, double together);

/* All in bytes a second. */
struct prediction {
	double naive;                   /* the sum of the disks alone */
	double bound;                   /* no rounds: that, or the rate of the bus when it is less */
	double queueing;                /* no rounds, and disks wait for each other: mean value analysis */
	double rounds;                  /* strict rounds; NAN when a disk has under DRAWS_PER_DISK * disks latencies */
};

/* On a bus that is not saturated, disks queue as on one of the rate that it has at least; for the other figures it has
 * no limit. The same for the same seed. */
struct prediction predict(const struct soloist *soloist, unsigned disks, double block_bytes, const struct plateau *bus,
			  uint64_t seed);

/* From how many disks on the bus is busy all the time, without rounds: a disk's latency alone / its transfer. */
double knee_disks(double mean_ns, double block_bytes, double bus_rate);

/* Mean value analysis (M. Reiser, S. Lavenberg, 1980) of equal disks that queue for a bus: each positions for mean_ns
 * less its own transfer, then finds the queue that one disk fewer would leave. In bytes a second. Unequal disks have
 * the harmonic mean of theirs: within 1 % of the exact figure where one is up to three times as slow as another. */
double queueing_rate(double mean_ns, unsigned disks, double block_bytes, double bus_rate);

/* (predicted - measured) / measured, in percent. */
struct accuracy {
	unsigned cells, misses;         /* all; those off by more than MISS_PERCENT */
	double mean_percent;            /* of the absolute errors; NAN, as the next, for no cells */
	double worst_percent;           /* signed */
};

/* Starts as { 0, 0, NAN, NAN }. A pair in which either is NAN is left out. */
void accuracy_add(struct accuracy *accuracy, double predicted, double measured);

#endif
