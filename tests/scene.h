/* Results without a machine: invented disks, a plan for them, and cells as the run stage hands them over. */
#ifndef TESTS_SCENE_H
#define TESTS_SCENE_H

#include "analyze/result.h"

enum { SCENE_DISKS = 8 };

struct scene {
	struct host host;
	struct device_info disk[SCENE_DISKS];   /* may be changed before scene_plan(), as may sweep and limits */
	unsigned disks;
	struct sweep sweep;
	struct limits limits;
	const struct device_info *info[SCENE_DISKS];
	struct origin origin;                   /* likewise */
	struct judge judge;                     /* judges nothing unless told, before scene_done() */
	struct plan plan;
	struct result result;
	struct track *track;                    /* of the cell under way */
	struct outcome outcome;                 /* likewise */
};

/* Idle hard disks sda, sdb ... of 4 TB; random, raw, 4k; cells of 10 s without a precision to reach. */
void scene_init(struct scene *scene, unsigned disks);

/* The plan, and a result without rows. */
void scene_plan(struct scene *scene);

/* Begins a cell: its window is from 100 s to 110 s and nobody has read yet. */
void scene_cell(struct scene *scene, size_t cell);

/* So many reads of a disk (of the cell), which complete evenly over the window, the kernel counting with
 * us. Their latencies rise from the shortest to the longest. */
void scene_reads(struct scene *scene, unsigned disk, uint64_t reads, int64_t shortest_ns, int64_t longest_ns);

/* The window falls into so many rounds, in each of which every disk issues one read and completes it when chance will. */
void scene_rounds(struct scene *scene, unsigned rounds);

/* So many reads fail inside the window, from a byte on. */
void scene_faults(struct scene *scene, unsigned disk, uint64_t reads, int error, uint64_t first_offset);

/* A disk's part ends in some way, so long after the window's start. */
void scene_ends(struct scene *scene, unsigned disk, enum ending ending, int error, int64_t after_ns);

/* Ends the cell: its rows are now in the result. */
void scene_done(struct scene *scene);

void scene_close(struct scene *scene);

#endif
