/* The generator yields its authors' numbers, and any interval without bias. */
#include "test.h"

#include <math.h>

#include "base/rng.h"

/* The first outputs of the authors' xoshiro256starstar.c from the state 1, 2, 3, 4. */
static void a_known_state_yields_the_authors_numbers(void **state)
{
	static const uint64_t expected[] = {
		11520, 0, 1509978240, UINT64_C(1215971899390074240), UINT64_C(1216172134540287360), UINT64_C(607988272756665600),
		UINT64_C(16172922978634559625), UINT64_C(8476171486693032832), UINT64_C(10595114339597558777),
		UINT64_C(2904607092377533576),
	};
	struct rng rng = { { 1, 2, 3, 4 } };

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(expected); i++)
		assert_int_equal(rng_next(&rng), expected[i]);
}

/* Computed with a program of its own, after the authors' splitmix64.c and xoshiro256starstar.c. */
static void a_seed_is_spread_over_the_state_by_splitmix64(void **state)
{
	static const struct {
		uint64_t seed, state[4], next[4];
	} cases[] = {
		{ 0, { 0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec },
		     { 0x99ec5f36cb75f2b4, 0xbf6e1f784956452a, 0x1a5f849d4933e6e0, 0x6aa594f1262d2d2c } },
		{ 42, { 0xbdd732262feb6e95, 0x28efe333b266f103, 0x47526757130f9f52, 0x581ce1ff0e4ae394 },
		      { 0x15780b2e0c2ec716, 0x6104d9866d113a7e, 0xae17533239e499a1, 0xecb8ad4703b360a1 } },
		{ UINT64_MAX, { 0xe4d971771b652c20, 0xe99ff867dbf682c9, 0x382ff84cb27281e9, 0x6d1db36ccba982d2 },
			      { 0x8f5520d52a7ead08, 0xc476a018caa1802d, 0x81de31c0d260469e, 0xbf658d7e065f3c2f } },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		struct rng rng;

		rng_init(&rng, cases[i].seed);
		assert_memory_equal(rng.state, cases[i].state, sizeof rng.state);
		for (int j = 0; j < 4; j++)
			assert_int_equal(rng_next(&rng), cases[i].next[j]);
	}
}

static void a_number_below_n_is_below_n(void **state)
{
	static const uint64_t n[] = {
		1, 2, 3, 1000, UINT64_C(1) << 32, (UINT64_C(1) << 32) + 1, UINT64_C(4882812500), (UINT64_C(1) << 63) + 1, UINT64_MAX,
	};
	struct rng rng;

	(void)state;
	rng_init(&rng, 1);
	for (size_t i = 0; i < TEXT_COUNT(n); i++) {
		uint64_t highest = 0;

		for (int j = 0; j < 10000; j++) {
			const uint64_t number = rng_below(&rng, n[i]);

			assert_true(number < n[i]);
			if (number > highest)
				highest = number;
		}
		/* The highest of 10000 is the last for small ones, and less than a thousandth below it
		 * for large ones. */
		assert_true(highest >= n[i] - 1 - n[i] / 1000);
	}
}

/* How far count lies from what is expected, in standard deviations of a binomial of that many trials. */
static double deviations(unsigned count, double share, unsigned trials)
{
	return fabs(count - share * trials) / sqrt(share * (1 - share) * trials);
}

/* With n = 3/4 of 2^64, a remainder favours the lowest third, and an unchecked multiplication every third number. */
static void no_number_below_an_awkward_n_is_favoured(void **state)
{
	enum { TRIALS = 100000 };
	const uint64_t n = UINT64_C(3) << 62;
	unsigned third[3] = { 0 }, remainder[3] = { 0 };
	struct rng rng;

	(void)state;
	rng_init(&rng, 2);
	for (int i = 0; i < TRIALS; i++) {
		const uint64_t number = rng_below(&rng, n);

		third[number >> 62]++;
		remainder[number % 3]++;
	}
	for (int i = 0; i < 3; i++) {
		assert_true(deviations(third[i], 1. / 3, TRIALS) < 4);
		assert_true(deviations(remainder[i], 1. / 3, TRIALS) < 4);
	}
}

static void seeds_of_neighbouring_coordinates_are_unrelated(void **state)
{
	enum { MIXED = 4096 };
	uint64_t bits = 0;

	(void)state;
	for (uint64_t i = 0; i < MIXED; i++) {
		const uint64_t a = rng_mix(7, i), b = rng_mix(7, i + 1);

		assert_true(a != b && a != rng_mix(8, i));
		bits += (uint64_t)__builtin_popcountll(a ^ b);
	}
	assert_true(deviations((unsigned)bits, 0.5, 64 * MIXED) < 4);
	/* The order in which coordinates are mixed matters. */
	assert_true(rng_mix(rng_mix(7, 1), 2) != rng_mix(rng_mix(7, 2), 1));
}

static void a_fresh_seed_is_short_and_new_each_time(void **state)
{
	const uint64_t first = rng_fresh_seed();
	int same = 0;

	(void)state;
	for (int i = 0; i < 8; i++) {
		const uint64_t next = rng_fresh_seed();

		assert_int_equal(next >> 32, 0);
		same += next == first;
	}
	assert_true(same < 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_known_state_yields_the_authors_numbers),
		cmocka_unit_test(a_seed_is_spread_over_the_state_by_splitmix64),
		cmocka_unit_test(a_number_below_n_is_below_n),
		cmocka_unit_test(no_number_below_an_awkward_n_is_favoured),
		cmocka_unit_test(seeds_of_neighbouring_coordinates_are_unrelated),
		cmocka_unit_test(a_fresh_seed_is_short_and_new_each_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
