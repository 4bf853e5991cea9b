/* RFC 4180, but lines end in LF alone, as the tools that read it here expect. */
#include "analyze/field.h"
#include "report/format.h"

static void begin(FILE *out, const struct result *result)
{
	(void)result;
	for (size_t i = 0; i < fields_count; i++)
		fprintf(out, "%s%s", i ? "," : "", fields[i].name);
	fputc('\n', out);
}

static void put_row(FILE *out, const struct line *line)
{
	char room[FIELD_TEXT];

	for (size_t i = 0; i < fields_count; i++) {
		if (i)
			fputc(',', out);
		text_quote(out, field_value(&fields[i], line, room));
	}
	fputc('\n', out);
}

static void rows(FILE *out, const struct result *result, size_t from)
{
	const struct row *first = result->row + from;

	for (const struct row *row = first; row <= first + first->cell->disks; row++)
		put_row(out, &(struct line){ result, row });
}

static void end(FILE *out, const struct result *result)
{
	(void)out, (void)result;
}

const struct format csv_format = { "csv", ".csv", false, false, begin, rows, end };
