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
	bool serial;                    /* several reads in flight are served one after the other; else all at once */
	int engine_error;               /* 0 or -errno of opening the fake engine */
	bool no_memlock;                /* it has to do without a registered buffer */

	uint64_t fail_from, fail_to;    /* these reads fail with EIO, */
	uint64_t fail_every;            /* each so-manieth one, */
	uint64_t bad_from_bytes, bad_to_bytes;  /* and those that touch these bytes */
	uint64_t gone_from;             /* from that read on there is no disk, */
	int gone_error;                 /* as this -errno says: -ENODEV */
	uint64_t hang_at;               /* does not return before fake_disk_release(), */
	bool hang_on;                   /* nor do those after it */
	uint64_t zeros_from_bytes;      /* nothing but zeros from there on */
	bool uncounted;                 /* the kernel has no counters of it */

	/* What happened. */
	uint64_t reads;
	int64_t busy_until_ns;
	unsigned in_flight, most_in_flight, engines;    /* engines: open ones */
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

/* One read, from its issue to its end: for device_read() and the fake engine. */
struct fake_read {
	uint64_t number, offset;
	uint32_t bytes;
	int64_t done_ns;                /* INT64_MAX: it hangs */
};

struct fake_read fake_read_issue(struct fake_disk *disk, uint32_t bytes, uint64_t offset);
bool fake_read_done(const struct fake_disk *disk, const struct fake_read *read);

/* 0 or -errno, as device_read(). */
int fake_read_end(struct fake_disk *disk, const struct fake_read *read);

#endif
