/* What a cell yields on healthy disks: windows, counts and addresses are exact. */
#include "test.h"

#include <math.h>

#include "base/units.h"
#include "fake_rig.h"

static const int64_t ms = NS_PER_MS;

static double mean_ms(const struct track *track)
{
	return histogram_mean_ns(&track->tally.latency) / (double)NS_PER_MS;
}

static int64_t length_ns(const struct outcome *outcome)
{
	return outcome->end_ns - outcome->start_ns;
}

static void a_window_holds_its_time_after_the_warmup_and_not_one_read_more(void **state)
{
	const struct outcome *outcome;

	(void)state;
	rig_open(1, "-m random -s 4k -t 2 -w 0.5");
	outcome = rig_measure(0);
	assert_int_equal(outcome->start_ns - rig.began_ns, 500 * ms);
	assert_int_equal(length_ns(outcome), 2 * NS_PER_S);
	assert_int_equal(outcome->disk[0].ending, ENDED_WELL);
	assert_int_equal(outcome->disk[0].tally.requests, 400);
	assert_int_equal(outcome->disk[0].tally.whole_requests, 500);
	assert_int_equal(outcome->disk[0].tally.errors, 0);
	assert_int_equal(outcome->disk[0].tally.latency.count, 400);
	assert_int_equal(outcome->disk[0].tally.latency.min_ns, 5 * ms);
	assert_int_equal(outcome->disk[0].tally.latency.max_ns, 5 * ms);
	assert_true(mean_ms(&outcome->disk[0]) == 5);
	assert_false(outcome->interrupted);
	assert_int_equal(outcome->paused_ns, 0);
	assert_false(run_abandoned(rig.run));
}

static void all_disks_of_a_cell_have_one_window(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[1].latency_ns = 7 * ms;
	fake_disk[2].latency_ns = 30 * ms;
	rig_open(3, "-m random -s 4k -t 2.1 -w 0.2");
	outcome = rig_measure(0);
	assert_int_equal(length_ns(outcome), 2100 * ms);
	assert_int_equal(outcome->disk[0].tally.requests, 420);
	assert_int_equal(outcome->disk[1].tally.requests, 300);
	assert_int_equal(outcome->disk[2].tally.requests, 70);
	assert_true(mean_ms(&outcome->disk[1]) == 7);
	/* A read that is under way when the window ends is waited for but does not count. */
	assert_int_equal(outcome->disk[2].tally.whole_requests, 77);
}

static void a_number_of_reads_is_met_exactly(void **state)
{
	static const unsigned reads[] = { 1, 2, 7, 1000 };

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(reads); i++) {
		char arguments[64];
		const struct outcome *outcome;

		rig_reset(NULL);
		snprintf(arguments, sizeof arguments, "-m random -s 4k -w 0.1 -n %u", reads[i]);
		rig_open(1, arguments);
		outcome = rig_measure(0);
		assert_int_equal(outcome->disk[0].tally.requests, reads[i]);
		assert_int_equal(length_ns(outcome), reads[i] * 5 * ms);
		if (i + 1 < TEXT_COUNT(reads))
			rig_end(NULL);
	}
}

static void the_first_disk_with_its_reads_ends_the_cell_of_all(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[1].latency_ns = 11 * ms;
	rig_open(2, "-m random -s 4k -n 100 -w 0.05");
	outcome = rig_measure(0);
	assert_int_equal(outcome->disk[0].tally.requests, 100);
	assert_int_equal(length_ns(outcome), 500 * ms);
	/* It opened at 55 ms, with the slower disk's first read after the warm-up: completions at 66, 77
	 * ... 550 ms. */
	assert_int_equal(outcome->disk[1].tally.requests, 45);
}

static void a_count_of_reads_is_measured_over_just_these_reads(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].latency_ns = 7 * ms;
	rig_open(1, "-m random -s 4k -n 10 -w 0.05");
	outcome = rig_measure(0);
	assert_int_equal(outcome->disk[0].tally.requests, 10);
	assert_int_equal(length_ns(outcome), 70 * ms);
}

static void a_read_of_20_s_in_a_window_of_5_is_one_read_in_20_s(void **state)
{
	const struct outcome *outcome;
	const struct histogram *latency;

	(void)state;
	fake_disk[0].latency_ns = 20 * NS_PER_S;
	rig_open(1, "-m random -s 4k -t 5 -w 0.5");
	outcome = rig_measure(0);
	latency = &outcome->disk[0].tally.latency;
	assert_int_equal(outcome->disk[0].tally.requests, 1);
	assert_int_equal(length_ns(outcome), 20 * NS_PER_S);
	assert_int_equal(latency->max_ns, 20 * NS_PER_S);
	assert_int_equal(histogram_at_rank_ns(latency, histogram_rank(latency, 500)), 20 * NS_PER_S);
	assert_int_equal(outcome->disk[0].ending, ENDED_WELL);
}

static void a_disk_slower_than_the_warmup_has_a_window_of_whole_reads(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].latency_ns = 3 * NS_PER_S;
	rig_open(1, "-m random -s 4k -t 5 -w 0.5");
	outcome = rig_measure(0);
	assert_int_equal(outcome->start_ns - rig.began_ns, 3 * NS_PER_S);
	assert_int_equal(outcome->disk[0].tally.requests, 2);
	assert_int_equal(length_ns(outcome), 6 * NS_PER_S);
}

static void a_window_is_held_open_for_a_disk_without_a_read_in_it(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[1].first_latency_ns = 100 * ms;
	fake_disk[1].latency_ns = 3 * NS_PER_S;
	rig_open(2, "-m random -s 4k -t 1 -w 0.5");
	outcome = rig_measure(0);
	assert_int_equal(outcome->start_ns - rig.began_ns, 500 * ms);
	assert_int_equal(length_ns(outcome), 2600 * ms);
	assert_int_equal(outcome->disk[0].tally.requests, 520);
	assert_int_equal(outcome->disk[1].tally.requests, 1);
}

static void a_window_waits_for_the_first_read_of_every_disk(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[1].latency_ns = 3 * NS_PER_S;
	rig_open(2, "-m random -s 4k -t 1 -w 0.5");
	outcome = rig_measure(0);
	assert_int_equal(outcome->disk[1].tally.requests, 1);
	assert_int_equal(length_ns(outcome), 3 * NS_PER_S);
	assert_int_equal(outcome->disk[0].tally.requests, 600);
}

static void without_a_warmup_the_first_read_opens_the_window(void **state)
{
	const struct outcome *outcome;

	(void)state;
	rig_open(1, "-m random -s 4k -t 1");
	outcome = rig_measure(0);
	assert_int_equal(outcome->start_ns - rig.began_ns, 5 * ms);
	assert_int_equal(length_ns(outcome), NS_PER_S);
	assert_int_equal(outcome->disk[0].tally.requests, 200);
	assert_int_equal(outcome->disk[0].tally.whole_requests, 201);
}

/* Looks come after 2, 3, 4.5 and 6.75 s, at ticks 20 ms apart; nothing is known before a tenth of the
 * window holds 5 reads. */
static void a_cell_ends_at_the_first_look_that_finds_its_rate_precise(void **state)
{
	static const struct {
		const char *arguments;
		int64_t latency_ms, window_ms;
	} end[] = {
		{ "-m random -s 4k -t 20 -w 0.5 -p 20", 5, 2000 },
		{ "-m random -s 4k -t 20 -w 0.5 -p 20", 45, 3000 },
		{ "-m random -s 4k -t 20 -w 0.5 -p 20", 70, 4500 },
		{ "-m random -s 4k -t 20 -w 0.5 -p 20", 110, 6760 },
		{ "-m random -s 4k -t 4 -w 0.5 -p 20", 70, 4000 },
		{ "-m random -s 4k -t 3 -w 0.5 -p 0.01", 5, 3000 },
		{ "-m random -s 4k -t 3 -w 0.5", 5, 3000 },
		{ "-m random -s 4k -t 3 -w 0.5 -p 20 -a cooked", 5, 3000 },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(end); i++) {
		const struct outcome *outcome;

		rig_reset(NULL);
		fake_disk[0].latency_ns = end[i].latency_ms * ms;
		rig_open(1, end[i].arguments);
		outcome = rig_measure(0);
		assert_int_equal(length_ns(outcome), end[i].window_ms * ms);
		assert_int_equal(outcome->disk[0].tally.requests,
				 (500 + end[i].window_ms) / end[i].latency_ms - 500 / end[i].latency_ms);
		if (i + 1 < TEXT_COUNT(end))
			rig_end(NULL);
	}
}

static void every_disk_must_be_precise_for_a_cell_to_end(void **state)
{
	(void)state;
	fake_disk[1].latency_ns = 70 * ms;
	rig_open(2, "-m random -s 4k -t 20 -w 0.5 -p 20");
	assert_int_equal(length_ns(rig_measure(0)), 4500 * ms);
}

static uint64_t offset_of(unsigned disk, uint64_t read)
{
	return fake_disk[disk].log[read - 1].offset;
}

static void linear_reads_go_on_from_cell_to_cell(void **state)
{
	(void)state;
	rig_open(1, "-m linear -s 4k,16k,8k -n 9");
	rig_measure(0);
	assert_int_equal(fake_disk[0].reads, 10);
	for (uint64_t read = 1; read <= 10; read++)
		assert_int_equal(offset_of(0, read), (read - 1) * 4 * KIB);
	/* 40 KiB are read: the next whole block of 16 KiB starts at 48. */
	rig_measure(1);
	for (uint64_t read = 11; read <= 20; read++)
		assert_int_equal(offset_of(0, read), 48 * KIB + (read - 11) * 16 * KIB);
	rig_measure(2);
	assert_int_equal(offset_of(0, 21), 208 * KIB);
}

static void linear_reads_begin_again_after_the_last_whole_block(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].size_bytes = 10 * MIB + 512;
	rig_open(2, "-m linear -s 1m -n 24");
	outcome = rig_measure(0);
	for (uint64_t read = 1; read <= 25; read++)
		assert_int_equal(offset_of(0, read), (read - 1) % 10 * MIB);
	assert_true(outcome->disk[0].wrapped);
	assert_false(outcome->disk[1].wrapped);
}

static void reread_reads_the_first_block_of_the_span(void **state)
{
	(void)state;
	rig_open(1, "-m reread -s 64k --span 100k:1m -n 20");
	rig_measure(0);
	for (uint64_t read = 1; read <= 21; read++)
		assert_int_equal(offset_of(0, read), 128 * KIB);
}

static void no_read_is_unaligned_or_leaves_the_span_or_crosses_the_end(void **state)
{
	static const struct {
		const char *arguments;
		uint64_t start_bytes, end_bytes;
	} part[] = {
		{ "-s 512,4k,64k,1m -n 300", 0, 10 * MIB + 512 },
		{ "-s 512,4k,64k,1m -n 300 --span 50%:50%", 5 * MIB + 256, 10 * MIB + 512 },
		{ "-s 512,4k,64k -n 300 --span 1536:200k", 1536, 1536 + 200 * KIB },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(part); i++) {
		rig_reset(NULL);
		fake_disk[0].size_bytes = 10 * MIB + 512;
		rig_open(1, part[i].arguments);
		for (size_t cell = 0; cell < rig.plan.cells; cell++)
			rig_measure(cell);
		assert_in_range(fake_disk[0].reads, 2709, FAKE_LOG);
		for (uint64_t read = 1; read <= fake_disk[0].reads; read++) {
			const uint64_t offset = offset_of(0, read), bytes = fake_disk[0].log[read - 1].bytes;

			assert_int_equal(offset % bytes, 0);
			assert_true(offset >= part[i].start_bytes && offset + bytes <= part[i].end_bytes);
		}
		if (i + 1 < TEXT_COUNT(part))
			rig_end(NULL);
	}
}

static void random_reads_reach_the_last_whole_block(void **state)
{
	bool seen[10] = { false };

	(void)state;
	fake_disk[0].size_bytes = 10 * MIB + 512;
	rig_open(1, "-m random -s 1m -n 300");
	rig_measure(0);
	for (uint64_t read = 1; read <= 300; read++)
		seen[offset_of(0, read) / MIB] = true;
	for (size_t i = 0; i < TEXT_COUNT(seen); i++)
		assert_true(seen[i]);
}

/* Reads from..from+99 of disk 0. */
static void note_offsets(uint64_t offset[100], uint64_t from)
{
	for (uint64_t i = 0; i < 100; i++)
		offset[i] = offset_of(0, from + i);
}

static void a_seed_gives_the_same_addresses_whatever_else_is_measured(void **state)
{
	uint64_t alone[100], among_others[100], other_seed[100];

	(void)state;
	rig_open(1, "-m random -s 64k -n 100 --seed 7");
	rig_measure(0);
	note_offsets(alone, 1);
	rig_end(NULL);
	rig_reset(NULL);
	rig_open(2, "-m linear,random -s 4k,64k -n 100 --seed 7");
	for (size_t cell = 0; cell < 3; cell++)
		rig_measure(cell);
	const uint64_t before = fake_disk[0].reads;

	assert_int_equal(rig.plan.cell[1].block_bytes, 64 * KIB);
	assert_int_equal(rig.plan.cell[1].mode, MODE_RANDOM);
	assert_true(before > 202);
	note_offsets(among_others, 102);
	rig_end(NULL);
	rig_reset(NULL);
	rig_open(1, "-m random -s 64k -n 100 --seed 8");
	rig_measure(0);
	note_offsets(other_seed, 1);
	assert_memory_equal(alone, among_others, sizeof alone);
	assert_memory_not_equal(alone, other_seed, sizeof alone);
}

static void disks_of_one_cell_read_different_addresses(void **state)
{
	unsigned same = 0;

	(void)state;
	rig_open(2, "-m random -s 4k -n 100");
	rig_measure(0);
	for (uint64_t read = 1; read <= 100; read++)
		same += offset_of(0, read) == offset_of(1, read);
	assert_true(same < 5);
}

static void alone_measures_one_disk_at_a_time(void **state)
{
	(void)state;
	rig_open(3, "-m random -s 4k -n 10 --order alone");
	assert_int_equal(rig.plan.cells, 3);
	for (unsigned disk = 0; disk < 3; disk++) {
		const struct outcome *outcome = rig_measure(disk);

		assert_int_equal(outcome->disk[0].tally.requests, 10);
		for (unsigned other = 0; other < 3; other++)
			assert_int_equal(fake_disk[other].reads, other <= disk ? 11 : 0);
	}
}

static void cooked_cells_start_cold_and_raw_ones_do_not_care(void **state)
{
	(void)state;
	rig_open(1, "-m random -s 4k,16k -n 5 -a raw,cooked");
	assert_int_equal(rig.plan.cells, 4);
	for (size_t cell = 0; cell < 4; cell++) {
		const unsigned before = fake_disk[0].chills;

		rig_measure(cell);
		assert_int_equal(fake_disk[0].chills - before, rig.plan.cell[cell].access == ACCESS_COOKED);
	}
}

static void a_disk_that_a_cell_does_not_fit_is_unfit_and_the_others_go_on(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[1].sector_bytes = 4096;
	rig_open(2, "-m random -s 512,4k -t 1 -w 0.5");
	outcome = rig_measure(0);
	assert_int_equal(outcome->disk[0].tally.requests, 200);
	assert_int_equal(outcome->disk[1].ending, ENDED_UNFIT);
	assert_int_equal(outcome->disk[1].tally.whole_requests, 0);
	assert_false(outcome->disk[1].kernel_known);
	assert_int_equal(fake_disk[1].reads, 0);
	outcome = rig_measure(1);
	assert_int_equal(outcome->disk[1].ending, ENDED_WELL);
	assert_int_equal(outcome->disk[1].tally.requests, 200);
}

static void a_cell_that_fits_no_disk_ends_at_once_without_a_window(void **state)
{
	const struct outcome *outcome;

	(void)state;
	fake_disk[0].size_bytes = fake_disk[1].size_bytes = 512 * KIB;
	rig_open(2, "-m random -t 1");
	assert_int_equal(rig.plan.cell[4].block_bytes, MIB);
	outcome = rig_measure(4);
	for (unsigned disk = 0; disk < 2; disk++)
		assert_int_equal(outcome->disk[disk].ending, ENDED_UNFIT);
	assert_int_equal(outcome->start_ns, 0);
	assert_int_equal(outcome->end_ns, 0);
	assert_int_equal(clock_now_ns(), rig.began_ns);
}

static void the_kernel_counts_from_before_the_gate_to_after_the_drain(void **state)
{
	const struct outcome *outcome;
	const struct track *track;

	(void)state;
	fake_disk[0].kernel = (struct kstat){ .reads = 1000, .read_sectors = 8000, .writes = 500, .write_sectors = 4000 };
	fake_disk[1].uncounted = true;
	rig_open(2, "-m random -s 4k,16k -t 1 -w 0.5");
	assert_true(rig_measure(0)->disk[0].kernel_known);
	rig_start(1);
	rig_go_on(700 * ms);
	fake_disk[0].kernel.reads += 3;
	fake_disk[0].kernel.read_sectors += 24;
	fake_disk[0].kernel.writes += 2;
	fake_disk[0].kernel.write_sectors += 16;
	rig_go_on(INT64_MAX);
	outcome = rig_finish();
	track = &outcome->disk[0];
	assert_true(track->kernel_known);
	assert_int_equal(track->kernel.reads, track->tally.whole_requests + 3);
	assert_int_equal(track->kernel.read_sectors, track->tally.whole_requests * 32 + 24);
	assert_int_equal(track->kernel.writes, 2);
	assert_int_equal(track->kernel.write_sectors, 16);
	assert_in_range(track->kernel.time_ns, 1500 * ms, 1550 * ms);
	assert_false(outcome->disk[1].kernel_known);
}

static void a_pulse_shows_how_a_disk_fares(void **state)
{
	(void)state;
	rig_open(2, "-m random -s 4k -t 9 -w 0.5");
	fake_disk[1].latency_ns = 8 * NS_PER_S;
	rig_start(0);
	rig_go_on(400 * ms);
	assert_int_equal(rig.pulse[0].live.requests, 0);
	assert_in_range(rig.pulse[0].silent_ns, 0, 10 * ms);
	assert_int_equal(rig.pulse[1].silent_ns, 400 * ms);
	rig_go_on(8800 * ms);
	/* The slow disk opened the window after 8 s; the collector is at most one pass of 4 ms behind. */
	assert_in_range(rig.pulse[0].live.requests, 159, 160);
	assert_int_equal(rig.pulse[0].live.errors, 0);
	assert_true(isnan(rig.pulse[0].live.ci95_percent));
	assert_in_range(rig.pulse[1].silent_ns, 800 * ms, 804 * ms);
	rig_go_on(12000 * ms);
	assert_true(rig.pulse[0].live.ci95_percent < 1);
	rig_go_on(INT64_MAX);
	rig_finish();
}

#define test_of_run(test) cmocka_unit_test_setup_teardown(test, rig_reset, rig_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_of_run(a_window_holds_its_time_after_the_warmup_and_not_one_read_more),
		test_of_run(all_disks_of_a_cell_have_one_window),
		test_of_run(a_number_of_reads_is_met_exactly),
		test_of_run(the_first_disk_with_its_reads_ends_the_cell_of_all),
		test_of_run(a_count_of_reads_is_measured_over_just_these_reads),
		test_of_run(a_read_of_20_s_in_a_window_of_5_is_one_read_in_20_s),
		test_of_run(a_disk_slower_than_the_warmup_has_a_window_of_whole_reads),
		test_of_run(a_window_is_held_open_for_a_disk_without_a_read_in_it),
		test_of_run(a_window_waits_for_the_first_read_of_every_disk),
		test_of_run(without_a_warmup_the_first_read_opens_the_window),
		test_of_run(a_cell_ends_at_the_first_look_that_finds_its_rate_precise),
		test_of_run(every_disk_must_be_precise_for_a_cell_to_end),
		test_of_run(linear_reads_go_on_from_cell_to_cell),
		test_of_run(linear_reads_begin_again_after_the_last_whole_block),
		test_of_run(reread_reads_the_first_block_of_the_span),
		test_of_run(no_read_is_unaligned_or_leaves_the_span_or_crosses_the_end),
		test_of_run(random_reads_reach_the_last_whole_block),
		test_of_run(a_seed_gives_the_same_addresses_whatever_else_is_measured),
		test_of_run(disks_of_one_cell_read_different_addresses),
		test_of_run(alone_measures_one_disk_at_a_time),
		test_of_run(cooked_cells_start_cold_and_raw_ones_do_not_care),
		test_of_run(a_disk_that_a_cell_does_not_fit_is_unfit_and_the_others_go_on),
		test_of_run(a_cell_that_fits_no_disk_ends_at_once_without_a_window),
		test_of_run(the_kernel_counts_from_before_the_gate_to_after_the_drain),
		test_of_run(a_pulse_shows_how_a_disk_fares),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
