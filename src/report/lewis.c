/* The layout in which C. Lewis published disk speeds in comp.unix.wizards ("How fast are your disks?", 9
 * April 1988): tabs, whole bytes a second, cooked beside raw, here with a set of tables for each disk. */
#include <math.h>

#include "base/units.h"
#include "report/format.h"

/* One table: a disk (NULL: all) in a mode, with the coordinates that its rows share. */
struct sheet {
	const struct device_info *disk;
	const struct cell *cell;
};

static bool same_sheet(const struct cell *a, const struct cell *b)
{
	return a->mode == b->mode && a->depth == b->depth && a->first == b->first && a->disks == b->disks &&
	       span_same(&a->span, &b->span) && a->zone == b->zone;
}

static const struct row *find_row(const struct result *result, const struct sheet *sheet, uint32_t block_bytes,
				  enum access access)
{
	for (const struct row *row = result->row; row < result->row + result->rows; row++)
		if (row->disk == sheet->disk && row->cell->block_bytes == block_bytes && row->cell->access == access &&
		    same_sheet(row->cell, sheet->cell))
			return row;
	return NULL;
}

/* %g of the rate, and the bandwidth from the rate before it was rounded. */
static void put_pair(FILE *out, const struct row *row)
{
	if (!row || isnan(row->figure[FIGURE_SECONDS]))
		fputs("\t-\t-", out);
	else
		fprintf(out, "\t%g\t%.0f", row->figure[FIGURE_REQUEST_RATE], floor(row->figure[FIGURE_BYTE_RATE]));
}

static void put_sheet(FILE *out, const struct result *result, const struct sheet *sheet)
{
	static const char *const title[MODES] = { "Random", "Linear", "Reread" };

	fprintf(out, "%s\nbsize\treq/sec\tbw\treq/sec\tbw\n\tcooked\tcooked\traw\traw\n", title[sheet->cell->mode]);
	for (const struct row *row = result->row; row < result->row + result->rows; row++) {
		const uint32_t block_bytes = row->cell->block_bytes;
		const struct row *raw, *cooked;

		if (row->disk != sheet->disk || !same_sheet(row->cell, sheet->cell))
			continue;
		raw = find_row(result, sheet, block_bytes, ACCESS_RAW);
		cooked = find_row(result, sheet, block_bytes, ACCESS_COOKED);
		if (row != (raw && (!cooked || raw < cooked) ? raw : cooked))
			continue;
		fprintf(out, "%u", block_bytes);
		put_pair(out, cooked);
		put_pair(out, raw);
		fputc('\n', out);
	}
}

static bool has_spans(const struct plan *plan)
{
	for (const struct cell *cell = plan->cell; cell < plan->cell + plan->cells; cell++)
		if (!cell_is_whole(cell))
			return true;
	return false;
}

static bool is_first(const struct result *result, const struct row *row)
{
	for (const struct row *before = result->row; before < row; before++)
		if (before->disk == row->disk && same_sheet(before->cell, row->cell))
			return false;
	return true;
}

/* All sheets of one disk under its name; of all disks, where several were measured at once. */
static void put_disk(FILE *out, const struct result *result, const struct device_info *disk)
{
	char span[SPAN_TEXT];
	bool named = false;

	for (const struct row *row = result->row; row < result->row + result->rows; row++) {
		if (row->disk != disk || (!disk && row->cell->disks == 1) || !is_first(result, row))
			continue;
		if (!named)
			fprintf(out, "%s:\n", disk ? disk->name : "all");
		named = true;
		if (plan_depth(result->plan) > 1)
			fprintf(out, "depth %u\n", row->cell->depth);
		if (has_spans(result->plan))
			fprintf(out, "span %s\n", part_print(span, row->cell));
		if (result->plan->order == ORDER_SCALE && result->plan->disks > 1)
			fprintf(out, "disks %u\n", row->cell->disks);
		put_sheet(out, result, &(struct sheet){ disk, row->cell });
	}
}

static void begin(FILE *out, const struct result *result)
{
	(void)out, (void)result;
}

static void end(FILE *out, const struct result *result)
{
	for (unsigned i = 0; i < result->plan->disks; i++)
		put_disk(out, result, result->plan->disk[i]);
	put_disk(out, result, NULL);
}

const struct format lewis_format = { "lewis", NULL, false, false, begin, NULL, end };
