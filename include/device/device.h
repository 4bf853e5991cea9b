/* A disk as the outside world shows it: opened read-only, described, read. Tests replace this module at link time.
 * Facts are gathered at open and never change; data is read by workers only. */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

enum access { ACCESS_RAW, ACCESS_COOKED, ACCESSES };    /* O_DIRECT; through the page cache */

/* How reads are handed to the kernel: pread, one at a time; io_uring; Linux native AIO. _AUTO is a wish, to be told which. */
enum engine { ENGINE_AUTO, ENGINE_SYNC, ENGINE_URING, ENGINE_AIO, ENGINES };

enum kind { KIND_HDD, KIND_SSD, KIND_LOOP, KIND_RAM, KIND_STACKED, KIND_FILE, KINDS };
extern const char *const kind_names[KINDS];             /* "hdd", "ssd", ... */

/* Where a raw read may be answered short of a medium, as far as can be known from outside. */
enum backing { BACKING_MEDIUM, BACKING_PAGE_CACHE, BACKING_MEMORY };

struct device_info {
	const char *path;               /* as the user gave it; belongs to the caller of device_open() */
	char name[NAME_MAX + 1];        /* the kernel's name (a file: the last part of its real path), control
					 * characters as '?' */
	char id[128];                   /* WWN or serial number, a partition with "-partN"; "" when unknown */
	char model[96];                 /* vendor and model; a loop device: its file; "" when unknown */
	char settings[192];             /* what else tells whether two reports can be compared, in words: "nr_requests 64,
					 * read-ahead 128k, write cache write back, 34 C" */
	char scheduler[24], link[32];   /* "mq-deadline"; "6.0 Gbps"; "" when unknown */
	char in_use[128];               /* by what, in words: "mounted on /home"; "" when nothing was found; filled in
					 * by usage_find() */
	bool host_managed;              /* zoned, and to be written in sequence only */
	bool missing;                   /* it could not be opened; nothing but path and name is known */
	enum kind kind;
	enum backing backing;
	dev_t rdev, disk_rdev;          /* device numbers of it and of its whole disk; 0: a file */
	dev_t dev;                      /* filesystem and number of a file, or of that behind a loop device */
	ino_t inode;
	uint64_t size_bytes;
	uint32_t sector_bytes;          /* every raw read is a multiple of it, from an offset that is one */
	uint32_t physical_bytes;        /* the sector that the medium works in */
	uint32_t max_read_bytes;        /* the kernel splits larger reads; 0 when unknown */
};

struct device {
	struct device_info info;
	int fd[ACCESSES];               /* -1 where not asked for; open until device_close() */
};

/* Opens path O_RDONLY, once for each access whose bit (1 << access) is set, and fills in the facts. Anything but a
 * block device or a regular file is refused before it is opened. On error (STATUS_START) nothing stays open. */
int device_open(struct device *device, const char *path, unsigned accesses, struct error *error);

/* In place of device_open() where that failed and the others are measured without it. */
void device_miss(struct device *device, const char *path);
void device_close(struct device *device);

/* Are both names of one disk or one file? A partition is not its disk. */
bool device_same(const struct device_info *a, const struct device_info *b);

/* Is what stat(2) says of a path the disk, or the file behind a loop device? */
struct stat;
bool device_is(const struct device_info *info, const struct stat *stat);

/* Reads all of [offset, offset + bytes), which lies on the disk; one pread unless the kernel stops
 * short. Returns 0 or -errno; -ENXIO where the disk ends early: one that was pulled out has no bytes any more. */
int device_read(const struct device *device, enum access access, void *buffer, uint32_t bytes, uint64_t offset);

/* Asks the kernel to drop the clean pages that it has cached of the disk. */
void device_chill(const struct device *device);

#endif
