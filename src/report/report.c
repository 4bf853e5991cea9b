#include "report/report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collect/log.h"

static int open_stdout(struct report *report, const char *format, struct error *error)
{
	struct destination *destination = &report->destination[report->destinations++];

	destination->format = format_by_name(format);
	return output_open_stdout(&destination->file, error);
}

static bool named_twice(const struct report *report, const struct destination *last)
{
	for (const struct destination *other = report->destination; other < last; other++)
		if (last->file.target && other->file.target && strcmp(last->file.target, other->file.target) == 0)
			return true;
	return false;
}

/* What is written in place, a device or a FIFO, needs no suffix: it is like standard output. NULL when
 * the name does not tell. */
static const struct format *format_of(const char *file, const char *otherwise)
{
	const struct format *format = format_by_suffix(file);
	struct stat facts;

	if (format || stat(file, &facts) < 0 || S_ISREG(facts.st_mode))
		return format;
	return format_by_name(otherwise);
}

int report_check(const struct output *output, struct error *error)
{
	if (!format_by_name(output->format))
		return error_set(error, STATUS_USAGE, "--format '%s' is not known; use table, lewis, csv, json or prometheus",
				 output->format);
	for (size_t i = 0; i < output->files.count; i++)
		if (!format_of(output->files.word[i], output->format))
			return error_set(error, STATUS_USAGE, "--output '%s' does not say its format; end it in .txt, .csv, "
					 ".json or .prom", output->files.word[i]);
	return 0;
}

/* format: NULL for the log. */
static int open_file(struct report *report, const char *name, const struct format *format, const struct plan *plan,
		     struct error *error)
{
	struct destination *destination = &report->destination[report->destinations++];

	destination->format = format;
	if (output_open_path(&destination->file, name, plan, error) < 0)
		return -1;
	if (named_twice(report, destination))
		return error_set(error, STATUS_USAGE, "'%s' is named twice; name it once", name);
	return 0;
}

int report_open(struct report *report, const struct output *output, const struct plan *plan, struct error *error)
{
	int result = 0;

	*report = (struct report){ 0 };
	if (report_check(output, error) < 0)
		return -1;
	report->destination = calloc(output->files.count + 2, sizeof *report->destination);
	if (!report->destination)
		return error_set(error, STATUS_START, "not enough memory for %zu reports; use fewer", output->files.count + 1);
	if (!output->quiet)
		result = open_stdout(report, output->format, error);
	for (size_t i = 0; i < output->files.count && result == 0; i++)
		result = open_file(report, output->files.word[i], format_of(output->files.word[i], output->format), plan, error);
	if (output->log && result == 0)
		result = open_file(report, output->log, NULL, plan, error);
	if (result < 0)
		report_release(report);
	return result;
}

static void each(struct report *report, const struct result *result, size_t from,
		 void (*put)(const struct format *format, FILE *out, const struct result *result, size_t from))
{
	for (unsigned i = 0; i < report->destinations; i++) {
		struct destination *destination = &report->destination[i];

		if (destination->file.stream && destination->format)
			put(destination->format, destination->file.stream, result, from);
		output_flush(&destination->file);
	}
}

/* Whether it can begin only when all is measured. */
static bool waits(const struct format *format, const struct result *result)
{
	return !format->rows || (format->verdict_first && result->judge->baseline.count);
}

static void put_begin(const struct format *format, FILE *out, const struct result *result, size_t from)
{
	(void)from;
	if (!waits(format, result))
		format->begin(out, result);
}

static void put_rows(const struct format *format, FILE *out, const struct result *result, size_t from)
{
	if (!waits(format, result))
		format->rows(out, result, from);
}

static void put_end(const struct format *format, FILE *out, const struct result *result, size_t from)
{
	if (waits(format, result)) {
		format->begin(out, result);
		for (; format->rows && from < result->rows; from += result->row[from].cell->disks + 1)
			format->rows(out, result, from);
	}
	format->end(out, result);
}

void report_begin(struct report *report, const struct result *result)
{
	FILE *log = report_log(report);

	if (log)
		log_head(log);
	each(report, result, 0, put_begin);
}

FILE *report_log(const struct report *report)
{
	for (unsigned i = 0; i < report->destinations; i++)
		if (!report->destination[i].format)
			return report->destination[i].file.stream;
	return NULL;
}

void report_update(struct report *report, const struct result *result, size_t from)
{
	each(report, result, from, put_rows);
}

void report_end(struct report *report, const struct result *result)
{
	each(report, result, 0, put_end);
	for (unsigned i = 0; i < report->destinations; i++)
		output_close(&report->destination[i].file);
}

const struct error *report_error(const struct report *report, unsigned i)
{
	const struct output_file *file = &report->destination[i].file;

	return file->error.status && !file->broken_pipe ? &file->error : NULL;
}

bool report_unread(const struct report *report)
{
	bool broken_pipe = false;

	for (unsigned i = 0; i < report->destinations; i++) {
		if (report->destination[i].file.stream)
			return false;
		broken_pipe |= report->destination[i].file.broken_pipe;
	}
	return broken_pipe;
}

bool report_has_notes(const struct report *report)
{
	for (unsigned i = 0; i < report->destinations; i++)
		if (report->destination[i].format && report->destination[i].format->notes)
			return true;
	return false;
}

void report_release(struct report *report)
{
	for (unsigned i = 0; i < report->destinations; i++)
		output_discard(&report->destination[i].file);
	free(report->destination);
	*report = (struct report){ 0 };
}
