#include <errno.h>
#include <stdio.h>
#include <sys/sysmacros.h>

#include "base/clock.h"
#include "device/kstat.h"
#include "device/sysfs.h"

enum { FIELDS = 11 };                   /* later kernels write 15 or 17: discards and flushes follow */

int kstat_read(const struct device_info *info, struct kstat *kstat)
{
	char text[512];
	unsigned long long field[FIELDS];

	if (!info->disk_rdev || !sysfs_text(text, sizeof text, "/sys/dev/block/%u:%u/stat", major(info->disk_rdev),
					    minor(info->disk_rdev)))
		return -ENOENT;
	if (sscanf(text, "%llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu", &field[0], &field[1], &field[2], &field[3],
		   &field[4], &field[5], &field[6], &field[7], &field[8], &field[9], &field[10]) != FIELDS)
		return -EINVAL;
	*kstat = (struct kstat){
		.time_ns = clock_now_ns(),
		.reads = field[0],
		.read_merges = field[1],
		.read_sectors = field[2],
		.read_ms = field[3],
		.writes = field[4],
		.write_sectors = field[6],
		.busy_ms = field[9],
		.queue_ms = field[10],
	};
	return 0;
}
