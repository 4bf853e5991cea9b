#include "device/usage.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/text.h"
#include "device/sysfs.h"

__attribute__((format(printf, 3, 4)))
static void add(struct usage *usage, struct use new, const char *format, ...)
{
	struct use *grown = reallocarray(usage->use, usage->uses + 1, sizeof *grown);
	va_list arguments;

	if (!grown) {
		usage->error = -ENOMEM;
		return;
	}
	va_start(arguments, format);
	vsnprintf(new.text, sizeof new.text, format, arguments);
	va_end(arguments);
	text_printable(new.text);
	usage->use = grown;
	grown[usage->uses++] = new;
}

/* What a path leads to: a block device, or a file. False when there is nothing. */
static bool use_of_path(struct use *use, const char *path)
{
	struct stat facts;

	if (stat(path, &facts) < 0)
		return false;
	if (S_ISBLK(facts.st_mode))
		*use = (struct use){ .rdev = facts.st_rdev };
	else
		*use = (struct use){ .dev = facts.st_dev, .inode = facts.st_ino };
	return true;
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
static void add_mount(struct usage *usage, char *line)
{
	char place[PATH_MAX], source[PATH_MAX] = "";
	const char *separator = strstr(line, " - ");
	unsigned major_number, minor_number;
	struct use use;

	if (!separator || sscanf(line, "%*u %*u %u:%u %*s %4095s", &major_number, &minor_number, place) != 3)
		return;
	sscanf(separator, " - %*s %4095s", source);
	unescape(source);
	unescape(place);
	add(usage, (struct use){ .rdev = makedev(major_number, minor_number) }, "mounted on %s", place);
	if (*source == '/' && use_of_path(&use, source) && use.rdev)
		add(usage, use, "mounted on %s", place);
}

/* One line of /proc/swaps (proc_swaps(5)). */
static void add_swap(struct usage *usage, char *line)
{
	struct use use;

	line[strcspn(line, " \t")] = '\0';
	unescape(line);
	if (*line == '/' && use_of_path(&use, line))
		add(usage, use, "swap space");
}

/* An errno of what could not be opened or read: files that are not there hold nothing. */
static void miss(struct usage *usage, int number)
{
	if (number == ENOMEM || number == EMFILE || number == ENFILE)
		usage->error = -number;
}

static void each_line(struct usage *usage, const char *file, void (*add_line)(struct usage *, char *))
{
	char path[PATH_MAX], *line = NULL;
	size_t size = 0;
	FILE *lines;

	snprintf(path, sizeof path, "%s%s", sysfs_root, file);
	lines = fopen(path, "re");
	if (!lines) {
		miss(usage, errno);
		return;
	}
	while (getline(&line, &size, lines) > 0)
		add_line(usage, line);
	if (!feof(lines))
		miss(usage, errno);
	free(line);
	fclose(lines);
}

static bool each_path(struct usage *usage, const char *pattern, bool (*visit)(const char *, void *), void *context)
{
	const int result = sysfs_each(pattern, visit, context);

	if (result < 0)
		usage->error = result;
	return result > 0;
}

static bool add_btrfs(const char *folder, void *usage)
{
	const dev_t device = sysfs_device(folder);

	if (device)
		add(usage, (struct use){ .rdev = device }, "part of a btrfs");
	return false;
}

static bool add_loop(const char *path, void *usage)
{
	char file[PATH_MAX], name[32] = "";
	struct use use;

	sysfs_text(file, sizeof file, "%s", path);
	sscanf(path, "/sys/block/%31[^/]", name);
	if (use_of_path(&use, file))
		add(usage, use, "behind %s", name);
	return false;
}

void usage_scan(struct usage *usage)
{
	*usage = (struct usage){ 0 };
	each_line(usage, "/proc/self/mountinfo", add_mount);
	each_line(usage, "/proc/swaps", add_swap);
	each_path(usage, "/sys/fs/btrfs/*/devices/*", add_btrfs, usage);
	each_path(usage, "/sys/block/loop*/loop/backing_file", add_loop, usage);
}

int usage_check(const struct usage *usage, struct error *error)
{
	if (!usage->error)
		return 0;
	return error_set(error, STATUS_START, "cannot see who else uses the disks: %s%s", error_reason(-usage->error),
			 error_remedy(-usage->error));
}

void usage_release(struct usage *usage)
{
	free(usage->use);
	*usage = (struct usage){ 0 };
}

static bool holder(const char *path, void *info)
{
	struct device_info *held = info;

	snprintf(held->in_use, sizeof held->in_use, "held by %.100s", strrchr(path, '/') + 1);
	text_printable(held->in_use);
	return true;
}

/* Holders first: what is mounted is then held by them, and tells less of the disk. */
static bool find_holder(struct usage *usage, struct device_info *info, const char *folder)
{
	char pattern[PATH_MAX + 16];

	snprintf(pattern, sizeof pattern, "%s/holders/*", folder);
	return each_path(usage, pattern, holder, info);
}

static bool find_use(const struct usage *usage, struct device_info *info, dev_t rdev)
{
	for (size_t i = 0; i < usage->uses; i++) {
		const struct use *use = &usage->use[i];

		if (rdev ? use->rdev != rdev : use->rdev || use->dev != info->dev || use->inode != info->inode)
			continue;
		memcpy(info->in_use, use->text, sizeof info->in_use);
		return true;
	}
	return false;
}

/* Both for the folder of an attribute: of a partition of a disk, of the disk of a partition. */
struct search {
	struct usage *usage;
	struct device_info *info;
};

static bool find_on(const char *attribute, void *context)
{
	const struct search *search = context;
	char folder[PATH_MAX];
	dev_t rdev;

	snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(attribute, '/') - attribute), attribute);
	rdev = sysfs_device(folder);
	return find_holder(search->usage, search->info, folder) || (rdev && find_use(search->usage, search->info, rdev));
}

void usage_find(struct usage *usage, struct device_info *info)
{
	char folder[PATH_MAX], pattern[2 * PATH_MAX];
	const bool known = info->rdev && sysfs_folder(folder, info->rdev);

	info->in_use[0] = '\0';
	if ((known && find_holder(usage, info, folder)) || find_use(usage, info, info->rdev) || !known)
		return;
	/* Those of a partition's disk, such as a multipath device, too. */
	snprintf(pattern, sizeof pattern, "%s/../dev", folder);
	if (sysfs_exists("%s/partition", folder) && find_on(pattern, &(struct search){ usage, info }))
		return;
	/* sda1, nvme0n1p1: their names begin with that of their disk, and other folders need no look. */
	snprintf(pattern, sizeof pattern, "%s%s*/partition", folder, strrchr(folder, '/'));
	each_path(usage, pattern, find_on, &(struct search){ usage, info });
}
