/* What the run has found so far; it grows by one cell at a time. Pure: it prints nothing. */
#ifndef ANALYZE_RESULT_H
#define ANALYZE_RESULT_H

#include "analyze/compare.h"
#include "analyze/finding.h"
#include "analyze/judge.h"
#include "analyze/scaling.h"
#include "base/text.h"
#include "device/topology.h"
#include "device/host.h"

/* The worst that befell a disk. */
struct trouble {
	struct fault fault[TALLY_FAULTS];       /* reads that failed, probe, warm-up and drain included */
	enum ending ending;             /* ENDED_GONE, _FAILING, _HUNG, _CUT; ENDED_WELL: none */
	int error;                      /* -errno of the first two */
	const struct cell *cell;        /* in which; NULL: in the probe */
};

struct result {
	const struct host *host;
	const struct plan *plan;
	const struct origin *origin;
	const struct judge *judge;
	const struct topology *topology;        /* of the plan's disks; NULL: not looked for */
	const struct probe *probe;      /* of each disk; NULL before they are known */
	struct row *row;                /* of each cell its disks', then that of all */
	size_t rows;
	struct scaling scaling;         /* of --order scale; complete after result_finish() */
	struct finding (*finding)[FINDINGS];    /* of each disk */
	struct trouble *trouble;        /* likewise */
	int unlocked;                   /* -errno: why another run may measure the same disks meanwhile; 0: none can */
	int64_t paused_ns;              /* in all, and the first cell with a pause */
	const struct cell *paused_cell;
	bool extended, histogram;       /* wished for: the kernel's view of each cell; how its latencies spread */
	bool interrupted;               /* the rest of the plan was not measured */
	struct words notes;             /* sentences of advice, from result_finish() */
	struct words complaints;        /* lines for stderr: reads that failed, disks that were lost; likewise */
	struct records records;         /* the rows again, for the comparison with the judge's baseline; likewise */
	struct comparison comparison;
	struct words worse, unmet;      /* lines for stderr: rows that are worse than before, and than required; likewise */
};

/* All must outlive the result. 0 or -ENOMEM. */
int result_init(struct result *result, const struct host *host, const struct plan *plan, const struct origin *origin,
		const struct judge *judge);
void result_release(struct result *result);

/* probe: of each disk; must outlive the result. */
void result_add_probe(struct result *result, const struct probe *probe);

/* Adds the rows of a cell and what is to be said of it. 0 or -ENOMEM. */
int result_add(struct result *result, const struct outcome *outcome);

/* Writes notes and complaints, and judges. 0 or -ENOMEM. */
int result_finish(struct result *result);

/* Whether a read failed or a disk was lost: exit status 1. */
bool result_troubled(const struct result *result);

#endif
