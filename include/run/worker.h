/* The thread of one disk: private to run. Inside the measured loop it takes no lock, allocates nothing,
 * formats nothing and makes no system call but its engine's; before the window opens it also gives way to others. */
#ifndef RUN_WORKER_H
#define RUN_WORKER_H

#include <pthread.h>

#include "collect/outcome.h"
#include "collect/window.h"
#include "run/engine.h"

/* All that the thread touches; it stays for ever when a hung thread is left behind. */
struct worker {
	const struct device *device;
	char *buffer;                   /* page-aligned, for all reads in flight of any cell */
	size_t buffer_bytes;
	struct ring *ring;
	pthread_t thread;
	pthread_rwlock_t *gate;         /* held by main until all threads are started; they pass it all at once */
	const _Atomic bool *stop;       /* set by main when a signal has come */

	/* Main's own. */
	bool lost, abandoned;           /* takes part no more; and its thread is left behind */
	int64_t silent_from_ns;         /* its last completion known to main, moved on by pauses */

	/* The probe, of what the plan will read of the disk. */
	const struct plan *plan;
	unsigned number;                /* of the disk in the plan */
	struct job largest;             /* of the jobs that fit; a raw one, if there is any */
	_Atomic int64_t probed_ns;      /* its last completion; 0: none yet */
	struct probe probe;

	/* The cell. window outlives the thread. */
	struct window *window;
	unsigned disk;                  /* in the window and the cell */
	struct job job;
	struct queue queue;
	const struct engine_ops *ops;
	void *engine;                   /* opened by main, stepped and closed by the thread */
	uint64_t max_errors, requests;  /* requests: 0 for no limit */
	uint64_t resume_bytes;          /* of linear cells */
	bool wrapped;
	struct kstat kernel;            /* before the gate, if known */
	bool kernel_known;
	int64_t cpu_ns, worked_ns;      /* as in struct track */

	/* How it ended, written by whoever closed the ring. */
	enum ending ending;
	int error;                      /* -errno that ended it, or 0 */
	int64_t ended_ns;
};

/* The body of the thread, taking a struct worker, for a cell. At its end it closes the ring; if it finds
 * that main has closed it before, it touches nothing more than its own stack. */
void *worker_measure(void *worker);

/* For such bodies: gives the thread its disk's name; tells whether an error says that the disk is no more. */
void worker_name(const struct worker *worker);
bool worker_disk_gone(int error);

/* Body or main: closes the ring and, if first, which it returns, writes down how the disk ended. */
bool worker_finish(struct worker *worker, enum ending ending, int error, int64_t now_ns);

#endif
