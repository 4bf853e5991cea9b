#include "analyze/rounds.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/rng.h"

static const double significant_p = .01, strict_phi = .99, partial_deviations = 3;

enum { STRICT_SPREAD = 2 };

static unsigned holding(const uint32_t *count, unsigned disks, uint32_t value)
{
	unsigned holders = 0;

	for (unsigned i = 0; i < disks; i++)
		holders += count[i] == value;
	return holders;
}

struct spread spread_of(const uint16_t *order, unsigned reads, uint32_t *count, unsigned disks)
{
	uint32_t least = 0, most = 0, at_least = disks;
	unsigned close = 0, widest = 0;

	for (unsigned i = 0; i < disks; i++)
		count[i] = 0;
	for (unsigned j = 0; j < reads; j++) {
		const uint32_t now = ++count[order[j]];

		if (now > most)
			most = now;
		if (now == least + 1 && !--at_least)
			at_least = holding(count, disks, ++least);
		close += most - least <= 1;
		if (most - least > widest)
			widest = most - least;
	}
	return (struct spread){ (double)close / reads, widest };
}

/* A disk as completions are merged. */
struct lane {
	const struct trace *trace;
	int64_t next_ns;                /* its next completion */
	uint32_t next;                  /* which that is, of its trace */
	double scale;                   /* of its times between completions, for surrogates */
};

struct merge {
	unsigned disks, reads;
	struct lane *lane;
	uint32_t *count;
	uint16_t *order;
};

static int merge_init(struct merge *merge, const struct course *course, unsigned disks)
{
	*merge = (struct merge){
		.disks = disks,
		.lane = calloc(disks, sizeof *merge->lane),
		.count = calloc(disks, sizeof *merge->count),
		.order = calloc(ROUNDS_READS, sizeof *merge->order),
	};
	if (!merge->lane || !merge->count || !merge->order)
		return -ENOMEM;
	for (unsigned i = 0; i < disks; i++)
		merge->lane[i].trace = course[i].trace;
	return 0;
}

static void merge_release(struct merge *merge)
{
	free(merge->lane);
	free(merge->count);
	free(merge->order);
}

static unsigned earliest(const struct merge *merge)
{
	unsigned first = 0;

	for (unsigned i = 1; i < merge->disks; i++)
		if (merge->lane[i].next_ns < merge->lane[first].next_ns)
			first = i;
	return first;
}

static void step(struct lane *lane)
{
	lane->next_ns = lane->next < lane->trace->reads ? lane->trace->completed_ns[lane->next] : INT64_MAX;
	lane->next++;
}

static void merge_seen(struct merge *merge, int64_t until_ns)
{
	for (unsigned i = 0; i < merge->disks; i++)
		step(&merge->lane[i]);
	for (merge->reads = 0; merge->reads < ROUNDS_READS; merge->reads++) {
		const unsigned first = earliest(merge);

		if (merge->lane[first].next_ns > until_ns)
			break;
		merge->order[merge->reads] = (uint16_t)first;
		step(&merge->lane[first]);
	}
}

/* From the first completion to the last. */
static int64_t whole_ns(const struct trace *trace)
{
	return trace->reads ? trace->completed_ns[trace->reads - 1] - trace->completed_ns[0] : 0;
}

/* All disks to one mean: with their own, which are off by chance, surrogates would drift by that too, and so further
 * apart than independent disks do. */
static void scale_gaps(struct lane *lane)
{
	lane->scale = (lane->trace->reads - 1) * (double)NS_PER_S / (double)whole_ns(lane->trace);
}

static int64_t drawn_gap(const struct lane *lane, struct rng *rng)
{
	const int64_t *completed_ns = lane->trace->completed_ns + rng_below(rng, lane->trace->reads - 1);

	return (int64_t)(lane->scale * (double)(completed_ns[1] - completed_ns[0]));
}

/* As many reads as were seen. */
static void merge_surrogate(struct merge *merge, struct rng *rng)
{
	for (unsigned i = 0; i < merge->disks; i++)
		merge->lane[i].next_ns = (int64_t)rng_below(rng, (uint64_t)drawn_gap(&merge->lane[i], rng) + 1);
	for (unsigned j = 0; j < merge->reads; j++) {
		const unsigned first = earliest(merge);

		merge->order[j] = (uint16_t)first;
		merge->lane[first].next_ns += drawn_gap(&merge->lane[first], rng);
	}
}

static struct spread best_spread(const struct merge *merge)
{
	struct spread best = spread_of(merge->order, merge->reads, merge->count, merge->disks);

	for (unsigned skip = 1; skip < merge->disks && skip < merge->reads; skip++) {
		const struct spread spread = spread_of(merge->order + skip, merge->reads - skip, merge->count,
						       merge->disks);

		if (spread.phi > best.phi)
			best = spread;
	}
	return best;
}

static void judge(struct rounds *rounds, struct merge *merge, uint64_t seed)
{
	unsigned as_close = 0, strict = 0;
	double sum = 0, squares = 0, deviation;
	struct rng rng;

	rng_init(&rng, seed);
	for (unsigned i = 0; i < merge->disks; i++)
		scale_gaps(&merge->lane[i]);
	for (unsigned i = 0; i < ROUNDS_SURROGATES; i++) {
		struct spread spread;

		merge_surrogate(merge, &rng);
		spread = best_spread(merge);
		as_close += spread.most <= rounds->seen.most;
		strict += spread.most <= STRICT_SPREAD;
		sum += spread.phi;
		squares += spread.phi * spread.phi;
	}
	rounds->chance_phi = sum / ROUNDS_SURROGATES;
	deviation = sqrt(fmax(squares - sum * rounds->chance_phi, 0) / (ROUNDS_SURROGATES - 1));
	rounds->p = (1. + as_close) / (1 + ROUNDS_SURROGATES);
	if (rounds->p <= significant_p && rounds->seen.phi >= strict_phi && rounds->seen.most <= STRICT_SPREAD)
		rounds->verdict = ROUNDS_STRICT;
	else if (rounds->p <= significant_p && rounds->seen.phi > rounds->chance_phi + partial_deviations * deviation)
		rounds->verdict = ROUNDS_PARTIAL;
	else if ((1. + strict) / (1 + ROUNDS_SURROGATES) <= significant_p ||
		 (rounds->seen.most > STRICT_SPREAD && as_close == ROUNDS_SURROGATES))
		rounds->verdict = ROUNDS_NONE;
}

/* Until the first disk stops, and whether each has times between completions. */
static bool common_end(const struct course *course, unsigned disks, int64_t *until_ns)
{
	bool enough = true;

	*until_ns = INT64_MAX - 1;      /* a lane at its end is later */
	for (unsigned i = 0; i < disks; i++) {
		const int64_t end_ns = trace_until_ns(course[i].trace, course[i].stopped_ns);

		*until_ns = end_ns < *until_ns ? end_ns : *until_ns;
		enough = enough && whole_ns(course[i].trace) > 0;
	}
	return enough;
}

int rounds_judge(struct rounds *rounds, const struct course *course, unsigned disks, uint64_t seed)
{
	struct merge merge;
	int64_t until_ns;
	const bool enough = common_end(course, disks, &until_ns);
	int result;

	*rounds = (struct rounds){ ROUNDS_UNDECIDED, 0, { NAN, 0 }, NAN, NAN };
	if (disks < 2)
		return 0;
	result = merge_init(&merge, course, disks);
	if (!result) {
		merge_seen(&merge, until_ns);
		rounds->reads = merge.reads;
		rounds->seen = best_spread(&merge);
		if (enough && merge.reads)
			judge(rounds, &merge, seed);
	}
	merge_release(&merge);
	return result;
}
