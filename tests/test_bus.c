/* Rounds of disks on a bus: the published figure, and what must hold of any rounds. */
#include "test.h"

#include <math.h>

#include "analyze/bus.h"
#include "base/clock.h"
#include "base/rng.h"

#define MS ((double)NS_PER_MS)

static bool near(double actual, double expected, double relative)
{
	return fabs(actual - expected) <= relative * fabs(expected);
}

static void a_transfer_holds_the_bus_for_its_bytes(void **state)
{
	(void)state;
	assert_true(near(bus_transfer_ns(65536, 20e6), 3.2768 * MS, 1e-12));
	assert_true(bus_transfer_ns(65536, INFINITY) == 0);
}

/* Uniform over from .. to. */
static void uniform(struct draws *draws, double from_ns, double to_ns)
{
	draws->count = DRAWS_MAX;
	for (unsigned i = 0; i < DRAWS_MAX; i++)
		draws->ns[i] = from_ns + (to_ns - from_ns) * (i + .5) / DRAWS_MAX;
}

/* Equal disks. */
static double strict_ns(const struct draws *draws, unsigned disks, double transfer_ns, uint64_t seed)
{
	const struct draws *latency[64];

	for (unsigned i = 0; i < disks; i++)
		latency[i] = draws;
	return bus_round_ns(latency, disks, transfer_ns, seed);
}

/* 64 KiB of each on a bus of 20 MB/s: .5 ms of overhead, 9 ms of positioning, 8.16 ms at the rate of the medium, a transfer. */
static void disks_of_constant_times_are_all_ready_at_once(void **state)
{
	static const struct draws alone = { 1, { (.5 + 9 + 8.16 + 3.2768) * MS } };

	(void)state;
	for (unsigned disks = 1; disks <= 16; disks++)
		assert_true(near(strict_ns(&alone, disks, 3.2768 * MS, 1), alone.ns[0] + (disks - 1) * 3.2768 * MS, 1e-9));
}

/* With the positioning time of the first of four disks, 7.0545 ms, for all of them, as the published form takes them. */
static void four_disks_that_are_ready_in_time_take_the_published_round(void **state)
{
	static const struct draws alone = { 1, { (.5 + 7.0545 + 8.16 + 3.2768) * MS } };
	const double round_ns = strict_ns(&alone, 4, 3.2768 * MS, 1);

	(void)state;
	assert_true(near(round_ns, 28.8217 * MS, 1e-5));
	assert_true(near(4 * 65536 / round_ns * 1000, 9.0954, 1e-5));
}

/* The published form takes the first disk, E[max] the last: neither is more than the whole. */
static void a_round_is_no_shorter_than_its_first_disk_and_all_transfers_or_its_last_disk(void **state)
{
	static struct draws draws;
	static const double transfer_ms[] = { 0, .1, 1, 5 };

	(void)state;
	uniform(&draws, 5 * MS, 20 * MS);
	for (unsigned disks = 1; disks <= 16; disks *= 2)
		for (size_t i = 0; i < TEXT_COUNT(transfer_ms); i++) {
			const double transfer_ns = transfer_ms[i] * MS;
			const double round_ns = strict_ns(&draws, disks, transfer_ns, disks);

			assert_true(round_ns > .99 * (draws_min_ns(&draws, disks) + (disks - 1) * transfer_ns));
			assert_true(round_ns > .99 * draws_max_ns(&draws, disks));
			assert_true(round_ns < 1.01 * (draws_max_ns(&draws, disks) + (disks - 1) * transfer_ns));
		}
	assert_true(near(strict_ns(&draws, 4, 0, 1), draws_max_ns(&draws, 4), .01));
	assert_true(near(strict_ns(&draws, 4, 100 * MS, 1), 400 * MS, .01));
}

/* Disks of 0 or 1 ms each, a transfer of .25 ms: both 0, both 1, or one of each, by hand. */
static void a_round_follows_the_order_in_which_disks_become_ready(void **state)
{
	static const struct draws draws = { 2, { .25 * MS, 1.25 * MS } };
	const double expected_ns = (.5 + 2 * 1.25 + 1.5) / 4 * MS;

	(void)state;
	for (uint64_t seed = 1; seed <= 5; seed++)
		assert_true(near(strict_ns(&draws, 2, .25 * MS, seed), expected_ns, .02));
}

static void unequal_disks_draw_their_own_latencies(void **state)
{
	static const struct draws fast = { 1, { 2 * MS } }, slow = { 1, { 9 * MS } };
	const struct draws *const latency[] = { &slow, &fast, &fast };

	(void)state;
	assert_true(near(bus_round_ns(latency, 3, 1 * MS, 1), 9 * MS, 1e-9));
	assert_true(near(bus_round_ns(latency, 3, 5 * MS, 1), 15 * MS, 1e-9));
}

static void the_same_seed_gives_the_same_rounds(void **state)
{
	static struct draws draws;

	(void)state;
	uniform(&draws, 5 * MS, 20 * MS);
	assert_true(strict_ns(&draws, 4, MS, 1) == strict_ns(&draws, 4, MS, 1));
	assert_true(strict_ns(&draws, 4, MS, 1) != strict_ns(&draws, 4, MS, 2));
	assert_true(near(strict_ns(&draws, 4, MS, 1), strict_ns(&draws, 4, MS, 2), .01));
}

static void rounds_of_unknown_latencies_are_not_known(void **state)
{
	static const struct draws none, some = { 1, { MS } };
	const struct draws *const latency[] = { &some, &none };

	(void)state;
	assert_true(isnan(bus_round_ns(latency, 2, MS, 1)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_transfer_holds_the_bus_for_its_bytes),
		cmocka_unit_test(disks_of_constant_times_are_all_ready_at_once),
		cmocka_unit_test(four_disks_that_are_ready_in_time_take_the_published_round),
		cmocka_unit_test(a_round_is_no_shorter_than_its_first_disk_and_all_transfers_or_its_last_disk),
		cmocka_unit_test(a_round_follows_the_order_in_which_disks_become_ready),
		cmocka_unit_test(unequal_disks_draw_their_own_latencies),
		cmocka_unit_test(the_same_seed_gives_the_same_rounds),
		cmocka_unit_test(rounds_of_unknown_latencies_are_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
