/* Wishes and disks to cells, every number resolved, or a reason why not. Pure: no I/O. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include <stddef.h>

#include "device/host.h"
#include "plan/options.h"

/* One coordinate of the sweep: what all its disks do at the same time. */
struct cell {
	enum mode mode;
	enum access access;
	enum engine engine;             /* never _AUTO */
	uint32_t block_bytes, depth;    /* depth: reads in flight, of each disk */
	struct span_wish span;
	unsigned zone, zones;           /* the zone'th, from 0, of so many equal slices of it; zones 0: all of it */
	unsigned first, disks;          /* the plan's disks first .. first+disks-1 */
	const char *members;            /* their names, joined by "+", without missing ones; belongs to the plan */
};

enum unfit { FITS, UNFIT_MISSING, UNFIT_SECTOR, UNFIT_SPAN, UNFIT_SIZE };

/* One disk's share of a cell: the only thing a worker is told. Blocks lie at start_bytes + i * block_bytes, where
 * start_bytes is a multiple of block_bytes and the last block ends inside span and disk. */
struct job {
	const struct cell *cell;
	uint64_t span_start_bytes, span_bytes;  /* as wished, or the zone of it, resolved for this disk */
	uint64_t start_bytes, blocks;           /* the whole aligned blocks in the span; blocks > 0 if it fits */
	uint64_t seed;                          /* of this coordinate: it does not depend on the other cells */
	enum unfit unfit;
};

/* The coordinate that a table's first column shows. */
enum axis { AXIS_SIZE, AXIS_SPAN, AXIS_DEPTH, AXIS_ZONE };

struct plan {
	const struct device_info *const *disk;  /* disks of them; both belong to the caller of plan_make() */
	unsigned disks;
	struct cell *cell;
	size_t cells;
	struct words members;           /* of each set of disks that is measured together */
	enum order order;
	enum axis axis;
	struct limits limits;
};

/* Cells in the order in which they run: order > mode > access > depth > span > size. Refuses
 * (STATUS_USAGE) a disk named twice, and (STATUS_START) cooked reads of a disk in use, a size or span
 * that was asked for and fits no disk, a disk that fits no cell, a depth or an engine that the host's kernel
 * refuses; a missing disk is refused nothing. The plan keeps pointers to the infos and is released by
 * plan_release(). */
int plan_make(struct plan *plan, const struct sweep *sweep, const struct limits *limits, const struct host *host,
	      const struct device_info *const *disk, unsigned disks, struct error *error);
void plan_release(struct plan *plan);

/* disk: an index into plan->disk that belongs to the cell. Computed, never stored. */
struct job plan_job(const struct plan *plan, const struct cell *cell, unsigned disk);

/* The greatest of its cells. */
uint32_t plan_depth(const struct plan *plan);

/* Whether some cell uses it. */
bool plan_has_engine(const struct plan *plan, enum engine engine);

/* Why a job does not fit, with its numbers and a remedy. */
enum { UNFIT_TEXT = 160 };
char *unfit_print(char text[UNFIT_TEXT], const struct plan *plan, const struct job *job, unsigned disk);

/* The longest time that the rest of the plan can take from that cell on, healthy disks given, in ns. */
int64_t plan_longest_ns(const struct plan *plan, size_t from_cell);

/* What tells it from other cells of the same disks: "random 64k", "random 64k, depth 8", "linear 1m, cooked, 3/8 of 0:10%". */
enum { CELL_TEXT = 128 };
char *cell_print(char text[CELL_TEXT], const struct cell *cell);

/* "0:10%", as the command line takes it. */
enum { SPAN_TEXT = 64 };
char *span_print(char text[SPAN_TEXT], const struct span_wish *span);

/* Whether it is of all of each disk. */
bool cell_is_whole(const struct cell *cell);

/* Of a cell: its span, "3/8 of 0:10%", or "3/8", where that is the whole disk. */
char *part_print(char text[SPAN_TEXT], const struct cell *cell);

#endif
