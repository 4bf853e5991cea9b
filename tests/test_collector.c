/* While disks read, one thread moves their samples into tallies, and loses none. */
#include "test.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>

#include "base/clock.h"
#include "collect/collector.h"

enum { DISKS = 4, OPENED_NS = 1000, STEP_NS = 1000000 };

/* Disks whose reads complete STEP_NS apart, from the window's opening on, as if it were a long time ago. */
struct bench {
	struct window *window;
	struct collector *collector;
	struct ring *ring[DISKS];
	struct tally tally[DISKS];
};

static struct bench bench;

static void bench_start(bool opened)
{
	struct source source[DISKS];

	bench.window = window_new(DISKS);
	assert_non_null(bench.window);
	window_plan(bench.window, OPENED_NS, 3600 * NS_PER_S, false);
	for (unsigned i = 0; i < DISKS; i++) {
		if (opened)
			window_complete(bench.window, i, OPENED_NS / 2);
		bench.ring[i] = ring_new();
		assert_non_null(bench.ring[i]);
		bench.tally[i] = (struct tally){ 0 };
		source[i] = (struct source){ .ring = bench.ring[i], .tally = &bench.tally[i] };
	}
	assert_int_equal(collector_start(&bench.collector, bench.window, source, DISKS), 0);
}

static void bench_finish(void)
{
	for (unsigned i = 0; i < DISKS; i++)
		ring_close(bench.ring[i]);
	collector_finish(bench.collector);
	for (unsigned i = 0; i < DISKS; i++)
		free(bench.ring[i]);
	free(bench.window);
}

static void push(unsigned disk, uint64_t from, uint64_t count, int error, bool counts)
{
	for (uint64_t i = from; i < from + count; i++) {
		const struct sample sample = {
			.issued_ns = OPENED_NS + (int64_t)i * STEP_NS,
			.latency_ns = STEP_NS,
			.error = error,
			.counts = counts,
		};

		ring_push(bench.ring[disk], &sample);
	}
}

/* Waits for the collector to have seen the completion of the read before number next. */
static struct live wait_for(unsigned disk, uint64_t next)
{
	const int64_t last_ns = OPENED_NS + (int64_t)next * STEP_NS;
	struct live live = { 0 };

	for (int ms = 0; live.last_ns != last_ns; ms++) {
		if (ms == 60000)
			fail_msg("disk %u is at %lld, not at %lld", disk, (long long)live.last_ns, (long long)last_ns);
		clock_sleep_ns(NS_PER_MS);
		collector_peek(bench.collector, disk, &live);
	}
	return live;
}

struct worker {
	unsigned disk;
	uint64_t count;
};

static void *work(void *context)
{
	const struct worker *worker = context;

	push(worker->disk, 0, worker->count, 0, true);
	ring_close(bench.ring[worker->disk]);
	return NULL;
}

static void all_that_was_pushed_before_the_close_is_in_the_tally(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < 20; round++) {
		struct worker worker[DISKS];
		pthread_t thread[DISKS];

		bench_start(true);
		for (unsigned i = 0; i < DISKS; i++) {
			/* From none at all to several rings full. */
			worker[i] = (struct worker){ .disk = i, .count = round * i * 911 };
			assert_int_equal(pthread_create(&thread[i], NULL, work, &worker[i]), 0);
		}
		for (unsigned i = 0; i < DISKS; i++)
			pthread_join(thread[i], NULL);
		bench_finish();
		for (unsigned i = 0; i < DISKS; i++) {
			assert_int_equal(bench.tally[i].requests, worker[i].count);
			assert_int_equal(bench.tally[i].whole_requests, worker[i].count);
			assert_int_equal(bench.tally[i].latency.count, worker[i].count);
		}
	}
}

static void a_ring_that_is_closed_first_does_not_end_the_others(void **state)
{
	(void)state;
	bench_start(true);
	push(0, 0, 10, 0, true);
	ring_close(bench.ring[0]);
	wait_for(0, 10);
	push(1, 0, 20, 0, true);
	wait_for(1, 20);
	bench_finish();
	assert_int_equal(bench.tally[0].requests, 10);
	assert_int_equal(bench.tally[1].requests, 20);
}

static void live_figures_follow_each_disk_while_the_cell_goes_on(void **state)
{
	struct live live;

	(void)state;
	bench_start(true);
	collector_peek(bench.collector, 2, &live);
	assert_int_equal(live.requests + live.errors, 0);
	assert_int_equal(live.last_ns, 0);
	assert_true(isnan(live.ci95_percent));
	push(2, 0, 500, 0, true);
	live = wait_for(2, 500);
	assert_int_equal(live.requests, 500);
	/* Half a second says nothing of precision. */
	assert_true(isnan(live.ci95_percent));
	push(2, 500, 10, -EIO, true);
	live = wait_for(2, 510);
	assert_int_equal(live.requests, 500);
	assert_int_equal(live.errors, 10);
	push(2, 510, 1490, 0, true);
	live = wait_for(2, 2000);
	assert_int_equal(live.requests, 1990);
	assert_true(live.ci95_percent == series_ci95_percent(&bench.tally[2].series, 2000 * NS_PER_MS, 1990));
	assert_true(live.ci95_percent > 0 && live.ci95_percent < 10);
	push(1, 0, 7, 0, true);
	assert_int_equal(wait_for(1, 7).requests, 7);
	bench_finish();
}

static void reads_of_the_warm_up_show_life_but_no_figure(void **state)
{
	struct live live;

	(void)state;
	bench_start(false);
	push(0, 0, 3000, 0, false);
	live = wait_for(0, 3000);
	assert_int_equal(live.requests, 0);
	assert_true(isnan(live.ci95_percent));
	bench_finish();
	assert_int_equal(bench.tally[0].requests, 0);
	assert_int_equal(bench.tally[0].whole_requests, 3000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_that_was_pushed_before_the_close_is_in_the_tally),
		cmocka_unit_test(a_ring_that_is_closed_first_does_not_end_the_others),
		cmocka_unit_test(live_figures_follow_each_disk_while_the_cell_goes_on),
		cmocka_unit_test(reads_of_the_warm_up_show_life_but_no_figure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
