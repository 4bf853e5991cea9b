#include "analyze/notes_of_many.h"

#include <math.h>
#include <stdio.h>

#include "base/units.h"

/* Relations of one kind and disk are told once: of those that lie on it, or of it and others like it. */
static bool same_group(const struct relation *x, const struct relation *y)
{
	return x->kinship == y->kinship && (x->kinship == KIN_LIES_ON ? x->b == y->b : x->a == y->a);
}

static bool told_before(const struct topology *topology, const struct relation *relation)
{
	for (const struct relation *other = topology->relation; other < relation; other++)
		if (same_group(other, relation) || (other->kinship == relation->kinship && other->kinship != KIN_LIES_ON &&
						    other->b == relation->a))
			return true;
	return false;
}

static void note_relation(struct words *notes, const struct result *result, const struct relation *relation)
{
	const struct topology *topology = result->topology;
	const char *a = result->plan->disk[relation->a]->name, *b = result->plan->disk[relation->b]->name;
	char others[UNITS_TEXT] = "";
	unsigned count = 0;

	for (const struct relation *other = topology->relation; other < topology->relation + topology->relations; other++)
		count += same_group(other, relation);
	if (count > 1)
		snprintf(others, sizeof others, " and %u more", count - 1);
	switch (relation->kinship) {
	case KIN_SAME_DISK:
		words_say(notes, "%s, %s%s are parts of one disk: measured together, each slows the others down.", a, b, others);
		break;
	case KIN_SAME_ID:
		words_say(notes, "%s, %s%s have the same id, as two paths to one disk do: together they are no faster than it.",
			  a, b, others);
		break;
	case KIN_LIES_ON:
		words_say(notes, "%s%s %s on %s, which is measured too: what is read there is read of both.", a, others,
			  count > 1 ? "lie" : "lies", b);
		break;
	}
}

void notes_of_topology(struct words *notes, const struct result *result)
{
	const struct topology *topology = result->topology;

	for (size_t i = 0; topology && i < topology->relations; i++)
		if (!told_before(topology, &topology->relation[i]))
			note_relation(notes, result, &topology->relation[i]);
}

/* Up to the next eighth of a power of two, 448k or 640k, in whole KiB: the answer is no more exact. */
static char *about_print(char text[UNITS_TEXT], double bytes)
{
	const double eighth = exp2(fmax(floor(log2(bytes)) - 3, 10));

	return size_print(text, (uint64_t)(fmax(ceil(bytes / eighth), 1) * eighth));
}

static void note_size(struct words *notes, const struct device_info *disk, const struct service *random)
{
	const struct service_size size = service_size(random, .9);
	char text[UNITS_TEXT];

	if (size.known)
		words_say(notes, "%s: random reads of %s or more use 90 %% of its transfer rate of %.1f MB/s.", disk->name,
			  about_print(text, size.bytes), service_beta(random) / 1e6);
}

/* The disks whose sizes do not tell, and up to where to measure. */
static void note_sizes_needed(struct words *notes, const struct result *result)
{
	const struct device_info *first = NULL;
	char others[UNITS_TEXT] = "", text[UNITS_TEXT];
	double bytes = 0;
	unsigned disks = 0;

	for (unsigned i = 0; i < result->plan->disks; i++) {
		const struct service *random = &result->scaling.portrait[i].random;
		const struct service_size size = service_size(random, .9);

		if (isnan(random->alpha_ns) || size.known || isnan(size.bytes))
			continue;
		first = disks++ ? first : result->plan->disk[i];
		bytes = fmax(bytes, size.bytes);
	}
	if (!disks)
		return;
	if (disks > 1)
		snprintf(others, sizeof others, " and %u more disk%s", disks - 1, disks == 2 ? "" : "s");
	words_say(notes, "%s%s: the sizes do not tell how large random reads must be to use 90 %% of the transfer rate; that "
		  "needs -s up to %s.", first->name, others, size_print(text, (uint64_t)bytes));
}

/* The share that rounds leave of what there would be without; INFINITY: not known. */
static double rounds_leave(const struct step *step)
{
	const double share = step->bytes_per_second / step->prediction.queueing;

	return isnan(share) ? INFINITY : share;
}

/* Of the steps with rounds the one that they cost most. */
static const struct step *worst_rounds(const struct scaling *scaling, unsigned *count)
{
	const struct step *worst = NULL;

	*count = 0;
	for (const struct step *step = scaling->step; step < scaling->step + scaling->steps; step++) {
		if (!step->rounds.reads || (step->rounds.verdict != ROUNDS_STRICT && step->rounds.verdict != ROUNDS_PARTIAL))
			continue;
		++*count;
		if (!worst || rounds_leave(step) < rounds_leave(worst))
			worst = step;
	}
	return worst;
}

static void note_rounds(struct words *notes, const struct scaling *scaling)
{
	char cell[CELL_TEXT], cells[UNITS_TEXT + 8] = "", cost[3 * UNITS_TEXT] = "";
	unsigned count;
	const struct step *step = worst_rounds(scaling, &count);

	if (!step)
		return;
	if (count > 1)
		snprintf(cells, sizeof cells, "%u cells, most in ", count);
	if (!isinf(rounds_leave(step)))
		snprintf(cost, sizeof cost, ": %.1f MB/s there, and %.1f without rounds", step->bytes_per_second / 1e6,
			 step->prediction.queueing / 1e6);
	words_say(notes, "the disks answer %s rounds in %s%s with %u disks (phi %.3f, largest lead %u, p %.3f)%s. Look for what "
		  "makes them wait for each other: an adapter or bridge that serves one command at a time, a port multiplier "
		  "without FIS-based switching, a queue depth of 1, one lock in a driver.",
		  step->rounds.verdict == ROUNDS_STRICT ? "in" : "partly in", cells, cell_print(cell, step->cell),
		  step->cell->disks, step->rounds.seen.phi, step->rounds.seen.most, step->rounds.p, cost);
}

void notes_of_scaling(struct words *notes, const struct result *result)
{
	if (!result->scaling.portrait)
		return;
	for (unsigned i = 0; i < result->plan->disks; i++)
		note_size(notes, result->plan->disk[i], &result->scaling.portrait[i].random);
	note_sizes_needed(notes, result);
	note_rounds(notes, &result->scaling);
}
