/* When reads count: one window (start, end] for all disks of a cell. A read counts if and only if it
 * completes inside, whenever it was issued; its worker asks once, here, and nobody decides it again.
 *
 * The window opens at the end of the warm-up, a moment that no read had a part in choosing, and closes
 * its planned time later: at such edges the reads that are cut off at one end are made up for at the
 * other, so that even a few long reads give an unbiased rate. A disk that has not completed a read by
 * the end of the warm-up opens the window by its first completion (which is not counted); then its first
 * completion after the planned end closes it, so that the window is made of whole reads of that disk. In
 * any case the window stays open until every live disk has had a read in it; one that is awaited so closes
 * it when it is the last, so that slow disks that are alike have a read each.
 *
 * That is where few reads can mislead: a disk that has completed a read in the warm-up, and then takes
 * longer than the planned time for the next, closes the window by it, after a fraction of its latency;
 * reads of twice the planned time show up to 1.7 times their rate so, of five times 2.6. A warm-up shorter
 * than such reads avoids it.
 *
 * An edge that one disk sets as it completes can be seen by another up to a microsecond late: that disk may then
 * count one read too many or too few. */
#ifndef COLLECT_WINDOW_H
#define COLLECT_WINDOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct visit {
	_Atomic bool arrived, counted, left;
};

struct window {
	_Atomic int64_t start_ns, end_ns;       /* INT64_MAX until known */
	_Atomic unsigned unready;               /* live disks that have not completed a read yet */
	_Atomic unsigned lacking;               /* live disks that have not completed one inside yet */
	_Atomic unsigned present;               /* live disks */
	_Atomic int closer;                     /* the disk whose completion is awaited to close it, -1: none */
	int64_t earliest_ns, time_ns;           /* end of the warm-up; planned length */
	bool by_count;
	struct visit visit[];
};

/* NULL when memory is short; freed by free(). */
struct window *window_new(unsigned disks);

/* Before the workers start: the warm-up ends at earliest_ns. by_count: a disk's n-th read is to close
 * the window (window_close()), and so a completion after the warm-up, of the last disk to have one,
 * opens it too: whole reads again. */
void window_plan(struct window *window, int64_t earliest_ns, int64_t time_ns, bool by_count);

/* Its worker: disk (0 .. disks-1 of the cell) has completed a read, well or not. Returns whether it
 * counts. Before it is known when the window opens none does, and the worker lets others have its
 * processor in between. */
bool window_complete(struct window *window, unsigned disk, int64_t now_ns);

/* Its worker, or main for a hung one: the window waits for that disk no longer. The last one to leave closes it. */
void window_leave(struct window *window, unsigned disk, int64_t now_ns);

/* Anybody: the window ends at at_ns, or earlier if it was to end earlier. */
void window_close(struct window *window, int64_t at_ns);

/* Workers stop when a completion is not before this. */
static inline int64_t window_end_ns(const struct window *window)
{
	return atomic_load_explicit(&window->end_ns, memory_order_relaxed);
}

/* When it opened, INT64_MAX before that is known. */
static inline int64_t window_start_ns(const struct window *window)
{
	return atomic_load_explicit(&window->start_ns, memory_order_acquire);
}

#endif
