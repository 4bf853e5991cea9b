/* RFC 4180, but lines end in LF alone, as the tools that read it here expect. */
#include <string.h>

#include "analyze/field.h"
#include "report/format.h"

static bool needs_quotes(const struct field *field, const struct line *line)
{
	const char *text;

	for (unsigned piece = 0; (text = field->text(line, piece)); piece++)
		if (strpbrk(text, ",\"\r\n"))
			return true;
	return false;
}

static void put_text(FILE *out, const struct field *field, const struct line *line)
{
	const char *quote = needs_quotes(field, line) ? "\"" : "", *text;

	fputs(quote, out);
	for (unsigned piece = 0; (text = field->text(line, piece)); piece++)
		for (; *text; text++) {
			if (*text == '"')
				fputc('"', out);
			fputc(*text, out);
		}
	fputs(quote, out);
}

static void begin(FILE *out, const struct result *result)
{
	(void)result;
	for (size_t i = 0; i < fields_count; i++)
		fprintf(out, "%s%s", i ? "," : "", fields[i].name);
	fputc('\n', out);
}

static void rows(FILE *out, const struct result *result, size_t from)
{
	for (const struct row *row = result->row + from; row < result->row + result->rows; row++) {
		const struct line line = { result, row };

		for (size_t i = 0; i < fields_count; i++) {
			if (i)
				fputc(',', out);
			if (fields[i].text)
				put_text(out, &fields[i], &line);
			else
				field_put_number(out, &fields[i], &line);
		}
		fputc('\n', out);
	}
}

static void end(FILE *out, const struct result *result)
{
	(void)out, (void)result;
}

const struct format csv_format = { "csv", ".csv", false, begin, rows, end };
