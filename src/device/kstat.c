#include "device/kstat.h"

#include <errno.h>
#include <stdio.h>
#include <sys/sysmacros.h>

#include "device/sysfs.h"

int kstat_read(const struct device_info *info, struct kstat *kstat)
{
	char text[512];
	unsigned long long reads, read_sectors, writes, write_sectors;

	if (!info->rdev || !sysfs_text(text, sizeof text, "/sys/dev/block/%u:%u/stat", major(info->rdev),
				       minor(info->rdev)))
		return -ENOENT;
	if (sscanf(text, "%llu %*u %llu %*u %llu %*u %llu", &reads, &read_sectors, &writes, &write_sectors) != 4)
		return -EINVAL;
	*kstat = (struct kstat){ reads, read_sectors, writes, write_sectors };
	return 0;
}
