/* The kernel's counters: the fields of Documentation/block/stat.rst, however many a kernel writes. */
#include "test.h"

#include <errno.h>

#include "device/kstat.h"
#include "fake_sysfs.h"

static const struct device_info disk = { .path = "/dev/sda", .rdev = 8 << 8, .disk_rdev = 8 << 8 };        /* 8:0 */

static void reads_and_writes_are_found_among_all_fields(void **state)
{
	static const char *const stat[] = {
		"  1200   300  19200  14400   7   2    96   5   0   9600  14400",
		"1200 300 19200 14400 7 2 96 5 0 9600 14400 0 0 0 0",
		"1200 300 19200 14400 7 2 96 5 0 9600 14400 1 2 3 4 5 6",
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(stat); i++) {
		struct kstat kstat = { 0 };

		fake_file("/sys/dev/block/8:0/stat", stat[i]);
		assert_int_equal(kstat_read(&disk, &kstat), 0);
		assert_int_equal(kstat.reads, 1200);
		assert_int_equal(kstat.read_sectors, 19200);
		assert_int_equal(kstat.writes, 7);
		assert_int_equal(kstat.write_sectors, 96);
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

static void what_is_no_stat_is_refused(void **state)
{
	static const char *const stat[] = { "", "1 2 3 4 5 6", "reads 1 2 3 4 5 6 7 8 9 10 11" };
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
		TREE_TEST(reads_and_writes_are_found_among_all_fields),
		TREE_TEST(counters_go_beyond_32_bits),
		TREE_TEST(what_is_no_stat_is_refused),
		TREE_TEST(a_file_and_a_disk_without_stat_have_no_counters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
