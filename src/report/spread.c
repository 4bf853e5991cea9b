#include "report/spread.h"

#include <math.h>

#include "base/text.h"
#include "report/format.h"

enum { LINES = 20, DECADE = 20 };

/* The preferred number of that index: 1, 1.12 ... 9, 10, 11.2 ..., here of ns. */
static double edge_ns(int index)
{
	static const double preferred[DECADE] = { 1, 1.12, 1.25, 1.4, 1.6, 1.8, 2, 2.24, 2.5, 2.8,
						  3.15, 3.55, 4, 4.5, 5, 5.6, 6.3, 7.1, 8, 9 };

	return preferred[index % DECADE] * pow(10, index / DECADE);
}

/* The first edge that a latency does not exceed. */
static int edge_of(int64_t ns, int step)
{
	int index = 0;

	while (edge_ns(index) < (double)ns)
		index += step;
	return index;
}

/* The finest step that needs no more lines than there are. */
static int step_of(const struct row *row)
{
	static const int step[] = { 1, 2, 4, 10 };

	for (size_t i = 0; i < TEXT_COUNT(step); i++)
		if (edge_of(row->bucket[row->buckets - 1].upper_ns, step[i]) - edge_of(row->bucket[0].upper_ns, step[i]) <
		    LINES * step[i])
			return step[i];
	return DECADE;
}

static void put_edge(FILE *out, double ns)
{
	static const char *const unit[] = { "ns", "us", "ms", "s " };
	size_t i = 0;

	for (; ns >= 999.5 && i + 1 < TEXT_COUNT(unit); i++)
		ns /= 1000;
	fprintf(out, "%7.5g %s", ns, unit[i]);
}

/* The reads of the buckets up to an edge; *bucket moves past them. */
static uint64_t take(const struct bucket **bucket, const struct bucket *end, double up_to_ns)
{
	uint64_t count = 0;

	for (; *bucket < end && (double)(*bucket)->upper_ns <= up_to_ns; ++*bucket)
		count += (*bucket)->count;
	return count;
}

static void put_line(FILE *out, uint64_t count, uint64_t below, uint64_t most, double reads)
{
	fprintf(out, "%12llu%8.2f%8.2f", (unsigned long long)count, 100 * (double)count / reads, 100 * (double)below / reads);
	bar_put(out, (double)count / (double)most);
	fputc('\n', out);
}

void spread_put(FILE *out, const char *heading, const struct row *row)
{
	const struct bucket *bucket = row->bucket, *const end = row->bucket + row->buckets;
	uint64_t most = 1, below = 0;

	if (!row->buckets)
		return;
	const int step = step_of(row), first = edge_of(bucket->upper_ns, step);

	for (int edge = first; bucket < end; edge += step) {
		const uint64_t count = take(&bucket, end, edge_ns(edge));

		most = count > most ? count : most;
	}
	fprintf(out, "\n  %s\n%10s%12s%8s%8s\n", heading, "up to", "reads", "%", "sum");
	bucket = row->bucket;
	for (int edge = first; bucket < end; edge += step) {
		const uint64_t count = take(&bucket, end, edge_ns(edge));

		below += count;
		put_edge(out, edge_ns(edge));
		put_line(out, count, below, most, row->figure[FIGURE_REQUESTS]);
	}
}
