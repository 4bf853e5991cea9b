#include "report/format.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

enum { COLUMNS = 80 };

static const struct format *const format[] = { &table_format, &lewis_format, &csv_format, &json_format,
					      &prometheus_format };

const struct format *format_by_name(const char *name)
{
	for (size_t i = 0; i < TEXT_COUNT(format); i++)
		if (strcmp(name, format[i]->name) == 0)
			return format[i];
	return NULL;
}

const struct format *format_by_suffix(const char *file)
{
	const char *suffix = strrchr(file, '.');

	for (size_t i = 0; suffix && i < TEXT_COUNT(format); i++)
		if (format[i]->suffix && strcmp(suffix, format[i]->suffix) == 0)
			return format[i];
	return NULL;
}

void bar_put(FILE *out, double part)
{
	static const char full[] = "########################################";
	const int columns = (int)lround(part * (double)(sizeof full - 1));

	fprintf(out, "%s%.*s", columns ? "  " : "", columns, full);
}

struct paragraph paragraph_begin(FILE *out, const char *first)
{
	const size_t indent = strlen(first);

	fputs(first, out);
	return (struct paragraph){ out, indent, indent };
}

void paragraph_add(struct paragraph *paragraph, const char *text)
{
	FILE *out = paragraph->out;

	while (*text) {
		const size_t word = strcspn(text, " "), columns = text_put_ascii(NULL, text, word);

		if (paragraph->column > paragraph->indent && paragraph->column + 1 + columns > COLUMNS) {
			fprintf(out, "\n%*s", (int)paragraph->indent, "");
			paragraph->column = paragraph->indent;
		}
		if (paragraph->column > paragraph->indent) {
			fputc(' ', out);
			paragraph->column++;
		}
		text_put_ascii(out, text, word);
		paragraph->column += columns;
		text += word + strspn(text + word, " ");
	}
}

void paragraph_end(const struct paragraph *paragraph)
{
	fputc('\n', paragraph->out);
}

void paragraph_put(FILE *out, const char *first, const char *text)
{
	struct paragraph paragraph = paragraph_begin(out, first);

	paragraph_add(&paragraph, text);
	paragraph_end(&paragraph);
}
