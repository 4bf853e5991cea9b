/* The least and the largest of several draws, against every way to draw them and against closed forms. */
#include "test.h"

#include <math.h>

#include "analyze/draws.h"
#include "base/rng.h"

static bool near(double actual, double expected, double relative)
{
	return fabs(actual - expected) <= relative * fabs(expected);
}

static void examples_come_out(void **state)
{
	static const struct draws draws = { 4, { 4, 6, 8, 10 } };
	static const double least[] = { 7, 16 / 3., 4.5, 4 }, most[] = { 7, 26 / 3., 9.5, 10 };

	(void)state;
	for (unsigned disks = 1; disks <= 4; disks++) {
		assert_true(near(draws_min_ns(&draws, disks), least[disks - 1], 1e-12));
		assert_true(near(draws_max_ns(&draws, disks), most[disks - 1], 1e-12));
	}
}

static void more_disks_than_draws_and_no_disks_are_not_known(void **state)
{
	static const struct draws draws = { 2, { 4, 6 } }, none = { 0 };

	(void)state;
	assert_true(isnan(draws_min_ns(&draws, 0)) && isnan(draws_max_ns(&draws, 0)));
	assert_true(isnan(draws_min_ns(&draws, 3)) && isnan(draws_max_ns(&draws, 3)));
	assert_true(isnan(draws_min_ns(&none, 1)) && isnan(draws_max_ns(&none, 1)));
}

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* count times whose n-th root is uniform over 0 .. 1. */
static void draw_powers(struct draws *draws, unsigned count, unsigned power, uint64_t seed)
{
	struct rng rng;

	rng_init(&rng, seed);
	for (draws->count = 0; draws->count < count; draws->count++)
		draws->ns[draws->count] = pow((double)rng_next(&rng) / 0x1p64, power);
	qsort(draws->ns, count, sizeof *draws->ns, ascending);
}

/* Every choice of so many of ten, as bits of a mask; the lowest bit that is set is the least. */
static void every_choice_counts_alike(void **state)
{
	enum { COUNT = 10 };
	struct draws draws;
	double least[COUNT + 1] = { 0 }, most[COUNT + 1] = { 0 };
	unsigned choices[COUNT + 1] = { 0 };

	(void)state;
	draw_powers(&draws, COUNT, 3, 7);
	for (unsigned mask = 1; mask < 1 << COUNT; mask++) {
		const int disks = __builtin_popcount(mask);

		choices[disks]++;
		least[disks] += draws.ns[__builtin_ctz(mask)];
		most[disks] += draws.ns[31 - __builtin_clz(mask)];
	}
	for (unsigned disks = 1; disks <= COUNT; disks++) {
		assert_true(near(draws_min_ns(&draws, disks), least[disks] / choices[disks], 1e-12));
		assert_true(near(draws_max_ns(&draws, disks), most[disks] / choices[disks], 1e-12));
	}
}

static void one_disk_draws_the_mean_and_more_disks_spread_further(void **state)
{
	static struct draws draws;
	double mean = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		draw_powers(&draws, DRAWS_MAX, 2, seed);
		mean = 0;
		for (unsigned i = 0; i < DRAWS_MAX; i++)
			mean += draws.ns[i] / DRAWS_MAX;
		assert_true(near(draws_min_ns(&draws, 1), mean, 1e-9));
		assert_true(near(draws_max_ns(&draws, 1), mean, 1e-9));
		for (unsigned disks = 2; disks <= DRAWS_MAX; disks++) {
			assert_true(draws_min_ns(&draws, disks) < draws_min_ns(&draws, disks - 1));
			assert_true(draws_max_ns(&draws, disks) > draws_max_ns(&draws, disks - 1));
		}
		assert_true(draws_min_ns(&draws, DRAWS_MAX) == draws.ns[0]);
		assert_true(draws_max_ns(&draws, DRAWS_MAX) == draws.ns[DRAWS_MAX - 1]);
	}
}

static void uniform_times_have_a_closed_form(void **state)
{
	static struct draws draws = { .count = DRAWS_MAX };

	(void)state;
	for (unsigned i = 0; i < DRAWS_MAX; i++)
		draws.ns[i] = 15 * (i + .5) / DRAWS_MAX;
	for (unsigned disks = 1; disks <= 16; disks++) {
		assert_true(near(draws_min_ns(&draws, disks), 15. / (disks + 1), .005));
		assert_true(near(draws_max_ns(&draws, disks), 15. * disks / (disks + 1), .005));
	}
}

/* Seek distance over a stroke S: |x - y| of uniform x and y has the density 2 (S - d) / S^2, and the least of D of them
 * the mean S / (2 D + 1). */
static void seek_distances_have_a_closed_form(void **state)
{
	static struct draws draws = { .count = DRAWS_MAX };

	(void)state;
	for (unsigned i = 0; i < DRAWS_MAX; i++)
		draws.ns[i] = 1000 * (1 - sqrt(1 - (i + .5) / DRAWS_MAX));
	for (unsigned disks = 1; disks <= 16; disks++)
		assert_true(near(draws_min_ns(&draws, disks), 1000. / (2 * disks + 1), .01));
}

static void few_latencies_are_each_drawn(void **state)
{
	static struct histogram histogram;
	static struct draws draws;

	(void)state;
	histogram = (struct histogram){ 0 };
	for (int i = 100; i; i--)
		histogram_add(&histogram, i * 100000);
	draws_from(&draws, &histogram);
	assert_int_equal(draws.count, 100);
	for (int i = 0; i < 100; i++)
		assert_true(near(draws.ns[i], (i + 1) * 1e5, .004));
}

static void no_latencies_are_no_draws(void **state)
{
	static const struct histogram empty;
	static struct draws draws = { .count = 5 };

	(void)state;
	draws_from(&draws, &empty);
	assert_int_equal(draws.count, 0);
}

/* A million of them, of which the mean is known exactly. */
static void many_latencies_are_drawn_as_evenly_spaced_quantiles(void **state)
{
	enum { READS = 1000000 };
	static struct histogram histogram;
	static struct draws draws;
	struct rng rng;

	(void)state;
	histogram = (struct histogram){ 0 };
	rng_init(&rng, 1);
	for (int i = 0; i < READS; i++)
		histogram_add(&histogram, 2000000 + (int64_t)rng_below(&rng, 10000000));
	draws_from(&draws, &histogram);
	assert_int_equal(draws.count, DRAWS_MAX);
	for (unsigned i = 1; i < DRAWS_MAX; i++)
		assert_true(draws.ns[i] >= draws.ns[i - 1]);
	assert_true(near(draws.ns[DRAWS_MAX / 4], 4.5e6, .01));
	assert_true(near(draws_min_ns(&draws, 1), histogram_mean_ns(&histogram), .001));
	assert_true(near(draws_min_ns(&draws, 4), 4e6, .005));
	assert_true(near(draws_max_ns(&draws, 4), 10e6, .005));
	assert_true(draws.ns[0] >= (double)histogram.min_ns && draws.ns[DRAWS_MAX - 1] <= (double)histogram.max_ns);
}

/* Of each three reads in order the one in the middle is drawn. */
static void a_lone_extreme_among_many_is_left_out(void **state)
{
	static struct histogram histogram;
	static struct draws draws;

	(void)state;
	histogram = (struct histogram){ 0 };
	histogram_add(&histogram, 1);
	for (int i = 0; i < 3 * DRAWS_MAX - 2; i++)
		histogram_add(&histogram, 100);
	histogram_add(&histogram, 1000000);
	draws_from(&draws, &histogram);
	assert_true(draws.ns[0] == 100);
	assert_true(draws.ns[DRAWS_MAX - 1] == 100);
}

static void latencies_that_are_all_alike_are_drawn_exactly(void **state)
{
	static struct histogram histogram;
	static struct draws draws;

	(void)state;
	histogram = (struct histogram){ 0 };
	for (int i = 0; i < 5000; i++)
		histogram_add(&histogram, 1234567);
	draws_from(&draws, &histogram);
	for (unsigned i = 0; i < DRAWS_MAX; i++)
		assert_true(draws.ns[i] == 1234567);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples_come_out),
		cmocka_unit_test(more_disks_than_draws_and_no_disks_are_not_known),
		cmocka_unit_test(every_choice_counts_alike),
		cmocka_unit_test(one_disk_draws_the_mean_and_more_disks_spread_further),
		cmocka_unit_test(uniform_times_have_a_closed_form),
		cmocka_unit_test(seek_distances_have_a_closed_form),
		cmocka_unit_test(few_latencies_are_each_drawn),
		cmocka_unit_test(no_latencies_are_no_draws),
		cmocka_unit_test(many_latencies_are_drawn_as_evenly_spaced_quantiles),
		cmocka_unit_test(a_lone_extreme_among_many_is_left_out),
		cmocka_unit_test(latencies_that_are_all_alike_are_drawn_exactly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
