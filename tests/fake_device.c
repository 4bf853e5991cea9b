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
			.gone_error = -ENODEV,
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

struct fake_read fake_read_issue(struct fake_disk *disk, uint32_t bytes, uint64_t offset)
{
	struct fake_read read = { .number = ++disk->reads, .offset = offset, .bytes = bytes };
	const bool waits = disk->serial && disk->busy_until_ns > clock_now_ns();

	if (read.number <= FAKE_LOG) {
		disk->log[read.number - 1].offset = offset;
		disk->log[read.number - 1].bytes = bytes;
	}
	if (++disk->in_flight > disk->most_in_flight)
		disk->most_in_flight = disk->in_flight;
	read.done_ns = disk->busy_until_ns =
		(waits ? disk->busy_until_ns : clock_now_ns()) + latency_ns(disk, read.number);
	if (disk->hang_at && (read.number == disk->hang_at || (disk->hang_on && read.number > disk->hang_at)))
		read.done_ns = INT64_MAX;
	return read;
}

bool fake_read_done(const struct fake_disk *disk, const struct fake_read *read)
{
	return read->done_ns == INT64_MAX ? !disk->hang_at : read->done_ns <= clock_now_ns();
}

int fake_read_end(struct fake_disk *disk, const struct fake_read *read)
{
	disk->in_flight--;
	if (disk->gone_from && read->number >= disk->gone_from)
		return disk->gone_error;
	disk->kernel.reads++;
	disk->kernel.read_sectors += read->bytes / KSTAT_SECTOR_BYTES;
	return fails(disk, read->number, read->offset, read->bytes) ? -EIO : 0;
}

int device_read(const struct device *device, enum access access, void *buffer, uint32_t bytes, uint64_t offset)
{
	struct fake_disk *disk = behind(device);
	const struct fake_read read = fake_read_issue(disk, bytes, offset);

	if (device->fd[access] < 0)
		return -EBADF;
	fake_clock_wait(read.done_ns, (unsigned)(disk - fake_disk));
	memset(buffer, offset >= disk->zeros_from_bytes ? 0 : 0x5a, bytes);
	return fake_read_end(disk, &read);
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
	kstat->time_ns = clock_now_ns();
	return 0;
}
