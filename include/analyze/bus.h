/* Disks on a bus that answer in rounds: all receive a request, then all transmit, before any receives another. A round
 * yields a block of each. After R. Barve, E. Shriver, P. Gibbons, B. Hillyer, Y. Matias, J. Vitter, "Modeling and
 * optimizing I/O throughput of multiple disks on a bus" (1998), and US patents 6,260,108 and 6,301,640, whose closed
 * form, overhead + MPT + cached bytes / media rate + disks * transfer, takes all but the first disk to be ready in time.
 * Here rounds are drawn from what was measured instead, since that holds for short transfers and unequal disks too. */
#ifndef ANALYZE_BUS_H
#define ANALYZE_BUS_H

#include "analyze/draws.h"

/* How long a block holds the bus; rate in bytes a second, or INFINITY. */
double bus_transfer_ns(double block_bytes, double rate);

/* The mean of BUS_ROUNDS rounds drawn at random, the same for the same seed. latency[disks]: of each disk alone, one
 * transfer included. In the order of their latencies each is followed by the transfers of those behind it: a round is
 * the largest latency(k) + (disks - k) * transfer_ns, k = 1 .. disks. Takes 3 ms for 16 disks. NAN when a disk has no
 * latencies, or memory is short. */
enum { BUS_ROUNDS = 10000 };
double bus_round_ns(const struct draws *const *latency, unsigned disks, double transfer_ns, uint64_t seed);

#endif
