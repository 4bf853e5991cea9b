/* Disks are held by one run at a time. The disks are invented, the locks are real. */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/lock.h"

enum { DISKS = 3, DISK_MAJOR = 4000 };  /* the kernel gives out smaller ones */

static struct device_info disk[DISKS];
static const struct device_info *info[DISKS];
static struct locks locks, others;

static void lock_name(char name[64], dev_t rdev)
{
	snprintf(name, 64, "/run/lock/diskbench-%u:%u", major(rdev), minor(rdev));
}

/* Disks of numbers that no other run of this test has. */
static int invent_disks(void **state)
{
	(void)state;
	memset(disk, 0, sizeof disk);
	for (unsigned i = 0; i < DISKS; i++) {
		info[i] = &disk[i];
		disk[i].rdev = disk[i].disk_rdev = makedev(DISK_MAJOR + i, (unsigned)getpid() & 0xfffff);
	}
	return 0;
}

static int remove_files(void **state)
{
	char name[64];

	(void)state;
	locks_release(&locks);
	locks_release(&others);
	for (unsigned i = 0; i < DISKS; i++) {
		lock_name(name, disk[i].disk_rdev);
		unlink(name);
	}
	return 0;
}

static void init(struct locks *which, unsigned first, unsigned disks)
{
	assert_int_equal(locks_init(which, info + first, disks), 0);
}

static void disks_are_taken_in_the_order_of_their_numbers(void **state)
{
	const struct device_info swap = disk[0];

	(void)state;
	disk[0] = disk[2];
	disk[2] = swap;
	init(&locks, 0, 3);
	assert_int_equal(locks.count, 3);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(locks.lock[i].rdev, disk[2 - i].disk_rdev);
	assert_int_equal(locks_take(&locks), 0);
	assert_int_equal(locks.taken, 3);
	assert_int_equal(locks.error, 0);
}

static void a_held_disk_is_refused_and_its_holder_known(void **state)
{
	(void)state;
	init(&others, 1, 1);
	assert_int_equal(locks_take(&others), 0);
	init(&locks, 0, 3);
	assert_int_equal(locks_take(&locks), -EWOULDBLOCK);
	assert_int_equal(locks.taken, 1);
	assert_int_equal(lock_holder(&locks.lock[1]), getpid());
	assert_int_equal(locks_take(&locks), -EWOULDBLOCK);
	/* It goes on from where it stopped. */
	locks_release(&others);
	assert_int_equal(locks_take(&locks), 0);
	assert_int_equal(locks.taken, 3);
}

static void every_lock_has_its_own_holder(void **state)
{
	const pid_t child = fork();

	(void)state;
	assert_true(child >= 0);
	if (!child) {
		alarm(10);
		if (locks_init(&others, info, 1) == 0 && locks_take(&others) == 0)
			pause();
		_exit(1);
	}
	init(&others, 1, 1);
	assert_int_equal(locks_take(&others), 0);
	do {
		locks_release(&locks);
		init(&locks, 0, 1);
		usleep(1000);
	} while (locks_take(&locks) == 0);
	assert_int_equal(lock_holder(&locks.lock[0]), child);
	assert_int_equal(lock_holder(&others.lock[0]), getpid());
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void what_was_released_can_be_taken_again(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		init(&locks, 0, 3);
		assert_int_equal(locks_take(&locks), 0);
		locks_release(&locks);
		assert_int_equal(locks.count, 0);
	}
}

static void a_free_lock_has_no_holder(void **state)
{
	(void)state;
	init(&locks, 0, 1);
	assert_int_equal(lock_holder(&locks.lock[0]), 0);
}

static void partitions_of_a_disk_share_its_lock_and_files_have_none(void **state)
{
	(void)state;
	disk[1].disk_rdev = disk[0].disk_rdev;
	disk[2].rdev = disk[2].disk_rdev = 0;
	init(&locks, 0, 3);
	assert_int_equal(locks.count, 1);
	assert_int_equal(locks_take(&locks), 0);
	init(&others, 1, 1);
	assert_int_equal(locks_take(&others), -EWOULDBLOCK);
}

static void a_holder_that_was_killed_holds_nothing(void **state)
{
	pid_t child = fork();
	int status;

	(void)state;
	assert_true(child >= 0);
	if (!child) {
		if (locks_init(&others, info, 1) == 0 && locks_take(&others) == 0)
			raise(SIGKILL);
		_exit(1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	init(&locks, 0, 1);
	assert_int_equal(locks_take(&locks), 0);
}

/* Anybody may put something into /run/lock. */
static void what_is_no_file_keeps_nobody_waiting(void **state)
{
	char name[64];

	(void)state;
	lock_name(name, disk[0].disk_rdev);
	assert_int_equal(symlink("/dev/null", name), 0);
	lock_name(name, disk[1].disk_rdev);
	assert_int_equal(mkfifo(name, 0600), 0);
	init(&locks, 0, 3);
	alarm(10);
	assert_int_equal(locks_take(&locks), 0);
	alarm(0);
	assert_int_equal(locks.taken, 3);
	assert_int_equal(locks.error, -ELOOP);
	assert_int_equal(locks.lock[0].fd, -1);
	assert_true(locks.lock[2].fd >= 0);
}

#define LOCK_TEST(test) cmocka_unit_test_setup_teardown(test, invent_disks, remove_files)

int main(void)
{
	const struct CMUnitTest tests[] = {
		LOCK_TEST(disks_are_taken_in_the_order_of_their_numbers),
		LOCK_TEST(a_held_disk_is_refused_and_its_holder_known),
		LOCK_TEST(every_lock_has_its_own_holder),
		LOCK_TEST(what_was_released_can_be_taken_again),
		LOCK_TEST(a_free_lock_has_no_holder),
		LOCK_TEST(partitions_of_a_disk_share_its_lock_and_files_have_none),
		LOCK_TEST(a_holder_that_was_killed_holds_nothing),
		LOCK_TEST(what_is_no_file_keeps_nobody_waiting),
	};

	if (access("/run/lock", W_OK) < 0) {
		puts("ok 1 - locks # SKIP /run/lock cannot be written here\n1..1");
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
