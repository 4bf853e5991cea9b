/* Latencies of any number of reads in bounded memory: exact count, sum, extremes, and a log-linear
 * histogram whose buckets are under 1 % wide (after G. Tene's HdrHistogram), from 1 ns to over an hour. */
#ifndef COLLECT_HISTOGRAM_H
#define COLLECT_HISTOGRAM_H

#include <stdint.h>

enum {
	HISTOGRAM_EXACT = 128,          /* values below have a bucket each; each doubling above has as many buckets */
	HISTOGRAM_BUCKETS = HISTOGRAM_EXACT * 37,       /* up to 2^43 ns, 2.4 hours; larger ones share the last */
};

#define HISTOGRAM_ERROR_PERCENT (100. / HISTOGRAM_EXACT)         /* a bucket's width, of its upper edge, at the most */

__extension__ typedef unsigned __int128 histogram_square;

/* Starts as all zeros. */
struct histogram {
	uint64_t count, sum_ns;
	int64_t min_ns, max_ns;         /* unset while count is 0 */
	histogram_square sum_squares;   /* of ns */
	uint64_t bucket[HISTOGRAM_BUCKETS];
};

/* Negative latencies count as 0. */
void histogram_add(struct histogram *histogram, int64_t latency_ns);
void histogram_merge(struct histogram *into, const struct histogram *from);

/* The largest latency of a bucket, in ns. */
int64_t histogram_upper_ns(unsigned bucket);

/* The latency at a rank, 1 (the shortest) .. count: the upper edge of its bucket, at most the maximum. */
int64_t histogram_at_rank_ns(const struct histogram *histogram, uint64_t rank);

/* ceil(count * permille / 1000): the rank of a percentile. */
uint64_t histogram_rank(const struct histogram *histogram, unsigned permille);

/* In ns; NAN for fewer than 1 and 2 reads. The deviation is the sample's, divided by n-1. */
double histogram_mean_ns(const struct histogram *histogram);
double histogram_stdev_ns(const struct histogram *histogram);

#endif
