#include "device/device.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "device/identity.h"

enum { SECTOR_BYTES = 512 };            /* of a disk or filesystem that does not say */

const char *const kind_names[KINDS] = { "hdd", "ssd", "loop", "ram", "stacked", "file" };

static const char *type_name(mode_t mode)
{
	return S_ISDIR(mode) ? "a directory" : S_ISCHR(mode) ? "a character device" : S_ISFIFO(mode) ? "a FIFO" :
	       "a socket";
}

static int cannot(const char *path, int number, struct error *error)
{
	struct stat node;
	char instead[NAME_MAX + 8];

	/* A name as --list shows it. */
	snprintf(instead, sizeof instead, "/dev/%.*s", NAME_MAX, path);
	if (number == ENOENT && !strchr(path, '/') && stat(instead, &node) == 0 && S_ISBLK(node.st_mode))
		return error_set(error, STATUS_START, "'%s': %s; is '%s' meant?", path, error_reason(number), instead);
	const char *remedy = number == ENOENT || number == ENOTDIR ? "; diskbench -l lists the disks here" :
			     number == EACCES || number == EPERM ? "; run it as root or as a member of group 'disk'" :
			     number == ENXIO || number == ENOMEDIUM ? "; attach it or insert a medium" :
			     error_remedy(number);

	return error_set(error, STATUS_START, "'%s': %s%s", path, error_reason(number), remedy);
}

static int open_access(struct device *device, enum access access, struct error *error)
{
	const char *path = device->info.path;

	device->fd[access] = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (access == ACCESS_RAW ? O_DIRECT : 0));
	if (device->fd[access] >= 0)
		return 0;
	if (errno == EINVAL && access == ACCESS_RAW)
		return error_set(error, STATUS_START,
				 "'%s': its filesystem does not support O_DIRECT; use -a cooked or a block device", path);
	return cannot(path, errno, error);
}

/* Alignment that the filesystem asks of a direct read, where the kernel tells. */
static uint32_t file_sector_bytes(int fd)
{
#ifdef STATX_DIOALIGN
	struct statx facts;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &facts) == 0 && facts.stx_mask & STATX_DIOALIGN &&
	    facts.stx_dio_offset_align > SECTOR_BYTES)
		return facts.stx_dio_offset_align;
#else
	(void)fd;
#endif
	return SECTOR_BYTES;
}

static void name_after_path(struct device_info *info)
{
	char real[PATH_MAX];

	snprintf(info->name, sizeof info->name, "%s", basename(realpath(info->path, real) ? real : info->path));
	text_printable(info->name);
}

static int describe_file(struct device_info *info, int fd, const struct stat *stat)
{
	info->kind = KIND_FILE;
	info->dev = stat->st_dev;
	info->inode = stat->st_ino;
	info->size_bytes = (uint64_t)stat->st_size;
	info->sector_bytes = info->physical_bytes = file_sector_bytes(fd);
	name_after_path(info);
	return 0;
}

static int describe_block(struct device_info *info, int fd, const struct stat *stat)
{
	uint64_t bytes;
	int logical;
	unsigned physical;

	info->rdev = info->disk_rdev = stat->st_rdev;
	if (ioctl(fd, BLKGETSIZE64, &bytes) < 0 || ioctl(fd, BLKSSZGET, &logical) < 0 ||
	    ioctl(fd, BLKPBSZGET, &physical) < 0)
		return -errno;
	info->size_bytes = bytes;
	info->sector_bytes = (uint32_t)logical;
	info->physical_bytes = physical;
	identity_find(info);
	return 0;
}

static int describe(struct device *device, const struct stat *before, struct error *error)
{
	struct device_info *info = &device->info;
	const int fd = device->fd[ACCESS_RAW] >= 0 ? device->fd[ACCESS_RAW] : device->fd[ACCESS_COOKED];
	struct stat stat;
	int result;

	if (fstat(fd, &stat) < 0)
		return cannot(info->path, errno, error);
	if (stat.st_rdev != before->st_rdev || stat.st_dev != before->st_dev || stat.st_ino != before->st_ino)
		return error_set(error, STATUS_START, "'%s': changed while it was opened; try again", info->path);
	result = S_ISBLK(stat.st_mode) ? describe_block(info, fd, &stat) : describe_file(info, fd, &stat);
	if (result < 0)
		return cannot(info->path, -result, error);
	if (!info->size_bytes)
		return error_set(error, STATUS_START, "'%s': its size is 0; %s", info->path,
				 info->kind == KIND_FILE ? "fill it first" :
				 info->kind == KIND_LOOP ? "attach a file with losetup" : "insert or set up a medium");
	backing_find(info);
	return 0;
}

int device_open(struct device *device, const char *path, unsigned accesses, struct error *error)
{
	struct stat before;

	*device = (struct device){ .info = { .path = path }, .fd = { -1, -1 } };
	if (stat(path, &before) < 0)
		return cannot(path, errno, error);
	/* Opening a tape rewinds it and opening a FIFO waits: look before. */
	if (!S_ISBLK(before.st_mode) && !S_ISREG(before.st_mode))
		return error_set(error, STATUS_START, "'%s' is %s; name a block device or a regular file", path,
				 type_name(before.st_mode));
	for (enum access access = 0; access < ACCESSES; access++)
		if (accesses & 1U << access && open_access(device, access, error) < 0)
			goto out_close;
	if (describe(device, &before, error) < 0)
		goto out_close;
	return 0;
out_close:
	device_close(device);
	return -1;
}

void device_miss(struct device *device, const char *path)
{
	*device = (struct device){ .info = { .path = path, .missing = true }, .fd = { -1, -1 } };
	name_after_path(&device->info);
}

void device_close(struct device *device)
{
	for (enum access access = 0; access < ACCESSES; access++) {
		if (device->fd[access] >= 0)
			close(device->fd[access]);
		device->fd[access] = -1;
	}
}

bool device_same(const struct device_info *a, const struct device_info *b)
{
	if (a->missing || b->missing)
		return strcmp(a->path, b->path) == 0;
	return a->rdev == b->rdev && a->dev == b->dev && a->inode == b->inode;
}

bool device_is(const struct device_info *info, const struct stat *stat)
{
	if (S_ISBLK(stat->st_mode))
		return info->rdev == stat->st_rdev;
	return info->inode && info->dev == stat->st_dev && info->inode == stat->st_ino;
}

int device_read(const struct device *device, enum access access, void *buffer, uint32_t bytes, uint64_t offset)
{
	for (uint32_t done = 0; done < bytes;) {
		const ssize_t got = pread(device->fd[access], (char *)buffer + done, bytes - done,
					  (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? -errno : -ENXIO;
		done += (uint32_t)got;
	}
	return 0;
}

void device_chill(const struct device *device)
{
	posix_fadvise(device->fd[ACCESS_COOKED], 0, 0, POSIX_FADV_DONTNEED);
}
