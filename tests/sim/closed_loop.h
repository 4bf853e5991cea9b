/* Readers of simulated disks in virtual time: each disk has one read outstanding, and the next is issued when it
 * completes. */
#ifndef SIM_CLOSED_LOOP_H
#define SIM_CLOSED_LOOP_H

#include <stdint.h>

#include "parameters.h"

enum access { ACCESS_RANDOM, ACCESS_LINEAR, ACCESS_REREAD };

/* Counted after 16 reads of each disk, and until all disks together have done disks * reads more. */
struct closed_loop {
	enum access access;
	unsigned disks;                 /* the first so many of the parameters' */
	uint64_t block_bytes;
	unsigned reads;
};

struct closed_loop_result {
	double requests_per_second, bytes_per_second;   /* of all disks */
	double latency_mean_ns, latency_stdev_ns;
	double seek_mean_ns, rotation_mean_ns;
	/* Of S(j), the most completions of a disk among the first j less the fewest. */
	double share_within_one;        /* the share of all j with S(j) <= 1 */
	unsigned largest_spread;
};

/* 0, or -1 without memory. */
int closed_loop_run(const struct parameters *parameters, const struct closed_loop *loop, struct closed_loop_result *result);

#endif
