#include "analyze/bus.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/rng.h"

double bus_transfer_ns(double block_bytes, double rate)
{
	return block_bytes / rate * (double)NS_PER_S;
}

static void insert(double *sorted, unsigned count, double value)
{
	for (; count && sorted[count - 1] > value; count--)
		sorted[count] = sorted[count - 1];
	sorted[count] = value;
}

/* When the last of those that became ready in that order is done. */
static double last_done_ns(const double *latency_ns, unsigned disks, double transfer_ns)
{
	double done_ns = 0;

	for (unsigned i = 0; i < disks; i++)
		done_ns = fmax(done_ns + transfer_ns, latency_ns[i]);
	return done_ns;
}

static bool all_known(const struct draws *const *latency, unsigned disks)
{
	for (unsigned i = 0; i < disks; i++)
		if (!latency[i]->count)
			return false;
	return true;
}

double bus_round_ns(const struct draws *const *latency, unsigned disks, double transfer_ns, uint64_t seed)
{
	double *drawn = all_known(latency, disks) ? calloc(disks, sizeof *drawn) : NULL, sum = 0;
	struct rng rng;

	if (!drawn)
		return NAN;
	rng_init(&rng, seed);
	for (unsigned round = 0; round < BUS_ROUNDS; round++) {
		for (unsigned i = 0; i < disks; i++)
			insert(drawn, i, latency[i]->ns[rng_below(&rng, latency[i]->count)]);
		sum += last_done_ns(drawn, disks, transfer_ns);
	}
	free(drawn);
	return sum / BUS_ROUNDS;
}
