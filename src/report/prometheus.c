/* The text format that Prometheus reads, for the textfile collector of its node_exporter: gauges in base units. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/field.h"
#include "base/clock.h"
#include "base/units.h"
#include "base/version.h"
#include "report/format.h"

enum { METRIC_TEXT = 64 };

/* A row, and the labels of all its samples: "disk=...,block_size=...". */
struct labelled {
	const struct row *row;
	char *labels;                   /* NULL: it is not shown */
};

static void put_escaped(FILE *out, const char *text)
{
	while (*text) {
		const size_t length = text_utf8_length(text);

		if (*text == '\n')
			fputs("\\n", out);
		else if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if (length)
			fwrite(text, 1, length, out);
		else
			fputs("\ufffd", out);
		text += length ? length : 1;
	}
}

static void put_label(FILE *out, const char *name, const char *text)
{
	fprintf(out, "%s=\"", name);
	put_escaped(out, text);
	fputc('"', out);
}

static void put_field_label(FILE *out, const char *name, const struct line *line)
{
	char room[FIELD_TEXT];

	put_label(out, name, field_value(field_find(name), line, room));
}

static bool has_doubled_names(const struct plan *plan)
{
	for (unsigned i = 0; i < plan->disks; i++)
		for (unsigned j = 0; j < i; j++)
			if (strcmp(plan->disk[i]->name, plan->disk[j]->name) == 0)
				return true;
	return false;
}

static bool has_several_groups(const struct plan *plan)
{
	for (const struct cell *cell = plan->cell; cell < plan->cell + plan->cells; cell++)
		if (cell->first != plan->cell->first || cell->disks != plan->cell->disks)
			return true;
	return false;
}

/* The usual labels, and those that the plan needs besides to tell rows apart. */
static char *labels_of(const struct line *line)
{
	static const char *const usual[] = { "disk", "id", "mode", "access", "queue_depth" };
	const struct plan *plan = line->result->plan;
	const struct cell *cell = line->row->cell;
	char *labels = NULL, text[UNITS_TEXT];
	size_t size;
	FILE *out = open_memstream(&labels, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < TEXT_COUNT(usual); i++) {
		put_field_label(out, usual[i], line);
		fputc(',', out);
	}
	put_label(out, "block_size", size_print(text, cell->block_bytes));
	if (has_doubled_names(plan)) {
		fputc(',', out);
		put_field_label(out, "path", line);
	}
	if (!cell_is_whole(cell)) {
		fputc(',', out);
		put_field_label(out, "part", line);
	}
	if (has_several_groups(plan)) {
		fputc(',', out);
		put_field_label(out, "members", line);
	}
	fclose(out);
	return labels;
}

static void put_head(FILE *out, const char *name, const char *type, const char *help)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void put_sample(FILE *out, const char *name, const struct labelled *labelled, double value)
{
	fprintf(out, "%s{%s} %.12g\n", name, labelled->labels, value);
}

/* The name and what one unit of the field is in a base unit: ns are seconds, per cent a ratio. */
static double metric_name(char name[METRIC_TEXT], const struct field *field)
{
	static const struct {
		const char *suffix, *base;
		double factor;
	} unit[] = { [UNIT_COUNT] = { "", "", 1 }, [UNIT_BYTES] = { "", "", 1 }, [UNIT_S] = { "", "", 1 },
		     [UNIT_NS] = { "_ns", "_seconds", 1e-9 }, [UNIT_PERCENT] = { "_percent", "_ratio", .01 } };
	const int kept = (int)(strlen(field->name) - strlen(unit[field->unit].suffix));

	snprintf(name, METRIC_TEXT, "diskbench_%.*s%s", kept, field->name, unit[field->unit].base);
	return unit[field->unit].factor;
}

static void put_gauge(FILE *out, const struct labelled *labelled, size_t count, const struct field *field)
{
	char name[METRIC_TEXT];
	const double factor = metric_name(name, field);

	put_head(out, name, "gauge", field->help);
	for (const struct labelled *end = labelled + count; labelled < end; labelled++)
		if (labelled->labels && !isnan(labelled->row->figure[field->figure]))
			put_sample(out, name, labelled, labelled->row->figure[field->figure] * factor);
}

static void put_ok(FILE *out, const struct labelled *labelled, size_t count)
{
	put_head(out, "diskbench_ok", "gauge",
		 "Whether the row is complete: 0 after errors, of a lost or skipped disk, after a signal.");
	for (const struct labelled *end = labelled + count; labelled < end; labelled++)
		if (labelled->labels)
			put_sample(out, "diskbench_ok", labelled, labelled->row->status == ROW_OK);
}

static void put_bucket(FILE *out, const struct labelled *labelled, const char *edge, double reads)
{
	fprintf(out, "diskbench_latency_seconds_bucket{%s,le=\"%s\"} %.0f\n", labelled->labels, edge, reads);
}

static double reads_up_to(const struct row *row, int64_t ns)
{
	uint64_t reads = 0;

	for (size_t i = 0; i < row->buckets && row->bucket[i].upper_ns <= ns; i++)
		reads += row->bucket[i].count;
	return (double)reads;
}

/* Edges that are the same in every run, so that rows and nights can be added up: 1, 2 and 5 in each power of ten. */
static void put_distribution(FILE *out, const struct labelled *labelled)
{
	static const int64_t step[] = { 1, 2, 5 };
	const double *figure = labelled->row->figure;
	char edge[UNITS_TEXT];

	for (int64_t power_ns = 1000; power_ns <= 100 * NS_PER_S; power_ns *= 10)
		for (size_t i = 0; i < TEXT_COUNT(step); i++) {
			snprintf(edge, sizeof edge, "%.12g", (double)(step[i] * power_ns) / (double)NS_PER_S);
			put_bucket(out, labelled, edge, reads_up_to(labelled->row, step[i] * power_ns));
		}
	put_bucket(out, labelled, "+Inf", figure[FIGURE_REQUESTS]);
	put_sample(out, "diskbench_latency_seconds_sum", labelled,
		   figure[FIGURE_MEAN] * figure[FIGURE_REQUESTS] / (double)NS_PER_S);
	put_sample(out, "diskbench_latency_seconds_count", labelled, figure[FIGURE_REQUESTS]);
}

static void put_histogram(FILE *out, const struct labelled *labelled, size_t count)
{
	put_head(out, "diskbench_latency_seconds", "histogram", "Latencies of the reads that count, within 1 %.");
	for (const struct labelled *end = labelled + count; labelled < end; labelled++)
		if (labelled->labels && labelled->row->buckets)
			put_distribution(out, labelled);
}

static void put_rows(FILE *out, const struct labelled *labelled, size_t count)
{
	for (const struct field *field = fields; field < fields + fields_count; field++)
		if (!field->value)
			put_gauge(out, labelled, count, field);
	put_ok(out, labelled, count);
	put_histogram(out, labelled, count);
}

static void put_number(FILE *out, const char *name, const char *help, double value)
{
	put_head(out, name, "gauge", help);
	fprintf(out, "%s %.15g\n", name, value);
}

static void put_run(FILE *out, const struct result *result)
{
	const struct comparison *comparison = &result->comparison;

	if (comparison->reports) {
		put_number(out, "diskbench_baseline_compared_rows", "Rows that were held against the baseline.",
			   (double)comparison->compared);
		put_number(out, "diskbench_baseline_worse_rows", "Rows that are worse than the baseline.",
			   (double)comparison->worse);
	}
	if (result->judge->requirements)
		put_number(out, "diskbench_requirement_misses", "Rows that fall short of a requirement, for each of these.",
			   (double)result->unmet.count);
	put_head(out, "diskbench_run_info", "gauge", "Always 1; its labels tell of the run.");
	fputs("diskbench_run_info{", out);
	put_label(out, "label", result->origin->label);
	fputc(',', out);
	put_label(out, "kernel", result->host->kernel);
	fputs(",version=\"" VERSION "\"} 1\n", out);
	put_number(out, "diskbench_last_run_timestamp_seconds", "When the run was started.", (double)result->host->started_s);
}

static void begin(FILE *out, const struct result *result)
{
	(void)out, (void)result;
}

static void end(FILE *out, const struct result *result)
{
	struct labelled *labelled = calloc(result->rows + 1, sizeof *labelled);

	for (size_t i = 0; labelled && i < result->rows; i++) {
		const struct row *row = &result->row[i];

		labelled[i].row = row;
		/* The row of all of one disk is that of the disk again. */
		if (row->disk || row->cell->disks > 1)
			labelled[i].labels = labels_of(&(struct line){ result, row });
	}
	if (labelled)
		put_rows(out, labelled, result->rows);
	for (size_t i = 0; labelled && i < result->rows; i++)
		free(labelled[i].labels);
	free(labelled);
	put_run(out, result);
}

const struct format prometheus_format = { "prometheus", ".prom", false, false, begin, NULL, end };
