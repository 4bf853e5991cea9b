#include "device/sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/text.h"

__attribute__((format(printf, 2, 0)))
static void path_format(char path[PATH_MAX], const char *format, va_list arguments)
{
	const int length = snprintf(path, PATH_MAX, "%s", sysfs_root);

	vsnprintf(path + length, PATH_MAX - (size_t)length, format, arguments);
}

static bool file_text(char *text, size_t size, const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const ssize_t length = fd < 0 ? -1 : read(fd, text, size - 1);

	text[length > 0 ? length : 0] = '\0';
	text_trim(text, size, text);
	if (fd >= 0)
		close(fd);
	return length >= 0;
}

bool sysfs_text(char *text, size_t size, const char *format, ...)
{
	char path[PATH_MAX];
	va_list arguments;

	va_start(arguments, format);
	path_format(path, format, arguments);
	va_end(arguments);
	return file_text(text, size, path);
}

uint64_t sysfs_number(uint64_t unknown, const char *format, ...)
{
	char path[PATH_MAX], text[32], *end;
	va_list arguments;

	va_start(arguments, format);
	path_format(path, format, arguments);
	va_end(arguments);
	if (!file_text(text, sizeof text, path))
		return unknown;
	const uint64_t number = strtoull(text, &end, 10);
	return end == text || *end ? unknown : number;
}

bool sysfs_exists(const char *format, ...)
{
	char path[PATH_MAX];
	va_list arguments;

	va_start(arguments, format);
	path_format(path, format, arguments);
	va_end(arguments);
	return access(path, F_OK) == 0;
}

bool sysfs_folder(char folder[PATH_MAX], dev_t device)
{
	char path[PATH_MAX], real[PATH_MAX];
	const size_t root = strlen(sysfs_root);

	snprintf(path, sizeof path, "%s/sys/dev/block/%u:%u", sysfs_root, major(device), minor(device));
	if (!realpath(path, real))
		return false;
	strcpy(folder, strncmp(real, sysfs_root, root) == 0 ? real + root : real);
	return true;
}

dev_t sysfs_device(const char *folder)
{
	char text[32];
	unsigned major_number, minor_number;

	sysfs_text(text, sizeof text, "%s/dev", folder);
	if (sscanf(text, "%u:%u", &major_number, &minor_number) != 2)
		return 0;
	return makedev(major_number, minor_number);
}

/* Adds the entries of a folder whose names match. 0 or -errno, as sysfs_each(). */
static int add_matches(struct words *paths, const char *folder, const char *name)
{
	char path[PATH_MAX];
	struct dirent **entry;
	const int entries = scandir(folder, &entry, NULL, alphasort);

	if (entries < 0)
		return errno == ENOMEM || errno == EMFILE || errno == ENFILE ? -errno : 0;
	for (int i = 0; i < entries; i++) {
		const int length = snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);

		if (fnmatch(name, entry[i]->d_name, FNM_PERIOD) == 0 && length < PATH_MAX)
			words_add(paths, path, (size_t)length);
		free(entry[i]);
	}
	free(entry);
	return paths->incomplete ? -ENOMEM : 0;
}

/* Goes on from each path along the pattern, to its end or through the next part with a wildcard. Returns likewise. */
static int descend(struct words *paths, const char **pattern)
{
	const char *rest = *pattern, *part = rest + strcspn(rest, "*?[");
	const bool wild = *part;
	char folder[PATH_MAX], name[NAME_MAX + 1] = "";
	struct words found = { 0 };
	int result = 0;

	while (wild && *part != '/')
		part--;
	*pattern = wild ? part + 1 + strcspn(part + 1, "/") : part;
	if (wild)
		snprintf(name, sizeof name, "%.*s", (int)(*pattern - part - 1), part + 1);
	for (size_t i = 0; i < paths->count && result == 0; i++) {
		snprintf(folder, sizeof folder, "%s%.*s", paths->word[i], (int)(part - rest), rest);
		if (wild)
			result = add_matches(&found, folder, name);
		else if (access(folder, F_OK) == 0)
			words_add(&found, folder, strlen(folder));
	}
	words_release(paths);
	*paths = found;
	return found.incomplete ? -ENOMEM : result;
}

int sysfs_each(const char *pattern, bool (*visit)(const char *path, void *context), void *context)
{
	const size_t root = strlen(sysfs_root);
	struct words paths = { 0 };
	int result = 0;

	words_add(&paths, sysfs_root, root);
	if (paths.incomplete)
		result = -ENOMEM;
	while (*pattern && result == 0)
		result = descend(&paths, &pattern);
	for (size_t i = 0; i < paths.count && result == 0; i++)
		result = visit(paths.word[i] + root, context);
	words_release(&paths);
	return result;
}
