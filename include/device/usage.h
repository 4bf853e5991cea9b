/* Whether somebody else uses a disk now. */
#ifndef DEVICE_USAGE_H
#define DEVICE_USAGE_H

#include "device/device.h"

/* Fills in info->in_use: the first of holders (md, dm), mounts, swap, btrfs members and loop devices that is found on the
 * disk, on one of its partitions, or on the file. Everything is compared by device or inode number, since names have
 * aliases; O_EXCL is not asked, since it would disturb the disk's owner. */
void usage_find(struct device_info *info);

#endif
