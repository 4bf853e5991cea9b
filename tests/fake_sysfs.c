#include "fake_sysfs.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

static char root[PATH_MAX];
const char *const sysfs_root = root;

int fake_sysfs_open(void **state)
{
	char folder[] = "/tmp/diskbench-sysfs-XXXXXX";

	(void)state;
	return mkdtemp(folder) && realpath(folder, root) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *stat, int type, struct FTW *at)
{
	(void)stat, (void)type, (void)at;
	return remove(path);
}

int fake_sysfs_close(void **state)
{
	(void)state;
	return nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* The path in the tree, whose folders then exist. */
static void place(char real[PATH_MAX], const char *path)
{
	assert_int_equal(*path, '/');
	snprintf(real, PATH_MAX, "%s%s", root, path);
	for (char *slash = real + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(real, 0755);
		*slash = '/';
	}
}

void fake_file(const char *path, const char *text)
{
	char real[PATH_MAX];
	FILE *file;

	place(real, path);
	file = fopen(real, "w");
	assert_non_null(file);
	fprintf(file, "%s\n", text);
	assert_int_equal(fclose(file), 0);
}

void fake_link(const char *path, const char *target)
{
	char real[PATH_MAX], real_target[PATH_MAX];

	place(real, path);
	place(real_target, target);
	assert_int_equal(symlink(real_target, real), 0);
}

static void fake_line(const char *folder, char *line)
{
	char path[PATH_MAX], target[PATH_MAX];
	char *value = strstr(line, "->");

	if (!value)
		value = strchr(line, '=');
	assert_non_null(value);
	const bool is_link = *value == '-';

	*value = '\0';
	value += is_link ? 2 : 1;
	snprintf(path, sizeof path, "%s%s%s", *line == '/' ? "" : folder, *line == '/' ? "" : "/", line);
	snprintf(target, sizeof target, "%s%s%s", *value == '/' ? "" : folder, *value == '/' ? "" : "/", value);
	if (is_link)
		fake_link(path, target);
	else
		fake_file(path, value);
}

void fake_tree(const char *folder, const char *lines)
{
	char *text = strdup(lines), *rest = text, *line;

	assert_non_null(text);
	while ((line = strsep(&rest, "\n")))
		if (*line)
			fake_line(folder, line);
	free(text);
}

void fake_block(const char *folder, const char *number, const char *lines)
{
	const char *name = strrchr(folder, '/');
	char path[PATH_MAX];

	snprintf(path, sizeof path, "%s/dev", folder);
	fake_file(path, number);
	fake_tree(folder, lines);
	snprintf(path, sizeof path, "/sys/dev/block/%s", number);
	fake_link(path, folder);
	snprintf(path, sizeof path, "/sys/block%s", name);
	if (!sysfs_exists("%s/partition", folder))
		fake_link(path, folder);
}
