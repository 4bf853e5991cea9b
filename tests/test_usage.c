/* Who else uses a disk: found by numbers in sysfs and procfs, whatever the names. */
#include "test.h"

#include <glob.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "device/usage.h"
#include "fake_sysfs.h"

#define FOLDER "/sys/devices/pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0/block/sda"
#define OTHER "/sys/devices/pci0000:00/0000:00:17.0/ata2/host1/target1:0:0/1:0:0:0/block/sdb"

/* sda with two partitions, and sdb, with numbers that no real disk has. */
static int open_tree(void **state)
{
	if (fake_sysfs_open(state) < 0)
		return -1;
	fake_block(FOLDER, "240:0", "size=1000\n");
	fake_block(FOLDER "/sda1", "240:1", "partition=1\n");
	fake_block(FOLDER "/sda2", "240:2", "partition=2\n");
	fake_block(OTHER, "240:16", "size=1000\n");
	return 0;
}

static void find(struct device_info *info)
{
	struct usage usage;

	usage_scan(&usage);
	usage_find(&usage, info);
	usage_release(&usage);
}

static const char *use_of(dev_t device)
{
	static struct device_info info;

	info = (struct device_info){ .path = "/dev/x", .rdev = device, .in_use = "stale" };
	find(&info);
	return info.in_use;
}

static const char *use_of_file(const char *path)
{
	static struct device_info info;
	struct stat facts;

	assert_int_equal(stat(path, &facts), 0);
	info = (struct device_info){ .path = path, .kind = KIND_FILE, .dev = facts.st_dev, .inode = facts.st_ino };
	find(&info);
	return info.in_use;
}

/* A path with a block device behind it, which may be anybody's: it is never opened. NULL when there is none. */
static const char *some_node(dev_t *number)
{
	static char path[PATH_MAX];
	struct stat facts;
	glob_t found;

	*path = '\0';
	glob("/dev/loop[0-9]*", 0, NULL, &found);
	glob("/dev/*d[a-z]", GLOB_APPEND, NULL, &found);
	for (size_t i = 0; i < found.gl_pathc && !*path; i++)
		if (stat(found.gl_pathv[i], &facts) == 0 && S_ISBLK(facts.st_mode)) {
			snprintf(path, sizeof path, "%s", found.gl_pathv[i]);
			*number = facts.st_rdev;
		}
	globfree(&found);
	return *path ? path : NULL;
}

/* A name for a temporary file or link with a blank in it; the caller unlinks and frees it. */
static char *odd_name(const char *kind)
{
	char *path;

	assert_true(asprintf(&path, "/tmp/diskbench usage %s-%d", kind, (int)getpid()) > 0);
	unlink(path);
	return path;
}

/* The path as procfs writes it. */
static char *escaped(const char *path)
{
	char *text = malloc(4 * strlen(path) + 1), *to = text;

	assert_non_null(text);
	for (; *path; path++)
		to += sprintf(to, *path == ' ' ? "\\040" : "%c", *path);
	*to = '\0';
	return text;
}

static void nothing_found_is_nothing_said(void **state)
{
	(void)state;
	assert_string_equal(use_of(makedev(240, 0)), "");
	fake_file(OTHER "/holders/md0", "");
	fake_file("/proc/self/mountinfo", "36 1 240:16 / /srv rw,noatime shared:1 - ext4 /dev/nosuch rw\n"
		  "22 1 0:21 / /proc rw - proc proc rw\nnonsense\n36 1 240:0 / /srv rw");
	fake_file("/proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n/nosuch/swapfile file 1 0 -2");
	fake_tree("/sys/fs/btrfs", "features/raid1c34=1\n1e0d-8f/devices/sdb->" OTHER "\n");
	fake_file("/sys/devices/virtual/block/loop0/loop/backing_file", "/nosuch.img");
	assert_string_equal(use_of(makedev(240, 0)), "");
	assert_string_equal(use_of(makedev(240, 16)), "held by md0");
	assert_string_equal(use_of(makedev(9, 9)), "");
	assert_string_equal(use_of_file("/proc/self/exe"), "");
}

static void a_holder_of_the_disk_or_of_a_partition_uses_it(void **state)
{
	(void)state;
	fake_file(FOLDER "/sda2/holders/dm-0/size", "8");
	assert_string_equal(use_of(makedev(240, 0)), "held by dm-0");
	assert_string_equal(use_of(makedev(240, 2)), "held by dm-0");
	assert_string_equal(use_of(makedev(240, 1)), "");
	fake_file(FOLDER "/holders/md127/size", "8");
	assert_string_equal(use_of(makedev(240, 0)), "held by md127");
	/* As a multipath device holds a disk with all that is on it. */
	assert_string_equal(use_of(makedev(240, 1)), "held by md127");
}

static void a_mount_is_found_by_its_device_number(void **state)
{
	static const struct {
		const char *mountinfo, *use;
	} mount[] = {
		{ "36 1 240:1 / /home rw,noatime - ext4 /dev/root rw", "mounted on /home" },
		{ "36 1 240:0 / / rw shared:1 master:2 - xfs /dev/mapper/x rw", "mounted on /" },
		{ "22 1 0:21 / /proc rw - proc proc rw\n36 1 240:2 /sub /mnt/a\\040b\\134c\\011d rw - ext4 none rw",
		  "mounted on /mnt/a b\\c?d" },
		{ "36 1 240:17 / /home rw - ext4 /dev/nosuch rw", "" },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(mount); i++) {
		fake_file("/proc/self/mountinfo", mount[i].mountinfo);
		assert_string_equal(use_of(makedev(240, 0)), mount[i].use);
	}
}

static void a_mount_without_a_device_number_is_found_by_its_source(void **state)
{
	char text[2 * PATH_MAX];
	dev_t number;
	const char *node = some_node(&number);
	char *alias = odd_name("mount"), *source = escaped(alias);

	(void)state;
	if (node) {
		assert_int_equal(symlink(node, alias), 0);
		snprintf(text, sizeof text, "36 1 0:45 /@home /home rw - btrfs %s rw,subvol=/@home", source);
		fake_file("/proc/self/mountinfo", text);
		assert_string_equal(use_of(number), "mounted on /home");
		assert_string_equal(use_of(makedev(240, 0)), "");
		snprintf(text, sizeof text, "%u:%u", major(number), minor(number));
		fake_block(OTHER "/sdb3", text, "partition=3\n");
		assert_string_equal(use_of(makedev(240, 16)), "mounted on /home");
		unlink(alias);
	}
	free(alias);
	free(source);
	if (!node)
		skip();
}

static void swap_on_a_device_uses_it(void **state)
{
	char text[PATH_MAX];
	dev_t number;
	const char *node = some_node(&number);

	(void)state;
	if (!node)
		skip();
	snprintf(text, sizeof text, "Filename\t\t\t\tType\t\tSize\n%s                               partition\t1\t0\t-2", node);
	fake_file("/proc/swaps", text);
	assert_string_equal(use_of(number), "swap space");
	assert_string_equal(use_of(makedev(240, 0)), "");
}

static void a_file_is_used_as_swap_or_behind_a_loop_device(void **state)
{
	char *path = odd_name("file"), *name = escaped(path), text[2 * PATH_MAX];
	FILE *file = fopen(path, "w");

	(void)state;
	assert_non_null(file);
	fclose(file);
	assert_string_equal(use_of_file(path), "");
	fake_block("/sys/devices/virtual/block/loop12", "7:12", "");
	fake_file("/sys/devices/virtual/block/loop12/loop/backing_file", path);
	assert_string_equal(use_of_file(path), "behind loop12");
	assert_string_equal(use_of(makedev(7, 12)), "");
	snprintf(text, sizeof text, "Filename\tType\n%s file\t1\t0\t-2", name);
	fake_file("/proc/swaps", text);
	assert_string_equal(use_of_file(path), "swap space");
	/* Another file of the same name is not that file. */
	assert_string_equal(use_of_file("/proc/self/exe"), "");
	unlink(path);
	free(path);
	free(name);
}

static void a_device_behind_a_loop_device_is_used(void **state)
{
	dev_t number;
	const char *node = some_node(&number);

	(void)state;
	if (!node)
		skip();
	fake_block("/sys/devices/virtual/block/loop13", "7:113", "");
	fake_file("/sys/devices/virtual/block/loop13/loop/backing_file", node);
	assert_string_equal(use_of(number), "behind loop13");
	assert_string_equal(use_of(makedev(240, 0)), "");
}

static void every_member_of_a_btrfs_is_used(void **state)
{
	(void)state;
	/* A member that is missing has no number, nor has a partition that goes just now. */
	fake_file("/sys/fs/btrfs/1e0d-8f/devices/gone/size", "8");
	fake_file(FOLDER "/sda9/partition", "9");
	assert_string_equal(use_of(makedev(240, 0)), "");
	fake_tree("/sys/fs/btrfs/1e0d-8f/devices", "sda2->" FOLDER "/sda2\nsdb->" OTHER "\n");
	assert_string_equal(use_of(makedev(240, 0)), "part of a btrfs");
	assert_string_equal(use_of(makedev(240, 2)), "part of a btrfs");
	assert_string_equal(use_of(makedev(240, 16)), "part of a btrfs");
	assert_string_equal(use_of(makedev(240, 1)), "");
	assert_string_equal(use_of_file("/proc/self/exe"), "");
}

#define TREE_TEST(test) cmocka_unit_test_setup_teardown(test, open_tree, fake_sysfs_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(nothing_found_is_nothing_said),
		TREE_TEST(a_holder_of_the_disk_or_of_a_partition_uses_it),
		TREE_TEST(a_mount_is_found_by_its_device_number),
		TREE_TEST(a_mount_without_a_device_number_is_found_by_its_source),
		TREE_TEST(swap_on_a_device_uses_it),
		TREE_TEST(a_file_is_used_as_swap_or_behind_a_loop_device),
		TREE_TEST(a_device_behind_a_loop_device_is_used),
		TREE_TEST(every_member_of_a_btrfs_is_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
