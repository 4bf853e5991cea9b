/* What a run of --order scale tells: how disks scale, what each of them is made of, what they should yield together, and
 * whether they answer in rounds. Models are of raw random reads with one in flight; other cells are only measured. Only
 * cells that went well count: one with an error, without a disk, or cut short, is not known. */
#ifndef ANALYZE_SCALING_H
#define ANALYZE_SCALING_H

#include "analyze/prediction.h"
#include "analyze/rounds.h"
#include "analyze/row.h"
#include "analyze/service.h"

/* The first disks of the plan, at once, in one coordinate of the sweep. */
struct step {
	const struct cell *cell;        /* of that many disks, cell->disks */
	double requests_per_second, bytes_per_second;   /* measured, all disks; these and the next NAN: not known */
	double alone;                   /* what the same disks yield alone, added up, in bytes a second */
	double one;                     /* what the first one yields alone, likewise */
	struct prediction prediction;   /* NAN where there is none, as for one disk */
	double predicted;               /* of these: strict rounds where the disks were seen to answer so, else the middle of
					 * queueing and bound */
	double knee;                    /* so many such disks fill the bus; NAN where it is not known to be saturated */
	struct rounds rounds;           /* reads 0: not judged */
};

/* To predict: those of struct prediction, and the one that is chosen for each step. */
enum way { WAY_NAIVE, WAY_BOUND, WAY_QUEUEING, WAY_ROUNDS, WAY_CHOSEN, WAYS };

/* One disk, from what it yields alone in the first span. */
struct portrait {
	struct service random, reread;  /* alpha and beta; overhead and link rate */
	double linear;                  /* the highest linear rate, bytes a second; NAN: not measured */
	double first_ns, last_ns;       /* of random reads of the smallest size, one of each of as many such disks as the plan
					 * has: when the first and the last are expected to be done (MPT and E[max], see
					 * analyze/draws.h); NAN: too few reads */
};

/* Starts by scaling_init(); of another order it stays empty. */
struct scaling {
	const struct plan *plan;
	struct draws **draws;           /* of each cell: latencies of a disk alone; NULL: not kept */
	struct rounds *rounds;          /* of each cell; reads 0: not judged */

	/* From scaling_finish(). */
	struct step *step;              /* coordinates as the plan has them, and disks ascending in each */
	size_t steps;
	struct portrait *portrait;      /* of each disk */
	struct plateau bus;
	struct accuracy accuracy[WAYS];
};

/* Whether the models are of such cells. */
bool scaling_models(const struct cell *cell);

/* 0 or -ENOMEM. plan must outlive it. */
int scaling_init(struct scaling *scaling, const struct plan *plan);
void scaling_release(struct scaling *scaling);

/* Keeps what rows do not, in 16 KiB at the most: of a disk alone its latencies, of several the verdict on rounds. 0 or
 * -ENOMEM. */
int scaling_add(struct scaling *scaling, const struct outcome *outcome);

/* row[rows]: all that were measured, cell by cell, those of its disks and then that of all. 0 or -ENOMEM. */
int scaling_finish(struct scaling *scaling, const struct row *row, size_t rows);

#endif
