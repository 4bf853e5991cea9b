#include "device/topology.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/text.h"
#include "device/identity.h"
#include "device/sysfs.h"

enum { SHARE_TEXT = sizeof ((struct share *)NULL)->text, BELOW_MOST = 64 };

struct search {
	struct topology *topology;
	const struct device_info *const *info;
	unsigned disks;
	bool incomplete;                /* memory was short */
};

static struct share *share_find(struct topology *topology, const char *place)
{
	struct share *grown;

	for (struct share *share = topology->share; share < topology->share + topology->shares; share++)
		if (strcmp(share->place, place) == 0)
			return share;
	grown = reallocarray(topology->share, topology->shares + 1, sizeof *grown);
	if (!grown)
		return NULL;
	topology->share = grown;
	grown += topology->shares;
	*grown = (struct share){ .place = strdup(place) };
	if (!grown->place)
		return NULL;
	topology->shares++;
	return grown;
}

static void join(struct search *search, const char *place, const char *text, unsigned disk)
{
	struct share *share = share_find(search->topology, place);
	unsigned *grown = share ? reallocarray(share->disk, share->disks + 1, sizeof *grown) : NULL;

	if (!grown) {
		search->incomplete = true;
		return;
	}
	share->disk = grown;
	grown[share->disks++] = disk;
	snprintf(share->text, sizeof share->text, "%s", text);
	text_printable(share->text);
}

/* "0000:03:00.0" */
static bool is_pci(const char *name)
{
	unsigned domain, bus, slot, function;
	int end = 0;

	return sscanf(name, "%4x:%2x:%2x.%1x%n", &domain, &bus, &slot, &function, &end) == 4 && !name[end];
}

/* What a folder on the way up is, where disks can meet. */
static bool describe(char text[SHARE_TEXT], const char *folder)
{
	const char *name = strrchr(folder, '/') + 1;
	char link[32], above[PATH_MAX];
	bool linked = identity_link(link, folder);
	int length;

	if (strncmp(name, "expander-", 9) == 0) {
		snprintf(above, sizeof above, "%.*s", (int)(name - 1 - folder), folder);
		linked = identity_link(link, above);
		length = snprintf(text, SHARE_TEXT, "SAS expander %.20s", name + 9);
	} else if (strncmp(name, "ata", 3) == 0 && name[3] >= '0' && name[3] <= '9') {
		linked = false;
		length = snprintf(text, SHARE_TEXT, "SATA port %.20s", name);
	} else if (sysfs_number(0, "%s/bDeviceClass", folder) == 9) {
		length = snprintf(text, SHARE_TEXT, "USB hub %.20s", name);
	} else if (is_pci(name)) {
		length = snprintf(text, SHARE_TEXT, "PCI function %.20s", name);
	} else {
		return false;
	}
	if (linked)
		snprintf(text + length, SHARE_TEXT - (size_t)length, " (%s)", link);
	return true;
}

static void climb(struct search *search, unsigned disk)
{
	char folder[PATH_MAX], text[SHARE_TEXT];

	if (!search->info[disk]->disk_rdev || !sysfs_folder(folder, search->info[disk]->disk_rdev))
		return;
	for (char *slash = strrchr(folder, '/'); slash && slash > folder; slash = strrchr(folder, '/')) {
		*slash = '\0';
		if (strrchr(folder, '/') && describe(text, folder))
			join(search, folder, text, disk);
	}
}

static void find_filesystem(struct search *search, unsigned disk)
{
	const struct device_info *info = search->info[disk];
	char place[32], text[SHARE_TEXT], folder[PATH_MAX];

	if (!info->inode || info->backing == BACKING_MEMORY)
		return;
	snprintf(place, sizeof place, "%u:%u", major(info->dev), minor(info->dev));
	if (sysfs_folder(folder, info->dev))
		snprintf(text, sizeof text, "the filesystem on %.40s", strrchr(folder, '/') + 1);
	else
		snprintf(text, sizeof text, "the filesystem of device %s", place);
	join(search, place, text, disk);
}

static bool same_members(const struct share *a, const struct share *b)
{
	return a->disks == b->disks && memcmp(a->disk, b->disk, a->disks * sizeof *a->disk) == 0;
}

/* Parts of one disk meet there, and nothing is shared. */
static bool one_disk(const struct search *search, const struct share *share)
{
	const struct device_info *first = search->info[share->disk[0]];

	for (unsigned i = 1; i < share->disks; i++)
		if (!first->disk_rdev || search->info[share->disk[i]]->disk_rdev != first->disk_rdev)
			return false;
	return true;
}

/* Whether the same disks have met before, nearer to them, at something of the same kind. */
static bool met_before(const struct topology *topology, const struct share *share)
{
	const size_t kind = strcspn(share->text, " ");

	for (const struct share *other = topology->share; other < share; other++)
		if (same_members(other, share) && strncmp(other->text, share->text, kind) == 0)
			return true;
	return false;
}

static void share_release(struct share *share)
{
	free(share->place);
	free(share->disk);
}

static void drop_trivial(const struct search *search)
{
	struct topology *topology = search->topology;
	size_t kept = 0;

	for (size_t i = 0; i < topology->shares; i++) {
		struct share share = topology->share[i];

		topology->share[kept] = share;
		if (share.disks < 2 || one_disk(search, &share) || met_before(topology, &topology->share[kept]))
			share_release(&share);
		else
			kept++;
	}
	topology->shares = kept;
}

static void relate(struct search *search, enum kinship kinship, unsigned a, unsigned b)
{
	struct topology *topology = search->topology;
	struct relation *grown = reallocarray(topology->relation, topology->relations + 1, sizeof *grown);

	if (!grown) {
		search->incomplete = true;
		return;
	}
	topology->relation = grown;
	grown[topology->relations++] = (struct relation){ kinship, a, b };
}

/* What a stacked device or a file is made of, however many layers down, and the whole disks of these. */
struct below {
	dev_t rdev[BELOW_MOST];
	unsigned count;
};

static void dig(struct below *below, dev_t rdev);

static bool dig_slave(const char *folder, void *below)
{
	dig(below, sysfs_device(folder));
	return false;
}

static void dig(struct below *below, dev_t rdev)
{
	const dev_t disk = identity_disk(rdev);
	char folder[PATH_MAX], pattern[PATH_MAX + 16];

	if (!disk || below->count + 2 > BELOW_MOST)
		return;
	below->rdev[below->count++] = rdev;
	if (disk != rdev)
		below->rdev[below->count++] = disk;
	if (!sysfs_folder(folder, disk))
		return;
	snprintf(pattern, sizeof pattern, "%s/slaves/*", folder);
	sysfs_each(pattern, dig_slave, below);
}

static void find_what_it_lies_on(struct search *search, unsigned a)
{
	const struct device_info *info = search->info[a];
	struct below below = { .count = 0 };

	if (info->inode)
		dig(&below, info->dev);
	else if (info->kind == KIND_STACKED)
		dig(&below, info->rdev);
	for (unsigned b = 0; b < search->disks; b++)
		for (unsigned i = 0; i < below.count && search->info[b]->rdev; i++)
			if (b != a && search->info[b]->rdev == below.rdev[i] && search->info[b]->disk_rdev != info->disk_rdev) {
				relate(search, KIN_LIES_ON, a, b);
				break;
			}
}

static void find_twins(struct search *search, unsigned a)
{
	const struct device_info *x = search->info[a];

	for (unsigned b = a + 1; b < search->disks; b++) {
		const struct device_info *y = search->info[b];

		if (x->disk_rdev && x->disk_rdev == y->disk_rdev)
			relate(search, KIN_SAME_DISK, a, b);
		else if (*x->id && strcmp(x->id, y->id) == 0)
			relate(search, KIN_SAME_ID, a, b);
	}
}

int topology_find(struct topology *topology, const struct device_info *const *info, unsigned disks, struct error *error)
{
	struct search search = { topology, info, disks, false };

	*topology = (struct topology){ 0 };
	for (unsigned disk = 0; disk < disks; disk++) {
		climb(&search, disk);
		find_filesystem(&search, disk);
	}
	drop_trivial(&search);
	for (unsigned disk = 0; disk < disks; disk++) {
		find_twins(&search, disk);
		find_what_it_lies_on(&search, disk);
	}
	if (!search.incomplete)
		return 0;
	topology_release(topology);
	return error_set(error, STATUS_START, "not enough memory to see what %u disks share%s", disks, error_remedy(ENOMEM));
}

void topology_release(struct topology *topology)
{
	while (topology->shares)
		share_release(&topology->share[--topology->shares]);
	free(topology->share);
	free(topology->relation);
	*topology = (struct topology){ 0 };
}
