#include "analyze/result.h"

#include <errno.h>
#include <stdlib.h>

#include "analyze/notes.h"

int result_init(struct result *result, const struct host *host, const struct plan *plan)
{
	*result = (struct result){ .host = host, .plan = plan };
	result->finding = calloc(plan->disks, sizeof *result->finding);
	result->trouble = calloc(plan->disks, sizeof *result->trouble);
	if (result->finding && result->trouble)
		return 0;
	result_release(result);
	return -ENOMEM;
}

void result_release(struct result *result)
{
	while (result->rows)
		row_release(&result->row[--result->rows]);
	free(result->row);
	free(result->finding);
	free(result->trouble);
	words_release(&result->notes);
	words_release(&result->complaints);
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

/* Its disks' and that of all, or none of them. */
static bool make_rows(const struct result *result, struct row *row, const struct outcome *outcome)
{
	unsigned made = 0;
	bool room = true;

	while (room && made < outcome->cell->disks) {
		room = row_of_disk(&row[made], result->plan, outcome, made);
		made++;
	}
	if (room && row_of_all(&row[made], outcome, row))
		return true;
	for (unsigned i = 0; i < made; i++)
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
	if (!make_rows(result, row, outcome))
		return -ENOMEM;
	for (unsigned i = 0; i < cell->disks; i++) {
		const struct track *track = &outcome->disk[i];

		add_trouble(&result->trouble[cell->first + i], track->tally.fault, track->ending, track->error, cell);
		finding_look(result->finding[cell->first + i], result->plan, outcome, track, &row[i]);
	}
	result->rows += cell->disks + 1;
	result->interrupted |= outcome->interrupted;
	add_pause(result, outcome);
	return 0;
}

int result_finish(struct result *result)
{
	notes_write(&result->notes, result);
	complaints_write(&result->complaints, result);
	return result->notes.incomplete || result->complaints.incomplete ? -ENOMEM : 0;
}

bool result_troubled(const struct result *result)
{
	for (unsigned disk = 0; disk < result->plan->disks; disk++)
		if (result->trouble[disk].fault[0].error || result->trouble[disk].ending != ENDED_WELL)
			return true;
	return false;
}
