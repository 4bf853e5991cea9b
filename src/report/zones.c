#include "report/zones.h"

#include <math.h>

#include "base/units.h"
#include "report/disks.h"
#include "report/format.h"

enum { NAME_WIDTH = 40 };

static double rate(const struct row *row)
{
	return row->figure[FIGURE_BYTE_RATE];
}

static double fastest(const struct row *first, const struct row *end)
{
	double most = NAN;

	for (const struct row *row = first; row < end; row++)
		if (row->disk == first->disk)
			most = fmax(most, rate(row));
	return most;
}

static void put_zone(FILE *out, const struct row *row, double most)
{
	char start[UNITS_TEXT], figure[UNITS_TEXT], share[UNITS_TEXT];
	const double part = rate(row) / most;

	fprintf(out, "%4u/%-3u %9s %11s %6s", row->cell->zone + 1, row->cell->zones,
		capacity_print(start, row->span_start_bytes), figure_print(figure, rate(row) / 1e6, 3, 10),
		figure_print(share, 100 * part, 1, 5));
	bar_put(out, isnan(part) ? 0 : part);
	fputc('\n', out);
}

/* All zones of the first one's disk. */
static void put_disk(FILE *out, const struct row *first, const struct row *end)
{
	const double most = fastest(first, end);
	const struct row *last = first;
	char name[NAME_WIDTH + 1], ratio[UNITS_TEXT];

	fprintf(out, "\n  zones of %s\n    zone     start        MB/s      %%\n",
		name_print(name, NAME_WIDTH, first->disk->name));
	for (const struct row *row = first; row < end; row++) {
		if (row->disk != first->disk)
			continue;
		put_zone(out, row, most);
		last = row;
	}
	if (last != first)
		fprintf(out, "  zone %u / zone 1: %s\n", last->cell->zone + 1,
			figure_print(ratio, rate(last) / rate(first), 4, 10));
}

void zones_put(FILE *out, const struct row *row, const struct row *end)
{
	for (; row->disk; row++)
		put_disk(out, row, end);
}
