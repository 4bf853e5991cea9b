#include "analyze/result.h"

#include <errno.h>
#include <stdlib.h>

#include "analyze/notes.h"

int result_init(struct result *result, const struct host *host, const struct plan *plan, const struct origin *origin,
		const struct judge *judge)
{
	*result = (struct result){ .host = host, .plan = plan, .origin = origin, .judge = judge };
	result->finding = calloc(plan->disks, sizeof *result->finding);
	result->trouble = calloc(plan->disks, sizeof *result->trouble);
	if (result->finding && result->trouble && scaling_init(&result->scaling, plan) == 0)
		return 0;
	result_release(result);
	return -ENOMEM;
}

void result_release(struct result *result)
{
	while (result->rows)
		row_release(&result->row[--result->rows]);
	free(result->row);
	scaling_release(&result->scaling);
	free(result->finding);
	free(result->trouble);
	words_release(&result->notes);
	words_release(&result->complaints);
	records_release(&result->records);
	comparison_release(&result->comparison);
	words_release(&result->worse);
	words_release(&result->unmet);
	*result = (struct result){ 0 };
}

static void add_trouble(struct trouble *trouble, const struct fault fault[TALLY_FAULTS], enum ending ending, int error,
			const struct cell *cell)
{
	for (const struct fault *f = fault; f < fault + TALLY_FAULTS && f->error; f++)
		fault_add(trouble->fault, f->error, f->count, f->first_offset);
	if (ending != ENDED_FAILING && ending != ENDED_GONE && ending != ENDED_HUNG && ending != ENDED_CUT)
		return;
	/* A disk that is lost for good is worse than one that is tried again. */
	if (trouble->ending == ENDED_WELL || (trouble->ending == ENDED_FAILING && ending != ENDED_FAILING)) {
		trouble->ending = ending;
		trouble->error = error;
		trouble->cell = cell;
	}
}

void result_add_probe(struct result *result, const struct probe *probe)
{
	result->probe = probe;
	for (unsigned disk = 0; disk < result->plan->disks; disk++)
		add_trouble(&result->trouble[disk], probe[disk].fault, probe[disk].ending, probe[disk].error, NULL);
}

static void add_pause(struct result *result, const struct outcome *outcome)
{
	if (outcome->paused_ns <= 0)
		return;
	result->paused_ns += outcome->paused_ns;
	if (!result->paused_cell)
		result->paused_cell = outcome->cell;
}

/* The rows of a cell: its disks', then that of all. */
static bool make_rows(struct row *row, const struct plan *plan, const struct outcome *outcome)
{
	const unsigned disks = outcome->cell->disks;
	unsigned made = 0;

	while (made < disks && row_of_disk(&row[made], plan, outcome, made))
		made++;
	if (made == disks && row_of_all(&row[disks], outcome, row))
		return true;
	for (unsigned i = 0; i <= made; i++)
		row_release(&row[i]);
	return false;
}

int result_add(struct result *result, const struct outcome *outcome)
{
	const struct cell *cell = outcome->cell;
	struct row *row = reallocarray(result->row, result->rows + cell->disks + 1, sizeof *row);

	if (!row)
		return -ENOMEM;
	result->row = row;
	row += result->rows;
	if (scaling_add(&result->scaling, outcome) < 0 || !make_rows(row, result->plan, outcome))
		return -ENOMEM;
	for (unsigned i = 0; i < cell->disks; i++) {
		const struct track *track = &outcome->disk[i];

		add_trouble(&result->trouble[cell->first + i], track->tally.fault, track->ending, track->error, cell);
		finding_look(result->finding[cell->first + i], result->plan, outcome, track, &row[i]);
	}
	finding_look_at_siblings(result->finding + cell->first, row, cell->disks);
	result->rows += cell->disks + 1;
	result->interrupted |= outcome->interrupted;
	add_pause(result, outcome);
	return 0;
}

static int judge(struct result *result)
{
	const struct judge *judge = result->judge;

	for (size_t i = 0; i < judge->requirements; i++)
		requirement_misses(&result->unmet, &judge->requirement[i], result);
	if (!judge->baseline.count || !result->rows)
		return 0;
	if (records_of_result(&result->records, result) < 0 ||
	    compare(&result->comparison, &judge->baseline, &result->records, judge->tolerance_percent) < 0)
		return -ENOMEM;
	comparison_misses(&result->worse, &result->comparison);
	return 0;
}

int result_finish(struct result *result)
{
	if (scaling_finish(&result->scaling, result->row, result->rows) < 0)
		return -ENOMEM;
	notes_write(&result->notes, result);
	complaints_write(&result->complaints, result);
	if (judge(result) < 0)
		return -ENOMEM;
	return result->notes.incomplete || result->complaints.incomplete || result->worse.incomplete ||
	       result->unmet.incomplete ? -ENOMEM : 0;
}

bool result_troubled(const struct result *result)
{
	for (unsigned disk = 0; disk < result->plan->disks; disk++)
		if (result->trouble[disk].fault[0].error || result->trouble[disk].ending != ENDED_WELL)
			return true;
	return false;
}
