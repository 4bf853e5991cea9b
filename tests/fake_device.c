#include "fake_device.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/units.h"
#include "fake_clock.h"

const char *const kind_names[KINDS] = { "hdd", "ssd", "loop", "ram", "stacked", "file" };

struct fake_disk fake_disk[FAKE_DISKS];

void fake_disk_reset(void)
{
	for (unsigned i = 0; i < FAKE_DISKS; i++)
		fake_disk[i] = (struct fake_disk){
			.size_bytes = GIB,
			.sector_bytes = 512,
			.latency_ns = 5 * NS_PER_MS,
			.zeros_from_bytes = UINT64_MAX,
		};
}

void fake_disk_release(unsigned disk)
{
	fake_disk[disk].hang_at = 0;
	fake_clock_wake(disk);
}

int device_open(struct device *device, const char *path, unsigned accesses, struct error *error)
{
	unsigned disk;

	if (sscanf(path, "/dev/fake%u", &disk) != 1 || disk >= FAKE_DISKS)
		return error_set(error, STATUS_START, "'%s': no such disk", path);
	*device = (struct device){
		.info = {
			.path = path,
			.kind = KIND_HDD,
			.rdev = disk + 1,
			.size_bytes = fake_disk[disk].size_bytes,
			.sector_bytes = fake_disk[disk].sector_bytes,
			.physical_bytes = fake_disk[disk].sector_bytes,
		},
	};
	snprintf(device->info.name, sizeof device->info.name, "fake%u", disk);
	for (enum access access = 0; access < ACCESSES; access++)
		device->fd[access] = accesses & 1U << access ? (int)disk : -1;
	return 0;
}

void device_close(struct device *device)
{
	for (enum access access = 0; access < ACCESSES; access++)
		device->fd[access] = -1;
}

bool device_same(const struct device_info *a, const struct device_info *b)
{
	return a->rdev == b->rdev;
}

bool device_is(const struct device_info *info, const struct stat *stat)
{
	return S_ISBLK(stat->st_mode) && info->rdev == stat->st_rdev;
}

static struct fake_disk *behind(const struct device *device)
{
	return &fake_disk[device->info.rdev - 1];
}

static int64_t latency_ns(const struct fake_disk *disk, uint64_t read)
{
	return read == 1 && disk->first_latency_ns ? disk->first_latency_ns : disk->latency_ns;
}

static bool fails(const struct fake_disk *disk, uint64_t read, uint64_t offset, uint32_t bytes)
{
	return (read >= disk->fail_from && read <= disk->fail_to) || (disk->fail_every && read % disk->fail_every == 0) ||
	       (offset < disk->bad_to_bytes && offset + bytes > disk->bad_from_bytes);
}

int device_read(const struct device *device, enum access access, void *buffer, uint32_t bytes, uint64_t offset)
{
	struct fake_disk *disk = behind(device);
	const uint64_t read = ++disk->reads;

	if (device->fd[access] < 0)
		return -EBADF;
	if (read <= FAKE_LOG) {
		disk->log[read - 1].offset = offset;
		disk->log[read - 1].bytes = bytes;
	}
	fake_clock_wait(read == disk->hang_at ? INT64_MAX : clock_now_ns() + latency_ns(disk, read),
			(unsigned)(disk - fake_disk));
	if (disk->gone_from && read >= disk->gone_from)
		return -ENODEV;
	disk->kernel.reads++;
	disk->kernel.read_sectors += bytes / KSTAT_SECTOR_BYTES;
	if (fails(disk, read, offset, bytes))
		return -EIO;
	memset(buffer, offset >= disk->zeros_from_bytes ? 0 : 0x5a, bytes);
	return 0;
}

void device_chill(const struct device *device)
{
	behind(device)->chills++;
}

int kstat_read(const struct device_info *info, struct kstat *kstat)
{
	if (fake_disk[info->rdev - 1].uncounted)
		return -ENOENT;
	*kstat = fake_disk[info->rdev - 1].kernel;
	return 0;
}
