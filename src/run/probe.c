#include "run/probe.h"

#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "run/worker.h"

enum { PROBE_BLOCKS = 64, PROBE_BYTES = 4096, PROBE_MOST_NS = 1000000000 };

static bool all_zeros(const char *text, size_t bytes)
{
	return !text[0] && memcmp(text, text + 1, bytes - 1) == 0;
}

/* One read of a probe. Returns its latency in ns, or -1 after noting how it failed. */
static int64_t probe_read(struct worker *worker, uint32_t bytes, uint64_t offset)
{
	const int64_t issued_ns = clock_now_ns();
	const int error = device_read(worker->device, worker->largest.cell->access, worker->buffer, bytes, offset);
	const int64_t now_ns = clock_now_ns();

	if (ring_closed(worker->ring))
		return -1;
	worker->probed_ns = now_ns;
	if (!error)
		return now_ns - issued_ns;
	fault_add(worker->probe.fault, error, 1, offset);
	if (worker_disk_gone(error)) {
		worker->probe.ending = ENDED_GONE;
		worker->probe.error = error;
	}
	return -1;
}

/* The next of the disk's jobs that are read like the largest, in turn: what is probed is what will be measured. */
static struct job next_job(const struct worker *worker, size_t *cell)
{
	for (;;) {
		const struct job job = plan_job(worker->plan, &worker->plan->cell[*cell], worker->number);

		*cell = (*cell + 1) % worker->plan->cells;
		if (!job.unfit && job.cell->access == worker->largest.cell->access)
			return job;
	}
}

/* A random block of the job's part of the disk. */
static int64_t probe_block(struct worker *worker, const struct job *job, struct rng *rng)
{
	const uint32_t sector_bytes = job->cell->access == ACCESS_RAW ? worker->device->info.sector_bytes : 1;
	const uint64_t part_bytes = job->blocks * job->cell->block_bytes;
	uint32_t block_bytes = sector_bytes > PROBE_BYTES ? sector_bytes : PROBE_BYTES;
	int64_t ns;

	if (block_bytes > part_bytes)
		block_bytes = job->cell->block_bytes;
	ns = probe_read(worker, block_bytes, job->start_bytes + rng_below(rng, part_bytes / block_bytes) * block_bytes);
	if (ns >= 0) {
		worker->probe.blocks++;
		worker->probe.zero_blocks += all_zeros(worker->buffer, block_bytes);
	}
	return ns;
}

static void probe_blocks(struct worker *worker)
{
	const int64_t until_ns = clock_now_ns() + PROBE_MOST_NS;
	struct probe *probe = &worker->probe;
	struct histogram further = { 0 };
	struct rng rng;
	size_t cell = 0;

	rng_init(&rng, rng_mix(worker->plan->limits.seed, worker->number));
	for (int i = 0; i < PROBE_BLOCKS && probe->ending == ENDED_WELL; i++) {
		const struct job job = next_job(worker, &cell);
		const int64_t ns = probe_block(worker, &job, &rng);

		if (ring_closed(worker->ring))
			return;
		if (i == 0)
			probe->first_ns = ns;
		else if (ns >= 0)
			histogram_add(&further, ns);
		if (*worker->stop || clock_now_ns() >= until_ns)
			break;
	}
	if (further.count)
		probe->median_ns = histogram_at_rank_ns(&further, histogram_rank(&further, 500));
}

void *probe_disk(void *context)
{
	struct worker *worker = context;

	worker_name(worker);
	probe_blocks(worker);
	if (!ring_closed(worker->ring) && worker->probe.ending == ENDED_WELL && !*worker->stop)
		probe_read(worker, worker->largest.cell->block_bytes, worker->largest.start_bytes);
	if (!ring_closed(worker->ring))
		worker_finish(worker, worker->probe.ending, worker->probe.error, clock_now_ns());
	return NULL;
}
