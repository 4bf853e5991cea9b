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

/* The cell from its first read to its end, or until main gives the disk up. */
static enum ending measure(struct worker *worker, struct address *address, int *error, int64_t *now_ns)
{
	uint64_t counted = 0, failures = 0;

	do {
		struct sample sample = { .offset = address_next(address), .issued_ns = clock_now_ns() };

		*error = device_read(worker->device, worker->job.cell->access, worker->buffer,
				     worker->job.cell->block_bytes, sample.offset);
		*now_ns = clock_now_ns();
		if (ring_closed(worker->ring))
			return ENDED_HUNG;
		sample.error = *error;
		sample.latency_ns = *now_ns - sample.issued_ns;
		sample.counts = window_complete(worker->window, worker->disk, *now_ns);
		ring_push(worker->ring, &sample);
		if (!*error) {
			failures = 0;
			counted += sample.counts;
			if (counted == worker->requests && sample.counts)
				window_close(worker->window, *now_ns);
		} else if (worker_disk_gone(*error)) {
			return ENDED_GONE;
		} else if (++failures == worker->max_errors) {
			return ENDED_FAILING;
		}
	} while (*now_ns < window_end_ns(worker->window));
	return ENDED_WELL;
}

void *worker_measure(void *context)
{
	struct worker *worker = context;
	struct address address;
	enum ending ending;
	int error;
	int64_t now_ns;

	worker_name(worker);
	address_init(&address, &worker->job, worker->resume_bytes);
	if (worker->job.cell->access == ACCESS_COOKED)
		device_chill(worker->device);
	pthread_rwlock_rdlock(worker->gate);
	pthread_rwlock_unlock(worker->gate);
	if (ring_closed(worker->ring))
		return NULL;
	ending = measure(worker, &address, &error, &now_ns);
	if (ring_closed(worker->ring))
		return NULL;
	if (ending != ENDED_WELL)
		window_leave(worker->window, worker->disk, now_ns);
	worker->wrapped = address.wrapped;
	if (worker->job.cell->mode == MODE_LINEAR)
		worker->resume_bytes = address_resume_bytes(&address);
	worker_finish(worker, ending, error, now_ns);
	return NULL;
}
