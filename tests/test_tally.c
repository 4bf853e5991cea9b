/* What is kept of a disk's reads adds up: inside the window, all of them, and failures by kind. */
#include "test.h"

#include <errno.h>

#include "base/clock.h"
#include "collect/tally.h"

enum { OPENED_NS = 1000 };

static struct tally tally;

static int empty_tally(void **state)
{
	(void)state;
	tally = (struct tally){ 0 };
	return 0;
}

static void add(int64_t issued_ns, int64_t latency_ns, uint64_t offset, int error, bool counts)
{
	const struct sample sample = {
		.issued_ns = issued_ns,
		.latency_ns = latency_ns,
		.offset = offset,
		.error = error,
		.counts = counts,
	};

	tally_add(&tally, &sample, OPENED_NS);
}

static void a_read_that_counts_is_in_every_figure(void **state)
{
	(void)state;
	add(OPENED_NS - 5, 10, 0, 0, true);
	add(OPENED_NS + 5, 20, 4096, 0, true);
	assert_int_equal(tally.requests, 2);
	assert_int_equal(tally.whole_requests, 2);
	assert_int_equal(tally.errors + tally.whole_errors, 0);
	assert_int_equal(tally.latency.count, 2);
	assert_int_equal(tally.latency.sum_ns, 30);
	assert_int_equal(tally.latency.max_ns, 20);
	assert_int_equal(tally.series.slot[0], 2);
}

static void a_read_outside_the_window_is_only_in_the_whole(void **state)
{
	(void)state;
	add(10, 10, 0, 0, false);
	add(OPENED_NS + 5 * NS_PER_S, 10, 0, 0, false);
	assert_int_equal(tally.requests, 0);
	assert_int_equal(tally.whole_requests, 2);
	assert_int_equal(tally.latency.count, 0);
	assert_int_equal(tally.series.shift, 0);
}

static void a_failed_read_is_in_no_figure_but_the_errors(void **state)
{
	(void)state;
	add(OPENED_NS + 5, 10, 8192, -EIO, true);
	add(OPENED_NS + 15, 10, 4096, -EIO, false);
	assert_int_equal(tally.requests + tally.whole_requests, 0);
	assert_int_equal(tally.errors, 1);
	assert_int_equal(tally.whole_errors, 2);
	assert_int_equal(tally.latency.count, 0);
	assert_int_equal(tally.series.shift, 0);
	assert_int_equal(tally.fault[0].error, -EIO);
	assert_int_equal(tally.fault[0].count, 2);
	assert_int_equal(tally.fault[0].first_offset, 8192);
	assert_int_equal(tally.fault[1].error, 0);
}

static void completions_are_counted_from_the_opening_on(void **state)
{
	(void)state;
	add(OPENED_NS - 500, 501, 0, 0, true);
	add(OPENED_NS, 1 << 20, 0, 0, true);
	add(OPENED_NS, (1 << 20) + 1, 0, 0, true);
	add(OPENED_NS + (5 << 20), 1, 0, 0, true);
	assert_int_equal(tally.series.slot[0], 2);
	assert_int_equal(tally.series.slot[1], 1);
	assert_int_equal(tally.series.slot[5], 1);
}

static void failures_are_kept_by_kind_with_the_first_place_of_each(void **state)
{
	static const struct fault expected[TALLY_FAULTS] = {
		{ -EIO, 3, 100 }, { -ENODATA, 1, 200 }, { -ETIMEDOUT, 2, 400 }, { 0, 0, 0 },
	};
	static const struct {
		int error;
		uint64_t offset;
	} failure[] = { { -EIO, 100 }, { -ENODATA, 200 }, { -EIO, 300 }, { -ETIMEDOUT, 400 }, { -EIO, 50 }, { -ETIMEDOUT, 500 } };

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(failure); i++)
		add(OPENED_NS + 1, 1, failure[i].offset, failure[i].error, i % 2 == 0);
	for (int i = 0; i < TALLY_FAULTS; i++) {
		assert_int_equal(tally.fault[i].error, expected[i].error);
		assert_int_equal(tally.fault[i].count, expected[i].count);
		assert_int_equal(tally.fault[i].first_offset, expected[i].first_offset);
	}
}

static void further_kinds_are_counted_with_the_last_one(void **state)
{
	static const int error[] = { -EIO, -ENODATA, -ETIMEDOUT, -ENXIO, -EBADMSG, -EILSEQ, -EIO };
	uint64_t count = 0;

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(error); i++)
		add(OPENED_NS + 1, 1, i, error[i], true);
	assert_int_equal(tally.fault[TALLY_FAULTS - 1].error, -ENXIO);
	assert_int_equal(tally.fault[TALLY_FAULTS - 1].count, 3);
	assert_int_equal(tally.fault[TALLY_FAULTS - 1].first_offset, 3);
	assert_int_equal(tally.fault[0].count, 2);
	for (int i = 0; i < TALLY_FAULTS; i++)
		count += tally.fault[i].count;
	assert_int_equal(count, tally.whole_errors);
}

static void faults_of_several_disks_are_added_by_kind(void **state)
{
	struct fault fault[TALLY_FAULTS] = { 0 };

	(void)state;
	fault_add(fault, -EIO, 5, 4096);
	fault_add(fault, -ENXIO, 1, 0);
	fault_add(fault, -EIO, 7, 512);
	assert_int_equal(fault[0].count, 12);
	assert_int_equal(fault[0].first_offset, 4096);
	assert_int_equal(fault[1].error, -ENXIO);
	assert_int_equal(fault[1].count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_read_that_counts_is_in_every_figure, empty_tally),
		cmocka_unit_test_setup(a_read_outside_the_window_is_only_in_the_whole, empty_tally),
		cmocka_unit_test_setup(a_failed_read_is_in_no_figure_but_the_errors, empty_tally),
		cmocka_unit_test_setup(completions_are_counted_from_the_opening_on, empty_tally),
		cmocka_unit_test_setup(failures_are_kept_by_kind_with_the_first_place_of_each, empty_tally),
		cmocka_unit_test_setup(further_kinds_are_counted_with_the_last_one, empty_tally),
		cmocka_unit_test_setup(faults_of_several_disks_are_added_by_kind, empty_tally),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
