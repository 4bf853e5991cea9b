/* One report on its way to standard output or a file. */
#ifndef REPORT_OUTPUT_H
#define REPORT_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "plan/plan.h"

struct output_file {
	char *name;                     /* as the user gave it; NULL: standard output */
	char *target, *draft;           /* where the draft is renamed to, as realpath(3) writes it; NULL: written in place */
	FILE *stream;                   /* NULL after an error */
	bool broken_pipe;               /* the reader has gone: not an error to talk about */
	struct error error;             /* status 0: none yet */
};

/* Standard output. Finds out (STATUS_REPORT) when it is closed. */
int output_open_stdout(struct output_file *file, struct error *error);

/* A regular or new path is written beside itself, and takes its place, complete and on disk, in
 * output_close(). A character device, FIFO or pipe is written in place. A block device, a disk of the
 * plan and standard output itself, unless it is a character device, are refused (STATUS_USAGE); what cannot be opened is
 * STATUS_REPORT. */
int output_open_path(struct output_file *file, const char *path, const struct plan *plan, struct error *error);

/* What was written so far leaves the program. After an error the stream is closed and file->error filled in. */
void output_flush(struct output_file *file);

/* Ends it; a draft becomes the file, or goes, when there was an error before. */
void output_close(struct output_file *file);

/* Ends it without a trace. */
void output_discard(struct output_file *file);

#endif
