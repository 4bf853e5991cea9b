/* Talk on stderr while the run goes on: the only writer to it meanwhile. */
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

#include "plan/plan.h"

struct progress {
	bool shown;                     /* at all */
	bool terminal;                  /* one line that is written over; else a line every ten seconds */
	int width;                      /* of what stands there now */
	int64_t last_ns;
	int64_t answered_ns;
};

/* How far the run is. */
struct stage {
	const struct plan *plan;
	const struct cell *cell;        /* of the plan; NULL: the probe */
	int64_t started_ns;             /* it */
	double rate;                    /* reads a second of all its disks so far, NAN when there is none */
};

void progress_init(struct progress *progress, const struct output *output);

/* Not more often than a reader can follow. */
void progress_show(struct progress *progress, const struct stage *stage);

/* The same for somebody who asks, in a line that is always shown; but once for a question that comes by two ways. */
void progress_answer(struct progress *progress, const struct stage *stage);

/* Before anything else is printed. */
void progress_clear(struct progress *progress);

/* A line that is always shown, after "diskbench: ". */
void progress_say(struct progress *progress, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
