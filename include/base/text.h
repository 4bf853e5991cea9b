/* Small helpers for text that comes from outside, and lists of words. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define TEXT_COUNT(array) (sizeof(array) / sizeof *(array))

/* Replaces control characters in place by '?'; bytes of UTF-8 stay. */
void text_printable(char *text);

/* Replaces all but printable ASCII in place: each other character of UTF-8 becomes one '?'. */
void text_ascii(char *text);

/* Writes so many bytes of text like that. Returns how many characters these are; out NULL: only that. */
size_t text_put_ascii(FILE *out, const char *text, size_t length);

/* As a field of CSV (RFC 4180): in quotes where it must be. */
void text_quote(FILE *out, const char *text);

/* The length of the character of UTF-8 (RFC 3629) that text, not empty, begins with; 0: it begins with none. */
size_t text_utf8_length(const char *text);

/* Copies text, cut to size; leading and trailing blanks fall away. Source and target may overlap. */
void text_trim(char *target, size_t size, const char *text);

/* A growing list of strings, each owned by the list. Start with {0}. */
struct words {
	char **word;
	size_t count;
	bool incomplete;                /* memory was short: a word is missing */
};

/* Adds a copy of the first length bytes of text. */
void words_add(struct words *words, const char *text, size_t length);

/* Adds a line, formatted, with control characters as '?'. */
void words_say(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
void words_release(struct words *words);

/* The next item of a list separated by commas, or false at its end. Start with *cursor = text; an empty list has one,
 * empty, item, and "a," has two. item is not terminated: length bytes. */
bool text_item(const char **cursor, const char **item, size_t *length);

#endif
