#include "analyze/prediction.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/bus.h"
#include "base/clock.h"

double knee_disks(double mean_ns, double block_bytes, double bus_rate)
{
	return mean_ns / bus_transfer_ns(block_bytes, bus_rate);
}

double queueing_rate(double mean_ns, unsigned disks, double block_bytes, double bus_rate)
{
	const double transfer_ns = bus_transfer_ns(block_bytes, bus_rate);
	const double positioning_ns = fmax(mean_ns - transfer_ns, 0);
	double queue = 0, reads_per_ns = 0;

	for (unsigned n = 1; n <= disks; n++) {
		const double waiting_ns = transfer_ns * (1 + queue);

		reads_per_ns = n / (positioning_ns + waiting_ns);
		queue = reads_per_ns * waiting_ns;
	}
	return reads_per_ns * block_bytes * (double)NS_PER_S;
}

static double strict_rate(const struct soloist *soloist, unsigned disks, double block_bytes, double bus_rate,
			  uint64_t seed)
{
	const struct draws **latency = calloc(disks, sizeof *latency);
	double round_ns = NAN;
	bool enough = latency;

	for (unsigned i = 0; enough && i < disks; i++) {
		latency[i] = soloist[i].latency;
		enough = latency[i]->count >= DRAWS_PER_DISK * disks;
	}
	if (enough)
		round_ns = bus_round_ns(latency, disks, bus_transfer_ns(block_bytes, bus_rate), seed);
	free(latency);
	return disks * block_bytes / round_ns * (double)NS_PER_S;
}

struct prediction predict(const struct soloist *soloist, unsigned disks, double block_bytes, const struct plateau *bus,
			  uint64_t seed)
{
	const double most = bus->saturated ? bus->rate : INFINITY, least = isnan(bus->rate) ? INFINITY : bus->rate;
	double reads_per_ns = 0;
	struct prediction prediction;

	for (unsigned i = 0; i < disks; i++)
		reads_per_ns += 1 / soloist[i].mean_ns;
	prediction.naive = reads_per_ns * block_bytes * (double)NS_PER_S;
	prediction.bound = fmin(prediction.naive, most);
	prediction.queueing = fmin(queueing_rate(disks / reads_per_ns, disks, block_bytes, least), prediction.bound);
	prediction.rounds = strict_rate(soloist, disks, block_bytes, most, seed);
	return prediction;
}

void plateau_add(struct plateau *plateau, double alone, double together)
{
	if (isnan(plateau->rate) || together > plateau->rate)
		*plateau = (struct plateau){ together < SCALES * alone, together };
}

void accuracy_add(struct accuracy *accuracy, double predicted, double measured)
{
	const double percent = 100 * (predicted - measured) / measured;
	const double before = accuracy->cells ? accuracy->mean_percent : 0;

	if (isnan(percent))
		return;
	accuracy->cells++;
	accuracy->misses += fabs(percent) > MISS_PERCENT;
	accuracy->mean_percent = before + (fabs(percent) - before) / accuracy->cells;
	if (!(fabs(percent) <= fabs(accuracy->worst_percent)))
		accuracy->worst_percent = percent;
}
