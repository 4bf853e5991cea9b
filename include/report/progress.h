/* Talk on stderr while the run goes on: the only writer to it meanwhile. */
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

#include "plan/plan.h"

struct progress {
	bool shown;                     /* at all */
	bool terminal;                  /* one line that is written over; else a line every ten seconds */
	int width;                      /* of what stands there now */
	int64_t last_ns;
};

void progress_init(struct progress *progress, const struct output *output);

/* rate: reads a second of all disks so far, NAN when there is none. Not more often than a reader can follow. */
void progress_show(struct progress *progress, const struct plan *plan, size_t cell, int64_t cell_started_ns, double rate);

/* Before anything else is printed. */
void progress_clear(struct progress *progress);

/* A line that is always shown, after "diskbench: ". */
void progress_say(struct progress *progress, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
