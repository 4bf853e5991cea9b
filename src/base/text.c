#include "base/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_printable(char *text)
{
	for (; *text; text++)
		if (iscntrl((unsigned char)*text))
			*text = '?';
}

void text_ascii(char *text)
{
	char *to = text;

	for (; *text; text++)
		if (((unsigned char)*text & 0xc0) != 0x80)      /* the rest of a character */
			*to++ = (char)(*text < ' ' || *text > '~' ? '?' : *text);
	*to = '\0';
}

void text_quote(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

void text_trim(char *target, size_t size, const char *text)
{
	text += strspn(text, " \t\n");
	size_t length = strlen(text);

	while (length && strchr(" \t\n", text[length - 1]))
		length--;
	if (length >= size)
		length = size - 1;
	memmove(target, text, length);
	target[length] = '\0';
}

/* Takes over text, which may be NULL when memory was short. */
static void words_take(struct words *words, char *text)
{
	char **grown = text ? reallocarray(words->word, words->count + 1, sizeof *grown) : NULL;

	if (!grown) {
		free(text);
		words->incomplete = true;
		return;
	}
	words->word = grown;
	grown[words->count++] = text;
}

void words_add(struct words *words, const char *text, size_t length)
{
	words_take(words, strndup(text, length));
}

void words_say(struct words *words, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	if (text)
		text_printable(text);
	words_take(words, text);
}

void words_release(struct words *words)
{
	while (words->count)
		free(words->word[--words->count]);
	free(words->word);
	words->word = NULL;
}

bool text_item(const char **cursor, const char **item, size_t *length)
{
	if (!*cursor)
		return false;
	*item = *cursor;
	*length = strcspn(*item, ",");
	*cursor = (*item)[*length] ? *item + *length + 1 : NULL;
	return true;
}
