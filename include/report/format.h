/* The text formats: each takes the growing result and writes; none keeps anything between calls. */
#ifndef REPORT_FORMAT_H
#define REPORT_FORMAT_H

#include <stdio.h>

#include "analyze/result.h"

struct format {
	const char *name, *suffix;      /* "table", ".txt"; suffix NULL: standard output only */
	bool notes;                     /* it carries the notes; else they go to stderr */
	bool verdict_first;             /* it begins with the comparison with a baseline, if there is one, and so waits for it */
	void (*begin)(FILE *out, const struct result *result);
	/* The rows of the cell that begins there. NULL for a format that needs them all first. */
	void (*rows)(FILE *out, const struct result *result, size_t from);
	void (*end)(FILE *out, const struct result *result);
};

extern const struct format table_format, lewis_format, csv_format, json_format, prometheus_format;

/* NULL when there is none of that name, or for that file name. */
const struct format *format_by_name(const char *name);
const struct format *format_by_suffix(const char *file);

/* A paragraph of at most 80 columns of plain ASCII, as text_ascii() has it, built of texts that are set apart by a blank: first
 * stands before the first line, as many blanks before the further ones. */
struct paragraph {
	FILE *out;
	size_t indent, column;
};
struct paragraph paragraph_begin(FILE *out, const char *first);
void paragraph_add(struct paragraph *paragraph, const char *text);
void paragraph_end(const struct paragraph *paragraph);

/* One of a single text. */
void paragraph_put(FILE *out, const char *first, const char *text);

/* After two blanks so much of 40 columns, a part of 0 .. 1; nothing at all for what is not seen. */
void bar_put(FILE *out, double part);

#endif
