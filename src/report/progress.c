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

/* pkill(1) signals both processes, and the one hands on what it gets to the other. */
static const int64_t same_question_ns = NS_PER_S / 4;

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

static void stage_print(char line[LINE_TEXT], const struct stage *stage, int64_t now_ns)
{
	const struct plan *plan = stage->plan;
	const size_t cell = stage->cell ? (size_t)(stage->cell - plan->cell) : 0;
	char name[CELL_TEXT], left[UNITS_TEXT], figure[UNITS_TEXT] = "";

	duration_print(left, plan_longest_ns(plan, cell) - (stage->cell ? now_ns - stage->started_ns : 0));
	if (!isnan(stage->rate))
		snprintf(figure, sizeof figure, ", %.1f req/s", stage->rate);
	if (stage->cell)
		snprintf(line, LINE_TEXT, "%s (%zu of %zu)%s, at most %s left", cell_print(name, stage->cell), cell + 1,
			 plan->cells, figure, left);
	else
		snprintf(line, LINE_TEXT, "the probe, then %zu cell%s, at most %s left", plan->cells, plan->cells == 1 ? "" : "s", left);
}

void progress_show(struct progress *progress, const struct stage *stage)
{
	const int64_t now_ns = clock_now_ns();
	char line[LINE_TEXT];

	if (!progress->shown ||
	    (progress->last_ns && now_ns - progress->last_ns < (progress->terminal ? terminal_every_ns : line_every_ns)))
		return;
	progress->last_ns = now_ns;
	stage_print(line, stage, now_ns);
	if (!progress->terminal) {
		fprintf(stderr, "%s\n", line);
		return;
	}
	line[terminal_columns() - 1] = '\0';
	fprintf(stderr, "\r%-*s", progress->width, line);
	progress->width = (int)strlen(line);
}

void progress_answer(struct progress *progress, const struct stage *stage)
{
	const int64_t now_ns = clock_now_ns();
	char line[LINE_TEXT];

	if (progress->answered_ns && now_ns - progress->answered_ns < same_question_ns)
		return;
	progress->answered_ns = now_ns;
	stage_print(line, stage, now_ns);
	progress_say(progress, "%s", line);
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
