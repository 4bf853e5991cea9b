/* The kernel's own counters of a block device (Documentation/block/stat.rst). */
#ifndef DEVICE_KSTAT_H
#define DEVICE_KSTAT_H

#include "device/device.h"

enum { KSTAT_SECTOR_BYTES = 512 };      /* whatever the disk's own sector is */

/* Since the device appeared, or between two of these. A read is counted when it completes, or, when it
 * became part of another one, as a merge. */
struct kstat {
	int64_t time_ns;                /* clock_now_ns() at the reading, or the time between */
	uint64_t reads, read_merges, read_sectors, read_ms;
	uint64_t writes, write_sectors;
	uint64_t busy_ms;               /* with anything in flight; sampled, so that fast disks seem busier than they are */
	uint64_t queue_ms;              /* of all requests, each from its issue to its completion, when it grows */
};

/* Of the whole disk, also for a partition: what is done to its neighbours disturbs it. Returns 0, or
 * -errno where there are none: -ENOENT for files. */
int kstat_read(const struct device_info *info, struct kstat *kstat);

/* What was counted between two readings. The kernel writes milliseconds with 32 bits, which wrap; the other
 * counters do not. */
struct kstat kstat_since(const struct kstat *before, const struct kstat *after);

#endif
