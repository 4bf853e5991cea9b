/* One JSON document (RFC 8259): the run, its disks, its rows by the names of the CSV columns, and what was said of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/field.h"
#include "report/format.h"
#include "report/json_scaling.h"
#include "report/json_value.h"

static void put_strings(FILE *out, const char *name, const struct words *words)
{
	fprintf(out, ",\n  \"%s\": [", name);
	for (size_t i = 0; i < words->count; i++) {
		fputs(i ? ",\n    " : "\n    ", out);
		json_string(out, words->word[i]);
	}
	fputs(words->count ? "\n  ]" : "]", out);
}

/* What is not known is null, and so is a text where there is none. */
static void put_field(FILE *out, const struct field *field, const struct line *line)
{
	char room[FIELD_TEXT];
	const char *value = field_value(field, line, room);

	fprintf(out, "\"%s\": ", field->name);
	if (!*value)
		fputs("null", out);
	else if (field->text)
		json_string(out, value);
	else
		fputs(value, out);
}

/* scopes: a set of bits. first stands before the first of them, next before the others. */
static void put_fields(FILE *out, unsigned scopes, const struct line *line, const char *first, const char *next)
{
	for (const struct field *field = fields; field < fields + fields_count; field++) {
		if (!(scopes & 1U << field->scope))
			continue;
		fputs(first, out);
		put_field(out, field, line);
		first = next;
	}
}

static void put_run(FILE *out, const struct result *result)
{
	put_fields(out, 1U << OF_RUN, &(struct line){ result, &(struct row){ 0 } }, "{\n  ", ",\n  ");
	fputs(",\n  \"command\": [", out);
	for (char *const *word = result->origin->command; *word; word++) {
		fputs(word == result->origin->command ? "" : ", ", out);
		json_string(out, *word);
	}
	fprintf(out, "],\n  \"interrupted\": %s", result->interrupted ? "true" : "false");
}

static void put_settings(FILE *out, const struct result *result)
{
	const struct limits *limits = &result->plan->limits;

	fprintf(out, ",\n  \"settings\": {\"clock_cost_ns\": %lld, \"time_ns\": %lld, \"warmup_ns\": %lld, "
		"\"hang_timeout_ns\": %lld, \"max_errors\": %llu", (long long)result->host->clock_cost_ns, (long long)limits->time_ns,
		(long long)limits->warmup_ns, (long long)limits->hang_ns, (unsigned long long)limits->max_errors);
	if (limits->requests)
		fprintf(out, ", \"requests\": %llu", (unsigned long long)limits->requests);
	else
		json_number(out, "requests", NAN);
	json_number(out, "precision_percent", limits->precision_percent > 0 ? limits->precision_percent : NAN);
	json_number(out, "tolerance_percent", result->judge->baseline.count ? result->judge->tolerance_percent : NAN);
	fputc('}', out);
}

static void put_disk(FILE *out, const struct result *result, const struct device_info *disk)
{
	put_fields(out, 1U << OF_DISK, &(struct line){ result, &(struct row){ .disk = disk } }, "{", ", ");
	json_number(out, "physical_sector_bytes", disk->missing ? NAN : (double)disk->physical_bytes);
	json_text(out, "kind", disk->missing ? "" : kind_names[disk->kind]);
	json_text(out, "scheduler", disk->scheduler);
	json_text(out, "link", disk->link);
	json_text(out, "in_use", disk->in_use);
	json_text(out, "settings", disk->settings);
	fputc('}', out);
}

/* The occupied buckets, [upper edge in ns, reads]. */
static void put_buckets(FILE *out, const struct row *row)
{
	fputs(", \"latency_histogram\": [", out);
	for (size_t i = 0; i < row->buckets; i++)
		fprintf(out, "%s[%lld, %llu]", i ? ", " : "", (long long)row->bucket[i].upper_ns,
			(unsigned long long)row->bucket[i].count);
	fputc(']', out);
}

static void put_row(FILE *out, const struct line *line)
{
	put_fields(out, ~(1U << OF_RUN), line, "{", ", ");
	json_text(out, "remark", line->row->remark);
	put_buckets(out, line->row);
	fputc('}', out);
}

static void put_change(FILE *out, const char *name, const struct change *change)
{
	fprintf(out, ", \"%s\": {\"verdict\": \"%s\"", name, verdict_names[change->verdict]);
	json_number(out, "before", change->before);
	json_number(out, "now", change->now);
	json_number(out, "change_percent", change->percent);
	fputc('}', out);
}

static void put_pair(FILE *out, const struct pair *pair)
{
	const struct record *record = pair->now ? pair->now : pair->before;
	char cell[RECORD_TEXT];

	fputs("{\"disk\": ", out);
	json_string(out, record_value(record, "disk"));
	json_text(out, "path", record_value(record, "path"));
	json_text(out, "cell", record_print(cell, record));
	json_text(out, "members", record_value(record, "members"));
	if (pair->now && pair->before) {
		json_text(out, "verdict", verdict_names[pair->verdict]);
		put_change(out, "requests_per_second", &pair->change[ASPECT_RATE]);
		put_change(out, "latency_p50_ns", &pair->change[ASPECT_P50]);
		put_change(out, "latency_p99_ns", &pair->change[ASPECT_P99]);
	} else {
		json_text(out, "verdict", pair->now ? "only now" : pair->verdict == VERDICT_WORSE ? "WORSE" : "only before");
	}
	fputc('}', out);
}

static void put_comparison(FILE *out, const struct comparison *comparison)
{
	char text[COMPARISON_TEXT];

	fputs(",\n  \"comparison\": ", out);
	if (!comparison->reports) {
		fputs("null", out);
		return;
	}
	fputs("{\"summary\": ", out);
	json_string(out, comparison_print(text, comparison));
	fprintf(out, ", \"compared\": %zu, \"worse\": %zu, \"rows\": [", comparison->compared, comparison->worse);
	for (size_t i = 0; i < comparison->pairs; i++) {
		fputs(i ? ",\n    " : "\n    ", out);
		put_pair(out, &comparison->pair[i]);
	}
	fputs("\n  ]}", out);
}

static void begin(FILE *out, const struct result *result)
{
	(void)out, (void)result;
}

static void end(FILE *out, const struct result *result)
{
	const struct plan *plan = result->plan;

	put_run(out, result);
	put_settings(out, result);
	fputs(",\n  \"disks\": [", out);
	for (unsigned i = 0; i < plan->disks; i++) {
		fputs(i ? ",\n    " : "\n    ", out);
		put_disk(out, result, plan->disk[i]);
	}
	fputs("\n  ]", out);
	json_topology(out, result);
	fprintf(out, ",\n  \"latency_histogram_error_percent\": %.3g,\n  \"rows\": [", HISTOGRAM_ERROR_PERCENT);
	for (const struct row *row = result->row; row < result->row + result->rows; row++) {
		fputs(row > result->row ? ",\n    " : "\n    ", out);
		put_row(out, &(struct line){ result, row });
	}
	fputs("\n  ]", out);
	json_scaling(out, result);
	put_comparison(out, &result->comparison);
	put_strings(out, "notes", &result->notes);
	put_strings(out, "complaints", &result->complaints);
	put_strings(out, "unmet", &result->unmet);
	fputs("\n}\n", out);
}

const struct format json_format = { "json", ".json", true, false, begin, NULL, end };
