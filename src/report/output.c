#include "report/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* From errno; remedy: "; do this", or "". */
static int fail(const char *name, const char *remedy, struct error *error)
{
	return error_set(error, STATUS_REPORT, "cannot write '%s': %s%s", name ? name : "standard output",
			 error_reason(errno), remedy);
}

int output_open_stdout(struct output_file *file, struct error *error)
{
	*file = (struct output_file){ .stream = stdout };
	if (fcntl(STDOUT_FILENO, F_GETFL) < 0 || (fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) == O_RDONLY) {
		errno = EBADF;
		return fail(NULL, "; open it, or use --quiet with -o", error);
	}
	return 0;
}

/* A new file beside the target, with the rights that the target has or would get. */
static int open_draft(struct output_file *file, const struct stat *old)
{
	const mode_t mask = umask(0);
	const mode_t mode = old ? old->st_mode & 0777 : 0666 & ~mask;
	int fd;

	umask(mask);
	if (asprintf(&file->draft, "%s.XXXXXX", file->target) < 0) {
		file->draft = NULL;
		return -1;
	}
	fd = mkostemp(file->draft, O_CLOEXEC);
	if (fd < 0) {
		free(file->draft);
		file->draft = NULL;
		return -1;
	}
	/* Only root can, and only root's report would else change its owner. */
	if (old && fchown(fd, old->st_uid, old->st_gid) < 0)
		errno = 0;
	if (fchmod(fd, mode) == 0)
		file->stream = fdopen(fd, "w");
	if (!file->stream)
		close(fd);
	return file->stream ? 0 : -1;
}

/* Where a new file will lie, so written that two names of it are told. NULL: see errno. */
static char *new_target(const char *name)
{
	const char *slash = strrchr(name, '/');
	char *folder = slash ? strndup(name, (size_t)(slash + 1 - name)) : strdup(".");
	char *real = folder ? realpath(folder, NULL) : NULL, *target = NULL;

	if (real && asprintf(&target, "%s/%s", real, slash ? slash + 1 : name) < 0)
		target = NULL;
	free(real);
	free(folder);
	return target;
}

static int open_beside(struct output_file *file, const struct stat *old, struct error *error)
{
	file->target = old ? realpath(file->name, NULL) : new_target(file->name);
	if (file->target && open_draft(file, old) == 0)
		return 0;
	fail(file->name, errno == ENOENT ? "; make its folder first" : error_remedy(errno), error);
	output_discard(file);
	return -1;
}

static int open_in_place(struct output_file *file, struct error *error)
{
	/* A FIFO without a reader is an error, not a long wait. */
	const int fd = open(file->name, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd >= 0 && fcntl(fd, F_SETFL, O_WRONLY) == 0)
		file->stream = fdopen(fd, "w");
	if (file->stream)
		return 0;
	fail(file->name, errno == ENXIO ? "; start its reader first" : error_remedy(errno), error);
	if (fd >= 0)
		close(fd);
	output_discard(file);
	return -1;
}

static bool is_stdout(const struct stat *stat)
{
	struct stat out;

	return fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == stat->st_dev && out.st_ino == stat->st_ino;
}

int output_open_path(struct output_file *file, const char *path, const struct plan *plan, struct error *error)
{
	struct stat old;
	const bool exists = stat(path, &old) == 0;

	*file = (struct output_file){ 0 };
	if (!exists && errno != ENOENT)
		return fail(path, "", error);
	if (!exists && lstat(path, &old) == 0)
		return fail(path, "; it is a link to nothing: make its target or remove it", error);
	if (exists && S_ISBLK(old.st_mode))
		return error_set(error, STATUS_USAGE, "'%s' is a block device, and diskbench never writes to one", path);
	file->name = strdup(path);
	if (!file->name)
		return fail(path, error_remedy(errno), error);
	if (!exists)
		return open_beside(file, NULL, error);
	for (unsigned i = 0; i < plan->disks; i++)
		if (device_is(plan->disk[i], &old)) {
			output_discard(file);
			return error_set(error, STATUS_USAGE,
					 "'%s' is one of the disks to measure; name another file", path);
		}
	if (!S_ISCHR(old.st_mode) && is_stdout(&old)) {
		output_discard(file);
		return error_set(error, STATUS_USAGE, "'%s' is standard output itself; use -f, or another file", path);
	}
	return S_ISREG(old.st_mode) ? open_beside(file, &old, error) : open_in_place(file, error);
}

/* The stream is of no use any more. */
static void give_up(struct output_file *file)
{
	file->broken_pipe = !file->name && errno == EPIPE;
	fail(file->name, "", &file->error);
	if (file->stream)
		fclose(file->stream);
	file->stream = NULL;
}

void output_flush(struct output_file *file)
{
	/* Of an earlier write that failed, perhaps in another thread. */
	errno = EIO;
	if (file->stream && (fflush(file->stream) != 0 || ferror(file->stream)))
		give_up(file);
}

static void sync_folder(const char *target)
{
	char *folder = strdup(target), *slash = folder ? strrchr(folder, '/') : NULL;
	int fd;

	if (slash)
		slash[slash == folder] = '\0';
	fd = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	free(folder);
}

/* Lets a draft, complete and on disk, take its place. 0, or -1 with errno. */
static int settle(struct output_file *file)
{
	FILE *stream = file->stream;

	if (file->draft && fsync(fileno(stream)) < 0)
		return -1;
	file->stream = NULL;
	if (fclose(stream) != 0)
		return -1;
	if (!file->draft)
		return 0;
	if (rename(file->draft, file->target) < 0)
		return -1;
	sync_folder(file->target);
	free(file->draft);
	file->draft = NULL;
	return 0;
}

void output_close(struct output_file *file)
{
	output_flush(file);
	if (file->stream && settle(file) < 0)
		give_up(file);
	output_discard(file);
}

void output_discard(struct output_file *file)
{
	if (file->stream && file->name)
		fclose(file->stream);
	file->stream = NULL;
	if (file->draft)
		unlink(file->draft);
	free(file->draft);
	free(file->target);
	free(file->name);
	file->draft = file->target = file->name = NULL;
}
