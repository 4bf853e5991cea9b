/* The kernel's counters: the fields of Documentation/block/stat.rst, however many a kernel writes. */
#include "test.h"

#include <errno.h>

#include "base/clock.h"
#include "device/kstat.h"
#include "fake_sysfs.h"

static const struct device_info disk = { .path = "/dev/sda", .rdev = 8 << 8, .disk_rdev = 8 << 8 };        /* 8:0 */

static void the_counters_are_found_among_all_fields(void **state)
{
	static const char *const stat[] = {
		"  1200   300  19200  14400   7   2    96   5   0   9600  14405",
		"1200 300 19200 14400 7 2 96 5 0 9600 14405 0 0 0 0",
		"1200 300 19200 14400 7 2 96 5 0 9600 14405 1 2 3 4 5 6",
	};
	const int64_t before_ns = clock_now_ns();

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(stat); i++) {
		struct kstat kstat = { 0 };

		fake_file("/sys/dev/block/8:0/stat", stat[i]);
		assert_int_equal(kstat_read(&disk, &kstat), 0);
		assert_int_equal(kstat.reads, 1200);
		assert_int_equal(kstat.read_merges, 300);
		assert_int_equal(kstat.read_sectors, 19200);
		assert_int_equal(kstat.read_ms, 14400);
		assert_int_equal(kstat.writes, 7);
		assert_int_equal(kstat.write_sectors, 96);
		assert_int_equal(kstat.busy_ms, 9600);
		assert_int_equal(kstat.queue_ms, 14405);
		assert_in_range(kstat.time_ns, before_ns, clock_now_ns());
	}
}

static void counters_go_beyond_32_bits(void **state)
{
	struct kstat kstat;

	(void)state;
	fake_file("/sys/dev/block/8:0/stat", "4294967297 0 18446744073709551615 0 4294967298 0 4294967299 0 0 0 0");
	assert_int_equal(kstat_read(&disk, &kstat), 0);
	assert_int_equal(kstat.reads, UINT64_C(4294967297));
	assert_int_equal(kstat.read_sectors, UINT64_MAX);
	assert_int_equal(kstat.writes, UINT64_C(4294967298));
	assert_int_equal(kstat.write_sectors, UINT64_C(4294967299));
}

static void what_was_counted_in_between_is_the_difference(void **state)
{
	const struct kstat before = { 1000, 11, 12, 13, 14, 15, 16, 17, 18 };
	const struct kstat after = { 1100, 111, 212, 313, 414, 515, 616, 717, 818 };
	const struct kstat since = kstat_since(&before, &after), still = kstat_since(&after, &after);

	(void)state;
	assert_int_equal(since.time_ns, 100);
	assert_int_equal(since.reads, 100);
	assert_int_equal(since.read_merges, 200);
	assert_int_equal(since.read_sectors, 300);
	assert_int_equal(since.read_ms, 400);
	assert_int_equal(since.writes, 500);
	assert_int_equal(since.write_sectors, 600);
	assert_int_equal(since.busy_ms, 700);
	assert_int_equal(since.queue_ms, 800);
	assert_memory_equal(&still, &(struct kstat){ 0 }, sizeof still);
}

static void milliseconds_wrap_at_32_bits_and_nothing_else(void **state)
{
	const struct kstat before = { .reads = UINT32_MAX, .read_sectors = UINT32_MAX, .read_ms = UINT32_MAX - 9,
				      .busy_ms = UINT32_MAX, .queue_ms = UINT32_MAX - 99 };
	const struct kstat after = { .reads = UINT32_MAX + UINT64_C(5), .read_sectors = 3 * (uint64_t)UINT32_MAX,
				     .read_ms = 40, .busy_ms = 0, .queue_ms = 7 };
	const struct kstat since = kstat_since(&before, &after);

	(void)state;
	assert_int_equal(since.reads, 5);
	assert_int_equal(since.read_sectors, 2 * (uint64_t)UINT32_MAX);
	assert_int_equal(since.read_ms, 50);
	assert_int_equal(since.busy_ms, 1);
	assert_int_equal(since.queue_ms, 107);
}

static void what_is_no_stat_is_refused(void **state)
{
	static const char *const stat[] = { "", "1 2 3 4 5 6", "1 2 3 4 5 6 7 8 9 10", "reads 1 2 3 4 5 6 7 8 9 10 11" };
	struct kstat kstat;

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(stat); i++) {
		fake_file("/sys/dev/block/8:0/stat", stat[i]);
		assert_int_equal(kstat_read(&disk, &kstat), -EINVAL);
	}
}

static void a_file_and_a_disk_without_stat_have_no_counters(void **state)
{
	const struct device_info file = { .path = "x.img" };
	struct kstat kstat;

	(void)state;
	assert_int_equal(kstat_read(&disk, &kstat), -ENOENT);
	fake_file("/sys/dev/block/0:0/stat", "1 2 3 4 5 6 7 8 9 10 11");
	assert_int_equal(kstat_read(&file, &kstat), -ENOENT);
}

#define TREE_TEST(test) cmocka_unit_test_setup_teardown(test, fake_sysfs_open, fake_sysfs_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(the_counters_are_found_among_all_fields),
		TREE_TEST(counters_go_beyond_32_bits),
		cmocka_unit_test(what_was_counted_in_between_is_the_difference),
		cmocka_unit_test(milliseconds_wrap_at_32_bits_and_nothing_else),
		TREE_TEST(what_is_no_stat_is_refused),
		TREE_TEST(a_file_and_a_disk_without_stat_have_no_counters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
