/* Stands in for src/device/sysfs_root.c: sysfs and procfs are a folder of a test's own, which it fills in. */
#ifndef TESTS_FAKE_SYSFS_H
#define TESTS_FAKE_SYSFS_H

#include "device/sysfs.h"

/* Setup and teardown of cmocka: an empty tree, and its end. */
int fake_sysfs_open(void **state);
int fake_sysfs_close(void **state);

/* A file of that text; folders on the way are made. path: as on a real machine, "/sys/...". */
void fake_file(const char *path, const char *text);

/* A link to another path of the tree. */
void fake_link(const char *path, const char *target);

/* Lines of "path=text" or "path->target". Paths are below folder, or from the root if they start with "/". */
void fake_tree(const char *folder, const char *lines);

/* A block device: its folder with dev ("8:0") and lines, found by its number; a whole disk (not a partition) is in
 * /sys/block too. */
void fake_block(const char *folder, const char *number, const char *lines);

#endif
