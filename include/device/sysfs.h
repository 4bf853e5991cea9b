/* Text from sysfs and procfs. Attributes come and go with kernels and drivers: one that cannot be read
 * is unknown, never an error. */
#ifndef DEVICE_SYSFS_H
#define DEVICE_SYSFS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Goes before every path of this module: "" here; a test links a tree of its own. */
extern const char *const sysfs_root;

/* The first size-1 bytes of a file named by format, without blanks at its ends; "" when there is no such
 * file. Returns whether there is one. */
bool sysfs_text(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The number in a file named by format, or unknown. */
uint64_t sysfs_number(uint64_t unknown, const char *format, ...) __attribute__((format(printf, 2, 3)));

bool sysfs_exists(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The folder of a block device, every link resolved: ".../block/sda/sda1". Returns whether it is known. */
bool sysfs_folder(char folder[PATH_MAX], dev_t device);

/* The device number in the file "dev" of a folder; 0 when there is none. */
dev_t sysfs_device(const char *folder);

/* The paths that match a pattern, one after another in the order of their names, until visit() returns true. Each part
 * between slashes is one of fnmatch(3). Returns 1 when visit() did, 0 when it did not, or -errno when memory or
 * descriptors are short. (glob(3) of the GNU C Library can crash then.) */
int sysfs_each(const char *pattern, bool (*visit)(const char *path, void *context), void *context);

#endif
