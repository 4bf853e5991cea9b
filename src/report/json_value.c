#include "report/json_value.h"

#include <math.h>

#include "base/text.h"

void json_string(FILE *out, const char *text)
{
	fputc('"', out);
	while (*text) {
		const size_t length = text_utf8_length(text);

		if (!length)
			fputs("\\ufffd", out);
		else if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if (length == 1 && ((unsigned char)*text < ' ' || *text == 0x7f))
			fprintf(out, "\\u%04x", (unsigned)*text);
		else
			fwrite(text, 1, length, out);
		text += length ? length : 1;
	}
	fputc('"', out);
}

void json_text(FILE *out, const char *name, const char *text)
{
	fprintf(out, ", \"%s\": ", name);
	if (*text)
		json_string(out, text);
	else
		fputs("null", out);
}

void json_number(FILE *out, const char *name, double value)
{
	if (isnan(value))
		fprintf(out, ", \"%s\": null", name);
	else
		fprintf(out, ", \"%s\": %.12g", name, value);
}
