#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"

int error_set(struct error *error, enum exit_status status, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(error->text, sizeof error->text, format, arguments);
	va_end(arguments);
	text_printable(error->text);
	error->status = status;
	return -1;
}
