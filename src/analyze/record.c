#include "analyze/record.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/result.h"
#include "base/units.h"

enum { COLUMNS_MAX = 256 };

/* Without these a row cannot be told from others. */
static const char *const needed[] = { "schema", "time", "disk", "path", "id", "mode", "access", "block_bytes", "queue_depth",
				      "order", "members", "span_start_bytes", "span_bytes", "requests_per_second",
				      "status" };

const char *record_value(const struct record *record, const char *field)
{
	return record->value.word[field_find(field) - fields];
}

bool record_is_all(const struct record *record)
{
	return strcmp(record_value(record, "disk"), "all") == 0 && !*record_value(record, "path");
}

char *record_print(char text[RECORD_TEXT], const struct record *record)
{
	const char *depth = record_value(record, "queue_depth"), *part = record_value(record, "part");
	char size[UNITS_TEXT];
	int length;

	size_print(size, strtoull(record_value(record, "block_bytes"), NULL, 10));
	length = snprintf(text, RECORD_TEXT, "%.16s %s", record_value(record, "mode"), size);
	if (strcmp(record_value(record, "access"), "raw") != 0)
		length += snprintf(text + length, RECORD_TEXT - (size_t)length, ", %.16s", record_value(record, "access"));
	if (strcmp(depth, "1") != 0)
		length += snprintf(text + length, RECORD_TEXT - (size_t)length, ", depth %.8s", depth);
	if (*part)
		snprintf(text + length, RECORD_TEXT - (size_t)length, ", %.*s", SPAN_TEXT, part);
	return text;
}

static void record_release(struct record *record)
{
	words_release(&record->value);
	free(record->key);
}

void records_release(struct records *records)
{
	while (records->count)
		record_release(&records->record[--records->count]);
	free(records->record);
	records->record = NULL;
}

/* The report that is being read. */
struct reader {
	const char *name;
	char *cursor;
	unsigned line, lines;                           /* where the row begins; all so far, since a value may hold some */
	const struct field *column[COLUMNS_MAX];        /* NULL: not known here */
	int columns;
};

/* The next value, unquoted in place; *more: whether the row goes on behind it. NULL: its quote is not closed. */
static char *take_value(struct reader *reader, bool *more)
{
	char *const value = reader->cursor, *from = value, *to = value;
	bool quoted = *from == '"';

	for (from += quoted; *from; from++) {
		if (quoted && *from == '"' && *++from != '"')
			quoted = false;
		if (!quoted && (!*from || *from == ',' || *from == '\n'))
			break;
		reader->lines += *from == '\n';
		*to++ = *from;
	}
	if (quoted)
		return NULL;
	*more = *from == ',';
	reader->lines += *from == '\n';
	reader->cursor = from + (*from != '\0');
	if (!*more && to > value && to[-1] == '\r')
		to--;
	*to = '\0';
	return value;
}

/* The values of a row. Returns how many, or -1 with the reason. */
static int take_row(struct reader *reader, char *value[COLUMNS_MAX], struct error *error)
{
	bool more = true;
	int count = 0;

	for (reader->line = reader->lines + 1; more && count < COLUMNS_MAX; count++) {
		value[count] = take_value(reader, &more);
		if (!value[count]) {
			error_set(error, STATUS_START, "'%s': line %u has a quote that is not closed; the file is damaged",
				  reader->name, reader->line);
			return -1;
		}
	}
	if (!more)
		return count;
	error_set(error, STATUS_START, "'%s': line %u has more than %d values; it is no CSV report of diskbench", reader->name,
		  reader->line, COLUMNS_MAX);
	return -1;
}

static int take_header(struct reader *reader, struct error *error)
{
	char *value[COLUMNS_MAX];
	const int count = take_row(reader, value, error);

	if (count < 0)
		return -1;
	reader->columns = count;
	for (int i = 0; i < count; i++)
		reader->column[i] = field_find(value[i]);
	for (size_t i = 0; i < TEXT_COUNT(needed); i++) {
		int column = 0;

		while (column < reader->columns && reader->column[column] != field_find(needed[i]))
			column++;
		if (column == reader->columns)
			return error_set(error, STATUS_START, "'%s' has no column '%s'; use a report that diskbench wrote by "
					 "-f csv", reader->name, needed[i]);
	}
	return 0;
}

static int parse_figures(struct record *record, const struct reader *reader, struct error *error)
{
	for (const struct field *field = fields; field < fields + fields_count; field++) {
		const char *text = record->value.word[field - fields];
		char *end;

		if (field->value)
			continue;
		record->figure[field->figure] = *text ? strtod(text, &end) : NAN;
		if (*text && (*end || !isfinite(record->figure[field->figure]) || record->figure[field->figure] < 0))
			return error_set(error, STATUS_START, "'%s': line %u has %s '%.40s', which is no such figure; the "
					 "file is damaged", reader->name, reader->line, field->name, text);
	}
	return 0;
}

static struct record *add_record(struct records *records)
{
	struct record *grown = reallocarray(records->record, records->count + 1, sizeof *grown);

	if (!grown)
		return NULL;
	records->record = grown;
	grown[records->count] = (struct record){ 0 };
	return &grown[records->count++];
}

static int no_memory(const struct reader *reader, struct error *error)
{
	return error_set(error, STATUS_START, "not enough memory for '%s'", reader->name);
}

static int take_record(struct reader *reader, struct records *records, struct error *error)
{
	char *value[COLUMNS_MAX];
	const int count = take_row(reader, value, error);
	struct record *record;

	if (count < 0)
		return -1;
	if (count != reader->columns)
		return error_set(error, STATUS_START, "'%s': line %u has %d values for %d columns; the file is damaged",
				 reader->name, reader->line, count, reader->columns);
	record = add_record(records);
	if (!record)
		return no_memory(reader, error);
	for (const struct field *field = fields; field < fields + fields_count; field++) {
		const char *text = "";

		for (int i = 0; i < count; i++)
			if (reader->column[i] == field)
				text = value[i];
		words_add(&record->value, text, strlen(text));
	}
	if (record->value.incomplete)
		return no_memory(reader, error);
	if (strtoul(record_value(record, "schema"), NULL, 10) != SCHEMA)
		return error_set(error, STATUS_START, "'%s': line %u is of schema '%.20s', and this diskbench reads schema %d; "
				 "measure anew", reader->name, reader->line, record_value(record, "schema"), SCHEMA);
	return parse_figures(record, reader, error);
}

/* A disk of one report. */
struct who {
	const char *disk, *path, *id;
	const char *known_by;
};

struct everybody {
	struct who *who;
	size_t count;
	bool hosts;                     /* of several machines, whose disks may have the same names */
};

static bool in_dev(const char *path)
{
	return strncmp(path, "/dev/", strlen("/dev/")) == 0;
}

static void meet(struct everybody *everybody, const struct record *record)
{
	const struct who new = { .disk = record_value(record, "disk"), .path = record_value(record, "path"),
				 .id = record_value(record, "id") };

	for (const struct who *who = everybody->who; who < everybody->who + everybody->count; who++)
		if (strcmp(who->path, new.path) == 0 && strcmp(who->disk, new.disk) == 0)
			return;
	everybody->who[everybody->count++] = new;
}

static void name_everybody(const struct everybody *everybody)
{
	for (struct who *who = everybody->who; who < everybody->who + everybody->count; who++) {
		bool doubled = false;

		for (const struct who *other = everybody->who; other < everybody->who + everybody->count; other++)
			doubled |= other != who && strcmp(other->id, who->id) == 0 && strcmp(other->disk, who->disk) != 0;
		who->known_by = *who->id && !doubled ? who->id : in_dev(who->path) ? who->disk : who->path;
	}
}

static const char *known_by(const struct everybody *everybody, const struct record *record)
{
	const struct who *who = everybody->who;

	while (strcmp(who->disk, record_value(record, "disk")) != 0 || strcmp(who->path, record_value(record, "path")) != 0)
		who++;
	return who->known_by;
}

/* A name that several have, as files may, tells no more than itself. */
static const char *member_known_by(const struct everybody *everybody, const char *name)
{
	const struct who *found = NULL;

	for (const struct who *who = everybody->who; who < everybody->who + everybody->count; who++) {
		if (strcmp(who->disk, name) != 0)
			continue;
		if (found)
			return name;
		found = who;
	}
	return found ? found->known_by : name;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The members' names, each replaced by what the disk is known by, sorted. False when memory is short. */
static bool put_members(FILE *out, const struct everybody *everybody, const char *members)
{
	struct words known = { 0 };

	while (*members) {
		const size_t length = strcspn(members, "+");
		char *name = strndup(members, length);
		const char *text = name ? member_known_by(everybody, name) : "";

		words_add(&known, text, strlen(text));
		known.incomplete |= !name;
		free(name);
		members += length + (members[length] == '+');
	}
	if (known.count)
		qsort(known.word, known.count, sizeof *known.word, by_text);
	for (size_t i = 0; i < known.count; i++)
		fprintf(out, "\n%s", known.word[i]);
	words_release(&known);
	return !known.incomplete;
}

static bool make_key(struct record *record, const struct everybody *everybody)
{
	const struct field *members = field_find("members");
	size_t size;
	FILE *out = open_memstream(&record->key, &size);
	bool room;

	if (!out)
		return false;
	if (everybody->hosts)
		fputs(record_value(record, "host"), out);
	if (!record_is_all(record))
		fprintf(out, "\n%s", known_by(everybody, record));
	for (const struct field *field = fields; field < fields + fields_count; field++)
		if (field->scope == OF_CELL && field != members)
			fprintf(out, "\n%s", record->value.word[field - fields]);
	room = put_members(out, everybody, record_value(record, "members"));
	return fclose(out) == 0 && room && record->key;
}

/* Of the records from there on, which are one report's. */
static bool make_keys(struct records *records, size_t from)
{
	struct everybody everybody = { .who = calloc(records->count - from + 1, sizeof *everybody.who) };
	bool room = true;

	if (!everybody.who)
		return false;
	for (size_t i = from; i < records->count; i++) {
		if (!record_is_all(&records->record[i]))
			meet(&everybody, &records->record[i]);
		everybody.hosts |= strcmp(record_value(&records->record[i], "host"), record_value(&records->record[from], "host")) != 0;
	}
	name_everybody(&everybody);
	for (size_t i = from; i < records->count && room; i++)
		room = make_key(&records->record[i], &everybody);
	free(everybody.who);
	return room;
}

int records_read(struct records *records, const char *name, char *text, size_t length, struct error *error)
{
	struct reader reader = { .name = name, .cursor = text };
	const size_t from = records->count;

	if (!length)
		return error_set(error, STATUS_START, "'%s' is empty; use a report that diskbench wrote by -f csv", name);
	if (strlen(text) < length)
		return error_set(error, STATUS_START, "'%s' has a byte of zero; the file is damaged", name);
	if (text[length - 1] != '\n')
		return error_set(error, STATUS_START, "'%s': its last line is cut off; the file is damaged", name);
	if (take_header(&reader, error) < 0)
		return -1;
	while (*reader.cursor)
		if (take_record(&reader, records, error) < 0)
			goto out_release;
	if (records->count == from)
		return error_set(error, STATUS_START, "'%s' has no rows; use the report of a run that measured something", name);
	if (make_keys(records, from))
		return 0;
	no_memory(&reader, error);
out_release:
	while (records->count > from)
		record_release(&records->record[--records->count]);
	return -1;
}

static bool record_of_line(struct record *record, const struct line *line)
{
	for (const struct field *field = fields; field < fields + fields_count; field++) {
		char room[FIELD_TEXT];
		const char *value = field_value(field, line, room);

		words_add(&record->value, value, strlen(value));
	}
	memcpy(record->figure, line->row->figure, sizeof record->figure);
	return !record->value.incomplete;
}

int records_of_result(struct records *records, const struct result *result)
{
	for (const struct row *row = result->row; row < result->row + result->rows; row++) {
		struct record *record = add_record(records);

		if (!record || !record_of_line(record, &(struct line){ result, row }))
			return -ENOMEM;
	}
	return make_keys(records, 0) ? 0 : -ENOMEM;
}
