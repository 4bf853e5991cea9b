/* How a disk's completions spread over the window, in bounded memory, and what that says of the
 * precision of their rate. */
#ifndef COLLECT_SERIES_H
#define COLLECT_SERIES_H

#include <stdbool.h>
#include <stdint.h>

enum { SERIES_SLOTS = 1024, SLICES = 10 };

/* Reads per slot; slots are 2^shift ns wide and start at the window's opening. When time runs past the
 * last one, pairs are merged. Starts as all zeros. */
struct series {
	unsigned shift;                 /* 0: empty */
	uint32_t slot[SERIES_SLOTS];
};

/* One read that completed since_start_ns > 0 after the opening. */
void series_add(struct series *series, int64_t since_start_ns);

/* Adds another series with the same opening. */
void series_merge(struct series *into, const struct series *from);

/* Ten equal slices of a window of that length, in reads, of whole slots: less than 2 % of the window at
 * its end is left out. False where they say nothing: a window under 1 s or a slice of fewer than 5
 * reads. */
bool series_slices(const struct series *series, int64_t window_ns, uint64_t slice[SLICES]);

/* Half the 95 % confidence interval of the rate, in percent of it: Student's t over the slices (t(9) =
 * 2.262), but never under what one read more or less makes, 100 / reads. NAN where series_slices() is
 * false. */
double series_ci95_percent(const struct series *series, int64_t window_ns, uint64_t reads);

/* Lag-1 autocorrelation of the slices, -1 .. 1: far from 0, neighbours are alike, the rate drifts and
 * the interval above is too narrow. 0 where they are all equal. */
double slices_correlation(const uint64_t slice[SLICES]);

#endif
