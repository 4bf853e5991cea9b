#include "run/worker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "run/address.h"

static bool disk_gone(int error)
{
	return error == -ENODEV || error == -ENXIO || error == -ENOMEDIUM;
}

static void finish(struct worker *worker, enum ending ending, int error, int64_t now_ns)
{
	if (!ring_close(worker->ring))
		return;
	worker->ending = ending;
	worker->error = ending == ENDED_WELL ? 0 : error;
	worker->ended_ns = now_ns;
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
		} else if (disk_gone(*error)) {
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

	address_init(&address, &worker->job, worker->resume_bytes);
	if (worker->job.cell->access == ACCESS_COOKED)
		device_chill(worker->device);
	pthread_mutex_lock(worker->gate);
	pthread_mutex_unlock(worker->gate);
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
	finish(worker, ending, error, now_ns);
	return NULL;
}

enum { PROBE_BLOCKS = 64, PROBE_BYTES = 4096, PROBE_MOST_NS = 1000000000 };

static bool all_zeros(const char *text, size_t bytes)
{
	return !text[0] && memcmp(text, text + 1, bytes - 1) == 0;
}

/* One read of a probe. Returns its latency in ns, or -1 after noting how it failed. */
static int64_t probe_read(struct worker *worker, uint32_t bytes, uint64_t offset)
{
	const int64_t issued_ns = clock_now_ns();
	const int error = device_read(worker->device, worker->probe_access, worker->buffer, bytes, offset);

	if (ring_closed(worker->ring))
		return -1;
	if (!error)
		return clock_now_ns() - issued_ns;
	fault_add(worker->probe.fault, error, 1, offset);
	if (disk_gone(error)) {
		worker->probe.ending = ENDED_GONE;
		worker->probe.error = error;
	}
	return -1;
}

static int compare(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* As many of 64 random blocks as a second allows: a slow disk is not held up longer. */
static void probe_blocks(struct worker *worker, uint32_t block_bytes)
{
	const int64_t until_ns = clock_now_ns() + PROBE_MOST_NS;
	const uint64_t blocks = worker->device->info.size_bytes / block_bytes;
	struct probe *probe = &worker->probe;
	int64_t latency_ns[PROBE_BLOCKS];
	struct rng rng;

	rng_init(&rng, worker->seed);
	for (int i = 0; i < PROBE_BLOCKS && probe->ending == ENDED_WELL; i++) {
		const int64_t ns = probe_read(worker, block_bytes, rng_below(&rng, blocks) * block_bytes);

		if (ring_closed(worker->ring))
			return;
		if (ns >= 0) {
			latency_ns[probe->blocks++] = ns;
			probe->zero_blocks += all_zeros(worker->buffer, block_bytes);
		}
		if (*worker->stop || clock_now_ns() >= until_ns)
			break;
	}
	if (probe->blocks < 3)
		return;
	probe->first_ns = latency_ns[0];
	qsort(latency_ns + 1, probe->blocks - 1, sizeof *latency_ns, compare);
	probe->median_ns = latency_ns[probe->blocks / 2];
}

void *worker_probe(void *context)
{
	struct worker *worker = context;
	const struct device_info *info = &worker->device->info;
	uint32_t block_bytes = info->sector_bytes > PROBE_BYTES ? info->sector_bytes : PROBE_BYTES;

	if (block_bytes > info->size_bytes)
		block_bytes = worker->probe_bytes;
	probe_blocks(worker, block_bytes);
	if (!ring_closed(worker->ring) && worker->probe.ending == ENDED_WELL && !*worker->stop)
		probe_read(worker, worker->probe_bytes, 0);
	if (!ring_closed(worker->ring))
		finish(worker, worker->probe.ending, worker->probe.error, clock_now_ns());
	return NULL;
}
