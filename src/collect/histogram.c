#include "collect/histogram.h"

#include <math.h>

enum { EXACT_BITS = 7 };

_Static_assert(HISTOGRAM_EXACT == 1 << EXACT_BITS, "buckets are found by shifting");

static unsigned bucket_of(uint64_t value)
{
	if (value < HISTOGRAM_EXACT)
		return (unsigned)value;
	const unsigned shift = 63 - EXACT_BITS - (unsigned)__builtin_clzll(value);
	const uint64_t bucket = (uint64_t)shift * HISTOGRAM_EXACT + (value >> shift);

	return bucket < HISTOGRAM_BUCKETS ? (unsigned)bucket : HISTOGRAM_BUCKETS - 1;
}

int64_t histogram_upper_ns(unsigned bucket)
{
	if (bucket < HISTOGRAM_EXACT)
		return bucket;
	const unsigned shift = bucket / HISTOGRAM_EXACT - 1;
	const uint64_t top = bucket - shift * HISTOGRAM_EXACT;

	return (int64_t)(((top + 1) << shift) - 1);
}

void histogram_add(struct histogram *histogram, int64_t latency_ns)
{
	const uint64_t value = latency_ns > 0 ? (uint64_t)latency_ns : 0;

	if (!histogram->count || (int64_t)value < histogram->min_ns)
		histogram->min_ns = (int64_t)value;
	if (!histogram->count || (int64_t)value > histogram->max_ns)
		histogram->max_ns = (int64_t)value;
	histogram->count++;
	histogram->sum_ns += value;
	histogram->sum_squares += (histogram_square)value * value;
	histogram->bucket[bucket_of(value)]++;
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
	if (!from->count)
		return;
	if (!into->count || from->min_ns < into->min_ns)
		into->min_ns = from->min_ns;
	if (!into->count || from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
	into->count += from->count;
	into->sum_ns += from->sum_ns;
	into->sum_squares += from->sum_squares;
	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
		into->bucket[i] += from->bucket[i];
}

int64_t histogram_at_rank_ns(const struct histogram *histogram, uint64_t rank)
{
	uint64_t below = 0;

	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
		below += histogram->bucket[i];
		if (below >= rank)
			return i + 1 < HISTOGRAM_BUCKETS && histogram_upper_ns(i) < histogram->max_ns ?
			       histogram_upper_ns(i) : histogram->max_ns;
	}
	return histogram->max_ns;
}

uint64_t histogram_rank(const struct histogram *histogram, unsigned permille)
{
	const uint64_t n = histogram->count;

	return n / 1000 * permille + (n % 1000 * permille + 999) / 1000;
}

double histogram_mean_ns(const struct histogram *histogram)
{
	return histogram->count ? (double)histogram->sum_ns / (double)histogram->count : NAN;
}

double histogram_stdev_ns(const struct histogram *histogram)
{
	const histogram_square n = histogram->count, sum = histogram->sum_ns;

	if (n < 2)
		return NAN;
	/* n * variance = sum_squares - sum^2 / n, whose two terms nearly cancel: integers until then. */
	return sqrt((double)(histogram->sum_squares - sum * sum / n) / (double)(n - 1));
}
