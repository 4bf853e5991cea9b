#include "device/sysfs.h"

#include <fcntl.h>
#include <glob.h>
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

bool sysfs_each(const char *pattern, bool (*visit)(const char *path, void *context), void *context)
{
	char path[PATH_MAX];
	const size_t root = strlen(sysfs_root);
	glob_t found;
	bool stopped = false;

	snprintf(path, sizeof path, "%s%s", sysfs_root, pattern);
	if (glob(path, 0, NULL, &found) != 0)
		return false;
	for (size_t i = 0; i < found.gl_pathc && !stopped; i++)
		stopped = visit(found.gl_pathv[i] + root, context);
	globfree(&found);
	return stopped;
}
