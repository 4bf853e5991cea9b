/* One read at a time. */
#include "run/engine.h"

static int open_queue(void **self, struct queue *queue)
{
	*self = queue;
	return 0;
}

static unsigned step(void *self, struct flight **flight, unsigned fresh)
{
	const struct queue *queue = self;

	flight[0]->error = device_read(queue->device, queue->access, queue->buffer, queue->block_bytes, flight[0]->offset);
	return fresh;
}

static void close_queue(void *self)
{
	(void)self;
}

const struct engine_ops engine_sync = { open_queue, step, close_queue };
