/* Files of sysfs and procfs in a folder of the target's own, in memory, which goes when the target ends. */
#ifndef TESTS_FUZZ_TREE_H
#define TESTS_FUZZ_TREE_H

#include "fuzz.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/sysfs.h"

static char tree_root[PATH_MAX];
const char *const sysfs_root = tree_root;

static void tree_remove(void)
{
	char command[PATH_MAX + 16];

	snprintf(command, sizeof command, "rm -rf %s", tree_root);
	promise(system(command) == 0);
}

static inline void tree_make(void)
{
	if (*tree_root)
		return;
	strcpy(tree_root, access("/dev/shm", W_OK) == 0 ? "/dev/shm/diskbench-fuzz-XXXXXX" : "/tmp/diskbench-fuzz-XXXXXX");
	promise(mkdtemp(tree_root));
	atexit(tree_remove);
}

/* A file of these bytes; the folders on the way are made. */
static inline void tree_file(const char *path, const void *bytes, size_t size)
{
	char real[2 * PATH_MAX];
	int fd;

	snprintf(real, sizeof real, "%s%s", tree_root, path);
	fd = open(real, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	for (char *slash = real + strlen(tree_root) + 1; fd < 0 && (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(real, 0755);
		*slash = '/';
	}
	if (fd < 0)
		fd = open(real, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	promise(fd >= 0);
	promise(write(fd, bytes, size) == (ssize_t)size);
	close(fd);
}

#endif
