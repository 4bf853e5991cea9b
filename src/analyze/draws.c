#include "analyze/draws.h"

#include <math.h>
#include <stdbool.h>

/* The middle of a bucket, as far as there are latencies in it. */
static double middle_ns(const struct histogram *histogram, unsigned bucket)
{
	const int64_t below_ns = bucket ? histogram_upper_ns(bucket - 1) : -1, top_ns = histogram_upper_ns(bucket);
	const double middle = (double)(below_ns + 1 + top_ns) / 2;

	return fmin(fmax(middle, (double)histogram->min_ns), (double)histogram->max_ns);
}

void draws_from(struct draws *draws, const struct histogram *histogram)
{
	const uint64_t count = histogram->count < DRAWS_MAX ? histogram->count : DRAWS_MAX;
	unsigned bucket = 0;
	uint64_t passed = 0;

	for (unsigned i = 0; i < count; i++) {
		/* The read in the middle of the i-th of count equal parts. */
		const uint64_t rank = (uint64_t)(((double)i + .5) * (double)histogram->count / (double)count);

		while (passed + histogram->bucket[bucket] <= rank)
			passed += histogram->bucket[bucket++];
		draws->ns[i] = middle_ns(histogram, bucket);
	}
	draws->count = (unsigned)count;
}

/* Of the ways to choose that many of n times, the share in which the i-th in order, 0 .. n-1, comes first falls from
 * disks / n on as the times after it become fewer. */
static double expected_first(const struct draws *draws, unsigned disks, bool descending)
{
	const unsigned n = draws->count;
	double share = (double)disks / n, sum = 0;

	if (!disks || disks > n)
		return NAN;
	for (unsigned i = 0; i + disks <= n; i++) {
		sum += share * draws->ns[descending ? n - 1 - i : i];
		share *= (double)(n - i - disks) / (n - i - 1);
	}
	return sum;
}

double draws_min_ns(const struct draws *draws, unsigned disks)
{
	return expected_first(draws, disks, false);
}

double draws_max_ns(const struct draws *draws, unsigned disks)
{
	return expected_first(draws, disks, true);
}
