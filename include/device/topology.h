/* What disks have in common on their way to the machine, from sysfs alone: where they can get in each other's way. */
#ifndef DEVICE_TOPOLOGY_H
#define DEVICE_TOPOLOGY_H

#include <stddef.h>

#include "device/device.h"

/* Two or more disks behind one controller, expander, hub or bridge, or as files on one filesystem. */
struct share {
	char *place;                    /* its folder in sysfs, or the filesystem's number */
	char text[96];                  /* what it is, with its link where that is known: "SAS expander 1:0 (12.0 Gbit)" */
	unsigned *disk, disks;          /* indices, ascending */
};

enum kinship {
	KIN_SAME_DISK,                  /* both are, or are parts of, one disk */
	KIN_SAME_ID,                    /* two nodes with one id: two paths to one disk */
	KIN_LIES_ON,                    /* a is made of b, among others: md, dm, a file on a filesystem of b */
};

struct relation {
	enum kinship kinship;
	unsigned a, b;                  /* indices */
};

struct topology {
	struct share *share;            /* the nearest to the disks first */
	size_t shares;
	struct relation *relation;
	size_t relations;
};

/* Looks at disks that were described by device_open() or identity_list(). On error (STATUS_START: memory) there is nothing to
 * release. */
int topology_find(struct topology *topology, const struct device_info *const *info, unsigned disks, struct error *error);
void topology_release(struct topology *topology);

#endif
