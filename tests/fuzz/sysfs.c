/* The attributes of a disk and its partition, one a line, and its row in the table of disks. */
#include "tree.h"

#include "device/identity.h"
#include "device/kstat.h"
#include "report/disks.h"

#define HOST "/sys/devices/pci0000:00/0000:00:1f.2"
#define DISK HOST "/ata1/host0/target0:0:0/0:0:0:0/block/sda"

static const char *const attribute[] = {
	DISK "/size", DISK "/stat", DISK "/wwid", DISK "/serial", DISK "/device/wwid", DISK "/device/vendor",
	DISK "/device/model", DISK "/queue/scheduler", DISK "/queue/rotational", DISK "/queue/max_sectors_kb",
	DISK "/queue/max_segments", DISK "/queue/chunk_sectors", DISK "/queue/logical_block_size",
	DISK "/queue/physical_block_size", DISK "/sda1/partition", DISK "/dev", HOST "/current_link_speed",
	HOST "/current_link_width", "/sys/class/ata_link/link1/sata_spd", DISK "/loop/backing_file", DISK "/loop/dio",
};

static void put_attributes(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < sizeof attribute / sizeof *attribute; i++) {
		const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
		const size_t length = end ? (size_t)(end - data) : size;

		tree_file(attribute[i], data, length);
		data += length + (end != NULL);
		size -= length + (end != NULL);
	}
}

/* The lists by which the kernel finds disks. */
static void put_links(void)
{
	static const struct {
		const char *path, *target;
	} link[] = {
		{ "/sys/block/sda", DISK }, { "/sys/dev/block/8:0", DISK }, { "/sys/dev/block/8:1", DISK "/sda1" },
	};
	char real[2 * PATH_MAX], target[2 * PATH_MAX];

	/* Their folders. */
	tree_file("/sys/block/.here", "", 0);
	tree_file("/sys/dev/block/.here", "", 0);
	for (size_t i = 0; i < sizeof link / sizeof *link; i++) {
		snprintf(real, sizeof real, "%s%s", tree_root, link[i].path);
		snprintf(target, sizeof target, "%s%s", tree_root, link[i].target);
		promise(symlink(target, real) == 0);
	}
}

static void check_info(const struct device_info *info)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	promise(out && info->kind < KINDS && info->backing <= BACKING_MEMORY);
	promise(fuzz_printable(info->name) && fuzz_printable(info->id) && fuzz_printable(info->model));
	disks_row(out, info);
	fclose(out);
	for (const char *c = text; *c; c++)
		promise(*c == '\n' || (*c >= ' ' && *c <= '~'));
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct device_info part = { .path = "/dev/sda1", .rdev = 0x801 }, *info;
	struct kstat kstat;
	int disks;

	tree_make();
	put_attributes(data, size);
	if (!sysfs_exists("/sys/block/sda"))
		put_links();
	identity_find(&part);
	backing_find(&part);
	check_info(&part);
	kstat_read(&part, &kstat);
	disks = identity_list(&info);
	promise(disks == 0 || disks == 1);
	if (disks) {
		check_info(info);
		free((char *)info->path);
	}
	free(info);
	return 0;
}
