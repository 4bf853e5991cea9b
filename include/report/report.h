/* All reports of a run: standard output, the files of -o and the log of --log. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "report/format.h"
#include "report/output.h"

struct report {
	struct destination {
		const struct format *format;    /* NULL: the log, of which others write the lines */
		struct output_file file;
	} *destination;
	unsigned destinations;
};

/* Refuses (STATUS_USAGE) formats that nobody knows, before anything is opened. The format of a file is
 * that of its suffix; of what is written in place, without one, that of standard output. */
int report_check(const struct output *output, struct error *error);

/* Checks, and opens everything before the run, so that a bad name fails early, as output_open_path()
 * says. On error nothing stays open. */
int report_open(struct report *report, const struct output *output, const struct plan *plan, struct error *error);

void report_begin(struct report *report, const struct result *result);

/* Where to write the log's lines from one report_update() to the next; NULL: nowhere, or no more. */
FILE *report_log(const struct report *report);

/* The rows from there on are new: those formats that can print them now, and they leave the program. */
void report_update(struct report *report, const struct result *result, size_t from);

void report_end(struct report *report, const struct result *result);

/* After report_end(): what went wrong with destination i, or NULL. */
const struct error *report_error(const struct report *report, unsigned i);

/* Whether the reader of standard output has gone away and nobody else waits for the report: time to stop quietly. */
bool report_unread(const struct report *report);

/* Whether some destination shows the notes. */
bool report_has_notes(const struct report *report);

/* Files that were not ended go without a trace. */
void report_release(struct report *report);

#endif
