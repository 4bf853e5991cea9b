/* Every read as a line of CSV, in the order in which the collector meets them: in that of a disk's completions, but not in
 * that of several disks'. */
#ifndef COLLECT_LOG_H
#define COLLECT_LOG_H

#include <stdio.h>

#include "collect/ring.h"
#include "plan/plan.h"

/* Of one disk in one cell. The stream belongs to the caller, who looks for its errors; after one nothing more is written. */
struct log {
	FILE *stream;
	char middle[2 * NAME_MAX + 80]; /* what is the same for all of its reads */
	size_t length;
};

/* First of all: gives the stream, of which there is one, a large buffer, and writes the line that names the columns. */
void log_head(FILE *stream);

/* cell: of the plan, as is disk. Returns false when memory is short. */
bool log_begin(struct log *log, FILE *stream, const struct plan *plan, const struct cell *cell, unsigned disk);

/* From one thread at a time. */
void log_add(const struct log *log, const struct sample *sample);

#endif
