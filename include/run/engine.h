/* How a worker hands its reads to the kernel and gets them back: one interface, whatever the depth. Private to run.
 *
 * No engine can do anything but read: pread, IORING_OP_READ, IORING_OP_READ_FIXED and IOCB_CMD_PREAD are all that they
 * know, on descriptors that were opened O_RDONLY; tests/project.test holds that. */
#ifndef RUN_ENGINE_H
#define RUN_ENGINE_H

#include "device/device.h"

/* One read, from its submission to its completion. */
struct flight {
	uint64_t offset;                /* of the block, in bytes */
	int64_t issued_ns;              /* the worker's own: just before the step that submits it */
	uint32_t slot;                  /* 0 .. depth-1: which part of the buffer it fills */
	int error;                      /* once it is done: 0 or -errno; -ENXIO where the disk ends early */
	uint32_t done_bytes;            /* the engine's own */
};

/* What is read, and where to. It outlives the engine; the buffer, any read that the kernel may still carry out. */
struct queue {
	const struct device *device;
	enum access access;
	uint32_t block_bytes, depth;
	char *buffer;                   /* page-aligned, depth * block_bytes */
	bool plain_buffer;              /* set by open: the kernel could not be shown the buffer beforehand, as memlock is
					 * too small for it, and looks at its pages for each read */
};

struct engine_ops {
	/* 0 or -errno. Any thread may open; the one that steps closes, or whoever opened if none has stepped. */
	int (*open)(void **self, struct queue *queue);

	/* Submits the first fresh of flight[], whose offsets and slots are set and whose slots are free, and waits until some
	 * read is done. Returns how many are, now the first of flight[]; none is possible, and no reason not to step on. At
	 * least one read must be fresh or in flight. What the kernel does not take is done, with its errno. */
	unsigned (*step)(void *self, struct flight **flight, unsigned fresh);

	/* Nothing may be in flight. */
	void (*close)(void *self);
};

extern const struct engine_ops engine_sync, engine_uring, engine_aio;
extern const struct engine_ops *const engine_ops[ENGINES];

/* Whether the kernel lets us use it: opens it for no disk, and closes it. 0 or -errno. */
int engine_try(const struct engine_ops *ops);

/* For engines: where in the buffer the rest of a read goes. */
static inline char *flight_target(const struct flight *flight, const struct queue *queue)
{
	return queue->buffer + (size_t)flight->slot * queue->block_bytes + flight->done_bytes;
}

/* For engines: takes what the kernel says of it, bytes or -errno. False when it stopped short: the rest must be read. */
bool flight_landed(struct flight *flight, const struct queue *queue, int64_t result);

#endif
