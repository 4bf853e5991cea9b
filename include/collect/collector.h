/* The one thread that empties the rings of a cell every few milliseconds, into tallies. */
#ifndef COLLECT_COLLECTOR_H
#define COLLECT_COLLECTOR_H

#include "collect/log.h"
#include "collect/ring.h"
#include "collect/tally.h"
#include "collect/window.h"

struct collector;

/* One disk, as seen while the cell goes on. */
struct live {
	uint64_t requests, errors;      /* inside the window so far */
	int64_t last_ns;                /* the last completion; 0: none yet */
	double ci95_percent;            /* of the rate so far; NAN: not known */
};

/* One disk: its ring, NULL for one that takes no part; the tally to fill, all zeros at first; and its log, or NULL.
 * All of them belong to the thread until collector_finish(). */
struct source {
	struct ring *ring;
	struct tally *tally;
	const struct log *log;
};

/* Starts the thread, over a copy of source[disks]. Returns 0 or -errno. */
int collector_start(struct collector **collector, const struct window *window, const struct source *source,
		    unsigned disks);

/* Main: how one of the disks fares. */
void collector_peek(struct collector *collector, unsigned disk, struct live *live);

/* Returns when every ring is closed and empty, and frees the collector. */
void collector_finish(struct collector *collector);

#endif
