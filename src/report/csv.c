/* RFC 4180, but lines end in LF alone, as the tools that read it here expect. */
#include <stdlib.h>
#include <string.h>

#include "analyze/field.h"
#include "report/format.h"

static void put_quoted(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void put_text(FILE *out, const struct field *field, const struct line *line)
{
	char *text = NULL;
	size_t size;
	FILE *memory = open_memstream(&text, &size);

	if (memory) {
		field_put(memory, field, line);
		fclose(memory);
	}
	if (text)
		put_quoted(out, text);
	free(text);
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
				field_put(out, &fields[i], &line);
		}
		fputc('\n', out);
	}
}

static void end(FILE *out, const struct result *result)
{
	(void)out, (void)result;
}

const struct format csv_format = { "csv", ".csv", false, begin, rows, end };
