/* Latencies are kept to 1 % and their sums exactly. */
#include "test.h"

#include <math.h>

#include "base/clock.h"
#include "base/rng.h"
#include "collect/histogram.h"

/* Each test starts with empty ones, too large for the stack. */
static struct histogram one, other, both;

static int empty_all(void **state)
{
	(void)state;
	one = other = both = (struct histogram){ 0 };
	return 0;
}

static void every_bucket_is_under_1_percent_wide_from_1_ns_to_over_an_hour(void **state)
{
	(void)state;
	assert_int_equal(histogram_upper_ns(0), 0);
	for (unsigned i = 1; i < HISTOGRAM_BUCKETS; i++) {
		const int64_t lower_ns = histogram_upper_ns(i - 1) + 1, upper_ns = histogram_upper_ns(i);

		assert_true(upper_ns >= lower_ns);
		assert_true((double)(upper_ns - lower_ns) < 0.01 * (double)lower_ns);
	}
	assert_true(histogram_upper_ns(HISTOGRAM_BUCKETS - 1) > 3600 * NS_PER_S);
}

static void a_latency_is_counted_between_the_edges_of_its_bucket(void **state)
{
	(void)state;
	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
		const uint64_t before = one.bucket[i];

		histogram_add(&one, histogram_upper_ns(i));
		assert_int_equal(one.bucket[i], before + 1);
		histogram_add(&one, histogram_upper_ns(i) + 1);
		/* What is larger than the last bucket is counted there. */
		assert_int_equal(one.bucket[i + 1 < HISTOGRAM_BUCKETS ? i + 1 : i], i + 1 < HISTOGRAM_BUCKETS ? 1 : 3);
	}
}

static void latencies_beyond_the_last_bucket_keep_their_maximum(void **state)
{
	(void)state;
	histogram_add(&one, 1);
	histogram_add(&one, INT64_MAX / 2);
	assert_int_equal(histogram_at_rank_ns(&one, 1), 1);
	assert_int_equal(histogram_at_rank_ns(&one, 2), INT64_MAX / 2);
	assert_int_equal(one.bucket[HISTOGRAM_BUCKETS - 1], 1);
}

static void negative_latencies_count_as_0(void **state)
{
	(void)state;
	histogram_add(&one, -5);
	histogram_add(&one, INT64_MIN);
	assert_int_equal(one.count, 2);
	assert_int_equal(one.sum_ns, 0);
	assert_int_equal(one.min_ns, 0);
	assert_int_equal(one.max_ns, 0);
	assert_int_equal(one.bucket[0], 2);
}

static void percentiles_of_1_10_100_and_1000_reads_are_those_by_hand(void **state)
{
	/* Of 1, 2 ... n ns. Buckets are 1 ns wide up to 255, 2 up to 511, 4 up to 1023. */
	static const struct {
		unsigned n, permille, rank;
		int64_t latency_ns;
	} cases[] = {
		{ 1, 500, 1, 1 }, { 1, 900, 1, 1 }, { 1, 990, 1, 1 }, { 1, 999, 1, 1 }, { 1, 1000, 1, 1 },
		{ 10, 100, 1, 1 }, { 10, 101, 2, 2 }, { 10, 500, 5, 5 }, { 10, 900, 9, 9 }, { 10, 950, 10, 10 },
		{ 10, 990, 10, 10 },
		{ 100, 1, 1, 1 }, { 100, 500, 50, 50 }, { 100, 900, 90, 90 }, { 100, 950, 95, 95 }, { 100, 990, 99, 99 },
		{ 100, 999, 100, 100 },
		{ 1000, 1, 1, 1 }, { 1000, 250, 250, 250 }, { 1000, 500, 500, 501 }, { 1000, 900, 900, 903 },
		{ 1000, 950, 950, 951 },
		{ 1000, 990, 990, 991 }, { 1000, 999, 999, 999 }, { 1000, 1000, 1000, 1000 },
	};

	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		empty_all(state);
		/* The order in which they come does not matter. */
		for (unsigned ns = cases[i].n; ns > 0; ns--)
			histogram_add(&one, ns);
		assert_int_equal(histogram_rank(&one, cases[i].permille), cases[i].rank);
		assert_int_equal(histogram_at_rank_ns(&one, cases[i].rank), cases[i].latency_ns);
	}
}

static void ranks_of_any_number_of_reads_do_not_overflow(void **state)
{
	(void)state;
	one.count = UINT64_MAX;
	assert_int_equal(histogram_rank(&one, 1000), UINT64_MAX);
	assert_int_equal(histogram_rank(&one, 500), (UINT64_C(1) << 63));
	one.count = 1001;
	assert_int_equal(histogram_rank(&one, 990), 991);
	assert_int_equal(histogram_rank(&one, 500), 501);
}

/* A number of each decade from ns to an hour. */
static int64_t any_latency_ns(struct rng *rng)
{
	return (int64_t)pow(10, 12.5 * (double)rng_below(rng, 1 << 20) / (1 << 20));
}

static int64_t narrow_latency_ns(struct rng *rng)
{
	return 8000000 + (int64_t)rng_below(rng, 40000);
}

static int64_t two_humps_ns(struct rng *rng)
{
	return (rng_below(rng, 100) ? 90000 : 8000000) + (int64_t)rng_below(rng, 20000);
}

static int compare(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

enum { SAMPLES = 20011 };

static void every_rank_is_within_1_percent_of_the_sorted_samples_and_at_most_the_maximum(void **state)
{
	int64_t (*const draw[])(struct rng *) = { any_latency_ns, narrow_latency_ns, two_humps_ns };
	static int64_t sample_ns[SAMPLES];
	struct rng rng;

	rng_init(&rng, 1);
	for (size_t i = 0; i < TEXT_COUNT(draw); i++) {
		empty_all(state);
		for (int j = 0; j < SAMPLES; j++) {
			sample_ns[j] = draw[i](&rng);
			histogram_add(&one, sample_ns[j]);
		}
		qsort(sample_ns, SAMPLES, sizeof *sample_ns, compare);
		assert_int_equal(one.min_ns, sample_ns[0]);
		assert_int_equal(one.max_ns, sample_ns[SAMPLES - 1]);
		for (unsigned permille = 1; permille <= 1000; permille++) {
			const uint64_t rank = histogram_rank(&one, permille);
			const int64_t exact_ns = sample_ns[rank - 1], ns = histogram_at_rank_ns(&one, rank);

			assert_true(rank == (uint64_t)ceil(SAMPLES * (double)permille / 1000));
			assert_true(ns >= exact_ns && ns <= one.max_ns);
			assert_true((double)(ns - exact_ns) < 0.01 * (double)exact_ns);
		}
		assert_int_equal(histogram_at_rank_ns(&one, SAMPLES), one.max_ns);
	}
}

static void merging_is_the_same_as_adding(void **state)
{
	struct rng rng;

	(void)state;
	rng_init(&rng, 2);
	histogram_merge(&one, &other);
	assert_int_equal(one.count, 0);
	for (int i = 0; i < 3000; i++) {
		const int64_t ns = 1000 + any_latency_ns(&rng);

		histogram_add(i % 3 ? &one : &other, ns);
		histogram_add(&both, ns);
	}
	histogram_add(&other, 5);
	histogram_add(&both, 5);
	histogram_merge(&one, &other);
	assert_memory_equal(&one, &both, sizeof both);
	other = (struct histogram){ 0 };
	histogram_merge(&one, &other);
	assert_memory_equal(&one, &both, sizeof both);
	histogram_merge(&other, &one);
	assert_memory_equal(&other, &both, sizeof both);
}

static void mean_and_deviation_are_those_of_two_passes_over_the_samples(void **state)
{
	/* Where a sum of squares in floating point loses all its digits: a deviation of 3 ns at a mean
	 * of 20 minutes. */
	static const struct {
		int64_t base_ns;
		uint64_t spread_ns;
	} cases[] = {
		{ 0, 2 }, { 0, 1000 }, { 100000, 50000 }, { 8000000, 16000000 }, { 1200 * NS_PER_S, 10 },
		{ 3600 * NS_PER_S, 3600 * 1000000000ULL },
	};
	static int64_t sample_ns[SAMPLES];

	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		long double sum = 0, squares = 0;
		struct rng rng;

		empty_all(state);
		rng_init(&rng, i);
		for (int j = 0; j < SAMPLES; j++) {
			sample_ns[j] = cases[i].base_ns + (int64_t)rng_below(&rng, cases[i].spread_ns);
			histogram_add(&one, sample_ns[j]);
			sum += (long double)sample_ns[j];
		}
		for (int j = 0; j < SAMPLES; j++) {
			const long double deviation = (long double)sample_ns[j] - sum / SAMPLES;

			squares += deviation * deviation;
		}
		assert_true(fabsl(histogram_mean_ns(&one) - sum / SAMPLES) <= 1e-15L * sum / SAMPLES);
		/* The square of the sum over n is cut to an integer: 1 ns^2 in the sum of squares. */
		assert_true(fabsl(histogram_stdev_ns(&one) - sqrtl(squares / (SAMPLES - 1))) <=
			    1e-9L * sqrtl(squares / (SAMPLES - 1)) + 1 / sqrtl(squares * (SAMPLES - 1)));
	}
}

static void too_few_reads_have_no_mean_or_deviation(void **state)
{
	(void)state;
	assert_true(isnan(histogram_mean_ns(&one)));
	assert_true(isnan(histogram_stdev_ns(&one)));
	histogram_add(&one, 7);
	assert_true(histogram_mean_ns(&one) == 7);
	assert_true(isnan(histogram_stdev_ns(&one)));
	histogram_add(&one, 9);
	assert_true(histogram_mean_ns(&one) == 8);
	assert_true(histogram_stdev_ns(&one) == sqrt(2));
	histogram_add(&other, 7);
	histogram_add(&other, 7);
	assert_true(histogram_stdev_ns(&other) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_bucket_is_under_1_percent_wide_from_1_ns_to_over_an_hour),
		cmocka_unit_test_setup(a_latency_is_counted_between_the_edges_of_its_bucket, empty_all),
		cmocka_unit_test_setup(latencies_beyond_the_last_bucket_keep_their_maximum, empty_all),
		cmocka_unit_test_setup(negative_latencies_count_as_0, empty_all),
		cmocka_unit_test(percentiles_of_1_10_100_and_1000_reads_are_those_by_hand),
		cmocka_unit_test_setup(ranks_of_any_number_of_reads_do_not_overflow, empty_all),
		cmocka_unit_test(every_rank_is_within_1_percent_of_the_sorted_samples_and_at_most_the_maximum),
		cmocka_unit_test_setup(merging_is_the_same_as_adding, empty_all),
		cmocka_unit_test(mean_and_deviation_are_those_of_two_passes_over_the_samples),
		cmocka_unit_test_setup(too_few_reads_have_no_mean_or_deviation, empty_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
