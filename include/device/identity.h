/* Who a disk is, from sysfs alone: nothing is opened or read on the disk itself. */
#ifndef DEVICE_IDENTITY_H
#define DEVICE_IDENTITY_H

#include <stddef.h>

#include "device/device.h"

/* Fills in all of info that sysfs knows of the block device info->rdev; what it does not know stays as it was. */
void identity_find(struct device_info *info);

/* Says in info->backing and info->model what a loop device reads from, and in info->backing where a file lies. */
void backing_find(struct device_info *info);

/* The number of the whole disk that a block device is, or is a partition of; 0 when it is not known. */
dev_t identity_disk(dev_t rdev);

/* The link of one folder on the way from a disk up to its machine, as it was negotiated: "6.0 Gbps", "USB 480 Mb/s", "PCIe 8.0 GT/s
 * x4". False and "" where there is none. */
bool identity_link(char link[32], const char *folder);

/* All whole disks here that have a medium, sorted by name. The caller frees *info, and each info[i].path. Returns
 * how many, or -errno. */
int identity_list(struct device_info **info);

#endif
