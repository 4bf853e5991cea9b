/* What a cell yields with several reads in flight: windows, counts and addresses are exact, faults end it as with one. */
#include "test.h"

#include <errno.h>

#include "base/units.h"
#include "fake_rig.h"

static const int64_t ms = NS_PER_MS;
static const unsigned depths[] = { 1, 2, 8, 32, 1000, 1024 };

static int64_t length_ns(const struct outcome *outcome)
{
	return outcome->end_ns - outcome->start_ns;
}

static uint64_t offset_of(unsigned disk, uint64_t read)
{
	return fake_disk[disk].log[read - 1].offset;
}

/* Again within a test. */
static void reopen(void)
{
	rig_end(NULL);
	rig_reset(NULL);
}

static const struct outcome *measure_at(unsigned depth, const char *arguments)
{
	char line[160];

	snprintf(line, sizeof line, "-q %u %s", depth, arguments);
	rig_open(1, line);
	return rig_measure(0);
}

static void as_many_reads_are_in_flight_as_were_asked_for(void **state)
{
	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(depths); i++) {
		const struct outcome *outcome;

		if (i)
			reopen();
		outcome = measure_at(depths[i], "-m random -s 4k -t 0.1 -w 0.05");
		assert_int_equal(fake_disk[0].most_in_flight, depths[i]);
		assert_int_equal(fake_disk[0].in_flight, 0);
		assert_int_equal(fake_disk[0].engines, 0);
		assert_int_equal(length_ns(outcome), 100 * ms);
		assert_int_equal(outcome->disk[0].tally.requests, 20 * depths[i]);
		assert_int_equal(outcome->disk[0].tally.whole_requests, 30 * depths[i]);
		assert_int_equal(outcome->disk[0].tally.latency.min_ns, 5 * ms);
		assert_int_equal(outcome->disk[0].tally.latency.max_ns, 5 * ms);
	}
}

static void latency_holds_the_time_in_the_queue(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].serial = true;
	outcome = measure_at(8, "-m random -s 4k -t 2 -w 0.5");
	assert_int_equal(outcome->disk[0].tally.requests, 400);
	assert_int_equal(outcome->disk[0].tally.latency.min_ns, 40 * ms);
	assert_int_equal(outcome->disk[0].tally.latency.max_ns, 40 * ms);
}

static void reads_in_flight_at_the_end_are_waited_for_and_count_nowhere(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].serial = true;
	outcome = measure_at(8, "-m random -s 4k -t 1.998 -w 0.5");
	/* At 505, 510 ... 2495 ms; those of 2500 ... 2535 ms are drained. */
	assert_int_equal(outcome->disk[0].tally.requests, 399);
	assert_int_equal(outcome->disk[0].tally.whole_requests, 507);
	assert_int_equal(outcome->disk[0].kernel.reads, 507);
	assert_int_equal(outcome->disk[0].ended_ns - rig.began_ns, 2535 * ms);
	assert_int_equal(outcome->disk[0].tally.outside_max_ns, 40 * ms);
}

static void a_number_of_reads_is_met_exactly_at_any_depth(void **state)
{
	static const unsigned reads[] = { 1, 7, 8, 100 };

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(depths); i++)
		for (size_t j = 0; j < 2 * TEXT_COUNT(reads); j++) {
			char arguments[64];

			if (i || j)
				reopen();
			fake_disk[0].serial = j % 2;
			snprintf(arguments, sizeof arguments, "-m random -s 4k -w 0.05 -n %u", reads[j / 2]);
			assert_int_equal(measure_at(depths[i], arguments)->disk[0].tally.requests, reads[j / 2]);
		}
}

static void the_first_disk_with_its_reads_ends_the_cell_of_all(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[1].latency_ns = 11 * ms;
	rig_open(2, "-m random -s 4k -q 8 -n 100 -w 0.05");
	outcome = rig_measure(0);
	/* From 55 ms on; the 13th batch of disk 0 holds the hundredth. */
	assert_int_equal(outcome->disk[0].tally.requests, 100);
	assert_int_equal(length_ns(outcome), 65 * ms);
	assert_int_equal(outcome->disk[1].tally.requests, 8 * 5);
}

static void linear_keeps_consecutive_blocks_in_flight_and_goes_on_from_cell_to_cell(void **state)
{
	(void)state;
	rig_open(1, "-m linear -s 4k -q 8,2 -n 24");
	rig_measure(0);
	for (uint64_t read = 1; read <= fake_disk[0].reads; read++)
		assert_int_equal(offset_of(0, read), (read - 1) * 4 * KIB);
	const uint64_t first = fake_disk[0].reads;

	rig_measure(1);
	for (uint64_t read = first + 1; read <= fake_disk[0].reads; read++)
		assert_int_equal(offset_of(0, read), (read - 1) * 4 * KIB);
}

static void reread_has_all_reads_on_the_first_block(void **state)
{
	(void)state;
	measure_at(8, "-m reread -s 64k --span 100k:1m -n 20");
	for (uint64_t read = 1; read <= fake_disk[0].reads; read++)
		assert_int_equal(offset_of(0, read), 128 * KIB);
}

static void random_reads_in_flight_cover_the_span_evenly(void **state)
{
	enum { BLOCKS = 64, EACH = 150 };
	const double expected = EACH, critical = 103.4;         /* chi-square, 63 degrees of freedom, .999 */
	double chi_square = 0;
	unsigned hits[BLOCKS] = { 0 };

	(void)state;
	measure_at(32, "-m random -s 4k --span 1m:256k -n 9999 -t 60");
	assert_in_range(fake_disk[0].reads, BLOCKS * EACH, FAKE_LOG);
	for (uint64_t read = 1; read <= BLOCKS * EACH; read++) {
		const uint64_t block = (offset_of(0, read) - MIB) / (4 * KIB);

		assert_in_range(block, 0, BLOCKS - 1);
		hits[block]++;
	}
	for (unsigned block = 0; block < BLOCKS; block++)
		chi_square += (hits[block] - expected) * (hits[block] - expected) / expected;
	assert_true(chi_square < critical);
}

static void a_queue_may_be_deeper_than_the_span_has_blocks(void **state)
{
	static const char *const modes[] = { "random", "linear", "reread" };

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(modes); i++) {
		char arguments[64];

		if (i)
			reopen();
		snprintf(arguments, sizeof arguments, "-m %s -s 4k --span 8k:8k -n 200", modes[i]);
		assert_int_equal(measure_at(32, arguments)->disk[0].tally.requests, 200);
		assert_int_equal(fake_disk[0].most_in_flight, 32);
		for (uint64_t read = 1; read <= fake_disk[0].reads; read++)
			assert_in_range(offset_of(0, read), 8 * KIB, 12 * KIB);
	}
}

static void a_read_that_fails_is_not_tried_again(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].fail_every = 4;
	outcome = measure_at(8, "-m linear -s 4k -t 1 -w 0.5");
	for (uint64_t read = 1; read <= fake_disk[0].reads; read++)
		assert_int_equal(offset_of(0, read), (read - 1) * 4 * KIB);
	assert_int_equal(outcome->disk[0].tally.requests, 1200);
	assert_int_equal(outcome->disk[0].tally.errors, 400);
	assert_int_equal(outcome->disk[0].tally.whole_errors, 600);
	assert_int_equal(outcome->disk[0].ending, ENDED_WELL);
}

static void failures_in_a_row_give_a_disk_up_for_the_cell_alone(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].fail_from = 141;
	fake_disk[0].fail_to = 150;
	fake_disk[0].serial = true;
	rig_open(2, "-m random -s 4k,16k -q 8 -t 1 -w 0.5 --max-errors 10");
	outcome = rig_measure(0);
	assert_int_equal(outcome->disk[0].ending, ENDED_FAILING);
	assert_int_equal(outcome->disk[0].error, -EIO);
	assert_int_equal(outcome->disk[0].ended_ns - rig.began_ns, 750 * ms);
	assert_int_equal(outcome->disk[0].tally.requests, 40);
	assert_int_equal(outcome->disk[0].tally.errors, 10);
	/* Seven more were in flight: read well, but too late. */
	assert_int_equal(outcome->disk[0].tally.whole_requests, 147);
	assert_int_equal(fake_disk[0].reads, 157);
	assert_int_equal(length_ns(outcome), NS_PER_S);
	assert_int_equal(outcome->disk[1].tally.requests, 1600);
	outcome = rig_measure(1);
	assert_int_equal(outcome->disk[0].ending, ENDED_WELL);
	assert_int_equal(outcome->disk[0].tally.requests, 200);
}

static void one_failure_less_in_a_row_gives_no_disk_up(void **state)
{
	(void)state;
	fake_disk[0].fail_from = 141;
	fake_disk[0].fail_to = 149;
	assert_int_equal(measure_at(8, "-m random -s 4k -t 1 -w 0.5 --max-errors 10")->disk[0].ending, ENDED_WELL);
}

static void a_disk_that_is_gone_is_lost_with_all_that_is_in_flight(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].gone_from = 151;
	fake_disk[0].serial = true;
	rig_open(2, "-m random -s 4k,16k -q 8 -t 1 -w 0.5");
	outcome = rig_measure(0);
	assert_int_equal(outcome->disk[0].ending, ENDED_GONE);
	assert_int_equal(outcome->disk[0].error, -ENODEV);
	assert_int_equal(outcome->disk[0].ended_ns - outcome->start_ns, 255 * ms);
	assert_int_equal(outcome->disk[0].tally.requests, 50);
	assert_int_equal(outcome->disk[0].tally.errors, 1);
	assert_int_equal(outcome->disk[0].tally.whole_errors, 8);
	assert_int_equal(outcome->disk[1].tally.requests, 1600);
	assert_int_equal(length_ns(outcome), NS_PER_S);
	assert_int_equal(rig_measure(1)->disk[0].ending, ENDED_ABSENT);
	assert_int_equal(fake_disk[0].reads, 158);
	assert_false(run_abandoned(rig.run));
}

static void a_hung_disk_is_given_up_and_the_others_complete_their_cell(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[1].hang_at = 1601;
	fake_disk[1].hang_on = true;
	rig_open(2, "-m random -s 4k,16k -q 8 -t 5 -w 0.5 --hang-timeout 2");
	outcome = rig_measure(0);
	assert_int_equal(outcome->disk[1].ending, ENDED_HUNG);
	assert_in_range(outcome->disk[1].ended_ns - rig.began_ns, 3000 * ms, 3020 * ms);
	assert_int_equal(outcome->disk[1].tally.requests, 800);
	assert_int_equal(fake_disk[1].in_flight, 8);
	assert_true(run_abandoned(rig.run));
	assert_int_equal(outcome->disk[0].tally.requests, 8000);
	assert_int_equal(length_ns(outcome), 5 * NS_PER_S);
	outcome = rig_measure(1);
	assert_int_equal(outcome->disk[1].ending, ENDED_ABSENT);
	assert_int_equal(outcome->disk[0].tally.requests, 8000);
	assert_int_equal(fake_disk[1].reads, 1608);
}

static void one_read_that_hangs_holds_up_only_the_end(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].hang_at = 801;
	outcome = measure_at(8, "-m random -s 4k -t 2 -w 0.5 --hang-timeout 1");
	assert_int_equal(outcome->disk[0].ending, ENDED_HUNG);
	assert_int_equal(length_ns(outcome), 2 * NS_PER_S);
	assert_int_equal(outcome->disk[0].tally.requests, 3200 - 400);
	assert_in_range(outcome->disk[0].ended_ns - rig.began_ns, 3500 * ms, 3520 * ms);
	assert_int_equal(fake_disk[0].in_flight, 1);
}

static void a_hung_queue_that_answers_after_all_changes_nothing(void **state)
{
	(void)state;
	fake_disk[1].hang_at = 201;
	fake_disk[1].hang_on = true;
	rig_open(2, "-m random -s 4k,16k -q 8 -t 5 -w 0.5 --hang-timeout 2");
	rig_measure(0);
	rig_start(1);
	rig_go_on(1000 * ms);
	fake_disk_release(1);
	rig_go_on(INT64_MAX);
	assert_int_equal(rig_finish()->disk[0].tally.requests, 8000);
	assert_int_equal(fake_disk[1].reads, 208);
	assert_int_equal(fake_disk[1].engines, 1);
}

static void a_signal_ends_the_window_and_the_queue_is_drained(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].serial = true;
	rig_open(1, "-m random -s 4k -q 8 -t 5 -w 0.5");
	rig_start(0);
	rig_go_on(1500 * ms);
	run_stop(rig.run);
	rig_go_on(INT64_MAX);
	outcome = rig_finish();
	assert_true(outcome->interrupted);
	assert_int_equal(length_ns(outcome), 1000 * ms);
	assert_int_equal(outcome->disk[0].tally.requests, 200);
	assert_int_equal(outcome->disk[0].tally.whole_requests, 308);
	assert_int_equal(fake_disk[0].in_flight, 0);
}

static void two_seconds_after_a_signal_the_queue_is_waited_for_no_longer(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].hang_at = 1601;
	rig_open(1, "-m random -s 4k -q 8 -t 30 -w 0.5 --hang-timeout 60");
	rig_start(0);
	rig_go_on(1500 * ms);
	run_stop(rig.run);
	rig_go_on(INT64_MAX);
	outcome = rig_finish();
	assert_int_equal(outcome->disk[0].ending, ENDED_CUT);
	assert_in_range(outcome->disk[0].ended_ns - rig.began_ns, 3500 * ms, 3540 * ms);
	assert_true(run_abandoned(rig.run));
}

static void an_engine_that_does_not_open_keeps_a_cell_from_starting(void **state)
{
	struct error error;

	(void)state;
	fake_disk[1].engine_error = -EAGAIN;
	rig_open(2, "-m random -s 4k -q 8 -t 1");
	fake_clock_enter();
	assert_int_equal(run_start(rig.run, &rig.plan.cell[0], &error), -1);
	assert_int_equal(error.status, STATUS_START);
	assert_string_equal(error.text, "cannot start engine uring for '/dev/fake1': resource temporarily unavailable; use a "
			    "smaller depth, or raise ulimit -n, ulimit -l and sysctl fs.aio-max-nr");
	assert_int_equal(fake_disk[0].reads, 0);
	assert_int_equal(fake_disk[0].engines, 0);
	fake_disk[1].engine_error = 0;
	assert_int_equal(rig_measure(0)->disk[1].tally.requests, 1600);
}

static void a_buffer_that_memlock_has_no_room_for_is_told(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[1].no_memlock = true;
	rig_open(2, "-m random -s 4k -q 8 -t 0.1");
	outcome = rig_measure(0);
	assert_false(outcome->disk[0].plain_buffer);
	assert_true(outcome->disk[1].plain_buffer);
}

#define test_of_run(test) cmocka_unit_test_setup_teardown(test, rig_reset, rig_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_of_run(as_many_reads_are_in_flight_as_were_asked_for),
		test_of_run(latency_holds_the_time_in_the_queue),
		test_of_run(reads_in_flight_at_the_end_are_waited_for_and_count_nowhere),
		test_of_run(a_number_of_reads_is_met_exactly_at_any_depth),
		test_of_run(the_first_disk_with_its_reads_ends_the_cell_of_all),
		test_of_run(linear_keeps_consecutive_blocks_in_flight_and_goes_on_from_cell_to_cell),
		test_of_run(reread_has_all_reads_on_the_first_block),
		test_of_run(random_reads_in_flight_cover_the_span_evenly),
		test_of_run(a_queue_may_be_deeper_than_the_span_has_blocks),
		test_of_run(a_read_that_fails_is_not_tried_again),
		test_of_run(failures_in_a_row_give_a_disk_up_for_the_cell_alone),
		test_of_run(one_failure_less_in_a_row_gives_no_disk_up),
		test_of_run(a_disk_that_is_gone_is_lost_with_all_that_is_in_flight),
		test_of_run(a_hung_disk_is_given_up_and_the_others_complete_their_cell),
		test_of_run(one_read_that_hangs_holds_up_only_the_end),
		test_of_run(a_hung_queue_that_answers_after_all_changes_nothing),
		test_of_run(a_signal_ends_the_window_and_the_queue_is_drained),
		test_of_run(two_seconds_after_a_signal_the_queue_is_waited_for_no_longer),
		test_of_run(an_engine_that_does_not_open_keeps_a_cell_from_starting),
		test_of_run(a_buffer_that_memlock_has_no_room_for_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
