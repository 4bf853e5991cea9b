/* Disks that answer in rounds are told from disks that do not, and from those of which too little is seen. */
#include "test.h"

#include <math.h>

#include "analyze/rounds.h"
#include "base/clock.h"
#include "base/rng.h"

enum { DISKS = 16, SEEDS = 4 };

static struct trace trace[DISKS];
static struct rng rng;

static void start(uint64_t seed)
{
	memset(trace, 0, sizeof trace);
	rng_init(&rng, seed);
}

static double uniform(double from, double to)
{
	return from + (to - from) * (double)rng_next(&rng) / 0x1p64;
}

/* A read takes 10 ms, more or less by up to that share. */
static double read_ns(double variation)
{
	return 10 * uniform(1 - variation, 1 + variation) * (double)NS_PER_MS;
}

/* Reads that complete before the window opens, at 0, are not seen. */
static void complete(unsigned disk, double at_ns)
{
	if (at_ns > 0)
		trace_add(&trace[disk], (int64_t)at_ns + 1);
}

/* pace: disk 0 takes as long as it should, the last one nearly that much times as long. */
static void read_alone(unsigned disks, unsigned reads, double variation, double pace)
{
	for (unsigned disk = 0; disk < disks; disk++) {
		const double slower = 1 + (pace - 1) * disk / disks;
		double at_ns = uniform(0, 1) * slower * read_ns(variation);

		for (; at_ns < 10. * NS_PER_MS * reads; at_ns += slower * read_ns(variation))
			complete(disk, at_ns);
	}
}

/* Each disk does so many reads, then waits for all; the window opens in the midst of it. */
static void read_together(unsigned disks, unsigned reads, double variation, unsigned reads_a_round)
{
	double start_ns = -uniform(10, 40) * (double)NS_PER_MS * reads_a_round;

	for (unsigned done = 0; done < reads; done += reads_a_round) {
		double end_ns = start_ns;

		for (unsigned disk = 0; disk < disks; disk++) {
			double at_ns = start_ns;

			for (unsigned i = 0; i < reads_a_round; i++)
				complete(disk, at_ns += read_ns(variation));
			end_ns = fmax(end_ns, at_ns);
		}
		start_ns = end_ns;
	}
}

static struct rounds judge_until(unsigned disks, int64_t stopped_ns, uint64_t seed)
{
	struct course course[DISKS];
	struct rounds rounds;

	for (unsigned i = 0; i < disks; i++)
		course[i] = (struct course){ &trace[i], stopped_ns };
	assert_int_equal(rounds_judge(&rounds, course, disks, seed), 0);
	return rounds;
}

static struct rounds judge(unsigned disks, uint64_t seed)
{
	return judge_until(disks, INT64_MAX, seed);
}

static void the_spread_of_an_order_is_its_largest_less_its_smallest_count(void **state)
{
	static const struct {
		const char *order;
		unsigned disks;
		double phi;
		unsigned most;
	} example[] = {
		{ "012320313210", 4, 1, 1 },
		{ "00112233", 4, .375, 2 },
		{ "010011", 2, 5 / 6., 2 },
		{ "0000", 1, 1, 0 },
		{ "0000", 2, .25, 4 },
		{ "0101101001", 2, 1, 1 },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(example); i++) {
		const unsigned reads = (unsigned)strlen(example[i].order);
		uint16_t order[16];
		uint32_t count[4];
		struct spread spread;

		for (unsigned j = 0; j < reads; j++)
			order[j] = (uint16_t)(example[i].order[j] - '0');
		spread = spread_of(order, reads, count, example[i].disks);
		assert_true(fabs(spread.phi - example[i].phi) < 1e-12);
		assert_int_equal(spread.most, example[i].most);
	}
}

/* Against the definition, taken literally. */
static void the_spread_is_followed_as_disks_catch_up(void **state)
{
	enum { READS = 500 };
	uint16_t order[READS];
	uint32_t count[4], naive[4] = { 0 };
	unsigned close = 0, most = 0;
	struct spread spread;

	(void)state;
	start(1);
	for (unsigned j = 0; j < READS; j++) {
		unsigned high = 0, low = READS;

		order[j] = (uint16_t)rng_below(&rng, 4);
		naive[order[j]]++;
		for (unsigned i = 0; i < 4; i++) {
			high = naive[i] > high ? naive[i] : high;
			low = naive[i] < low ? naive[i] : low;
		}
		close += high - low <= 1;
		most = high - low > most ? high - low : most;
	}
	spread = spread_of(order, READS, count, 4);
	assert_true(fabs(spread.phi - (double)close / READS) < 1e-12);
	assert_int_equal(spread.most, most);
}

static void strict_rounds_are_found_wherever_the_window_opens(void **state)
{
	(void)state;
	for (unsigned disks = 2; disks <= DISKS; disks *= 2)
		for (uint64_t seed = 1; seed <= SEEDS; seed++) {
			struct rounds rounds;

			start(seed);
			read_together(disks, 200, .6, 1);
			rounds = judge(disks, seed);
			assert_int_equal(rounds.verdict, ROUNDS_STRICT);
			assert_true(rounds.seen.phi == 1);
			assert_int_equal(rounds.seen.most, 1);
			assert_true(rounds.p == 1. / 200);
			assert_true(rounds.chance_phi < .8);
		}
}

static void independent_disks_are_not_in_rounds(void **state)
{
	(void)state;
	for (unsigned disks = 2; disks <= DISKS; disks *= 2)
		for (uint64_t seed = 1; seed <= SEEDS; seed++) {
			start(seed);
			read_alone(disks, 300, .6, 1);
			assert_int_equal(judge(disks, seed).verdict, ROUNDS_NONE);
		}
}

/* The test is an honest one: independent disks of equal speed have p <= .1 no more than about once in ten. */
static void independent_disks_have_any_p_alike(void **state)
{
	enum { RUNS = 100 };
	unsigned low = 0, high = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= RUNS; seed++) {
		struct rounds rounds;

		start(seed);
		read_alone(3, 200, .6, 1);
		rounds = judge(3, seed);
		low += rounds.p <= .1;
		high += rounds.p > .5;
	}
	assert_in_range(low, 1, RUNS * 3 / 20);
	assert_in_range(high, RUNS / 3, RUNS * 3 / 4);
}

static void disks_of_unequal_speed_are_not_in_rounds_however_even_they_are(void **state)
{
	static const double variation[] = { 0, .05, .6 };

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(variation); i++)
		for (uint64_t seed = 1; seed <= SEEDS; seed++) {
			struct rounds rounds;

			start(seed);
			read_alone(3, 300, variation[i], 2);
			rounds = judge(3, seed);
			assert_int_equal(rounds.verdict, ROUNDS_NONE);
			assert_true(rounds.p > .2);
		}
}

static void rounds_of_several_reads_are_partial(void **state)
{
	(void)state;
	for (unsigned disks = 2; disks <= 8; disks *= 2)
		for (uint64_t seed = 1; seed <= SEEDS; seed++) {
			struct rounds rounds;

			start(seed);
			read_together(disks, 600, .8, 3);
			rounds = judge(disks, seed);
			assert_int_equal(rounds.verdict, ROUNDS_PARTIAL);
			assert_true(rounds.seen.phi < .99 && rounds.seen.phi > rounds.chance_phi);
		}
}

/* Both in rounds and not: what few or even reads show does not tell. */
static void few_reads_and_even_ones_leave_it_undecided(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		start(seed);
		read_alone(2, 10, .6, 1);
		assert_int_equal(judge(2, seed).verdict, ROUNDS_UNDECIDED);
		start(seed);
		read_together(2, 10, .6, 1);
		assert_int_equal(judge(2, seed).verdict, ROUNDS_UNDECIDED);
		start(seed);
		read_alone(4, 300, .01, 1);
		assert_int_equal(judge(4, seed).verdict, ROUNDS_UNDECIDED);
		start(seed);
		read_together(4, 300, 0, 1);
		assert_int_equal(judge(4, seed).verdict, ROUNDS_UNDECIDED);
	}
}

static void disks_without_two_reads_leave_it_undecided(void **state)
{
	(void)state;
	start(1);
	assert_int_equal(judge(2, 1).verdict, ROUNDS_UNDECIDED);
	assert_int_equal(judge(2, 1).reads, 0);
	assert_true(isnan(judge(2, 1).seen.phi) && isnan(judge(2, 1).p));
	for (unsigned i = 1; i <= 50; i++)
		complete(0, 10 * i);
	complete(1, 30);
	assert_int_equal(judge(2, 1).verdict, ROUNDS_UNDECIDED);
	assert_true(isnan(judge(2, 1).p));
	assert_int_equal(judge(2, 1).seen.most, 48);
}

static void one_disk_alone_is_undecided(void **state)
{
	(void)state;
	start(1);
	read_alone(1, 300, .6, 1);
	assert_int_equal(judge(1, 1).verdict, ROUNDS_UNDECIDED);
	assert_int_equal(judge(1, 1).seen.most, 0);
}

static void reads_of_one_instant_are_no_trouble(void **state)
{
	(void)state;
	start(1);
	for (unsigned i = 0; i < 20; i++)
		complete(i % 2, 5);
	assert_int_equal(judge(2, 1).verdict, ROUNDS_UNDECIDED);
}

static void what_comes_after_the_first_disk_has_stopped_is_left_out(void **state)
{
	struct course course[2] = { { &trace[0], 2000 }, { &trace[1], 105 } };
	struct rounds rounds;

	(void)state;
	start(1);
	for (unsigned i = 1; i <= 100; i++)
		complete(0, 10 * i);
	for (unsigned i = 1; i <= 10; i++)
		complete(1, 10 * i + 1);
	assert_int_equal(rounds_judge(&rounds, course, 2, 1), 0);
	assert_int_equal(rounds.reads, 20);
	assert_int_equal(rounds.seen.most, 1);
	course[1].stopped_ns = 2000;
	assert_int_equal(rounds_judge(&rounds, course, 2, 1), 0);
	assert_int_equal(rounds.reads, 110);
	assert_int_equal(rounds.seen.most, 89);
}

/* One that is fast fills its trace while the others have hardly begun. */
static void a_full_trace_ends_the_comparison(void **state)
{
	(void)state;
	start(1);
	for (unsigned i = 1; i <= 2 * TRACE_READS; i++)
		complete(0, 10 * i);
	for (unsigned i = 1; i <= 10; i++)
		complete(1, 3000 * i);
	assert_int_equal(judge_until(2, 40000, 1).reads, TRACE_READS + 3);
}

static void sixteen_full_traces_are_merged_up_to_a_bound(void **state)
{
	(void)state;
	start(1);
	read_alone(DISKS, 2 * TRACE_READS, .6, 1);
	assert_int_equal(judge(DISKS, 1).reads, ROUNDS_READS);
}

static void the_same_seed_gives_the_same_verdict(void **state)
{
	struct rounds one, same, other;

	(void)state;
	start(1);
	read_alone(4, 300, .6, 1);
	one = judge(4, 1);
	same = judge(4, 1);
	other = judge(4, 2);
	assert_true(one.p == same.p && one.chance_phi == same.chance_phi);
	assert_true(one.chance_phi != other.chance_phi);
	assert_true(one.seen.phi == other.seen.phi);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_spread_of_an_order_is_its_largest_less_its_smallest_count),
		cmocka_unit_test(the_spread_is_followed_as_disks_catch_up),
		cmocka_unit_test(strict_rounds_are_found_wherever_the_window_opens),
		cmocka_unit_test(independent_disks_are_not_in_rounds),
		cmocka_unit_test(independent_disks_have_any_p_alike),
		cmocka_unit_test(disks_of_unequal_speed_are_not_in_rounds_however_even_they_are),
		cmocka_unit_test(rounds_of_several_reads_are_partial),
		cmocka_unit_test(few_reads_and_even_ones_leave_it_undecided),
		cmocka_unit_test(disks_without_two_reads_leave_it_undecided),
		cmocka_unit_test(one_disk_alone_is_undecided),
		cmocka_unit_test(reads_of_one_instant_are_no_trouble),
		cmocka_unit_test(what_comes_after_the_first_disk_has_stopped_is_left_out),
		cmocka_unit_test(a_full_trace_ends_the_comparison),
		cmocka_unit_test(sixteen_full_traces_are_merged_up_to_a_bound),
		cmocka_unit_test(the_same_seed_gives_the_same_verdict),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
