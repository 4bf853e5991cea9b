/* What a run is held against: requirements, and reports of before. Known before anything is measured. */
#ifndef ANALYZE_JUDGE_H
#define ANALYZE_JUDGE_H

#include "analyze/record.h"
#include "analyze/require.h"
#include "plan/options.h"

struct judge {
	struct requirement *requirement;
	size_t requirements;
	struct records baseline;        /* of all reports of before; none: nothing to compare with */
	double tolerance_percent;
};

/* Takes the requirements, not yet the baselines. On error (STATUS_USAGE, STATUS_START) there is nothing to release. The texts
 * belong to wishes, which must outlive the judge. */
int judge_init(struct judge *judge, const struct wishes *wishes, struct error *error);
void judge_release(struct judge *judge);

/* Refuses (STATUS_USAGE) a requirement that no row of the plan can be held against. */
int judge_check(const struct judge *judge, const struct plan *plan, struct error *error);

#endif
