/* When a disk's first reads in the window completed, in bounded memory: merged over the disks of a cell, this shows
 * whether they answer in rounds (analyze/rounds.h). */
#ifndef COLLECT_TRACE_H
#define COLLECT_TRACE_H

#include <stdint.h>

/* The first ones are enough: two independent disks whose latencies have a deviation of cv times their mean drift
 * visibly apart in about 12 / cv^2 reads, more disks in fewer, and 1024 are that many down to a cv of 11 %. */
enum { TRACE_READS = 1024 };

/* Starts as all zeros. */
struct trace {
	uint32_t reads;
	int64_t completed_ns[TRACE_READS];      /* since the window opened, ascending */
};

/* One read, well or not, that completed since_start_ns > 0 after the opening; in the order of completion. */
void trace_add(struct trace *trace, int64_t since_start_ns);

/* Up to when the trace tells of every read, when the disk read until stopped_ns: then or, when more reads
 * completed than are kept, at the last one kept. Both since the opening. */
int64_t trace_until_ns(const struct trace *trace, int64_t stopped_ns);

#endif
