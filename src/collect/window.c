#include "collect/window.h"

#include <sched.h>
#include <stdlib.h>

enum { NOBODY = -1 };

struct window *window_new(unsigned disks)
{
	struct window *window = calloc(1, sizeof *window + disks * sizeof *window->visit);

	if (!window)
		return NULL;
	atomic_init(&window->start_ns, INT64_MAX);
	atomic_init(&window->end_ns, INT64_MAX);
	atomic_init(&window->unready, disks);
	atomic_init(&window->lacking, disks);
	atomic_init(&window->present, disks);
	atomic_init(&window->closer, NOBODY);
	return window;
}

void window_plan(struct window *window, int64_t earliest_ns, int64_t time_ns, bool by_count)
{
	window->earliest_ns = earliest_ns;
	window->time_ns = time_ns;
	window->by_count = by_count;
}

void window_close(struct window *window, int64_t at_ns)
{
	int64_t end_ns = window_end_ns(window);

	while (at_ns < end_ns)
		if (atomic_compare_exchange_weak(&window->end_ns, &end_ns, at_ns))
			break;
}

static int64_t due_ns(const struct window *window, int64_t start_ns)
{
	return start_ns < INT64_MAX - window->time_ns ? start_ns + window->time_ns : INT64_MAX;
}

static int64_t later(int64_t a_ns, int64_t b_ns)
{
	return a_ns > b_ns ? a_ns : b_ns;
}

static void arrive(struct window *window, unsigned disk, int64_t now_ns, bool leaving)
{
	if (atomic_exchange(&window->visit[disk].arrived, true) || atomic_fetch_sub(&window->unready, 1) != 1)
		return;
	if (now_ns > window->earliest_ns && !leaving)
		atomic_store(&window->closer, (int)disk);
	atomic_store(&window->start_ns, later(now_ns, window->earliest_ns));
}

/* The end is known once every live disk has had a read inside, and the closer its whole ones. */
static void settle(struct window *window, unsigned disk, int64_t now_ns)
{
	const int64_t end_ns = due_ns(window, window_start_ns(window));

	if (atomic_load(&window->closer) == (int)disk && now_ns >= end_ns)
		atomic_store(&window->closer, NOBODY);
	if (atomic_load(&window->closer) == NOBODY && !atomic_load(&window->lacking))
		window_close(window, later(end_ns, now_ns));
}

static void lack_no_more(struct window *window, unsigned disk)
{
	if (!atomic_exchange(&window->visit[disk].counted, true))
		atomic_fetch_sub(&window->lacking, 1);
}

bool window_complete(struct window *window, unsigned disk, int64_t now_ns)
{
	struct visit *visit = &window->visit[disk];

	if (!atomic_load_explicit(&visit->arrived, memory_order_relaxed) &&
	    (!window->by_count || now_ns >= window->earliest_ns))
		arrive(window, disk, now_ns, false);
	const int64_t start_ns = window_start_ns(window);

	if (start_ns == INT64_MAX) {
		/* The window waits for another disk, whose worker may be waiting for this processor. */
		sched_yield();
		return false;
	}
	if (now_ns <= start_ns || now_ns > window_end_ns(window))
		return false;
	if (!atomic_load_explicit(&visit->counted, memory_order_relaxed) || now_ns >= due_ns(window, start_ns)) {
		lack_no_more(window, disk);
		settle(window, disk, now_ns);
	}
	return true;
}

void window_leave(struct window *window, unsigned disk, int64_t now_ns)
{
	int closer = (int)disk;

	if (atomic_exchange(&window->visit[disk].left, true))
		return;
	arrive(window, disk, now_ns, true);
	lack_no_more(window, disk);
	atomic_compare_exchange_strong(&window->closer, &closer, NOBODY);
	if (atomic_fetch_sub(&window->present, 1) == 1)
		window_close(window, now_ns);
	else if (window_start_ns(window) != INT64_MAX)
		settle(window, disk, now_ns);
}
