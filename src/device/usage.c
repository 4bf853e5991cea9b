#include "device/usage.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/text.h"
#include "device/sysfs.h"

/* A disk with its partitions, or one partition, or one file. */
struct family {
	struct device_info *info;
	dev_t member[128];              /* none for a file */
	size_t members;
};

static bool has_member(const struct family *family, dev_t device)
{
	for (size_t i = 0; i < family->members; i++)
		if (family->member[i] == device)
			return true;
	return false;
}

/* Is that path the file, or a device node of the family? */
static bool has_path(const struct family *family, const char *path)
{
	struct stat facts;

	if (stat(path, &facts) < 0)
		return false;
	return S_ISBLK(facts.st_mode) ? has_member(family, facts.st_rdev) : device_is(family->info, &facts);
}

__attribute__((format(printf, 2, 3)))
static bool used(const struct family *family, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(family->info->in_use, sizeof family->info->in_use, format, arguments);
	va_end(arguments);
	text_printable(family->info->in_use);
	return true;
}

static bool add_partition(const char *partition, void *context)
{
	struct family *family = context;
	char *folder = strndup(partition, (size_t)(strrchr(partition, '/') - partition));

	if (folder && family->members < TEXT_COUNT(family->member))
		family->member[family->members++] = sysfs_device(folder);
	free(folder);
	return false;
}

static void find_members(struct family *family)
{
	char folder[PATH_MAX], pattern[PATH_MAX + 16];

	if (!family->info->rdev)
		return;
	family->member[family->members++] = family->info->rdev;
	if (!sysfs_folder(folder, family->info->rdev))
		return;
	snprintf(pattern, sizeof pattern, "%s/*/partition", folder);
	sysfs_each(pattern, add_partition, family);
}

static bool holder(const char *path, void *context)
{
	return used(context, "held by %s", strrchr(path, '/') + 1);
}

static bool find_holder(struct family *family)
{
	for (size_t i = 0; i < family->members; i++) {
		char folder[PATH_MAX], pattern[PATH_MAX + 16];

		if (!sysfs_folder(folder, family->member[i]))
			continue;
		snprintf(pattern, sizeof pattern, "%s/holders/*", folder);
		if (sysfs_each(pattern, holder, family))
			return true;
	}
	return false;
}

/* procfs writes blanks and backslashes of a name as three octal digits. */
static void unescape(char *text)
{
	char *to = text;

	for (; *text; to++) {
		char digits[4] = "";

		if (*text == '\\' && strspn(strncpy(digits, text + 1, 3), "01234567") == 3) {
			*to = (char)strtoul(digits, NULL, 8);
			text += 4;
		} else {
			*to = *text++;
		}
	}
	*to = '\0';
}

/* One line of /proc/self/mountinfo (proc_pid_mountinfo(5)). The number is that of no device for btrfs and others that
 * span several; their source is then the node of one. */
static bool mounted(const struct family *family, char *line)
{
	char place[PATH_MAX], source[PATH_MAX] = "";
	const char *separator = strstr(line, " - ");
	unsigned major_number, minor_number;

	if (!separator || sscanf(line, "%*u %*u %u:%u %*s %4095s", &major_number, &minor_number, place) != 3)
		return false;
	sscanf(separator, " - %*s %4095s", source);
	unescape(source);
	unescape(place);
	if (has_member(family, makedev(major_number, minor_number)) ||
	    (*source == '/' && family->members && has_path(family, source)))
		return used(family, "mounted on %s", place);
	return false;
}

static bool swapped_to(const struct family *family, char *line)
{
	if (*line != '/')
		return false;
	line[strcspn(line, " \t")] = '\0';
	unescape(line);
	return has_path(family, line) && used(family, "swap space");
}

static bool find_line(const struct family *family, const char *file, bool (*match)(const struct family *, char *))
{
	char path[PATH_MAX], *line = NULL;
	size_t size = 0;
	bool found = false;
	FILE *lines;

	snprintf(path, sizeof path, "%s%s", sysfs_root, file);
	lines = fopen(path, "re");
	if (!lines)
		return false;
	while (!found && getline(&line, &size, lines) > 0)
		found = match(family, line);
	free(line);
	fclose(lines);
	return found;
}

static bool btrfs_member(const char *folder, void *context)
{
	const dev_t device = sysfs_device(folder);

	return device && has_member(context, device) && used(context, "part of a btrfs");
}

static bool backs_loop(const char *path, void *context)
{
	char file[PATH_MAX], name[32] = "";

	sysfs_text(file, sizeof file, "%s", path);
	sscanf(path, "/sys/block/%31[^/]", name);
	return has_path(context, file) && used(context, "behind %s", name);
}

void usage_find(struct device_info *info)
{
	struct family family = { .info = info };

	info->in_use[0] = '\0';
	find_members(&family);
	(void)(find_holder(&family) || find_line(&family, "/proc/self/mountinfo", mounted) ||
	       find_line(&family, "/proc/swaps", swapped_to) ||
	       sysfs_each("/sys/fs/btrfs/*/devices/*", btrfs_member, &family) ||
	       sysfs_each("/sys/block/loop*/loop/backing_file", backs_loop, &family));
}
