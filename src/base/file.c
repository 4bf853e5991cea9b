#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { CHUNK_BYTES = 1 << 16 };

static int read_all(int fd, size_t most, char **text, size_t *length)
{
	for (;;) {
		char *grown = realloc(*text, *length + CHUNK_BYTES + 1);
		ssize_t got;

		if (!grown)
			return -ENOMEM;
		*text = grown;
		got = read(fd, grown + *length, CHUNK_BYTES);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		*length += (size_t)got;
		grown[*length] = '\0';
		if (!got)
			return 0;
		if (*length > most)
			return -EFBIG;
	}
}

int file_read(const char *path, size_t most, char **text, size_t *length)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	int result;

	*text = NULL;
	*length = 0;
	if (fd < 0)
		return -errno;
	result = read_all(fd, most, text, length);
	close(fd);
	if (result < 0) {
		free(*text);
		*text = NULL;
	}
	return result;
}
