/* Stands in for run/engine_uring: fake disks with as many reads in flight as there are slots, on the fake clock. */
#include <stdlib.h>

#include "fake_clock.h"
#include "fake_device.h"
#include "plan/sweep.h"
#include "run/engine.h"
#include "test.h"

struct seat {
	struct flight *flight;                  /* NULL: free */
	struct fake_read read;
};

struct fake_engine {
	const struct queue *queue;
	struct fake_disk *disk;
	struct seat seat[DEPTH_MAX];            /* by slot */
};

static int open_fake(void **self, struct queue *queue)
{
	struct fake_disk *disk = &fake_disk[queue->device->info.rdev - 1];
	struct fake_engine *engine;

	if (disk->engine_error)
		return disk->engine_error;
	engine = calloc(1, sizeof *engine);
	assert_non_null(engine);
	engine->queue = queue;
	engine->disk = disk;
	disk->engines++;
	queue->plain_buffer = disk->no_memlock;
	*self = engine;
	return 0;
}

/* The one that is done next, the oldest of several; NULL: none is in flight. */
static struct seat *next_seat(struct fake_engine *engine)
{
	struct seat *next = NULL;

	for (struct seat *seat = engine->seat; seat < engine->seat + engine->queue->depth; seat++)
		if (seat->flight && (!next || seat->read.done_ns < next->read.done_ns ||
				     (seat->read.done_ns == next->read.done_ns && seat->read.number < next->read.number)))
			next = seat;
	return next;
}

static unsigned step(void *self, struct flight **flight, unsigned fresh)
{
	struct fake_engine *engine = self;
	struct seat *seat;
	unsigned done = 0;

	for (unsigned i = 0; i < fresh; i++) {
		seat = &engine->seat[flight[i]->slot];
		assert_true(flight[i]->slot < engine->queue->depth);
		assert_null(seat->flight);
		*seat = (struct seat){ flight[i], fake_read_issue(engine->disk, engine->queue->block_bytes, flight[i]->offset) };
	}
	seat = next_seat(engine);
	assert_non_null(seat);
	if (!fake_read_done(engine->disk, &seat->read))
		fake_clock_wait(seat->read.done_ns, (unsigned)(engine->disk - fake_disk));
	for (; seat && fake_read_done(engine->disk, &seat->read); seat = next_seat(engine)) {
		seat->flight->error = fake_read_end(engine->disk, &seat->read);
		flight[done++] = seat->flight;
		seat->flight = NULL;
	}
	return done;
}

static void close_fake(void *self)
{
	struct fake_engine *engine = self;

	assert_null(next_seat(engine));
	engine->disk->engines--;
	free(engine);
}

const struct engine_ops engine_uring = { open_fake, step, close_fake };
