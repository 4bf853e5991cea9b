#include "device/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { NAME_TEXT = 64 };

static int by_number(const void *a, const void *b)
{
	const struct lock *x = a, *y = b;

	return (x->rdev > y->rdev) - (x->rdev < y->rdev);
}

int locks_init(struct locks *locks, const struct device_info *const *info, unsigned disks)
{
	unsigned kept = 0;

	*locks = (struct locks){ .lock = calloc(disks, sizeof *locks->lock) };
	if (!locks->lock)
		return -ENOMEM;
	for (unsigned i = 0; i < disks; i++)
		if (info[i]->disk_rdev)
			locks->lock[locks->count++] = (struct lock){ info[i]->disk_rdev, -1 };
	qsort(locks->lock, locks->count, sizeof *locks->lock, by_number);
	for (unsigned i = 0; i < locks->count; i++)
		if (!kept || locks->lock[kept - 1].rdev != locks->lock[i].rdev)
			locks->lock[kept++] = locks->lock[i];
	locks->count = kept;
	return 0;
}

/* Without waiting where somebody has put a FIFO. */
static int open_file(const struct lock *lock)
{
	static const int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK;
	char name[NAME_TEXT];
	int fd;

	snprintf(name, sizeof name, "/run/lock/diskbench-%u:%u", major(lock->rdev), minor(lock->rdev));
	/* In a folder like /tmp the kernel may refuse to create what is there already and another user's. */
	fd = open(name, flags);
	if (fd < 0 && errno == ENOENT)
		fd = open(name, flags | O_CREAT, 0644);
	if (fd < 0 && errno == EACCES)
		fd = open(name, flags);
	return fd;
}

static int lock_take(struct lock *lock)
{
	int number;

	lock->fd = open_file(lock);
	if (lock->fd >= 0 && flock(lock->fd, LOCK_EX | LOCK_NB) == 0)
		return 0;
	number = errno;
	if (lock->fd >= 0)
		close(lock->fd);
	lock->fd = -1;
	return -number;
}

int locks_take(struct locks *locks)
{
	for (; locks->taken < locks->count; locks->taken++) {
		const int result = lock_take(&locks->lock[locks->taken]);

		if (result == -EWOULDBLOCK)
			return result;
		if (result < 0)
			locks->error = result;
	}
	return 0;
}

pid_t lock_holder(const struct lock *lock)
{
	FILE *table = fopen("/proc/locks", "re");
	const int fd = open_file(lock);
	unsigned dev_major, dev_minor;
	unsigned long inode;
	struct stat facts;
	char line[256];
	int pid = 0, found = 0;

	while (table && fd >= 0 && fstat(fd, &facts) == 0 && !found && fgets(line, sizeof line, table))
		if (sscanf(line, "%*u: FLOCK %*s WRITE %d %x:%x:%lu", &pid, &dev_major, &dev_minor, &inode) == 4 &&
		    makedev(dev_major, dev_minor) == facts.st_dev && inode == facts.st_ino)
			found = pid;
	if (fd >= 0)
		close(fd);
	if (table)
		fclose(table);
	return found > 0 ? found : 0;
}

void locks_release(struct locks *locks)
{
	for (unsigned i = 0; i < locks->taken; i++)
		if (locks->lock[i].fd >= 0)
			close(locks->lock[i].fd);
	free(locks->lock);
	*locks = (struct locks){ 0 };
}
