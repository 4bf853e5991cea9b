/* What disks yield together is predicted from each alone, and what they share from their rereads. */
#include "test.h"

#include <math.h>

#include "analyze/prediction.h"
#include "base/clock.h"

#define MS ((double)NS_PER_MS)

enum { BLOCK = 65536 };

static const double bus_rate = 20e6, transfer_ns = 3.2768 * MS;
static const struct plateau full = { true, 20e6 };

/* Overhead .5 ms, positioning 11.5 ms, all but 1/256 of a block at 8 MB/s, and a transfer. */
static const double alone_ns = (.5 + 11.5 + 8.16 + 3.2768) * MS;

static bool near(double actual, double expected, double relative)
{
	return fabs(actual - expected) <= relative * fabs(expected);
}

static void spread_evenly(struct draws *draws, unsigned count, double from_ns, double to_ns)
{
	draws->count = count;
	for (unsigned i = 0; i < count; i++)
		draws->ns[i] = from_ns + (to_ns - from_ns) * (i + .5) / count;
}

static struct prediction predict_equal(unsigned disks, double mean_ns, double rate)
{
	static struct draws draws;
	struct soloist soloist[64];
	const struct plateau bus = { isfinite(rate), isfinite(rate) ? rate : NAN };

	spread_evenly(&draws, DRAWS_MAX, mean_ns - 5 * MS, mean_ns + 5 * MS);
	for (unsigned i = 0; i < disks; i++)
		soloist[i] = (struct soloist){ mean_ns, &draws };
	return predict(soloist, disks, BLOCK, &bus, 1);
}

static void four_disks_yield_the_worked_figures(void **state)
{
	const struct prediction prediction = predict_equal(4, alone_ns, bus_rate);

	(void)state;
	assert_true(near(prediction.bound, 11.1851e6, 1e-5));
	assert_true(near(prediction.queueing, 10.4169e6, 1e-5));
	assert_true(near(queueing_rate(alone_ns, 4, BLOCK, bus_rate), 10.4169e6, 1e-5));
	assert_true(near(knee_disks(alone_ns, BLOCK, bus_rate), 7.15, 1e-3));
	assert_true(near(prediction.naive, prediction.bound, 1e-12));
}

static void one_disk_is_predicted_as_it_was_measured(void **state)
{
	const struct prediction prediction = predict_equal(1, alone_ns, bus_rate);
	const double measured = BLOCK / alone_ns * 1e9;

	(void)state;
	assert_true(near(prediction.naive, measured, 1e-12));
	assert_true(near(prediction.bound, measured, 1e-12));
	assert_true(near(prediction.queueing, measured, 1e-12));
	assert_true(near(prediction.rounds, measured, .005));
}

static void predictions_are_in_order_and_no_more_than_the_bus_carries(void **state)
{
	struct prediction previous = { 0 };

	(void)state;
	for (unsigned disks = 1; disks <= 40; disks++) {
		const struct prediction prediction = predict_equal(disks, alone_ns, bus_rate);

		assert_true(prediction.naive >= prediction.bound);
		assert_true(prediction.bound >= prediction.queueing);
		assert_true(prediction.queueing > .999 * prediction.rounds);
		assert_true(prediction.bound <= bus_rate);
		assert_true(prediction.queueing >= previous.queueing);
		assert_true(disks <= knee_disks(alone_ns, BLOCK, bus_rate) || prediction.bound >= bus_rate);
		previous = prediction;
	}
	assert_true(previous.queueing > .99 * bus_rate);
}

static void on_a_bus_without_limit_only_rounds_cost_something(void **state)
{
	const struct prediction prediction = predict_equal(4, alone_ns, INFINITY);

	(void)state;
	assert_true(near(prediction.naive, 4 * BLOCK / alone_ns * 1e9, 1e-12));
	assert_true(near(prediction.bound, prediction.naive, 1e-12));
	assert_true(near(prediction.queueing, prediction.naive, 1e-12));
	/* The largest of four that are uniform over 10 ms is 3 ms over their mean. */
	assert_true(near(prediction.rounds, 4 * BLOCK / (alone_ns + 3 * MS) * 1e9, .002));
}

static void on_a_bus_of_at_least_some_rate_disks_queue_no_more_than_on_one_of_that_rate(void **state)
{
	static const struct plateau spare = { false, 20e6 };
	static const struct draws none;
	struct soloist soloist[4];
	struct prediction prediction;

	(void)state;
	for (int i = 0; i < 4; i++)
		soloist[i] = (struct soloist){ alone_ns / 4, &none };
	prediction = predict(soloist, 4, BLOCK, &spare, 1);
	assert_true(prediction.bound == prediction.naive);
	assert_true(prediction.naive > 2 * bus_rate);
	assert_true(prediction.queueing == queueing_rate(alone_ns / 4, 4, BLOCK, bus_rate));
}

/* The mean of all sets of disks, exact: each disk finds the queue that the others alone would leave. */
static double exact_queueing(const double *mean_ns, unsigned disks)
{
	static double queue[1 << 10];
	double rate = 0;

	for (unsigned set = 1; set < 1U << disks; set++) {
		queue[set] = rate = 0;
		for (unsigned i = 0; i < disks; i++) {
			const double waiting_ns = transfer_ns * (1 + queue[set & ~(1U << i)]);
			const double reads_per_ns = 1 / (mean_ns[i] - transfer_ns + waiting_ns);

			if (!(set & 1U << i))
				continue;
			rate += reads_per_ns;
			queue[set] += reads_per_ns * waiting_ns;
		}
	}
	return rate * BLOCK * 1e9;
}

static void unequal_disks_queue_like_equal_ones_that_are_as_fast_together(void **state)
{
	double mean_ns[10];
	struct soloist soloist[10];
	static const struct draws none;

	(void)state;
	for (unsigned disks = 1; disks <= 10; disks++)
		for (double spread = 1; spread <= 3; spread++) {
			double naive = 0;
			struct prediction prediction;

			for (unsigned i = 0; i < disks; i++) {
				mean_ns[i] = alone_ns * (1 + (spread - 1) * i / disks);
				soloist[i] = (struct soloist){ mean_ns[i], &none };
				naive += BLOCK / mean_ns[i] * 1e9;
			}
			prediction = predict(soloist, disks, BLOCK, &full, 1);
			assert_true(near(prediction.naive, naive, 1e-12));
			assert_true(near(prediction.bound, fmin(naive, bus_rate), 1e-12));
			assert_true(near(prediction.queueing, exact_queueing(mean_ns, disks), spread > 1 ? .01 : 1e-9));
		}
}

static void rounds_take_thirty_latencies_for_each_disk(void **state)
{
	static struct draws enough, few;
	struct soloist soloist[] = { { alone_ns, &enough }, { alone_ns, &enough }, { alone_ns, &enough } };

	(void)state;
	spread_evenly(&enough, 90, 10 * MS, 20 * MS);
	spread_evenly(&few, 89, 10 * MS, 20 * MS);
	assert_true(predict(soloist, 3, BLOCK, &full, 1).rounds > 0);
	soloist[1].latency = &few;
	assert_true(isnan(predict(soloist, 3, BLOCK, &full, 1).rounds));
	assert_true(predict(soloist, 2, BLOCK, &full, 1).rounds > 0);
}

static void the_same_seed_gives_the_same_prediction(void **state)
{
	const struct prediction one = predict_equal(8, alone_ns, bus_rate);
	const struct prediction other = predict_equal(8, alone_ns, bus_rate);

	(void)state;
	assert_memory_equal(&one, &other, sizeof one);
}

static void a_bus_is_saturated_when_its_highest_aggregate_scales_no_more(void **state)
{
	static const struct {
		struct {
			double alone, together;
		} reread[3];
		struct plateau expected;
	} example[] = {
		{ { { 40, 20 }, { 80, 25 }, { 100, 26 } }, { true, 26 } },
		{ { { 40, 20 }, { 80, 79 }, { 100, 90 } }, { false, 90 } },
		{ { { 40, 40 }, { 80, 79 }, { 100, 89.9 } }, { true, 89.9 } },
		{ { { 100, 99 }, { 120, 60 }, { NAN, NAN } }, { false, 99 } },
		{ { { NAN, NAN }, { 10, 5 }, { 10, 4 } }, { true, 5 } },
		{ { { NAN, 20 }, { 10, NAN }, { 10, 4 } }, { false, 20 } },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(example); i++) {
		struct plateau plateau = { false, NAN };

		for (int j = 0; j < 3; j++)
			plateau_add(&plateau, example[i].reread[j].alone, example[i].reread[j].together);
		assert_true(plateau.saturated == example[i].expected.saturated);
		assert_true(plateau.rate == example[i].expected.rate);
	}
}

static void errors_are_relative_to_what_was_measured(void **state)
{
	static const double measured[] = { 100, 100, 50, NAN, 80 }, predicted[] = { 105, 80, 56, 10, NAN };
	struct accuracy accuracy = { 0, 0, NAN, NAN };

	(void)state;
	for (int i = 0; i < 5; i++)
		accuracy_add(&accuracy, predicted[i], measured[i]);
	assert_int_equal(accuracy.cells, 3);
	assert_int_equal(accuracy.misses, 1);
	assert_true(near(accuracy.mean_percent, (5 + 20 + 12) / 3., 1e-12));
	assert_true(near(accuracy.worst_percent, -20, 1e-12));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(four_disks_yield_the_worked_figures),
		cmocka_unit_test(one_disk_is_predicted_as_it_was_measured),
		cmocka_unit_test(predictions_are_in_order_and_no_more_than_the_bus_carries),
		cmocka_unit_test(on_a_bus_without_limit_only_rounds_cost_something),
		cmocka_unit_test(on_a_bus_of_at_least_some_rate_disks_queue_no_more_than_on_one_of_that_rate),
		cmocka_unit_test(unequal_disks_queue_like_equal_ones_that_are_as_fast_together),
		cmocka_unit_test(rounds_take_thirty_latencies_for_each_disk),
		cmocka_unit_test(the_same_seed_gives_the_same_prediction),
		cmocka_unit_test(a_bus_is_saturated_when_its_highest_aggregate_scales_no_more),
		cmocka_unit_test(errors_are_relative_to_what_was_measured),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
