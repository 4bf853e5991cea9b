/* The kernel's own counters of a block device (Documentation/block/stat.rst). */
#ifndef DEVICE_KSTAT_H
#define DEVICE_KSTAT_H

#include "device/device.h"

enum { KSTAT_SECTOR_BYTES = 512 };      /* whatever the disk's own sector is */

/* Since the device appeared, or between two of these. A read is counted when it completes. */
struct kstat {
	uint64_t reads, read_sectors, writes, write_sectors;
};

/* Of the whole disk, also for a partition: what is done to its neighbours disturbs it. Returns 0, or
 * -errno where there are none: -ENOENT for files. */
int kstat_read(const struct device_info *info, struct kstat *kstat);

#endif
