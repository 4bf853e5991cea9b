#include "collect/ring.h"

#include <stdlib.h>

#include "base/clock.h"

enum { FULL_SLEEP_NS = 50000 };

struct ring *ring_new(void)
{
	struct ring *ring = aligned_alloc(RING_LINE, sizeof *ring);

	if (ring)
		ring_reset(ring);
	return ring;
}

void ring_reset(struct ring *ring)
{
	atomic_init(&ring->head, 0);
	atomic_init(&ring->tail, 0);
	atomic_init(&ring->closed, false);
	ring->free_until = RING_SLOTS;
	ring->waits = 0;
}

static bool wait_for_room(struct ring *ring, uint64_t head)
{
	ring->free_until = atomic_load_explicit(&ring->tail, memory_order_acquire) + RING_SLOTS;
	if (head != ring->free_until)
		return true;
	ring->waits++;
	while (head == ring->free_until) {
		if (ring_closed(ring))
			return false;
		clock_sleep_ns(FULL_SLEEP_NS);
		ring->free_until = atomic_load_explicit(&ring->tail, memory_order_acquire) + RING_SLOTS;
	}
	return true;
}

void ring_push(struct ring *ring, const struct sample *sample)
{
	const uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);

	if (head == ring->free_until && !wait_for_room(ring, head))
		return;
	ring->slot[head % RING_SLOTS] = *sample;
	atomic_store_explicit(&ring->head, head + 1, memory_order_release);
}

bool ring_close(struct ring *ring)
{
	return !atomic_exchange_explicit(&ring->closed, true, memory_order_acq_rel);
}

const struct sample *ring_peek(struct ring *ring, size_t *count)
{
	const uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	const uint64_t ready = atomic_load_explicit(&ring->head, memory_order_acquire) - tail;
	const uint64_t in_row = RING_SLOTS - tail % RING_SLOTS;

	*count = ready < in_row ? ready : in_row;
	return &ring->slot[tail % RING_SLOTS];
}

void ring_consume(struct ring *ring, size_t count)
{
	atomic_fetch_add_explicit(&ring->tail, count, memory_order_release);
}
