/* Worker to collector: a single-producer single-consumer queue of samples. No lock, no loss: a full ring
 * makes the worker wait between two reads. */
#ifndef COLLECT_RING_H
#define COLLECT_RING_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One read, as its worker saw it. */
struct sample {
	int64_t issued_ns, latency_ns;  /* clock_now_ns() just before, and how much later just after */
	uint64_t offset;                /* bytes */
	int32_t error;                  /* 0 or -errno */
	bool counts;                    /* completed inside the window */
};

enum { RING_SLOTS = 1 << 14, RING_LINE = 64 };  /* 40 ms of reads at 400000 a second */

struct ring {
	/* the worker's line */
	alignas(RING_LINE) _Atomic uint64_t head;       /* samples pushed */
	uint64_t free_until;                            /* head may go up to here without a look at tail */
	uint64_t waits;                                 /* pushes that found the ring full */
	/* the collector's line */
	alignas(RING_LINE) _Atomic uint64_t tail;       /* samples consumed */
	alignas(RING_LINE) _Atomic bool closed;
	alignas(RING_LINE) struct sample slot[RING_SLOTS];
};

/* NULL when memory is short; freed by free(). */
struct ring *ring_new(void);

/* Open and empty again. Nobody else may use the ring meanwhile. */
void ring_reset(struct ring *ring);

/* Worker only. Sleeps while the ring is full; gives up, losing the sample, only when the ring was closed
 * meanwhile. */
void ring_push(struct ring *ring, const struct sample *sample);

/* Ends the stream. True for the first closer, who decides how the disk ended: the worker, or main for a hung disk. */
bool ring_close(struct ring *ring);

static inline bool ring_closed(const struct ring *ring)
{
	return atomic_load_explicit(&ring->closed, memory_order_acquire);
}

/* Collector only: the oldest samples that lie in a row, *count of them, which stay until ring_consume(). */
const struct sample *ring_peek(struct ring *ring, size_t *count);
void ring_consume(struct ring *ring, size_t count);

#endif
