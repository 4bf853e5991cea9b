#include "run/worker.h"

#include <errno.h>
#include <sys/prctl.h>

#include "base/clock.h"
#include "run/address.h"

bool worker_disk_gone(int error)
{
	return error == -ENODEV || error == -ENXIO || error == -ENOMEDIUM;
}

bool worker_finish(struct worker *worker, enum ending ending, int error, int64_t now_ns)
{
	if (!ring_close(worker->ring))
		return false;
	worker->ending = ending;
	worker->error = ending == ENDED_WELL ? 0 : error;
	worker->ended_ns = now_ns;
	return true;
}

void worker_name(const struct worker *worker)
{
	/* For ps -L, top -H and perf. Of the thread itself: naming another one would write to procfs. */
	prctl(PR_SET_NAME, worker->device->info.name);
}

/* How far a cell has come. */
struct course {
	int64_t now_ns;                 /* of the last completion */
	uint64_t counted, failures;     /* reads inside the window; failures in a row */
	bool over;                      /* nothing more is issued, and nothing more counts */
	enum ending ending;
	int error;
	int64_t ended_ns;
};

static void give_up(struct worker *worker, struct course *course, enum ending ending, int error)
{
	course->over = true;
	course->ending = ending;
	course->error = error;
	course->ended_ns = course->now_ns;
	window_leave(worker->window, worker->disk, course->now_ns);
}

/* One read is done. Those that the kernel handed over at the same time are taken in its order. */
static void complete(struct worker *worker, struct course *course, const struct flight *flight)
{
	const struct sample sample = {
		.issued_ns = flight->issued_ns,
		.latency_ns = course->now_ns - flight->issued_ns,
		.offset = flight->offset,
		.error = flight->error,
		.counts = !course->over && window_complete(worker->window, worker->disk, course->now_ns),
	};

	ring_push(worker->ring, &sample);
	if (course->over)
		return;
	if (!sample.error) {
		course->failures = 0;
		course->counted += sample.counts;
		course->over = sample.counts && course->counted == worker->requests;
		if (course->over)
			window_close(worker->window, course->now_ns);
	} else if (worker_disk_gone(sample.error)) {
		give_up(worker, course, ENDED_GONE, sample.error);
	} else if (++course->failures == worker->max_errors) {
		give_up(worker, course, ENDED_FAILING, sample.error);
	}
}

static void issue(struct flight **flight, unsigned fresh, struct address *address)
{
	for (unsigned i = 0; i < fresh; i++)
		flight[i]->offset = address_next(address);
	const int64_t now_ns = clock_now_ns();

	for (unsigned i = 0; i < fresh; i++)
		flight[i]->issued_ns = now_ns;
}

/* The cell from its first read to its last, with depth reads in flight until it is over. False when main has given the disk
 * up meanwhile. */
static bool measure(struct worker *worker, struct address *address, struct course *course)
{
	struct flight slot[DEPTH_MAX], *flight[DEPTH_MAX];
	unsigned fresh = worker->queue.depth, in_flight = 0;

	for (unsigned i = 0; i < fresh; i++) {
		slot[i].slot = i;
		flight[i] = &slot[i];
	}
	while (fresh || in_flight) {
		issue(flight, fresh, address);
		const unsigned done = worker->ops->step(worker->engine, flight, fresh);

		course->now_ns = clock_now_ns();
		if (ring_closed(worker->ring))
			return false;
		for (unsigned i = 0; i < done; i++)
			complete(worker, course, flight[i]);
		in_flight = in_flight + fresh - done;
		course->over |= course->now_ns >= window_end_ns(worker->window);
		fresh = course->over ? 0 : done;
	}
	if (course->ending == ENDED_WELL)
		course->ended_ns = course->now_ns;
	return true;
}

static bool measure_timed(struct worker *worker, struct address *address, struct course *course)
{
	const int64_t cpu_ns = clock_thread_ns(), began_ns = clock_now_ns();

	if (!measure(worker, address, course))
		return false;
	worker->cpu_ns = clock_thread_ns() - cpu_ns;
	worker->worked_ns = clock_now_ns() - began_ns;
	return true;
}

void *worker_measure(void *context)
{
	struct worker *worker = context;
	struct course course = { .ending = ENDED_WELL };
	struct address address;

	worker_name(worker);
	address_init(&address, &worker->job, worker->resume_bytes);
	if (worker->job.cell->access == ACCESS_COOKED)
		device_chill(worker->device);
	pthread_rwlock_rdlock(worker->gate);
	pthread_rwlock_unlock(worker->gate);
	if (!ring_closed(worker->ring) && !measure_timed(worker, &address, &course))
		return NULL;
	worker->ops->close(worker->engine);
	if (ring_closed(worker->ring))
		return NULL;
	worker->wrapped = address.wrapped;
	if (worker->job.cell->mode == MODE_LINEAR)
		worker->resume_bytes = address_resume_bytes(&address);
	worker_finish(worker, course.ending, course.error, course.ended_ns);
	return NULL;
}
