/* Stands in for device/device and device/kstat: disks that do what a test asks of them. "/dev/fakeN" is
 * fake_disk[N]. */
#ifndef TESTS_FAKE_DEVICE_H
#define TESTS_FAKE_DEVICE_H

#include "device/device.h"
#include "device/kstat.h"

enum { FAKE_DISKS = 3, FAKE_LOG = 1 << 14 };

/* Reads are numbered from 1; 0 stands for none of them. */
struct fake_disk {
	uint64_t size_bytes;
	uint32_t sector_bytes;
	int64_t latency_ns;             /* of a read; errors take as long */
	int64_t first_latency_ns;       /* of read 1, if not 0 */

	uint64_t fail_from, fail_to;    /* these reads fail with EIO, */
	uint64_t fail_every;            /* each so-manieth one, */
	uint64_t bad_from_bytes, bad_to_bytes;  /* and those that touch these bytes */
	uint64_t gone_from;             /* ENODEV from that read on */
	uint64_t hang_at;               /* does not return before fake_disk_release() */
	uint64_t zeros_from_bytes;      /* nothing but zeros from there on */
	bool uncounted;                 /* the kernel has no counters of it */

	/* What happened. */
	uint64_t reads;
	struct {
		uint64_t offset;
		uint32_t bytes;
	} log[FAKE_LOG];                /* the first of them */
	unsigned chills;
	struct kstat kernel;            /* a test may add what others do */
};

extern struct fake_disk fake_disk[FAKE_DISKS];

/* Healthy disks of 1 GiB, 5 ms a read. */
void fake_disk_reset(void);

/* A read that hangs returns, and no further one hangs. */
void fake_disk_release(unsigned disk);

#endif
