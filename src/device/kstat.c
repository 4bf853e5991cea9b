#include "device/kstat.h"

#include <errno.h>
#include <stdio.h>
#include <sys/sysmacros.h>

#include "device/sysfs.h"

int kstat_read(const struct device_info *info, struct kstat *kstat)
{
	char text[512];
	unsigned long long reads, read_sectors, writes, write_sectors;

	if (!info->disk_rdev || !sysfs_text(text, sizeof text, "/sys/dev/block/%u:%u/stat", major(info->disk_rdev),
					    minor(info->disk_rdev)))
		return -ENOENT;
	if (sscanf(text, "%llu %*u %llu %*u %llu %*u %llu", &reads, &read_sectors, &writes, &write_sectors) != 4)
		return -EINVAL;
	*kstat = (struct kstat){ reads, read_sectors, writes, write_sectors };
	return 0;
}
