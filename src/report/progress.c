#include "report/progress.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/units.h"

enum { LINE_TEXT = 80 };

static const int64_t terminal_every_ns = NS_PER_S / 4, line_every_ns = 10 * NS_PER_S;

void progress_init(struct progress *progress, const struct output *output)
{
	const bool terminal = isatty(STDERR_FILENO);

	*progress = (struct progress){
		.shown = output->progress == WHEN_ALWAYS || (output->progress == WHEN_AUTO && terminal && !output->quiet),
		.terminal = terminal,
	};
}

void progress_clear(struct progress *progress)
{
	if (progress->width)
		fprintf(stderr, "\r%*s\r", progress->width, "");
	progress->width = 0;
}

/* A line that wraps could not be written over. */
static int terminal_columns(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || !size.ws_col || size.ws_col > LINE_TEXT)
		return LINE_TEXT;
	return size.ws_col;
}

void progress_show(struct progress *progress, const struct plan *plan, size_t cell, int64_t cell_started_ns, double rate)
{
	const int64_t now_ns = clock_now_ns();
	char name[CELL_TEXT], left[UNITS_TEXT], figure[UNITS_TEXT] = "", line[LINE_TEXT];

	if (!progress->shown ||
	    (progress->last_ns && now_ns - progress->last_ns < (progress->terminal ? terminal_every_ns : line_every_ns)))
		return;
	progress->last_ns = now_ns;
	if (!isnan(rate))
		snprintf(figure, sizeof figure, ", %.1f req/s", rate);
	snprintf(line, sizeof line, "%s (%zu of %zu)%s, at most %s left", cell_print(name, &plan->cell[cell]), cell + 1,
		 plan->cells, figure, duration_print(left, plan_longest_ns(plan, cell) - (now_ns - cell_started_ns)));
	if (!progress->terminal) {
		fprintf(stderr, "%s\n", line);
		return;
	}
	line[terminal_columns() - 1] = '\0';
	fprintf(stderr, "\r%-*s", progress->width, line);
	progress->width = (int)strlen(line);
}

void progress_say(struct progress *progress, const char *format, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	text_printable(text);
	progress_clear(progress);
	fprintf(stderr, "diskbench: %s\n", text);
}
