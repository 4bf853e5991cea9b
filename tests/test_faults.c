/* What a run yields on disks that fail, vanish or hang, when a signal comes, and what a probe finds. */
#include "test.h"

#include <errno.h>

#include "base/units.h"
#include "fake_rig.h"

static const int64_t ms = NS_PER_MS;

static int64_t length_ns(const struct outcome *outcome)
{
	return outcome->end_ns - outcome->start_ns;
}

static void failed_reads_are_counted_apart_and_their_time_stays(void **state)
{
	const struct outcome *outcome;
	const struct tally *tally;

	(void)state;
	fake_disk[0].fail_every = 4;
	rig_open(1, "-m random -s 4k -t 2 -w 0.5 --max-errors 2");
	outcome = rig_measure(0);
	tally = &outcome->disk[0].tally;
	assert_int_equal(outcome->disk[0].ending, ENDED_WELL);
	assert_int_equal(length_ns(outcome), 2 * NS_PER_S);
	assert_int_equal(tally->requests, 300);
	assert_int_equal(tally->errors, 100);
	assert_int_equal(tally->latency.count, 300);
	assert_int_equal(tally->whole_requests, 375);
	assert_int_equal(tally->whole_errors, 125);
	assert_int_equal(tally->fault[0].error, -EIO);
	assert_int_equal(tally->fault[0].count, 125);
	assert_int_equal(tally->fault[0].first_offset, fake_disk[0].log[3].offset);
	assert_int_equal(tally->fault[1].error, 0);
}

static void an_error_in_the_warmup_alone_is_a_fault_but_no_error_of_the_row(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].fail_from = fake_disk[0].fail_to = 7;
	rig_open(1, "-m random -s 4k -t 1 -w 0.5");
	outcome = rig_measure(0);
	assert_int_equal(outcome->disk[0].tally.errors, 0);
	assert_int_equal(outcome->disk[0].tally.requests, 200);
	assert_int_equal(outcome->disk[0].tally.whole_errors, 1);
	assert_int_equal(outcome->disk[0].tally.fault[0].count, 1);
}

static void a_bad_block_fails_wherever_a_read_touches_it(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].bad_from_bytes = 10 * MIB + 5000;
	fake_disk[0].bad_to_bytes = 10 * MIB + 5001;
	rig_open(1, "-m linear -s 4k --span 10m:64k -n 32");
	outcome = rig_measure(0);
	assert_int_equal(outcome->disk[0].tally.requests, 32);
	assert_int_equal(outcome->disk[0].tally.errors, 3);
	assert_int_equal(outcome->disk[0].tally.fault[0].first_offset, 10 * MIB + 4096);
}

static void failures_in_a_row_give_a_disk_up_for_the_cell_alone(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].fail_from = 141;
	fake_disk[0].fail_to = 150;
	rig_open(2, "-m random -s 4k,16k -t 1 -w 0.5 --max-errors 10");
	outcome = rig_measure(0);
	assert_int_equal(outcome->disk[0].ending, ENDED_FAILING);
	assert_int_equal(outcome->disk[0].error, -EIO);
	assert_int_equal(outcome->disk[0].ended_ns - rig.began_ns, 750 * ms);
	assert_int_equal(outcome->disk[0].tally.requests, 40);
	assert_int_equal(outcome->disk[0].tally.errors, 10);
	assert_int_equal(fake_disk[0].reads, 150);
	assert_int_equal(length_ns(outcome), NS_PER_S);
	assert_int_equal(outcome->disk[1].ending, ENDED_WELL);
	assert_int_equal(outcome->disk[1].tally.requests, 200);
	outcome = rig_measure(1);
	assert_int_equal(outcome->disk[0].ending, ENDED_WELL);
	assert_int_equal(outcome->disk[0].tally.requests, 200);
}

static void one_failure_less_in_a_row_gives_no_disk_up(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].fail_from = 141;
	fake_disk[0].fail_to = 149;
	rig_open(1, "-m random -s 4k -t 1 -w 0.5 --max-errors 10");
	outcome = rig_measure(0);
	assert_int_equal(outcome->disk[0].ending, ENDED_WELL);
	assert_int_equal(outcome->disk[0].tally.errors, 9);
	assert_int_equal(outcome->disk[0].tally.requests, 191);
}

static void a_disk_that_fails_from_its_first_read_on_leaves_the_others_their_window(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].fail_from = 1;
	fake_disk[0].fail_to = UINT64_MAX;
	rig_open(2, "-m random -s 4k -t 1 -w 0.2 --max-errors 5");
	outcome = rig_measure(0);
	assert_int_equal(outcome->disk[0].ending, ENDED_FAILING);
	assert_int_equal(outcome->disk[0].tally.requests, 0);
	assert_int_equal(outcome->disk[1].tally.requests, 200);
	assert_int_equal(length_ns(outcome), NS_PER_S);
}

static void a_disk_that_is_gone_is_lost_for_the_rest_of_the_run(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].gone_from = 151;
	rig_open(2, "-m random -s 4k,16k -t 1 -w 0.5");
	outcome = rig_measure(0);
	assert_int_equal(outcome->disk[0].ending, ENDED_GONE);
	assert_int_equal(outcome->disk[0].error, -ENODEV);
	assert_int_equal(outcome->disk[0].ended_ns - outcome->start_ns, 255 * ms);
	assert_int_equal(outcome->disk[0].tally.requests, 50);
	assert_int_equal(outcome->disk[1].tally.requests, 200);
	assert_int_equal(length_ns(outcome), NS_PER_S);
	outcome = rig_measure(1);
	assert_int_equal(outcome->disk[0].ending, ENDED_ABSENT);
	assert_int_equal(outcome->disk[0].tally.whole_requests + outcome->disk[0].tally.whole_errors, 0);
	assert_int_equal(outcome->disk[1].tally.requests, 200);
	assert_int_equal(fake_disk[0].reads, 151);
	assert_false(run_abandoned(rig.run));
}

static void there_are_three_ways_to_say_that_a_disk_is_gone(void **state)
{
	static const int gone_error[] = { -ENODEV, -ENXIO, -ENOMEDIUM };

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(gone_error); i++) {
		rig_reset(NULL);
		fake_disk[0].gone_from = 151;
		fake_disk[0].gone_error = gone_error[i];
		rig_open(1, "-m random -s 4k -t 1 -w 0.5");
		assert_int_equal(rig_measure(0)->disk[0].ending, ENDED_GONE);
		assert_int_equal(fake_disk[0].reads, 151);
		if (i + 1 < TEXT_COUNT(gone_error))
			rig_end(NULL);
	}
}

static void a_disk_that_opened_the_window_and_is_gone_does_not_hold_it_open(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].latency_ns = 3 * NS_PER_S;
	fake_disk[0].gone_from = 2;
	rig_open(2, "-m random -s 4k -t 5 -w 0.5");
	outcome = rig_measure(0);
	assert_int_equal(outcome->disk[0].ending, ENDED_GONE);
	assert_int_equal(length_ns(outcome), 5 * NS_PER_S);
	assert_int_equal(outcome->disk[1].tally.requests, 1000);
}

static void when_the_only_disk_is_gone_the_window_ends_with_it(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].gone_from = 151;
	rig_open(1, "-m random -s 4k,16k -t 1 -w 0.5");
	outcome = rig_measure(0);
	assert_int_equal(length_ns(outcome), 255 * ms);
	assert_int_equal(outcome->disk[0].tally.requests, 50);
	assert_int_equal(outcome->disk[0].tally.errors, 1);
	outcome = rig_measure(1);
	assert_int_equal(outcome->disk[0].ending, ENDED_ABSENT);
	assert_int_equal(outcome->start_ns, 0);
	assert_int_equal(outcome->end_ns, 0);
}

static void a_disk_that_is_gone_in_the_warmup_yields_no_window(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].gone_from = 10;
	rig_open(1, "-m random -s 4k -t 1 -w 0.5");
	outcome = rig_measure(0);
	assert_int_equal(outcome->disk[0].ending, ENDED_GONE);
	assert_int_equal(outcome->start_ns, 0);
	assert_int_equal(outcome->end_ns, 0);
	assert_int_equal(outcome->disk[0].tally.requests, 0);
}

static void a_hung_disk_is_given_up_and_the_others_complete_their_cell(void **state)
{
	const struct outcome *outcome;
	int64_t given_up_ns;

	(void)state;
	fake_disk[1].hang_at = 201;
	rig_open(3, "-m random -s 4k,16k -t 5 -w 0.5 --hang-timeout 2");
	outcome = rig_measure(0);
	given_up_ns = outcome->disk[1].ended_ns - rig.began_ns;
	assert_int_equal(outcome->disk[1].ending, ENDED_HUNG);
	/* Its last read ended at 1 s; a tick comes every 20 ms. */
	assert_in_range(given_up_ns, 3000 * ms, 3020 * ms);
	assert_int_equal(outcome->disk[1].tally.requests, 100);
	assert_true(run_abandoned(rig.run));
	assert_int_equal(length_ns(outcome), 5 * NS_PER_S);
	assert_int_equal(outcome->disk[0].tally.requests, 1000);
	assert_int_equal(outcome->disk[2].tally.requests, 1000);
	outcome = rig_measure(1);
	assert_int_equal(outcome->disk[1].ending, ENDED_ABSENT);
	assert_int_equal(outcome->disk[1].tally.whole_requests, 0);
	assert_int_equal(outcome->disk[0].tally.requests, 1000);
	assert_int_equal(fake_disk[1].reads, 201);
}

static void a_disk_that_hangs_in_its_first_read_lets_the_window_open_when_it_is_given_up(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].hang_at = 1;
	rig_open(2, "-m random -s 4k -t 1 -w 0.5 --hang-timeout 2");
	outcome = rig_measure(0);
	assert_int_equal(outcome->disk[0].ending, ENDED_HUNG);
	assert_in_range(outcome->start_ns - rig.began_ns, 2000 * ms, 2020 * ms);
	assert_int_equal(length_ns(outcome), NS_PER_S);
	assert_int_equal(outcome->disk[1].tally.requests, 200);
}

static void when_the_only_disk_hangs_what_it_had_read_is_kept(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].hang_at = 201;
	rig_open(1, "-m random -s 4k -t 60 -w 0.5 --hang-timeout 2");
	outcome = rig_measure(0);
	assert_int_equal(outcome->disk[0].ending, ENDED_HUNG);
	assert_int_equal(outcome->disk[0].tally.requests, 100);
	assert_in_range(length_ns(outcome), 2500 * ms, 2520 * ms);
}

static void a_hung_read_that_answers_after_all_changes_nothing(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[1].hang_at = 201;
	rig_open(2, "-m random -s 4k,16k -t 5 -w 0.5 --hang-timeout 2");
	rig_measure(0);
	rig_start(1);
	rig_go_on(1000 * ms);
	fake_disk_release(1);
	rig_go_on(INT64_MAX);
	outcome = rig_finish();
	assert_int_equal(outcome->disk[0].tally.requests, 1000);
	assert_int_equal(length_ns(outcome), 5 * NS_PER_S);
	assert_int_equal(outcome->disk[1].ending, ENDED_ABSENT);
	assert_int_equal(fake_disk[1].reads, 201);
	assert_true(run_abandoned(rig.run));
}

static void a_read_just_short_of_the_timeout_is_no_hang(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].latency_ns = 1990 * ms;
	rig_open(1, "-m random -s 4k -n 3 --hang-timeout 2");
	outcome = rig_measure(0);
	assert_int_equal(outcome->disk[0].ending, ENDED_WELL);
	assert_int_equal(outcome->disk[0].tally.requests, 3);
}

static void a_pause_of_the_program_is_told_and_is_no_hang(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].latency_ns = 1500 * ms;
	rig_open(1, "-m random -s 4k -t 20 -w 0.5 --hang-timeout 2");
	rig_start(0);
	rig_go_on(2000 * ms);
	fake_disk[0].latency_ns = 6500 * ms;
	rig_go_on(3010 * ms);
	clock_sleep_ns(6 * NS_PER_S);
	fake_disk[0].latency_ns = 1500 * ms;
	rig_go_on(INT64_MAX);
	outcome = rig_finish();
	assert_int_equal(outcome->disk[0].ending, ENDED_WELL);
	assert_in_range(outcome->paused_ns, 6000 * ms, 6020 * ms);
}

static void a_signal_ends_the_window_and_marks_the_cell(void **state)
{
	const struct outcome *outcome;

	(void)state;
	rig_open(1, "-m random -s 4k -t 5 -w 0.5");
	rig_start(0);
	rig_go_on(1500 * ms);
	run_stop(rig.run);
	rig_go_on(INT64_MAX);
	outcome = rig_finish();
	assert_true(outcome->interrupted);
	assert_int_equal(length_ns(outcome), 1000 * ms);
	assert_int_equal(outcome->disk[0].tally.requests, 200);
	assert_int_equal(outcome->disk[0].tally.whole_requests, 301);
	assert_int_equal(outcome->disk[0].ending, ENDED_WELL);
}

static void a_second_signal_takes_nothing_back(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].latency_ns = 700 * ms;
	rig_open(1, "-m random -s 4k -t 9 -w 0.5");
	rig_start(0);
	rig_go_on(3200 * ms);
	run_stop(rig.run);
	rig_go_on(3300 * ms);
	run_stop(rig.run);
	rig_go_on(INT64_MAX);
	outcome = rig_finish();
	assert_true(outcome->interrupted);
	assert_int_equal(length_ns(outcome), 2500 * ms);
	assert_int_equal(outcome->disk[0].tally.requests, 3);
}

static void a_signal_in_the_warmup_leaves_no_window(void **state)
{
	const struct outcome *outcome;

	(void)state;
	rig_open(1, "-m random -s 4k -t 5 -w 2");
	rig_start(0);
	rig_go_on(1000 * ms);
	run_stop(rig.run);
	assert_true(rig_go_on(1000 * ms));
	assert_false(rig_go_on(1100 * ms));
	outcome = rig_finish();
	assert_true(outcome->interrupted);
	assert_int_equal(outcome->start_ns, 0);
	assert_int_equal(outcome->end_ns, 0);
	assert_int_equal(outcome->disk[0].tally.requests, 0);
	assert_int_equal(outcome->disk[0].tally.whole_requests, 201);
}

static void a_signal_in_the_drain_marks_nothing(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].latency_ns = 700 * ms;
	rig_open(2, "-m random -s 4k -t 2 -w 0.7");
	rig_start(0);
	assert_true(rig_go_on(2760 * ms));
	run_stop(rig.run);
	rig_go_on(INT64_MAX);
	outcome = rig_finish();
	assert_false(outcome->interrupted);
	assert_int_equal(length_ns(outcome), 2000 * ms);
	assert_int_equal(outcome->disk[0].tally.requests, 2);
	assert_int_equal(outcome->disk[1].tally.requests, 400);
}

static void two_seconds_after_a_signal_a_read_is_waited_for_no_longer(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].hang_at = 201;
	rig_open(2, "-m random -s 4k -t 30 -w 0.5 --hang-timeout 60");
	rig_start(0);
	rig_go_on(1500 * ms);
	run_stop(rig.run);
	rig_go_on(INT64_MAX);
	outcome = rig_finish();
	assert_int_equal(outcome->disk[0].ending, ENDED_CUT);
	assert_in_range(outcome->disk[0].ended_ns - rig.began_ns, 3500 * ms, 3540 * ms);
	assert_int_equal(outcome->disk[0].tally.requests, 100);
	assert_int_equal(outcome->disk[1].ending, ENDED_WELL);
	assert_int_equal(length_ns(outcome), 1000 * ms);
	assert_true(outcome->interrupted);
	assert_true(run_abandoned(rig.run));
}

static void a_probe_reads_64_blocks_and_the_largest_size(void **state)
{
	const struct probe *probe;

	(void)state;
	fake_disk[0].first_latency_ns = 8 * NS_PER_S / 10;
	rig_open(1, "-m random -s 256k,4k");
	probe = rig_probe();
	assert_int_equal(fake_disk[0].log[0].bytes, 4 * KIB);
	assert_int_equal(fake_disk[0].log[fake_disk[0].reads - 1].bytes, 256 * KIB);
	assert_int_equal(fake_disk[0].log[fake_disk[0].reads - 1].offset, 0);
	assert_int_equal(probe->first_ns, 800 * ms);
	assert_int_equal(probe->median_ns, 5 * ms);
	assert_int_equal(probe->ending, ENDED_WELL);
	/* In the second that it has for blocks there is room for no more after such a first one. */
	assert_int_equal(probe->blocks, 41);
	assert_int_equal(probe->zero_blocks, 0);
	assert_int_equal(fake_disk[0].reads, 42);
}

static void a_probe_sees_how_much_of_a_disk_is_zeros(void **state)
{
	const struct probe *probe;
	unsigned zeros = 0, same = 0;

	(void)state;
	fake_disk[0].zeros_from_bytes = 256 * MIB;
	fake_disk[1].zeros_from_bytes = 0;
	rig_open(3, "-m random -s 4k");
	probe = rig_probe();
	for (unsigned read = 0; read < 64; read++) {
		zeros += fake_disk[0].log[read].offset >= 256 * MIB;
		same += fake_disk[0].log[read].offset == fake_disk[1].log[read].offset;
	}
	assert_in_range(same, 0, 4);
	assert_in_range(zeros, 32, 63);
	assert_int_equal(probe[0].blocks, 64);
	assert_int_equal(probe[0].zero_blocks, zeros);
	assert_int_equal(probe[1].zero_blocks, 64);
	assert_int_equal(probe[2].zero_blocks, 0);
}

static void a_probe_stays_on_the_disk_and_on_its_sectors(void **state)
{
	static const struct {
		uint64_t size_bytes;
		uint32_t sector_bytes;
		const char *arguments;
	} shape[] = {
		{ 10 * MIB + 512, 512, "-s 4k" }, { 2560, 512, "-s 512" }, { MIB, 4096, "-s 8k" }, { 8 * MIB, 8192, "-s 8k" },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(shape); i++) {
		rig_reset(NULL);
		fake_disk[0].size_bytes = shape[i].size_bytes;
		fake_disk[0].sector_bytes = shape[i].sector_bytes;
		rig_open(1, shape[i].arguments);
		rig_probe();
		assert_int_equal(fake_disk[0].reads, 65);
		for (unsigned read = 0; read < 65; read++) {
			const uint64_t offset = fake_disk[0].log[read].offset, bytes = fake_disk[0].log[read].bytes;

			assert_int_equal(offset % shape[i].sector_bytes, 0);
			assert_int_equal(bytes % shape[i].sector_bytes, 0);
			assert_true(offset + bytes <= shape[i].size_bytes);
		}
		if (i + 1 < TEXT_COUNT(shape))
			rig_end(NULL);
	}
}

static void a_probe_reads_what_will_be_measured_and_nothing_else(void **state)
{
	unsigned part[2] = { 0 };

	(void)state;
	rig_open(1, "-m random -s 4k,64k --span 1m:1m,512m:128k");
	rig_probe();
	for (unsigned read = 0; read < 65; read++) {
		const uint64_t offset = fake_disk[0].log[read].offset, end = offset + fake_disk[0].log[read].bytes;

		if (offset >= MIB && end <= 2 * MIB)
			part[0]++;
		else if (offset >= 512 * MIB && end <= 512 * MIB + 128 * KIB)
			part[1]++;
	}
	assert_int_equal(part[0] + part[1], 65);
	assert_in_range(part[1], 32, 33);
}

static void a_probe_that_fails_is_a_fault_and_the_disk_is_measured_all_the_same(void **state)
{
	const struct probe *probe;

	(void)state;
	fake_disk[0].fail_from = 3;
	fake_disk[0].fail_to = 4;
	rig_open(1, "-m random -s 4k -t 1 -w 0.5");
	probe = rig_probe();
	assert_int_equal(probe->ending, ENDED_WELL);
	assert_int_equal(probe->blocks, 62);
	assert_int_equal(probe->fault[0].error, -EIO);
	assert_int_equal(probe->fault[0].count, 2);
	assert_int_equal(probe->fault[0].first_offset, fake_disk[0].log[2].offset);
	assert_int_equal(rig_measure(0)->disk[0].tally.requests, 200);
}

static void a_disk_that_is_gone_in_the_probe_takes_no_part(void **state)
{
	const struct probe *probe;
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].gone_from = 10;
	rig_open(2, "-m random -s 4k -t 1 -w 0.5");
	probe = rig_probe();
	assert_int_equal(probe[0].ending, ENDED_GONE);
	assert_int_equal(probe[0].error, -ENODEV);
	assert_int_equal(fake_disk[0].reads, 10);
	assert_int_equal(probe[1].ending, ENDED_WELL);
	outcome = rig_measure(0);
	assert_int_equal(outcome->disk[0].ending, ENDED_ABSENT);
	assert_int_equal(outcome->disk[1].tally.requests, 200);
}

static void a_disk_that_hangs_in_the_probe_takes_no_part(void **state)
{
	const struct probe *probe;
	const struct outcome *outcome;

	(void)state;
	fake_disk[1].hang_at = 5;
	rig_open(2, "-m random -s 4k -t 1 -w 0.5 --hang-timeout 2");
	rig_start_probe();
	assert_true(rig_go_on(2020 * ms));
	assert_false(rig_go_on(2060 * ms));
	probe = rig_finish_probe();
	assert_int_equal(probe[0].ending, ENDED_WELL);
	assert_int_equal(probe[0].blocks, 64);
	assert_int_equal(probe[1].ending, ENDED_HUNG);
	assert_true(run_abandoned(rig.run));
	outcome = rig_measure(0);
	assert_int_equal(outcome->disk[1].ending, ENDED_ABSENT);
	assert_int_equal(outcome->disk[0].tally.requests, 200);
}

static void a_probe_of_reads_that_are_each_just_short_of_the_timeout_is_no_hang(void **state)
{
	const struct probe *probe;

	(void)state;
	fake_disk[0].latency_ns = 1900 * ms;
	rig_open(1, "-m random -s 4k --hang-timeout 2");
	probe = rig_probe();
	assert_int_equal(probe->ending, ENDED_WELL);
	assert_int_equal(probe->blocks, 1);
	assert_int_equal(fake_disk[0].reads, 2);
}

static void a_signal_ends_the_probe_after_the_read_that_is_under_way(void **state)
{
	const struct probe *probe;

	(void)state;
	rig_open(1, "-m random -s 4k");
	rig_start_probe();
	rig_go_on(102 * ms);
	run_stop(rig.run);
	rig_go_on(INT64_MAX);
	probe = rig_finish_probe();
	assert_int_equal(probe->ending, ENDED_WELL);
	assert_in_range(fake_disk[0].reads, 20, 25);
	assert_int_equal(probe->blocks, fake_disk[0].reads);
}

static void two_seconds_after_a_signal_a_probe_is_waited_for_no_longer(void **state)
{
	const struct probe *probe;

	(void)state;
	fake_disk[0].hang_at = 5;
	rig_open(1, "-m random -s 4k");
	rig_start_probe();
	rig_go_on(100 * ms);
	run_stop(rig.run);
	rig_go_on(INT64_MAX);
	assert_in_range(clock_now_ns() - rig.began_ns, 2100 * ms, 2140 * ms);
	probe = rig_finish_probe();
	assert_int_equal(probe->ending, ENDED_CUT);
	assert_true(run_abandoned(rig.run));
}

#define test_of_run(test) cmocka_unit_test_setup_teardown(test, rig_reset, rig_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_of_run(failed_reads_are_counted_apart_and_their_time_stays),
		test_of_run(an_error_in_the_warmup_alone_is_a_fault_but_no_error_of_the_row),
		test_of_run(a_bad_block_fails_wherever_a_read_touches_it),
		test_of_run(failures_in_a_row_give_a_disk_up_for_the_cell_alone),
		test_of_run(one_failure_less_in_a_row_gives_no_disk_up),
		test_of_run(a_disk_that_fails_from_its_first_read_on_leaves_the_others_their_window),
		test_of_run(a_disk_that_is_gone_is_lost_for_the_rest_of_the_run),
		test_of_run(there_are_three_ways_to_say_that_a_disk_is_gone),
		test_of_run(a_disk_that_opened_the_window_and_is_gone_does_not_hold_it_open),
		test_of_run(when_the_only_disk_is_gone_the_window_ends_with_it),
		test_of_run(a_disk_that_is_gone_in_the_warmup_yields_no_window),
		test_of_run(a_hung_disk_is_given_up_and_the_others_complete_their_cell),
		test_of_run(a_disk_that_hangs_in_its_first_read_lets_the_window_open_when_it_is_given_up),
		test_of_run(when_the_only_disk_hangs_what_it_had_read_is_kept),
		test_of_run(a_hung_read_that_answers_after_all_changes_nothing),
		test_of_run(a_read_just_short_of_the_timeout_is_no_hang),
		test_of_run(a_pause_of_the_program_is_told_and_is_no_hang),
		test_of_run(a_signal_ends_the_window_and_marks_the_cell),
		test_of_run(a_second_signal_takes_nothing_back),
		test_of_run(a_signal_in_the_warmup_leaves_no_window),
		test_of_run(a_signal_in_the_drain_marks_nothing),
		test_of_run(two_seconds_after_a_signal_a_read_is_waited_for_no_longer),
		test_of_run(a_probe_reads_64_blocks_and_the_largest_size),
		test_of_run(a_probe_sees_how_much_of_a_disk_is_zeros),
		test_of_run(a_probe_stays_on_the_disk_and_on_its_sectors),
		test_of_run(a_probe_reads_what_will_be_measured_and_nothing_else),
		test_of_run(a_probe_that_fails_is_a_fault_and_the_disk_is_measured_all_the_same),
		test_of_run(a_disk_that_is_gone_in_the_probe_takes_no_part),
		test_of_run(a_disk_that_hangs_in_the_probe_takes_no_part),
		test_of_run(a_probe_of_reads_that_are_each_just_short_of_the_timeout_is_no_hang),
		test_of_run(a_signal_ends_the_probe_after_the_read_that_is_under_way),
		test_of_run(two_seconds_after_a_signal_a_probe_is_waited_for_no_longer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
