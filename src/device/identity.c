#include "device/identity.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "base/text.h"
#include "device/sysfs.h"

/* The folder above, in place; false at the root of sysfs. */
static bool folder_up(char *folder)
{
	char *slash = strrchr(folder, '/');

	if (!slash || slash == folder)
		return false;
	*slash = '\0';
	return strcmp(folder, "/sys/devices") != 0;
}

/* The folder of the whole disk, since a partition has no queue of its own. */
static void disk_folder(char disk[PATH_MAX], const char *folder)
{
	strcpy(disk, folder);
	if (sysfs_exists("%s/partition", folder))
		folder_up(disk);
}

dev_t identity_disk(dev_t rdev)
{
	char folder[PATH_MAX], disk[PATH_MAX];

	if (!sysfs_folder(folder, rdev))
		return 0;
	disk_folder(disk, folder);
	return sysfs_device(disk);
}

static void find_model(struct device_info *info, const char *disk)
{
	char vendor[48], model[48];

	sysfs_text(vendor, sizeof vendor, "%s/device/vendor", disk);
	sysfs_text(model, sizeof model, "%s/device/model", disk);
	if (strncmp(vendor, "0x", 2) == 0 || strcmp(vendor, "ATA") == 0)        /* a PCI number, a translation layer */
		vendor[0] = '\0';
	snprintf(info->model, sizeof info->model, "%s%s%s", vendor, *vendor && *model ? " " : "", model);
	text_printable(info->model);
}

static void find_id(struct device_info *info, const char *folder, const char *disk)
{
	static const char *const attribute[] = { "wwid", "device/wwid", "serial", "device/serial", "dm/uuid", "md/uuid" };
	const uint64_t partition = sysfs_number(0, "%s/partition", folder);
	char id[96] = "";

	for (size_t i = 0; i < TEXT_COUNT(attribute) && !*id; i++)
		sysfs_text(id, sizeof id, "%s/%s", disk, attribute[i]);
	if (*id && partition)
		snprintf(info->id, sizeof info->id, "%s-part%llu", id, (unsigned long long)partition);
	else
		snprintf(info->id, sizeof info->id, "%s", id);
	text_printable(info->id);
}

/* The chosen one stands in brackets: "none [mq-deadline]". */
static void find_scheduler(struct device_info *info, const char *disk)
{
	char text[128];

	sysfs_text(text, sizeof text, "%s/queue/scheduler", disk);
	if (sscanf(text, "%*[^[][%23[^]]", info->scheduler) != 1 && sscanf(text, "[%23[^]]", info->scheduler) != 1)
		snprintf(info->scheduler, sizeof info->scheduler, "%.23s", text);
	text_ascii(info->scheduler);
}

static void add_setting(struct device_info *info, const char *name, const char *value, const char *unit)
{
	const size_t length = strlen(info->settings);

	snprintf(info->settings + length, sizeof info->settings - length, "%s%s %s%s", length ? ", " : "", name, value, unit);
}

/* In thousandths of a degree. */
static bool add_temperature(const char *path, void *info)
{
	const uint64_t thousandths = sysfs_number(UINT64_MAX, "%s", path);
	char degrees[32];

	if (thousandths == UINT64_MAX)
		return false;
	snprintf(degrees, sizeof degrees, "%llu", (unsigned long long)(thousandths / 1000));
	add_setting(info, "temperature", degrees, " C");
	return true;
}

static void find_settings(struct device_info *info, const char *disk)
{
	static const struct {
		const char *attribute, *name, *unit;
	} setting[] = { { "queue/nr_requests", "nr_requests", "" }, { "device/queue_depth", "device queue depth", "" },
			{ "queue/read_ahead_kb", "read-ahead", "k" }, { "queue/write_cache", "write cache", "" },
			{ "queue/zoned", "zoned", "" } };
	static const char *const sensor[] = { "device/hwmon/hwmon*", "device/hwmon*" };         /* SCSI; NVMe */
	char text[32], pattern[PATH_MAX + 64];

	info->settings[0] = '\0';
	for (size_t i = 0; i < TEXT_COUNT(setting); i++)
		if (sysfs_text(text, sizeof text, "%s/%s", disk, setting[i].attribute) && *text)
			add_setting(info, setting[i].name, text, setting[i].unit);
	sysfs_text(text, sizeof text, "%s/queue/zoned", disk);
	info->host_managed = strcmp(text, "host-managed") == 0;
	for (size_t i = 0; i < TEXT_COUNT(sensor); i++) {
		snprintf(pattern, sizeof pattern, "%s/%s/temp1_input", disk, sensor[i]);
		if (sysfs_each(pattern, add_temperature, info))
			break;
	}
	text_printable(info->settings);
}

/* Where the speed is not known, the kernel says so in words: "<unknown>", "Phy disabled". */
static bool is_speed(const char *text)
{
	return *text >= '0' && *text <= '9';
}

static bool first_speed(const char *path, void *text)
{
	return sysfs_text(text, sizeof ((struct device_info *)NULL)->link, "%s", path) && is_speed(text);
}

bool identity_link(char link[32], const char *folder)
{
	const char *base = strrchr(folder, '/') + 1;
	char pattern[PATH_MAX + 64], speed[32], width[8];

	*link = '\0';
	if (strncmp(base, "ata", 3) == 0 && base[3] >= '0' && base[3] <= '9') {
		snprintf(pattern, sizeof pattern, "/sys/class/ata_link/link%s/sata_spd", base + 3);
		return sysfs_each(pattern, first_speed, link) > 0;
	}
	if (strncmp(base, "port-", 5) == 0) {
		snprintf(pattern, sizeof pattern, "%s/phy-*/sas_phy/phy-*/negotiated_linkrate", folder);
		return sysfs_each(pattern, first_speed, link) > 0;
	}
	if (sysfs_exists("%s/bDeviceClass", folder) && sysfs_text(speed, sizeof speed, "%s/speed", folder)) {
		snprintf(link, 32, "USB %.20s Mb/s", speed);
		return true;
	}
	if (sysfs_text(speed, sizeof speed, "%s/current_link_speed", folder) && is_speed(speed) &&
	    sysfs_text(width, sizeof width, "%s/current_link_width", folder)) {
		speed[strcspn(speed, " ")] = '\0';
		snprintf(link, 32, "PCIe %.12s GT/s x%s", speed, width);
		return true;
	}
	return false;
}

/* The link nearest to the disk is its own; what lies above is shared. */
static void find_link(struct device_info *info, const char *disk)
{
	char folder[PATH_MAX];

	strcpy(folder, disk);
	while (folder_up(folder))
		if (identity_link(info->link, folder))
			break;
	text_ascii(info->link);
}

static enum kind find_kind(const char *disk)
{
	if (sysfs_exists("%s/loop", disk) || strncmp(strrchr(disk, '/'), "/loop", 5) == 0)
		return KIND_LOOP;
	if (sysfs_exists("%s/disksize", disk) || strncmp(strrchr(disk, '/'), "/ram", 4) == 0)
		return KIND_RAM;
	if (sysfs_exists("%s/md", disk) || sysfs_exists("%s/dm", disk))
		return KIND_STACKED;
	return sysfs_number(0, "%s/queue/rotational", disk) ? KIND_HDD : KIND_SSD;
}

/* A buffer may lie in as many segments as it has pages. */
static uint32_t find_max_read(const char *disk)
{
	const uint64_t most = sysfs_number(0, "%s/queue/max_sectors_kb", disk) * 1024;
	const uint64_t segments = sysfs_number(0, "%s/queue/max_segments", disk) * 4096;
	const uint64_t chunk = sysfs_number(0, "%s/queue/chunk_sectors", disk) * 512;
	uint64_t bytes = most;

	if (segments && segments < bytes)
		bytes = segments;
	if (chunk && chunk < bytes)
		bytes = chunk;
	return (uint32_t)bytes;
}

void identity_find(struct device_info *info)
{
	char folder[PATH_MAX], disk[PATH_MAX];
	const bool known = sysfs_folder(folder, info->rdev);

	snprintf(info->name, sizeof info->name, "%s", basename(known ? folder : info->path));
	text_printable(info->name);
	if (!known)
		return;
	disk_folder(disk, folder);
	info->disk_rdev = sysfs_device(disk);
	info->kind = find_kind(disk);
	info->max_read_bytes = find_max_read(disk);
	find_model(info, disk);
	find_id(info, folder, disk);
	find_scheduler(info, disk);
	find_settings(info, disk);
	find_link(info, disk);
}

static bool in_memory(const char *path)
{
	struct statfs facts;

	return statfs(path, &facts) == 0 && (facts.f_type == TMPFS_MAGIC || facts.f_type == RAMFS_MAGIC);
}

static void loop_backing_find(struct device_info *info)
{
	char folder[PATH_MAX], disk[PATH_MAX], file[PATH_MAX];
	struct stat facts;

	if (!sysfs_folder(folder, info->rdev))
		return;
	disk_folder(disk, folder);
	sysfs_text(file, sizeof file, "%s/loop/backing_file", disk);
	snprintf(info->model, sizeof info->model, "%.95s", file);
	text_printable(info->model);
	if (stat(file, &facts) == 0) {
		info->dev = facts.st_dev;
		info->inode = facts.st_ino;
	}
	if (in_memory(file))
		info->backing = BACKING_MEMORY;
	else if (!sysfs_number(0, "%s/loop/dio", disk))
		info->backing = BACKING_PAGE_CACHE;
}

void backing_find(struct device_info *info)
{
	info->backing = BACKING_MEDIUM;
	if (info->kind == KIND_RAM || (info->kind == KIND_FILE && in_memory(info->path)))
		info->backing = BACKING_MEMORY;
	else if (info->kind == KIND_LOOP)
		loop_backing_find(info);
}

struct list {
	struct device_info *info;
	int count;
};

static bool list_add(const char *folder, void *context)
{
	struct list *list = context;
	const uint64_t size_bytes = sysfs_number(0, "%s/size", folder) * 512;
	const dev_t device = sysfs_device(folder);
	struct device_info *info;
	char *path;

	/* A path of a multipath NVMe disk has a size, but no number and no node: its disk stands for it. */
	if (!size_bytes || !device)
		return false;
	info = reallocarray(list->info, (size_t)list->count + 1, sizeof *info);
	if (!info)
		return true;
	list->info = info;
	if (asprintf(&path, "/dev%s", strrchr(folder, '/')) < 0)
		return true;
	/* The kernel writes "!" for a "/" in a name. */
	for (char *c = path; *c; c++)
		if (*c == '!')
			*c = '/';
	info += list->count++;
	*info = (struct device_info){ .path = path, .rdev = device, .size_bytes = size_bytes };
	identity_find(info);
	info->sector_bytes = (uint32_t)sysfs_number(512, "%s/queue/logical_block_size", folder);
	info->physical_bytes = (uint32_t)sysfs_number(512, "%s/queue/physical_block_size", folder);
	backing_find(info);
	return false;
}

/* sd2 before sd10. */
static int by_name(const void *a, const void *b)
{
	return strverscmp(((const struct device_info *)a)->name, ((const struct device_info *)b)->name);
}

int identity_list(struct device_info **info)
{
	struct list list = { 0 };
	const int result = sysfs_each("/sys/block/*", list_add, &list);

	if (result) {
		while (list.count)
			free((char *)list.info[--list.count].path);
		free(list.info);
		return result < 0 ? result : -ENOMEM;
	}
	if (list.count)
		qsort(list.info, (size_t)list.count, sizeof *list.info, by_name);
	*info = list.info;
	return list.count;
}
