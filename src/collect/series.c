#include "collect/series.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"

enum { FIRST_SHIFT = 20, SLICE_READS = 5 };     /* slots of about 1 ms to begin with */

static void coarsen(struct series *series)
{
	const unsigned half = SERIES_SLOTS / 2;

	for (unsigned i = 0; i < half; i++)
		series->slot[i] = series->slot[2 * i] + series->slot[2 * i + 1];
	memset(series->slot + half, 0, half * sizeof *series->slot);
	series->shift++;
}

void series_add(struct series *series, int64_t since_start_ns)
{
	const uint64_t at = (uint64_t)since_start_ns - 1;       /* (start, end], as the window is */

	if (!series->shift)
		series->shift = FIRST_SHIFT;
	while (at >> series->shift >= SERIES_SLOTS)
		coarsen(series);
	series->slot[at >> series->shift]++;
}

void series_merge(struct series *into, const struct series *from)
{
	struct series fine = *from;

	if (!from->shift)
		return;
	if (!into->shift)
		into->shift = from->shift;
	while (into->shift < fine.shift)
		coarsen(into);
	while (fine.shift < into->shift)
		coarsen(&fine);
	for (unsigned i = 0; i < SERIES_SLOTS; i++)
		into->slot[i] += fine.slot[i];
}

bool series_slices(const struct series *series, int64_t window_ns, uint64_t slice[SLICES])
{
	const uint64_t slots = series->shift && window_ns >= NS_PER_S ? (uint64_t)window_ns >> series->shift : 0;
	const uint64_t width = slots / SLICES;

	if (!width)
		return false;
	for (unsigned i = 0; i < SLICES; i++) {
		slice[i] = 0;
		for (uint64_t j = i * width; j < (i + 1) * width && j < SERIES_SLOTS; j++)
			slice[i] += series->slot[j];
		if (slice[i] < SLICE_READS)
			return false;
	}
	return true;
}

static double mean_of(const uint64_t slice[SLICES])
{
	double sum = 0;

	for (unsigned i = 0; i < SLICES; i++)
		sum += (double)slice[i];
	return sum / SLICES;
}

/* Sum of the products of deviations from the mean, lag slices apart. */
static double products(const uint64_t slice[SLICES], unsigned lag)
{
	const double mean = mean_of(slice);
	double sum = 0;

	for (unsigned i = lag; i < SLICES; i++)
		sum += ((double)slice[i] - mean) * ((double)slice[i - lag] - mean);
	return sum;
}

double series_ci95_percent(const struct series *series, int64_t window_ns, uint64_t reads)
{
	static const double t9 = 2.262;
	uint64_t slice[SLICES];
	double half;

	if (!series_slices(series, window_ns, slice))
		return NAN;
	half = t9 * sqrt(products(slice, 0) / (SLICES - 1) / SLICES);
	return fmax(100 * half / mean_of(slice), 100 / (double)reads);
}

double slices_correlation(const uint64_t slice[SLICES])
{
	const double variance = products(slice, 0);

	return variance > 0 ? products(slice, 1) / variance : 0;
}
