/* Linux native AIO by its system calls (io_submit(2)), for kernels and containers without io_uring. */
#include <errno.h>
#include <linux/aio_abi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "plan/sweep.h"
#include "run/engine.h"

struct aio {
	const struct queue *queue;
	aio_context_t context;
	unsigned unsent;
	struct iocb *next[DEPTH_MAX];           /* unsent of them */
	struct iocb iocb[DEPTH_MAX];            /* by slot, as the next one */
	struct flight *flight[DEPTH_MAX];
	struct io_event event[DEPTH_MAX];
};

static int open_context(void **self, struct queue *queue)
{
	struct aio *aio = calloc(1, sizeof *aio);
	int result;

	if (!aio)
		return -ENOMEM;
	aio->queue = queue;
	if (syscall(SYS_io_setup, queue->depth, &aio->context) == 0) {
		*self = aio;
		return 0;
	}
	result = -errno;
	free(aio);
	return result;
}

static void close_context(void *self)
{
	struct aio *aio = self;

	syscall(SYS_io_destroy, aio->context);
	free(aio);
}

static void put(struct aio *aio, struct flight *flight)
{
	struct iocb *iocb = &aio->iocb[flight->slot];

	aio->flight[flight->slot] = flight;
	*iocb = (struct iocb){
		.aio_data = flight->slot,
		.aio_lio_opcode = IOCB_CMD_PREAD,
		.aio_fildes = (uint32_t)aio->queue->device->fd[aio->queue->access],
		.aio_buf = (uintptr_t)flight_target(flight, aio->queue),
		.aio_nbytes = aio->queue->block_bytes - flight->done_bytes,
		.aio_offset = (int64_t)(flight->offset + flight->done_bytes),
	};
	aio->next[aio->unsent++] = iocb;
}

/* Takes back what the kernel has not taken. */
static unsigned refuse(struct aio *aio, struct flight **flight, int error)
{
	unsigned done = 0;

	while (aio->unsent) {
		flight[done] = aio->flight[aio->next[--aio->unsent]->aio_data];
		flight[done++]->error = error;
	}
	return done;
}

static unsigned reap(struct aio *aio, struct flight **flight)
{
	const long events = syscall(SYS_io_getevents, aio->context, 1L, (long)aio->queue->depth, aio->event, NULL);
	unsigned done = 0;

	for (long i = 0; i < events; i++) {
		struct flight *landed = aio->flight[aio->event[i].data];

		if (flight_landed(landed, aio->queue, aio->event[i].res))
			flight[done++] = landed;
		else
			put(aio, landed);
	}
	return done;
}

static unsigned step(void *self, struct flight **flight, unsigned fresh)
{
	struct aio *aio = self;
	long taken = 0;

	for (unsigned i = 0; i < fresh; i++) {
		flight[i]->done_bytes = 0;
		put(aio, flight[i]);
	}
	if (aio->unsent)
		taken = syscall(SYS_io_submit, aio->context, (long)aio->unsent, aio->next);
	if (taken < 0)
		return refuse(aio, flight, -errno);
	aio->unsent -= (unsigned)taken;
	memmove(aio->next, aio->next + taken, aio->unsent * sizeof *aio->next);
	return reap(aio, flight);
}

const struct engine_ops engine_aio = { open_context, step, close_context };
