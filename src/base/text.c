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

/* What stands for a byte in plain ASCII; 0 for the rest of a character. */
static char plain(char byte)
{
	if (((unsigned char)byte & 0xc0) == 0x80)
		return 0;
	return (char)(byte < ' ' || byte > '~' ? '?' : byte);
}

void text_ascii(char *text)
{
	char *to = text;

	for (; *text; text++)
		if (plain(*text))
			*to++ = plain(*text);
	*to = '\0';
}

size_t text_put_ascii(FILE *out, const char *text, size_t length)
{
	size_t columns = 0;

	for (const char *end = text + length; text < end; text++) {
		if (!plain(*text))
			continue;
		columns++;
		if (out)
			fputc(plain(*text), out);
	}
	return columns;
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

size_t text_utf8_length(const char *text)
{
	static const struct {
		unsigned char first_least, first_most, second_least, second_most, length;
	} form[] = {
		{ 0x00, 0x7f, 0, 0, 1 }, { 0xc2, 0xdf, 0x80, 0xbf, 2 },
		{ 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
		{ 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};
	const unsigned char *byte = (const unsigned char *)text;
	size_t i = 0;

	while (i < TEXT_COUNT(form) && (byte[0] < form[i].first_least || byte[0] > form[i].first_most))
		i++;
	if (i == TEXT_COUNT(form) || (form[i].length > 1 && (byte[1] < form[i].second_least || byte[1] > form[i].second_most)))
		return 0;
	for (size_t at = 2; at < form[i].length; at++)
		if ((byte[at] & 0xc0) != 0x80)
			return 0;
	return form[i].length;
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
