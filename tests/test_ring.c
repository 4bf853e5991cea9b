/* Samples come out of the ring as they went in, all of them, whatever the pace of either side. */
#include "test.h"

#include <pthread.h>
#include <sched.h>

#include "base/clock.h"
#include "collect/ring.h"

static int new_ring(void **state)
{
	*state = ring_new();
	return *state ? 0 : -1;
}

static int free_ring(void **state)
{
	free(*state);
	return 0;
}

/* Every member tells which sample it is, so that a torn one shows. */
static struct sample sample_of(uint64_t number)
{
	return (struct sample){
		.issued_ns = (int64_t)number,
		.latency_ns = (int64_t)(number * 3),
		.offset = number * 4096,
		.error = -(int32_t)(number % 100),
		.counts = number % 7 == 0,
	};
}

static bool sample_is(const struct sample *sample, uint64_t number)
{
	const struct sample expected = sample_of(number);

	return sample->issued_ns == expected.issued_ns && sample->latency_ns == expected.latency_ns &&
	       sample->offset == expected.offset && sample->error == expected.error && sample->counts == expected.counts;
}

static void push(struct ring *ring, uint64_t from, uint64_t count)
{
	for (uint64_t i = from; i < from + count; i++) {
		const struct sample sample = sample_of(i);

		ring_push(ring, &sample);
	}
}

/* Takes all that is there, and returns how many samples that were; the first is number from. */
static uint64_t take_all(struct ring *ring, uint64_t from)
{
	const struct sample *sample;
	uint64_t taken = 0;
	size_t count;

	while (sample = ring_peek(ring, &count), count) {
		for (size_t i = 0; i < count; i++)
			assert_true(sample_is(&sample[i], from + taken + i));
		ring_consume(ring, count);
		taken += count;
	}
	return taken;
}

static void a_new_ring_is_open_and_empty(void **state)
{
	struct ring *ring = *state;
	size_t count = 1;

	ring_peek(ring, &count);
	assert_int_equal(count, 0);
	assert_false(ring_closed(ring));
	assert_int_equal(ring->waits, 0);
}

static void samples_stay_until_they_are_consumed(void **state)
{
	struct ring *ring = *state;
	size_t count;

	push(ring, 0, 10);
	assert_true(sample_is(ring_peek(ring, &count), 0));
	assert_int_equal(count, 10);
	ring_consume(ring, 4);
	assert_true(sample_is(ring_peek(ring, &count), 4));
	assert_int_equal(count, 6);
	ring_consume(ring, 6);
	ring_peek(ring, &count);
	assert_int_equal(count, 0);
}

static void order_holds_around_the_end_of_the_ring(void **state)
{
	struct ring *ring = *state;
	uint64_t pushed = 0, taken = 0;

	for (int i = 0; i < 100; i++) {
		push(ring, pushed, RING_SLOTS / 3);
		pushed += RING_SLOTS / 3;
		taken += take_all(ring, taken);
		assert_int_equal(taken, pushed);
	}
	assert_true(pushed > 30 * RING_SLOTS);
	assert_int_equal(ring->waits, 0);
}

static void a_peek_stops_at_the_end_of_the_ring_and_goes_on_at_its_start(void **state)
{
	struct ring *ring = *state;
	size_t count;

	push(ring, 0, RING_SLOTS - 5);
	take_all(ring, 0);
	push(ring, RING_SLOTS - 5, 20);
	assert_true(sample_is(ring_peek(ring, &count), RING_SLOTS - 5));
	assert_int_equal(count, 5);
	ring_consume(ring, 5);
	assert_true(sample_is(ring_peek(ring, &count), RING_SLOTS));
	assert_int_equal(count, 15);
}

static void a_ring_takes_all_its_slots_without_waiting(void **state)
{
	struct ring *ring = *state;

	push(ring, 0, RING_SLOTS);
	assert_int_equal(ring->waits, 0);
	assert_int_equal(take_all(ring, 0), RING_SLOTS);
	push(ring, RING_SLOTS, RING_SLOTS);
	assert_int_equal(ring->waits, 0);
	assert_int_equal(take_all(ring, RING_SLOTS), RING_SLOTS);
}

/* The worker's side in a thread of its own. */
struct worker {
	struct ring *ring;
	uint64_t from, count;
};

static void *work(void *context)
{
	const struct worker *worker = context;

	push(worker->ring, worker->from, worker->count);
	ring_close(worker->ring);
	return NULL;
}

static void a_full_ring_makes_the_worker_wait(void **state)
{
	struct ring *ring = *state;
	struct worker worker = { ring, RING_SLOTS, 1 };
	pthread_t thread;
	size_t count;

	push(ring, 0, RING_SLOTS);
	assert_int_equal(pthread_create(&thread, NULL, work, &worker), 0);
	/* However long the worker is given, it neither overwrites nor drops. */
	for (int i = 0; i < 20; i++) {
		clock_sleep_ns(NS_PER_MS);
		assert_true(sample_is(ring_peek(ring, &count), 0));
		assert_false(ring_closed(ring));
		assert_int_equal(atomic_load(&ring->head), RING_SLOTS);
	}
	ring_consume(ring, 1);
	pthread_join(thread, NULL);
	/* It may have come when there was room again. */
	assert_in_range(ring->waits, 0, 1);
	assert_int_equal(take_all(ring, 1), RING_SLOTS);
}

static void a_worker_that_waits_is_counted_and_gives_up_at_the_close(void **state)
{
	struct ring *ring = *state;
	struct worker worker = { ring, RING_SLOTS, 1 };
	pthread_t thread;

	push(ring, 0, RING_SLOTS);
	assert_int_equal(pthread_create(&thread, NULL, work, &worker), 0);
	clock_sleep_ns(NS_PER_MS);
	ring_close(ring);
	pthread_join(thread, NULL);
	assert_int_equal(ring->waits, 1);
	assert_int_equal(take_all(ring, 0), RING_SLOTS);
}

static void only_the_first_to_close_is_told_so(void **state)
{
	struct ring *ring = *state;

	assert_true(ring_close(ring));
	assert_true(ring_closed(ring));
	assert_false(ring_close(ring));
	assert_false(ring_close(ring));
	assert_true(ring_closed(ring));
}

enum { CLOSERS = 2, ROUNDS = 20000 };

/* Threads that close one ring in the same moment, again and again. */
struct closers {
	struct ring *ring;
	_Atomic unsigned arrived, done;
	_Atomic unsigned first[ROUNDS];         /* how many were told that they are the first */
};

static void wait_for_all(_Atomic unsigned *count, unsigned round)
{
	atomic_fetch_add(count, 1);
	/* Spins, so that they go on in the same moment, unless they have to share one processor. */
	for (int spins = 0; atomic_load(count) < CLOSERS * (round + 1); spins++)
		if (spins > 1000)
			sched_yield();
}

static void *close_often(void *context)
{
	struct closers *closers = context;

	for (unsigned round = 0; round < ROUNDS; round++) {
		wait_for_all(&closers->arrived, round);
		atomic_fetch_add(&closers->first[round], ring_close(closers->ring));
		wait_for_all(&closers->done, round);
		/* Whoever comes late to the next round finds the ring open again. */
		atomic_store(&closers->ring->closed, false);
	}
	return NULL;
}

static void of_threads_that_close_at_once_one_is_the_first(void **state)
{
	static struct closers closers;
	pthread_t thread[CLOSERS];

	closers.ring = *state;
	for (int i = 0; i < CLOSERS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, close_often, &closers), 0);
	for (int i = 0; i < CLOSERS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < ROUNDS; i++)
		assert_int_equal(closers.first[i], 1);
}

static void a_ring_is_new_again_after_a_reset(void **state)
{
	struct ring *ring = *state;
	size_t count;

	push(ring, 0, RING_SLOTS);
	ring_close(ring);
	push(ring, RING_SLOTS, 1);
	assert_int_equal(ring->waits, 1);
	ring_reset(ring);
	ring_peek(ring, &count);
	assert_int_equal(count, 0);
	assert_false(ring_closed(ring));
	assert_int_equal(ring->waits, 0);
	push(ring, 7, RING_SLOTS);
	assert_int_equal(ring->waits, 0);
	assert_int_equal(take_all(ring, 7), RING_SLOTS);
}

static void a_million_samples_pass_between_two_threads_in_order(void **state)
{
	struct ring *ring = *state;
	struct worker worker = { ring, 0, 1000000 };
	uint64_t taken = 0;
	bool ended = false;
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, work, &worker), 0);
	while (!ended) {
		/* In this order: what was pushed before the close is still seen. */
		ended = ring_closed(ring);
		taken += take_all(ring, taken);
		sched_yield();
	}
	pthread_join(thread, NULL);
	assert_int_equal(taken, worker.count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_new_ring_is_open_and_empty, new_ring, free_ring),
		cmocka_unit_test_setup_teardown(samples_stay_until_they_are_consumed, new_ring, free_ring),
		cmocka_unit_test_setup_teardown(order_holds_around_the_end_of_the_ring, new_ring, free_ring),
		cmocka_unit_test_setup_teardown(a_peek_stops_at_the_end_of_the_ring_and_goes_on_at_its_start, new_ring, free_ring),
		cmocka_unit_test_setup_teardown(a_ring_takes_all_its_slots_without_waiting, new_ring, free_ring),
		cmocka_unit_test_setup_teardown(a_full_ring_makes_the_worker_wait, new_ring, free_ring),
		cmocka_unit_test_setup_teardown(a_worker_that_waits_is_counted_and_gives_up_at_the_close, new_ring, free_ring),
		cmocka_unit_test_setup_teardown(only_the_first_to_close_is_told_so, new_ring, free_ring),
		cmocka_unit_test_setup_teardown(of_threads_that_close_at_once_one_is_the_first, new_ring, free_ring),
		cmocka_unit_test_setup_teardown(a_ring_is_new_again_after_a_reset, new_ring, free_ring),
		cmocka_unit_test_setup_teardown(a_million_samples_pass_between_two_threads_in_order, new_ring, free_ring),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
