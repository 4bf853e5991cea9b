/* What a probe and a cell have yielded: plain facts, handed from run to analyze. */
#ifndef COLLECT_OUTCOME_H
#define COLLECT_OUTCOME_H

#include "collect/tally.h"
#include "device/kstat.h"
#include "plan/plan.h"

/* How a disk's part in a cell ended. */
enum ending {
	ENDED_WELL,
	ENDED_FAILING,          /* too many failures in a row; tried again in the next cell */
	ENDED_GONE,             /* the kernel says that the disk is no more */
	ENDED_HUNG,             /* a read took longer than the hang timeout; its thread is left behind */
	ENDED_CUT,              /* still reading some time after a signal; its thread is left behind */
	ENDED_ABSENT,           /* did not take part: lost or left behind earlier */
	ENDED_UNFIT,            /* did not take part: the job does not fit */
};

/* One disk in one cell. */
struct track {
	struct job job;
	enum ending ending;
	int error;                      /* -errno that ended it; 0 for other endings than _FAILING and _GONE */
	int64_t ended_ns;               /* when its worker stopped, or was given up */
	int64_t cpu_ns, worked_ns;      /* processor time of its worker, and how long that worked, warm-up and drain included */
	bool plain_buffer;              /* memlock was too small to register the buffer with io_uring */
	uint64_t ring_waits;            /* reads that were held up because the collector fell behind */
	bool wrapped;                   /* linear reads came to the end of the span and began again */
	bool kernel_known;
	struct kstat kernel;            /* what the kernel counted from before the gate to after the drain */
	struct tally tally;
};

struct outcome {
	const struct cell *cell;
	int64_t start_ns, end_ns;       /* the window; both 0 when it never opened */
	int64_t paused_ns;              /* how long the program was stopped meanwhile, warm-up and drain included */
	bool interrupted;               /* by a signal */
	const struct track *disk;       /* cell->disks of them */
};

/* A disk before any clock runs. */
struct probe {
	unsigned blocks, zero_blocks;   /* random blocks read well, and how many of them were all zeros */
	int64_t first_ns, median_ns;    /* the very first read (-1: it failed), and the median of the further ones (0: none) */
	struct fault fault[TALLY_FAULTS];
	enum ending ending;             /* and -errno that ended it, as in struct track */
	int error;
};

#endif
