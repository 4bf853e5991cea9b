/* Two runs that measure one disk at the same time measure each other. So each run holds an flock(2) on a file in /run/lock that is
 * named by the whole disk's number, as do runs that measure its partitions. Nothing is written to it. */
#ifndef DEVICE_LOCK_H
#define DEVICE_LOCK_H

#include "device/device.h"

struct locks {
	struct lock {
		dev_t rdev;             /* of a whole disk */
		int fd;                 /* -1: not held */
	} *lock;                        /* ascending, so that two runs that wait for each other's disks do not do so for ever */
	unsigned count, taken;          /* taken: the first ones, as far as they can be */
	int error;                      /* -errno: why one of them cannot be taken by anybody; 0: all can */
};

/* A lock for each whole disk that info[disks] lie on, none yet held. 0 or -ENOMEM. */
int locks_init(struct locks *locks, const struct device_info *const *info, unsigned disks);

/* Takes them, from where it stopped before. 0, or -EWOULDBLOCK: lock[taken] is held by another run. */
int locks_take(struct locks *locks);

/* The process that holds a lock that was not free; 0 when the kernel does not tell. */
pid_t lock_holder(const struct lock *lock);

void locks_release(struct locks *locks);

#endif
