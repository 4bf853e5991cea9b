/* Rows as they stand in a CSV report: of an earlier run, read by the names of their columns, or of this one. Both are the same from
 * here on, and so they can be held against each other. */
#ifndef ANALYZE_RECORD_H
#define ANALYZE_RECORD_H

#include "analyze/field.h"

struct record {
	struct words value;             /* of each of fields[]; "" where it is not known */
	double figure[FIGURES];         /* NAN where it is not known */
	char *key;                      /* rows of two runs that can be compared have the same one */
};

/* Starts as all zeros. */
struct records {
	struct record *record;
	size_t count;
};

/* Adds the rows of a CSV report of so many bytes, terminated, whose text is changed on the way. Columns that are not known
 * here are passed over; those that are not there, but for a few that are needed, are not known. name: of the file, for what is
 * said of it. On error (STATUS_START) nothing was added.
 *
 * A row's key is who it is of, what was measured, and with whom at the same time. A disk is known by its id, since its name may
 * change from boot to boot; by its name where it has none, or where two disks of the report have the same one; and by its path
 * where that does not lie in /dev: a file. In a report of several hosts the host is part of the key too. */
int records_read(struct records *records, const char *name, char *text, size_t length, struct error *error);

/* The rows of a result, into records that hold none yet. 0 or -ENOMEM. */
int records_of_result(struct records *records, const struct result *result);

void records_release(struct records *records);

/* The value of a field that there is, by its name. */
const char *record_value(const struct record *record, const char *field);

/* Whether it is of all disks of its cell. */
bool record_is_all(const struct record *record);

/* "random 64k", "random 64k, cooked, depth 8", "linear 1m, 3/8". */
enum { RECORD_TEXT = 128 };
char *record_print(char text[RECORD_TEXT], const struct record *record);

#endif
