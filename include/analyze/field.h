/* The columns of the machine formats, in the order of the CSV: the one table that names them. New ones
 * go to the end. */
#ifndef ANALYZE_FIELD_H
#define ANALYZE_FIELD_H

#include <stdio.h>

#include "analyze/result.h"

enum { SCHEMA = 1 };    /* of the columns; a new one at the end does not change it */

/* A row, and the run that it is of. */
struct line {
	const struct result *result;
	const struct row *row;
};

struct field {
	const char *name;
	/* A text, which a machine format quotes as it must: its pieces 0, 1, 2 ..., then NULL. They stand until the
	 * thread's next call, and take no memory that could be short. */
	const char *(*text)(const struct line *line, unsigned piece);
	/* Or a number: writes it, or nothing where it is not known. */
	void (*put)(FILE *out, const struct line *line);
	int figure;                     /* instead of both: an enum figure */
	int decimals;                   /* of that figure; -n: n significant digits */
};

extern const struct field fields[];
extern const size_t fields_count;

/* Of a field that is no text. */
void field_put_number(FILE *out, const struct field *field, const struct line *line);

#endif
