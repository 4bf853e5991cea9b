/* The first completions of a disk are kept, and it is known up to when they are all of them. */
#include "test.h"

#include "collect/tally.h"

static void completions_are_kept_in_order(void **state)
{
	struct trace trace = { 0 };

	(void)state;
	trace_add(&trace, 10);
	trace_add(&trace, 25);
	assert_int_equal(trace.reads, 2);
	assert_int_equal(trace.completed_ns[0], 10);
	assert_int_equal(trace.completed_ns[1], 25);
}

static void a_trace_tells_of_every_read_until_its_disk_stops_or_it_is_full(void **state)
{
	struct trace trace = { 0 };

	(void)state;
	assert_int_equal(trace_until_ns(&trace, 5000), 5000);
	for (int i = 1; i < TRACE_READS; i++)
		trace_add(&trace, i);
	assert_int_equal(trace_until_ns(&trace, 5000), 5000);
	trace_add(&trace, TRACE_READS);
	assert_int_equal(trace_until_ns(&trace, 5000), TRACE_READS);
}

static void any_number_of_reads_takes_the_same_room(void **state)
{
	struct trace trace = { 0 };

	(void)state;
	for (int i = 1; i <= 3 * TRACE_READS; i++)
		trace_add(&trace, i);
	assert_int_equal(trace.reads, TRACE_READS);
	assert_int_equal(trace.completed_ns[TRACE_READS - 1], TRACE_READS);
}

/* It takes the bus as one that succeeds does. */
static void a_failed_read_is_a_completion_too(void **state)
{
	static const struct sample sample[] = { { 90, 15, 0, 0, true },   { 105, 15, 0, -5, true },
						{ 120, 10, 0, 0, false }, { 130, 10, 0, 0, true } };
	static struct tally tally;

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(sample); i++)
		tally_add(&tally, &sample[i], 100);
	assert_int_equal(tally.trace.reads, 3);
	assert_int_equal(tally.trace.completed_ns[0], 5);
	assert_int_equal(tally.trace.completed_ns[1], 20);
	assert_int_equal(tally.trace.completed_ns[2], 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(completions_are_kept_in_order),
		cmocka_unit_test(a_trace_tells_of_every_read_until_its_disk_stops_or_it_is_full),
		cmocka_unit_test(any_number_of_reads_takes_the_same_room),
		cmocka_unit_test(a_failed_read_is_a_completion_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
