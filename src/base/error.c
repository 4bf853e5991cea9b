#include "base/error.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

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

const char *error_reason(int number)
{
	static _Thread_local char text[128];

	snprintf(text, sizeof text, "%s", strerror(number));
	/* "RPC ..." stays. */
	if (!isupper((unsigned char)text[1]))
		text[0] = (char)tolower((unsigned char)text[0]);
	return text;
}

const char *error_remedy(int number)
{
	static _Thread_local char text[64];
	struct rlimit files = { 0 };

	if (number == ENOMEM)
		return "; free some memory, or raise the limit of ulimit -v";
	if (number == EAGAIN)
		return "; raise the limits of ulimit -u and -v";
	if (number != EMFILE)
		return "";
	getrlimit(RLIMIT_NOFILE, &files);
	snprintf(text, sizeof text, "; raise the limit of %llu with ulimit -n", (unsigned long long)files.rlim_cur);
	return text;
}
