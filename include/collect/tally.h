/* What is kept of one disk's reads in one cell. Counts and derives nothing. */
#ifndef COLLECT_TALLY_H
#define COLLECT_TALLY_H

#include <stdint.h>

#include "collect/histogram.h"
#include "collect/ring.h"
#include "collect/series.h"
#include "collect/trace.h"

enum { TALLY_FAULTS = 4 };

/* Reads that failed in the same way. */
struct fault {
	int error;                      /* -errno, 0: unused */
	uint64_t count, first_offset;   /* bytes */
};

/* Starts as all zeros. */
struct tally {
	uint64_t requests, errors;      /* inside the window: read well, failed */
	uint64_t whole_requests, whole_errors;  /* warm-up and drain included: what the kernel saw of us */
	int64_t outside_max_ns;         /* the longest read that does not count */
	struct fault fault[TALLY_FAULTS];       /* of whole_errors, by kind; further kinds are in the last one */
	struct histogram latency;       /* of requests */
	struct series series;           /* of requests */
	struct trace trace;             /* of requests and errors */
};

/* opened_ns: when the window opened; read only of samples that count. */
void tally_add(struct tally *tally, const struct sample *sample, int64_t opened_ns);

/* Adds count failures of one kind to a table of TALLY_FAULTS. */
void fault_add(struct fault fault[TALLY_FAULTS], int error, uint64_t count, uint64_t first_offset);

#endif
