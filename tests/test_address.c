/* Addresses are uniform over disks of any size, or go on in order, or stay. */
#include "test.h"

#include "base/units.h"
#include "run/address.h"

enum { BINS = 64, READS = 640000 };

#define TB UINT64_C(1000000000000)

/* The 99.9 % quantile of chi-square with 63 degrees of freedom; the seeds here are fixed, so the tests
 * do not vary. */
static const double chi_square_limit = 103.4;

static double chi_square(const unsigned bin[BINS])
{
	const double expected = (double)READS / BINS;
	double sum = 0;

	for (int i = 0; i < BINS; i++)
		sum += (bin[i] - expected) * (bin[i] - expected) / expected;
	return sum;
}

static struct address random_address(uint64_t blocks, uint64_t seed)
{
	const struct cell cell = { .mode = MODE_RANDOM, .block_bytes = 4096 };
	const struct job job = { .cell = &cell, .blocks = blocks, .seed = seed };
	struct address address;

	address_init(&address, &job, 0);
	return address;
}

static void random_reads_are_uniform_over_64_regions_and_in_the_low_6_block_bits(void **state)
{
	static const uint64_t size_bytes[] = { 64 * MIB, 10 * MIB + 512, 2 * TB, 20 * TB, UINT64_C(1) << 62 };

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(size_bytes); i++) {
		const uint64_t blocks = size_bytes[i] / 4096 / BINS * BINS;
		struct address address = random_address(blocks, 1 + i);
		unsigned region[BINS] = { 0 }, low_bits[BINS] = { 0 };

		for (int j = 0; j < READS; j++) {
			const uint64_t offset = address_next(&address);

			assert_true(offset % 4096 == 0 && offset / 4096 < blocks);
			region[offset / 4096 / (blocks / BINS)]++;
			low_bits[offset / 4096 % BINS]++;
		}
		assert_true(chi_square(region) < chi_square_limit);
		assert_true(chi_square(low_bits) < chi_square_limit);
	}
}

static void random_reads_reach_beyond_2_to_the_32_blocks(void **state)
{
	const uint64_t blocks = 20 * TB / 4096;
	struct address address = random_address(blocks, 1);
	int beyond = 0;

	(void)state;
	for (int i = 0; i < 100000; i++)
		beyond += address_next(&address) / 4096 >= UINT64_C(1) << 32;
	/* 20 TB are 4882812500 blocks, of which 12.04 % lie beyond. */
	assert_in_range(beyond, 11600, 12500);
}

static void random_reads_of_few_blocks_reach_the_first_and_the_last(void **state)
{
	struct address address = random_address(3, 9);
	unsigned seen[3] = { 0 };

	(void)state;
	for (int i = 0; i < 300; i++)
		seen[address_next(&address) / 4096]++;
	for (int i = 0; i < 3; i++)
		assert_in_range(seen[i], 60, 140);
}

static void a_seed_brings_the_same_addresses_again(void **state)
{
	struct address a = random_address(TB / 4096, 5), b = random_address(TB / 4096, 5), c = random_address(TB / 4096, 6);
	int same = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		const uint64_t offset = address_next(&a);

		assert_int_equal(offset, address_next(&b));
		same += offset == address_next(&c);
	}
	assert_in_range(same, 0, 1);
}

static void random_reads_lie_in_the_span(void **state)
{
	const struct cell cell = { .mode = MODE_RANDOM, .block_bytes = 4096 };
	const struct job job = { .cell = &cell, .start_bytes = 10 * TB / 4096 * 4096, .blocks = 10, .seed = 1 };
	struct address address;

	(void)state;
	/* Where a linear cell stopped is nothing to a random one. */
	address_init(&address, &job, job.start_bytes + 4096);
	for (int i = 0; i < 1000; i++) {
		const uint64_t offset = address_next(&address);

		assert_true(offset >= job.start_bytes && offset < job.start_bytes + 10 * 4096);
		assert_int_equal(offset % 4096, 0);
	}
}

static void linear_reads_follow_each_other_and_wrap_at_the_last_whole_block(void **state)
{
	static const uint64_t block[] = { 0, 1, 2, 3, 0, 1, 2, 3, 0 };
	const struct cell cell = { .mode = MODE_LINEAR, .block_bytes = 65536 };
	const struct job job = { .cell = &cell, .start_bytes = 5 * TB / 65536 * 65536, .blocks = 4 };
	struct address address;

	(void)state;
	address_init(&address, &job, 0);
	for (size_t i = 0; i < TEXT_COUNT(block); i++) {
		assert_int_equal(address_next(&address), job.start_bytes + block[i] * 65536);
		assert_int_equal(address.wrapped, i >= 4);
	}
}

static void a_linear_cell_goes_on_where_the_last_one_stopped(void **state)
{
	static const struct {
		uint64_t start_bytes, blocks, resume_bytes, first_bytes;
		bool wraps;             /* at the second read at the latest */
	} cases[] = {
		{ 0, 16, 0, 0, false }, { 0, 16, 65536, 65536, false }, { 0, 16, 65535, 65536, false },
		{ 0, 16, 65537, 131072, false },
		{ 0, 16, 4096, 65536, false }, { 0, 16, 15 * 65536, 15 * 65536, true }, { 0, 16, 15 * 65536 + 1, 0, true },
		{ 0, 16, 16 * 65536, 0, true }, { 0, 16, UINT64_C(1) << 45, 0, false },
		{ 4 * 65536, 16, 0, 4 * 65536, false }, { 4 * 65536, 16, 4 * 65536, 4 * 65536, false },
		{ 4 * 65536, 16, 5 * 65536 - 512, 5 * 65536, false }, { 4 * 65536, 16, 19 * 65536, 19 * 65536, true },
		{ 4 * 65536, 16, 20 * 65536, 4 * 65536, true }, { 4 * 65536, 16, 20 * 65536 + 1, 4 * 65536, false },
	};
	const struct cell cell = { .mode = MODE_LINEAR, .block_bytes = 65536 };

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		const struct job job = { .cell = &cell, .start_bytes = cases[i].start_bytes, .blocks = cases[i].blocks,
					 .span_start_bytes = cases[i].start_bytes, .span_bytes = cases[i].blocks * 65536 };
		struct address address;

		address_init(&address, &job, cases[i].resume_bytes);
		assert_int_equal(address_next(&address), cases[i].first_bytes);
		assert_int_equal(address_resume_bytes(&address), cases[i].first_bytes + 65536);
		address_next(&address);
		assert_int_equal(address.wrapped, cases[i].wraps);
	}
}

static void cells_of_growing_blocks_leave_no_gap_of_a_whole_block(void **state)
{
	uint64_t resume_bytes = 0;

	(void)state;
	for (uint32_t block_bytes = 4096; block_bytes <= MIB; block_bytes *= 4) {
		const struct cell cell = { .mode = MODE_LINEAR, .block_bytes = block_bytes };
		const struct job job = { .cell = &cell, .blocks = GIB / block_bytes };
		struct address address;
		uint64_t first_bytes;

		address_init(&address, &job, resume_bytes);
		first_bytes = address_next(&address);
		assert_true(first_bytes >= resume_bytes && first_bytes - resume_bytes < block_bytes);
		for (int i = 0; i < 6; i++)
			address_next(&address);
		resume_bytes = address_resume_bytes(&address);
		assert_int_equal(resume_bytes, first_bytes + 7 * block_bytes);
	}
}

static void reread_stays_at_the_first_block_of_the_span(void **state)
{
	const struct cell cell = { .mode = MODE_REREAD, .block_bytes = 4096 };
	const struct job job = { .cell = &cell, .start_bytes = 40960, .blocks = 100, .seed = 3 };
	struct address address;

	(void)state;
	address_init(&address, &job, 81920);
	for (int i = 0; i < 100; i++)
		assert_int_equal(address_next(&address), 40960);
	assert_false(address.wrapped);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_reads_are_uniform_over_64_regions_and_in_the_low_6_block_bits),
		cmocka_unit_test(random_reads_reach_beyond_2_to_the_32_blocks),
		cmocka_unit_test(random_reads_of_few_blocks_reach_the_first_and_the_last),
		cmocka_unit_test(a_seed_brings_the_same_addresses_again),
		cmocka_unit_test(random_reads_lie_in_the_span),
		cmocka_unit_test(linear_reads_follow_each_other_and_wrap_at_the_last_whole_block),
		cmocka_unit_test(a_linear_cell_goes_on_where_the_last_one_stopped),
		cmocka_unit_test(cells_of_growing_blocks_leave_no_gap_of_a_whole_block),
		cmocka_unit_test(reread_stays_at_the_first_block_of_the_span),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
