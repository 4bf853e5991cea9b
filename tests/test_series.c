/* How reads spread over the window says how well their rate is known: 95 intervals in 100 hold the true rate. */
#include "test.h"

#include <math.h>

#include "base/clock.h"
#include "base/rng.h"
#include "collect/series.h"

enum { FIRST_SLOT_NS = 1 << 20 };

/* So many reads, evenly spread over (from, to]. */
static void add_evenly(struct series *series, int64_t from_ns, int64_t to_ns, int64_t reads)
{
	for (int64_t i = 1; i <= reads; i++)
		series_add(series, from_ns + (to_ns - from_ns) * i / reads);
}

static uint64_t reads_in(const struct series *series)
{
	uint64_t sum = 0;

	for (int i = 0; i < SERIES_SLOTS; i++)
		sum += series->slot[i];
	return sum;
}

static void a_slot_takes_its_end_but_not_its_start_as_the_window_does(void **state)
{
	struct series series = { 0 };

	(void)state;
	series_add(&series, 1);
	series_add(&series, FIRST_SLOT_NS);
	series_add(&series, FIRST_SLOT_NS + 1);
	assert_int_equal(1 << series.shift, FIRST_SLOT_NS);
	assert_int_equal(series.slot[0], 2);
	assert_int_equal(series.slot[1], 1);
	assert_int_equal(reads_in(&series), 3);
}

static void pairs_are_merged_when_time_runs_past_the_last_slot(void **state)
{
	struct series series = { 0 };

	(void)state;
	for (uint32_t i = 0; i < SERIES_SLOTS; i++)
		for (uint32_t j = 0; j <= i; j++)
			series_add(&series, (int64_t)(i + 1) * FIRST_SLOT_NS);
	assert_int_equal(1 << series.shift, FIRST_SLOT_NS);
	assert_int_equal(series.slot[SERIES_SLOTS - 1], SERIES_SLOTS);
	series_add(&series, (int64_t)SERIES_SLOTS * FIRST_SLOT_NS + 1);
	assert_int_equal(1 << series.shift, 2 * FIRST_SLOT_NS);
	for (uint32_t i = 0; i < SERIES_SLOTS / 2; i++)
		assert_int_equal(series.slot[i], (2 * i + 1) + (2 * i + 2));
	assert_int_equal(series.slot[SERIES_SLOTS / 2], 1);
	for (uint32_t i = SERIES_SLOTS / 2 + 1; i < SERIES_SLOTS; i++)
		assert_int_equal(series.slot[i], 0);
}

static void a_time_far_ahead_merges_as_often_as_it_takes(void **state)
{
	struct series series = { 0 };

	(void)state;
	add_evenly(&series, 0, NS_PER_S, 900);
	series_add(&series, INT64_C(1) << 62);
	assert_int_equal(series.slot[0], 900);
	assert_int_equal(series.slot[SERIES_SLOTS - 1], 1);
	assert_int_equal(series.shift, 52);
}

static void merging_series_of_any_widths_is_the_same_as_adding(void **state)
{
	static const int64_t until_ns[] = { NS_PER_S / 2, 3 * NS_PER_S, 3 * NS_PER_S, 100 * NS_PER_S };
	struct rng rng;

	(void)state;
	rng_init(&rng, 1);
	for (size_t a = 0; a < TEXT_COUNT(until_ns); a++)
		for (size_t b = 0; b < TEXT_COUNT(until_ns); b++) {
			struct series one = { 0 }, other = { 0 }, both = { 0 };

			for (int i = 0; i < 5000; i++) {
				const size_t which = i % 3 ? a : b;
				const int64_t ns = 1 + (int64_t)rng_below(&rng, (uint64_t)until_ns[which]);

				series_add(i % 3 ? &one : &other, ns);
				series_add(&both, ns);
			}
			series_merge(&one, &other);
			assert_memory_equal(&one, &both, sizeof both);
		}
}

static void an_empty_series_merges_without_a_trace(void **state)
{
	struct series empty = { 0 }, series = { 0 }, copy = { 0 };

	(void)state;
	series_merge(&empty, &copy);
	assert_int_equal(empty.shift, 0);
	add_evenly(&series, 0, 5 * NS_PER_S, 700);
	copy = series;
	series_merge(&copy, &empty);
	assert_memory_equal(&copy, &series, sizeof series);
	series_merge(&empty, &series);
	assert_memory_equal(&empty, &series, sizeof series);
}

static void ten_equal_slices_hold_all_but_2_percent_of_the_window(void **state)
{
	static const int64_t window_ns[] = {
		NS_PER_S, 1100 * NS_PER_MS, 2 * NS_PER_S, 10 * NS_PER_S, 10737 * NS_PER_MS, 3600 * NS_PER_S,
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(window_ns); i++) {
		enum { READS = 100000 };
		struct series series = { 0 };
		uint64_t slice[SLICES], sum = 0;

		add_evenly(&series, 0, window_ns[i], READS);
		assert_true(series_slices(&series, window_ns[i], slice));
		for (int j = 0; j < SLICES; j++) {
			sum += slice[j];
			assert_in_range(slice[j], slice[0] - 1, slice[0] + 1);
		}
		assert_in_range(sum, 0.98 * READS, READS);
	}
}

/* A window of ten slices whose rates in reads a second are given; slices are of whole slots. */
static int64_t add_slices(struct series *series, const uint32_t reads[SLICES])
{
	const int64_t slice_ns = (int64_t)FIRST_SLOT_NS * (SERIES_SLOTS / SLICES);

	for (int i = 0; i < SLICES; i++)
		add_evenly(series, i * slice_ns, (i + 1) * slice_ns, reads[i]);
	return SLICES * slice_ns;
}

static void slices_say_nothing_of_less_than_1_s_or_with_less_than_5_reads(void **state)
{
	static const uint32_t few[SLICES] = { 5, 5, 5, 5, 5, 5, 5, 5, 5, 5 }, too_few[SLICES] = { 9, 9, 9, 9, 9, 9, 9, 4, 9, 9 };
	static const uint32_t stalled[SLICES] = { 9, 9, 9, 9, 9, 9, 9, 9, 9, 0 };
	struct series series = { 0 };
	uint64_t slice[SLICES];
	int64_t window_ns;

	(void)state;
	assert_false(series_slices(&series, 10 * NS_PER_S, slice));
	assert_true(isnan(series_ci95_percent(&series, 10 * NS_PER_S, 0)));
	add_evenly(&series, 0, NS_PER_S, 10000);
	assert_true(series_slices(&series, NS_PER_S, slice));
	assert_false(series_slices(&series, NS_PER_S - 1, slice));
	assert_true(isnan(series_ci95_percent(&series, NS_PER_S - 1, 10000)));
	assert_false(series_slices(&series, -1, slice));
	assert_false(series_slices(&series, -INT64_MAX, slice));
	series = (struct series){ 0 };
	window_ns = add_slices(&series, few);
	assert_true(series_slices(&series, window_ns, slice));
	series = (struct series){ 0 };
	window_ns = add_slices(&series, too_few);
	assert_false(series_slices(&series, window_ns, slice));
	assert_true(isnan(series_ci95_percent(&series, window_ns, 85)));
	series = (struct series){ 0 };
	window_ns = add_slices(&series, stalled);
	assert_false(series_slices(&series, window_ns, slice));
	/* A disk that fell silent long ago: the window is longer than all its slots. */
	assert_false(series_slices(&series, 100 * NS_PER_S, slice));
}

static void the_interval_is_students_over_the_slices(void **state)
{
	/* Mean 100, deviation sqrt(1000/9) = 10.5409; 2.262 * 10.5409 / sqrt(10) = 7.5400 % of it. */
	static const uint32_t reads[SLICES] = { 90, 110, 90, 110, 90, 110, 90, 110, 90, 110 };
	struct series series = { 0 };
	const int64_t window_ns = add_slices(&series, reads);

	(void)state;
	assert_true(fabs(series_ci95_percent(&series, window_ns, 1000) - 7.5400) < 0.0001);
}

static void the_interval_is_never_below_one_read(void **state)
{
	static const uint32_t even[SLICES] = { 50, 50, 50, 50, 50, 50, 50, 50, 50, 50 };
	struct series series = { 0 };
	const int64_t window_ns = add_slices(&series, even);

	(void)state;
	assert_true(series_ci95_percent(&series, window_ns, 500) == 0.2);
}

/* Latencies with mean 1, independent of each other: reads that come at any time, and a seek and half a turn. */
static double any_time(struct rng *rng)
{
	return -log(((double)rng_below(rng, 1 << 30) + 0.5) / (1 << 30));
}

static double seek_and_turn(struct rng *rng)
{
	return 0.2 + ((double)rng_below(rng, 1000) + (double)rng_below(rng, 1000)) / 1248.75;
}

/* A stream from long ago: the window opens at a random phase of one of its reads. Returns the reads inside. */
static uint64_t simulate(struct series *series, double (*latency)(struct rng *), double rate, int64_t window_ns,
			 struct rng *rng)
{
	double at_ns = -50e9 / rate * (1 + (double)rng_below(rng, 1000) / 1000);
	uint64_t reads = 0;

	for (;;) {
		at_ns += latency(rng) * 1e9 / rate;
		if (at_ns > (double)window_ns)
			return reads;
		if (at_ns <= 0)
			continue;
		series_add(series, (int64_t)ceil(at_ns));
		reads++;
	}
}

static void intervals_of_independent_reads_hold_the_true_rate_93_to_97_times_in_100(void **state)
{
	enum { STREAMS = 3000 };
	static const struct {
		double (*latency)(struct rng *rng);
		double rate;
		int64_t window_ns;
	} cases[] = {
		{ any_time, 200, 2 * NS_PER_S }, { any_time, 100, 10 * NS_PER_S }, { any_time, 1000, NS_PER_S },
		{ seek_and_turn, 120, 10 * NS_PER_S }, { seek_and_turn, 500, 4500 * NS_PER_MS },
	};
	struct rng rng;

	(void)state;
	rng_init(&rng, 1);
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		int held = 0;

		for (int j = 0; j < STREAMS; j++) {
			struct series series = { 0 };
			const uint64_t reads = simulate(&series, cases[i].latency, cases[i].rate, cases[i].window_ns, &rng);
			const double rate = (double)reads * 1e9 / (double)cases[i].window_ns;
			const double half = rate / 100 * series_ci95_percent(&series, cases[i].window_ns, reads);

			held += fabs(rate - cases[i].rate) <= half;
		}
		assert_in_range(held, 0.93 * STREAMS, 0.97 * STREAMS);
	}
}

static void correlation_is_that_of_neighbours(void **state)
{
	static const uint64_t rising[SLICES] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
	static const uint64_t zigzag[SLICES] = { 10, 20, 10, 20, 10, 20, 10, 20, 10, 20 };
	static const uint64_t equal[SLICES] = { 7, 7, 7, 7, 7, 7, 7, 7, 7, 7 }, step[SLICES] = { 1, 1, 1, 1, 1, 3, 3, 3, 3, 3 };

	(void)state;
	assert_true(fabs(slices_correlation(rising) - 0.7) < 1e-12);
	assert_true(fabs(slices_correlation(zigzag) + 0.9) < 1e-12);
	assert_true(fabs(slices_correlation(step) - 0.7) < 1e-12);
	assert_true(slices_correlation(equal) == 0);
}

static void drifting_rates_correlate_and_independent_reads_do_not(void **state)
{
	enum { STREAMS = 2000 };
	int drifts = 0, alarms = 0;
	double sum = 0;
	struct rng rng;

	(void)state;
	rng_init(&rng, 2);
	for (int i = 0; i < STREAMS; i++) {
		uint64_t slice[SLICES], drifting[SLICES];
		struct series series = { 0 };
		double correlation;

		simulate(&series, any_time, 500, 2 * NS_PER_S, &rng);
		assert_true(series_slices(&series, 2 * NS_PER_S, slice));
		/* 5 % of the rate from slice to slice, about one standard deviation of a slice each. */
		for (uint64_t j = 0; j < SLICES; j++)
			drifting[j] = slice[j] + 10 * j;
		correlation = slices_correlation(slice);
		assert_true(correlation >= -1 && correlation <= 1);
		sum += correlation;
		alarms += correlation > .3;
		drifts += slices_correlation(drifting) > .3;
	}
	/* Ten independent slices have -1/10 on average. */
	assert_true(fabs(sum / STREAMS + 0.1) < 0.03);
	assert_in_range(alarms, 0, STREAMS / 10);
	assert_in_range(drifts, STREAMS * 9 / 10, STREAMS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slot_takes_its_end_but_not_its_start_as_the_window_does),
		cmocka_unit_test(pairs_are_merged_when_time_runs_past_the_last_slot),
		cmocka_unit_test(a_time_far_ahead_merges_as_often_as_it_takes),
		cmocka_unit_test(merging_series_of_any_widths_is_the_same_as_adding),
		cmocka_unit_test(an_empty_series_merges_without_a_trace),
		cmocka_unit_test(ten_equal_slices_hold_all_but_2_percent_of_the_window),
		cmocka_unit_test(slices_say_nothing_of_less_than_1_s_or_with_less_than_5_reads),
		cmocka_unit_test(the_interval_is_students_over_the_slices),
		cmocka_unit_test(the_interval_is_never_below_one_read),
		cmocka_unit_test(intervals_of_independent_reads_hold_the_true_rate_93_to_97_times_in_100),
		cmocka_unit_test(correlation_is_that_of_neighbours),
		cmocka_unit_test(drifting_rates_correlate_and_independent_reads_do_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
