#include "report/zones.h"

#include <math.h>

#include "base/units.h"

enum { BAR = 40 };

static double rate(const struct row *row)
{
	return row->figure[FIGURE_BYTE_RATE];
}

static double fastest(const struct device_info *disk, const struct row *row, const struct row *end)
{
	double most = NAN;

	for (; row < end; row++)
		if (row->disk == disk)
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
	if (part > 0)
		fprintf(out, "  %.*s", (int)lround(part * BAR), "########################################");
	fputc('\n', out);
}

static void put_disk(FILE *out, const struct device_info *disk, const struct row *row, const struct row *end)
{
	const double most = fastest(disk, row, end);
	const struct row *first = NULL, *last = NULL;
	char ratio[UNITS_TEXT];

	fprintf(out, "\n  zones of %.60s\n    zone     start        MB/s      %%\n", disk->name);
	for (; row < end; row++) {
		if (row->disk != disk)
			continue;
		put_zone(out, row, most);
		first = first ? first : row;
		last = row;
	}
	figure_print(ratio, rate(last) / rate(first), 4, 10);
	fprintf(out, "  zone %u / zone 1: %s\n", last->cell->zone + 1, ratio);
}

void zones_put(FILE *out, const struct row *row, const struct row *end)
{
	for (const struct row *disk = row; disk->disk; disk++)
		put_disk(out, disk->disk, row, end);
}
