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
	const int error = device_read(worker->device, worker->probe_access, worker->buffer, bytes, offset);
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

static void probe_blocks(struct worker *worker, uint32_t block_bytes)
{
	const int64_t until_ns = clock_now_ns() + PROBE_MOST_NS;
	const uint64_t blocks = worker->device->info.size_bytes / block_bytes;
	struct probe *probe = &worker->probe;
	struct histogram further = { 0 };
	struct rng rng;

	rng_init(&rng, worker->seed);
	for (int i = 0; i < PROBE_BLOCKS && probe->ending == ENDED_WELL; i++) {
		const int64_t ns = probe_read(worker, block_bytes, rng_below(&rng, blocks) * block_bytes);

		if (ring_closed(worker->ring))
			return;
		if (ns >= 0) {
			probe->blocks++;
			probe->zero_blocks += all_zeros(worker->buffer, block_bytes);
		}
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
	const struct device_info *info = &worker->device->info;
	uint32_t block_bytes = info->sector_bytes > PROBE_BYTES ? info->sector_bytes : PROBE_BYTES;

	worker_name(worker);
	if (block_bytes > info->size_bytes)
		block_bytes = worker->probe_bytes;
	probe_blocks(worker, block_bytes);
	if (!ring_closed(worker->ring) && worker->probe.ending == ENDED_WELL && !*worker->stop)
		probe_read(worker, worker->probe_bytes, 0);
	if (!ring_closed(worker->ring))
		worker_finish(worker, worker->probe.ending, worker->probe.error, clock_now_ns());
	return NULL;
}
