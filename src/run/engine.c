#include "run/engine.h"

#include <errno.h>
#include <stdalign.h>

const struct engine_ops *const engine_ops[ENGINES] = {
	[ENGINE_SYNC] = &engine_sync,
	[ENGINE_URING] = &engine_uring,
	[ENGINE_AIO] = &engine_aio,
};

int engine_try(const struct engine_ops *ops)
{
	const struct device none = { .fd = { -1, -1 } };
	alignas(4096) char buffer[4096];
	struct queue queue = { .device = &none, .block_bytes = sizeof buffer, .depth = 1, .buffer = buffer };
	void *engine;
	const int result = ops->open(&engine, &queue);

	if (result == 0)
		ops->close(engine);
	return result;
}

bool flight_landed(struct flight *flight, const struct queue *queue, int64_t result)
{
	if (result == -EINTR)
		return false;
	if (result > 0)
		flight->done_bytes += (uint32_t)result;
	flight->error = result > 0 ? 0 : result < 0 ? (int)result : -ENXIO;
	return flight->error || flight->done_bytes == queue->block_bytes;
}
