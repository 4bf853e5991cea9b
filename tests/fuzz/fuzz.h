/* What every fuzz target includes first. A target is a file here and a folder of seeds, corpus/NAME; nothing else names
 * it. It takes any bytes, and aborts where a promise of a header is broken. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Called by libFuzzer. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define promise(condition) ((condition) ? (void)0 : fuzz_broken(__FILE__, __LINE__, #condition))

static inline void fuzz_broken(const char *file, int line, const char *condition)
{
	fprintf(stderr, "%s:%d: broken: %s\n", file, line, condition);
	abort();
}

/* A copy with an end, beyond which no read goes unnoticed. The caller frees it. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	promise(text);
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/* One line without control characters. */
static inline bool fuzz_printable(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return false;
	return true;
}

/* Why a text is refused: a phrase with its remedy. */
static inline bool fuzz_phrase(const char *why)
{
	return fuzz_printable(why) && strstr(why, "; ");
}

#endif
