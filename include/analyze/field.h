/* What is known of a row: the one table of names, in the order of the CSV columns, that all machine formats write by, that
 * earlier reports are read by, and that --require knows figures by. New ones go to the end. */
#ifndef ANALYZE_FIELD_H
#define ANALYZE_FIELD_H

#include "analyze/row.h"

enum { SCHEMA = 1 };    /* of the columns; a new one at the end does not change it */

/* A row, and the run that it is of. */
struct result;
struct line {
	const struct result *result;
	const struct row *row;
};

/* What a value belongs to. */
enum scope {
	OF_RUN,                         /* the same in all rows of a report */
	OF_DISK,                        /* who the row is of; empty in rows of all disks */
	OF_CELL,                        /* what was measured, and with whom: rows that can be compared have it in common */
	OF_ROW,                         /* what came out, and how */
};

/* Of figures. */
enum unit { UNIT_COUNT, UNIT_BYTES, UNIT_S, UNIT_NS, UNIT_PERCENT };

enum { FIELD_TEXT = 64 };       /* room for any number */

struct field {
	const char *name;
	enum scope scope;
	bool text;                      /* not a number: a machine format quotes it as it must */
	/* The value, in room or of the line; "" where it is not known. NULL: it is a figure, */
	const char *(*value)(const struct line *line, char room[FIELD_TEXT]);
	enum figure figure;
	int decimals;                   /* of it; -n: n significant digits */
	enum unit unit;
	const char *title;              /* of its column in tables; NULL: it has none */
	double title_unit;              /* what the title counts in, in units of the figure: 1e6 for MB/s */
	const char *help;               /* a sentence */
};

extern const struct field fields[];
extern const size_t fields_count;

/* NULL when there is none of that name. */
const struct field *field_find(const char *name);

/* Every figure has one. */
const struct field *field_of_figure(enum figure figure);

/* As it stands in the CSV, but for quotes; "" where it is not known. It takes no memory that could be short. */
const char *field_value(const struct field *field, const struct line *line, char room[FIELD_TEXT]);

#endif
