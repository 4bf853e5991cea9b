#include "analyze/require.h"

#include <math.h>
#include <string.h>

#include "analyze/result.h"
#include "base/units.h"

enum { NAME_TEXT = 32, ANY = -1 };

static const char bad_form[] = "is no test; use one such as random/4k:req/s>=100 or p99<=20ms";

/* "random/4k", or "random". */
static const char *parse_where(const char *text, size_t length, struct requirement *requirement)
{
	struct list sizes = { 0 };
	char where[NAME_TEXT], *slash;
	unsigned mode;
	const char *why;

	snprintf(where, sizeof where, "%.*s", (int)length, text);
	slash = strchr(where, '/');
	if (slash)
		*slash = '\0';
	why = name_parse(where, mode_names, MODES, &mode);
	if (why)
		return "has a mode that is not known; use random, linear or reread";
	requirement->mode = (int)mode;
	if (!slash)
		return NULL;
	if (sizes_parse(slash + 1, &sizes) || sizes.count != 1)
		return "has no block size after its mode; use one such as random/4k:req/s>=100";
	requirement->block_bytes = sizes.value[0];
	return NULL;
}

static const struct field *find_figure(const char *name, bool *titled)
{
	const struct field *named = field_find(name);

	*titled = false;
	if (named && !named->value)
		return named;
	*titled = true;
	for (const struct field *field = fields; field < fields + fields_count; field++)
		if (field->title && strcmp(field->title, name) == 0)
			return field;
	return NULL;
}

static const char *parse_value(const char *text, bool titled, struct requirement *requirement)
{
	const bool latency = requirement->field->unit == UNIT_NS;
	const char *why = number_parse(text, &requirement->value);
	int64_t ns;

	if (latency && titled && !why)
		return "has a latency without its unit; use 20ms or 500us";
	if (latency && why) {
		why = duration_parse(text, &ns);
		requirement->value = (double)ns;
	}
	if (titled)
		requirement->value *= requirement->field->title_unit;
	return why ? "has no plain figure after its sign; use one such as random/4k:req/s>=100 or p99<=20ms" : NULL;
}

const char *requirement_parse(const char *text, struct requirement *requirement)
{
	const char *sign = strpbrk(text, "<>"), *colon = strchr(text, ':'), *name = text, *why;
	char figure[NAME_TEXT];
	bool titled;

	*requirement = (struct requirement){ .text = text, .mode = ANY };
	if (!sign || sign[1] != '=')
		return bad_form;
	requirement->least = *sign == '>';
	if (colon && colon < sign) {
		why = parse_where(text, (size_t)(colon - text), requirement);
		if (why)
			return why;
		name = colon + 1;
	}
	snprintf(figure, sizeof figure, "%.*s", (int)(sign - name), name);
	requirement->field = find_figure(figure, &titled);
	if (!requirement->field)
		return "has a figure that is not known; use a column of the table such as req/s, MB/s or p99, or of the CSV";
	return parse_value(sign + 2, titled, requirement);
}

static bool concerns(const struct requirement *requirement, const struct cell *cell)
{
	return (requirement->mode == ANY || (int)cell->mode == requirement->mode) &&
	       (!requirement->block_bytes || cell->block_bytes == requirement->block_bytes);
}

bool requirement_applies(const struct requirement *requirement, const struct plan *plan)
{
	for (const struct cell *cell = plan->cell; cell < plan->cell + plan->cells; cell++)
		if (concerns(requirement, cell))
			return true;
	return false;
}

static bool measured(const struct row *row)
{
	return row->status != ROW_LOST && row->status != ROW_SKIPPED;
}

static bool met(const struct requirement *requirement, double value)
{
	return requirement->least ? value >= requirement->value : value <= requirement->value;
}

static char *value_print(char text[UNITS_TEXT], const struct field *field, double value)
{
	if (field->unit == UNIT_NS)
		return latency_print(text, value);
	snprintf(text, UNITS_TEXT, "%.6g", value / field->title_unit);
	return text;
}

void requirement_misses(struct words *misses, const struct requirement *requirement, const struct result *result)
{
	const struct field *field = requirement->field;
	char cell[CELL_TEXT], value[UNITS_TEXT];

	for (const struct row *row = result->row; row < result->row + result->rows; row++) {
		const double figure = row->figure[field->figure];
		const char *name = field->title ? field->title : field->name;

		if (!row->disk || !concerns(requirement, row->cell) || (measured(row) && met(requirement, figure)))
			continue;
		cell_print(cell, row->cell);
		if (!measured(row))
			words_say(misses, "'%s': %s: %s, and '%s' is required", row->disk->path, cell, row->remark,
				  requirement->text);
		else if (isnan(figure))
			words_say(misses, "'%s': %s: %s is not known, and '%s' is required", row->disk->path, cell, name,
				  requirement->text);
		else
			words_say(misses, "'%s': %s: %s is %s, and '%s' is required", row->disk->path, cell, name,
				  value_print(value, field, figure), requirement->text);
	}
}
