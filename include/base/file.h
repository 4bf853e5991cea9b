/* A whole file as text. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>

/* Reads a regular file or a pipe to its end. Returns 0 and the text, terminated, with its length; the caller frees it. Or -errno:
 * -EFBIG for more than most bytes. */
int file_read(const char *path, size_t most, char **text, size_t *length);

#endif
