/* The command line as wishes, in the groups in which they are handed on; no stage but main sees struct options. */
#ifndef PLAN_OPTIONS_H
#define PLAN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"
#include "plan/sweep.h"

/* When a cell, a read or a disk ends. */
struct limits {
	int64_t time_ns;                /* measured time of a cell: the most, and exact without precision; > 0 */
	int64_t warmup_ns;              /* before each cell; >= 0 */
	int64_t hang_ns;                /* a read that takes longer gives its disk up; > 0 */
	double precision_percent;       /* a cell ends when every disk's rate is known so well; 0: it does not */
	uint64_t requests;              /* a cell ends when a disk has completed so many; 0: no limit */
	uint64_t max_errors;            /* failures in a row that give a disk up for the cell; > 0 */
	uint64_t seed;
	bool seed_chosen;               /* by the user; else main draws one */
};

enum when { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER, WHENS };

struct output {
	const char *format;             /* of standard output: a name as the user gave it, "table" unless told */
	struct words files;             /* further reports, format by suffix */
	enum when progress;
	const char *log;                /* a file for every read; NULL: none */
	bool extended;                  /* the kernel's view of each cell */
	bool histogram;                 /* how the latencies of each cell spread */
	bool quiet;                     /* no standard output, no notes */
};

/* What a run is told apart by. */
struct origin {
	char *const *command;           /* main's argv */
	const char *label;              /* the user's words; "" for none */
};

/* What figures are held against. */
struct wishes {
	struct words baselines;         /* files: earlier reports */
	double tolerance_percent;       /* a change up to that is none; > 0 */
	struct words requirements;      /* tests, as analyze/require.h reads them */
};

enum action { ACTION_MEASURE, ACTION_DRY_RUN, ACTION_COMPARE, ACTION_LIST, ACTION_HELP, ACTION_VERSION };

struct options {
	enum action action;
	struct words devices;           /* ACTION_COMPARE: reports, the newest last */
	bool skip_missing;              /* measure the others when a disk cannot be opened */
	bool wait;                      /* for disks that another run measures */
	struct sweep sweep;
	struct limits limits;
	struct output output;
	struct origin origin;
	struct wishes wishes;
};

/* Fills in options from the command line, every default included. On error (STATUS_USAGE) they are
 * released. What stands in argv is used on; the rest belongs to options until options_release(). */
int options_parse(struct options *options, int argc, char **argv, struct error *error);
void options_release(struct options *options);

/* The text of --help, made from the table that options_parse() reads by. */
void options_help(FILE *out);

#endif
