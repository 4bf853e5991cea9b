/* Who else uses disks now. Everything is compared by device or inode number, since names have aliases;
 * O_EXCL is not asked, since it would disturb a disk's owner. */
#ifndef DEVICE_USAGE_H
#define DEVICE_USAGE_H

#include <stddef.h>

#include "device/device.h"

/* All that is mounted, swapped to, part of a btrfs or behind a loop device on this machine. */
struct usage {
	struct use {
		dev_t rdev;             /* a block device, or 0: */
		dev_t dev;              /* a file's filesystem and number */
		ino_t inode;
		char text[128];         /* "mounted on /home" */
	} *use;
	size_t uses;
	int error;                      /* -errno: memory or descriptors were short, and something may be missed; else 0 */
};

/* Looks around once. */
void usage_scan(struct usage *usage);
void usage_release(struct usage *usage);

/* Refuses (STATUS_START) to go on when something may have been missed. */
int usage_check(const struct usage *usage, struct error *error);

/* Fills in info->in_use: the first of holders (md, dm) and of usage that is found on the disk, on one of
 * its partitions, or on the file; "" when there is none. */
void usage_find(struct usage *usage, struct device_info *info);

#endif
