/* Reports are read back by the names of their columns, and rows of two of them find each other. */
#include "test.h"

#include <math.h>

#include "analyze/record.h"
#include "report/format.h"
#include "scene.h"

#define COLUMNS "schema,time,disk,path,id,mode,access,block_bytes,queue_depth,order,members,span_start_bytes,span_bytes," \
	"requests_per_second,status"
#define ROW "1,2026-11-29T02:00:00Z,sda,/dev/sda,wwn-1,random,raw,4096,1,together,sda,0,1000,120.5,ok"
#define MORE_COLUMNS COLUMNS ",engine,part"
#define MORE_ROW ROW ",sync,0:10%"
#define DAMAGED "; the file is damaged"
#define NO_REPORT "; use a report that diskbench wrote by -f csv"

static struct records records;
static struct error error;

static int release(void **state)
{
	(void)state;
	records_release(&records);
	return 0;
}

/* Of a text that may hold zeros. */
static int read_bytes(const char *text, size_t length)
{
	char *copy = malloc(length + 1);
	int result;

	assert_non_null(copy);
	memcpy(copy, text, length);
	copy[length] = '\0';
	result = records_read(&records, "r.csv", copy, length, &error);
	free(copy);
	return result;
}

static void read_well(const char *text)
{
	if (read_bytes(text, strlen(text)) < 0)
		fail_msg("refused: %s", error.text);
}

static void assert_value(size_t record, const char *field, const char *wanted)
{
	assert_true(record < records.count);
	assert_string_equal(record_value(&records.record[record], field), wanted);
}

static void values_go_by_their_columns(void **state)
{
	(void)state;
	read_well(COLUMNS "\n" ROW "\n" ROW "\n");
	assert_int_equal(records.count, 2);
	assert_value(1, "disk", "sda");
	assert_value(1, "span_bytes", "1000");
	assert_value(1, "status", "ok");
	assert_true(records.record[1].figure[FIGURE_REQUEST_RATE] == 120.5);
}

static void columns_of_older_and_of_newer_reports_do_not_matter(void **state)
{
	(void)state;
	read_well("surprise," COLUMNS ",more\nx," ROW ",\"1,2\"\n");
	assert_value(0, "disk", "sda");
	assert_value(0, "status", "ok");
	assert_value(0, "host", "");
	assert_true(isnan(records.record[0].figure[FIGURE_P99_LO]));
	assert_true(isnan(records.record[0].figure[FIGURE_CI95]));
}

static void quoted_values_lose_their_quotes(void **state)
{
	static const struct {
		const char *quoted, *value;
	} path[] = {
		{ "\"\"", "" }, { "\"a\"", "a" }, { "\"a,b\"", "a,b" }, { "\"a \"\"big\"\" one\"", "a \"big\" one" },
		{ "\"\"\"\"", "\"" }, { "\"two\nlines\"", "two\nlines" }, { "\"a\r\nb\"", "a\r\nb" }, { "a\"b", "a\"b" },
		{ "", "" }, { "Gr\xc3\xb6\xc3\x9f" "e", "Gr\xc3\xb6\xc3\x9f" "e" },
	};

	for (size_t i = 0; i < TEXT_COUNT(path); i++) {
		char text[1024];

		snprintf(text, sizeof text, "host," COLUMNS "\n%s," ROW "\n", path[i].quoted);
		read_well(text);
		assert_value(0, "host", path[i].value);
		assert_value(0, "status", "ok");
		release(state);
	}
}

static void lines_may_end_in_two_characters(void **state)
{
	(void)state;
	read_well(COLUMNS "\r\n" ROW "\r\n" ROW "\r\n");
	assert_int_equal(records.count, 2);
	assert_value(1, "status", "ok");
}

static void what_is_no_report_is_refused(void **state)
{
	static const struct {
		const char *text, *why;
	} bad[] = {
		{ "", "'r.csv' is empty" NO_REPORT },
		{ "\n", "'r.csv' has no column 'schema'" NO_REPORT },
		{ "diskbench 0.1.0, box\n", "'r.csv' has no column 'schema'" NO_REPORT },
		{ "schema,time\n1,x\n", "'r.csv' has no column 'disk'" NO_REPORT },
		{ COLUMNS "\n", "'r.csv' has no rows; use the report of a run that measured something" },
		{ COLUMNS "\n" ROW, "'r.csv': its last line is cut off" DAMAGED },
		{ COLUMNS "\n" ROW "\n1,2026-11-29T02:00:00Z,sda,/de\n", "'r.csv': line 3 has 4 values for 15 columns" DAMAGED },
		{ COLUMNS "\n" ROW ",\n", "'r.csv': line 2 has 16 values for 15 columns" DAMAGED },
		{ COLUMNS "\n\n", "'r.csv': line 2 has 1 values for 15 columns" DAMAGED },
		{ COLUMNS "\n" ROW "\n\"1,2\n", "'r.csv': line 3 has a quote that is not closed" DAMAGED },
		{ "host," COLUMNS "\n\"a\nb\"," ROW "\n\"\n", "'r.csv': line 4 has a quote that is not closed" DAMAGED },
		{ "errors," COLUMNS "\nmany," ROW "\n", "'r.csv': line 2 has errors 'many', which is no such figure" DAMAGED },
		{ "errors," COLUMNS "\n1x," ROW "\n", "'r.csv': line 2 has errors '1x', which is no such figure" DAMAGED },
		{ "errors," COLUMNS "\n-1," ROW "\n", "'r.csv': line 2 has errors '-1', which is no such figure" DAMAGED },
		{ "errors," COLUMNS "\nnan," ROW "\n", "'r.csv': line 2 has errors 'nan', which is no such figure" DAMAGED },
		{ "errors," COLUMNS "\n1e999," ROW "\n", "'r.csv': line 2 has errors '1e999', which is no such figure" DAMAGED },
		{ COLUMNS "\n2,later\n", "'r.csv': line 2 has 2 values for 15 columns" DAMAGED },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(bad); i++) {
		assert_int_equal(read_bytes(bad[i].text, strlen(bad[i].text)), -1);
		assert_string_equal(error.text, bad[i].why);
		assert_int_equal(error.status, STATUS_START);
		assert_int_equal(records.count, 0);
	}
}

static void another_schema_is_refused(void **state)
{
	char text[] = COLUMNS "\n" ROW "\n";

	(void)state;
	text[strlen(COLUMNS "\n")] = '2';
	assert_int_equal(read_bytes(text, strlen(text)), -1);
	assert_string_equal(error.text, "'r.csv': line 2 is of schema '2', and this diskbench reads schema 1; measure anew");
}

/* As filesystems may leave it after a loss of power. */
static void a_tail_of_zeros_is_refused(void **state)
{
	static const char text[] = COLUMNS "\n" ROW "\n\0\0\0\0";

	(void)state;
	assert_int_equal(read_bytes(text, sizeof text - 1), -1);
	assert_string_equal(error.text, "'r.csv' has a byte of zero" DAMAGED);
}

static void too_many_values_are_refused(void **state)
{
	char text[600];

	(void)state;
	memset(text, ',', sizeof text);
	text[sizeof text - 1] = '\n';
	assert_int_equal(read_bytes(text, sizeof text), -1);
	assert_string_equal(error.text, "'r.csv': line 1 has more than 256 values; it is no CSV report of diskbench");
}

static void an_error_takes_back_its_own_rows_alone(void **state)
{
	static const char bad[] = COLUMNS "\n" ROW "\n" ROW "\nx\n";

	(void)state;
	read_well(COLUMNS "\n" ROW "\n");
	assert_int_equal(read_bytes(bad, strlen(bad)), -1);
	assert_int_equal(records.count, 1);
	assert_value(0, "disk", "sda");
}

/* One report: the disk, path, id and members of a row, and disk, path and id of others, which have rows of their own. */
struct side {
	const char *row, *others[2];
};

static void read_side(const struct side *side)
{
	char text[2048];
	int length = snprintf(text, sizeof text, "disk,path,id,members,schema,time,mode,access,block_bytes,queue_depth,order,"
			      "span_start_bytes,span_bytes,requests_per_second,status\n%s,1,t,random,raw,4096,1,together,0,9,5,ok\n",
			      side->row);

	for (int i = 0; i < 2 && side->others[i]; i++)
		length += snprintf(text + length, sizeof text - (size_t)length, "%s,,1,t,random,raw,4096,1,together,0,9,5,ok\n",
				   side->others[i]);
	read_well(text);
}

static void rows_of_two_reports_find_each_other(void **state)
{
	static const struct {
		const char *what;
		struct side before, now;
		bool same;
	} cases[] = {
		{ "the same disk", { "sda,/dev/sda,wwn-1,sda", { 0 } }, { "sda,/dev/sda,wwn-1,sda", { 0 } }, true },
		{ "a renamed disk", { "sda,/dev/sda,wwn-1,sda", { 0 } }, { "sdc,/dev/sdc,wwn-1,sdc", { 0 } }, true },
		{ "by another link", { "sda,/dev/sda,wwn-1,sda", { 0 } }, { "sda,/dev/disk/by-id/x,wwn-1,sda", { 0 } }, true },
		{ "another disk of that name", { "sda,/dev/sda,wwn-1,sda", { 0 } }, { "sda,/dev/sda,wwn-2,sda", { 0 } }, false },
		{ "no ids", { "sda,/dev/sda,,sda", { 0 } }, { "sda,/dev/sda,,sda", { 0 } }, true },
		{ "no ids, another name", { "sda,/dev/sda,,sda", { 0 } }, { "sdb,/dev/sdb,,sdb", { 0 } }, false },
		{ "a doubled id", { "sda,/dev/sda,same,sda", { "sdb,/dev/sdb,same" } },
		  { "sda,/dev/sda,same,sda", { "sdb,/dev/sdb,same" } }, true },
		{ "a doubled id, another name", { "sda,/dev/sda,same,sda", { "sdb,/dev/sdb,same" } },
		  { "sdc,/dev/sdc,same,sdc", { "sdb,/dev/sdb,same" } }, false },
		{ "the same file", { "x.img,/srv/x.img,,x.img", { 0 } }, { "x.img,/srv/x.img,,x.img", { 0 } }, true },
		{ "a file of that name", { "x.img,/srv/x.img,,x.img", { 0 } }, { "x.img,/home/x.img,,x.img", { 0 } }, false },
		{ "a file called all, and all", { "all,all,,all", { 0 } }, { "all,,,all", { 0 } }, false },
		{ "members in another order, renamed", { "sda,/dev/sda,wwn-1,sda+sdb", { "sdb,/dev/sdb,wwn-2" } },
		  { "sdb,/dev/sdb,wwn-1,sda+sdb", { "sda,/dev/sda,wwn-2" } }, true },
		{ "other members", { "sda,/dev/sda,wwn-1,sda+sdb", { "sdb,/dev/sdb,wwn-2" } },
		  { "sda,/dev/sda,wwn-1,sda+sdb", { "sdb,/dev/sdb,wwn-3" } }, false },
		{ "fewer members", { "sda,/dev/sda,wwn-1,sda+sdb", { "sdb,/dev/sdb,wwn-2" } },
		  { "sda,/dev/sda,wwn-1,sda", { 0 } }, false },
		{ "all of the same disks", { "all,,,sda+sdb", { "sda,/dev/sda,wwn-1", "sdb,/dev/sdb,wwn-2" } },
		  { "all,,,sdx+sdy", { "sdy,/dev/sdy,wwn-1", "sdx,/dev/sdx,wwn-2" } }, true },
		{ "two files of one name", { "x,/a/x,,x+x", { "x,/b/x," } }, { "x,/a/x,,x+x", { "x,/b/x," } }, true },
		{ "three files of one name in another order", { "x,/a/x,,x+x+x", { "x,/b/x,", "x,/c/x," } },
		  { "x,/a/x,,x+x+x", { "x,/c/x,", "x,/b/x," } }, true },
		{ "two files of one name, the other way", { "x,/a/x,,x+x", { "x,/b/x," } }, { "x,/b/x,,x+x", { "x,/a/x," } }, false },
	};

	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		size_t now;

		read_side(&cases[i].before);
		now = records.count;
		read_side(&cases[i].now);
		if ((strcmp(records.record[0].key, records.record[now].key) == 0) != cases[i].same)
			fail_msg("%s: '%s', '%s'", cases[i].what, records.record[0].key, records.record[now].key);
		release(state);
	}
}

/* A report of one machine is compared with that of another, as after it was renamed; one of several tells them apart. */
static void disks_of_several_machines_are_told_apart(void **state)
{
	static const char header[] = "host," COLUMNS "\n";
	static const struct {
		const char *rows;
		bool same;
	} cases[] = { { "box," ROW "\nbox," ROW "\n", true }, { "box," ROW "\nbarn," ROW "\n", false } };

	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		char text[1024];

		snprintf(text, sizeof text, "%s%s", header, cases[i].rows);
		read_well(text);
		assert_int_equal(strcmp(records.record[0].key, records.record[1].key) == 0, cases[i].same);
		release(state);
	}
	read_well("host," COLUMNS "\nbox," ROW "\n");
	read_well("host," COLUMNS "\nbarn," ROW "\n");
	assert_string_equal(records.record[0].key, records.record[1].key);
}

static void every_coordinate_tells_rows_apart_and_nothing_else(void **state)
{
	static const char *const columns[] = { "mode", "access", "block_bytes", "queue_depth", "order", "span_start_bytes", "span_bytes", "part" };
	static const char *const others[] = { "engine", "requests_per_second", "status", "time" };

	for (size_t i = 0; i < TEXT_COUNT(columns) + TEXT_COUNT(others); i++) {
		const bool coordinate = i < TEXT_COUNT(columns);
		const char *changed = coordinate ? columns[i] : others[i - TEXT_COUNT(columns)];
		char header[] = MORE_COLUMNS, row[] = MORE_ROW, text[1024], *value, *rest = row;
		int length;

		read_well(MORE_COLUMNS "\n" MORE_ROW "\n");
		length = snprintf(text, sizeof text, "%s\n", MORE_COLUMNS);
		for (char *name = strtok(header, ","); name; name = strtok(NULL, ",")) {
			value = strsep(&rest, ",");
			length += snprintf(text + length, sizeof text - (size_t)length, "%s%s", strcmp(name, changed) == 0 ? "7" : value,
					   rest ? "," : "\n");
		}
		read_well(text);
		if ((strcmp(records.record[0].key, records.record[1].key) != 0) != coordinate)
			fail_msg("%s", changed);
		release(state);
	}
}

static void a_row_is_called_by_what_is_unusual_of_it(void **state)
{
	static const struct {
		const char *mode, *access, *bytes, *depth, *part, *text;
	} row[] = {
		{ "random", "raw", "65536", "1", "", "random 64k" },
		{ "linear", "cooked", "4096", "1", "", "linear 4k, cooked" },
		{ "random", "raw", "4096", "8", "", "random 4k, depth 8" },
		{ "random", "raw", "4096", "1", "3/8 of 0:10%", "random 4k, 3/8 of 0:10%" },
		{ "random", "cooked", "1048576", "32", "0:10%", "random 1m, cooked, depth 32, 0:10%" },
		{ "a mode of much more than sixteen letters", "raw", "x", "1", "", "a mode of much m 0" },
	};
	char text[1024], name[RECORD_TEXT];

	for (size_t i = 0; i < TEXT_COUNT(row); i++) {
		snprintf(text, sizeof text, "part," COLUMNS "\n%s,1,t,sda,/dev/sda,,%s,%s,%s,%s,together,sda,0,9,5,ok\n",
			 row[i].part, row[i].mode, row[i].access, row[i].bytes, row[i].depth);
		read_well(text);
		assert_string_equal(record_print(name, &records.record[0]), row[i].text);
		release(state);
	}
}

/* The rows of a result are those of the CSV report of it. */
static void a_result_has_the_rows_of_its_report(void **state)
{
	struct records read = { 0 };
	struct scene scene;
	char *text = NULL;
	size_t size, from;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	assert_non_null(out);
	scene_init(&scene, 2);
	strcpy(scene.disk[0].id, "wwn-1");
	strcpy(scene.disk[1].model, "a \"big\", one");
	scene.sweep.modes |= 1U << MODE_LINEAR;
	scene_plan(&scene);
	csv_format.begin(out, &scene.result);
	for (size_t cell = 0; cell < scene.plan.cells; cell++) {
		from = scene.result.rows;
		scene_cell(&scene, cell);
		scene_reads(&scene, 0, 1234, 1000000, 2000000);
		scene_reads(&scene, 1, 2345, 1000000, 2000000);
		scene_done(&scene);
		csv_format.rows(out, &scene.result, from);
	}
	fclose(out);
	assert_int_equal(records_read(&read, "r.csv", text, strlen(text), &error), 0);
	assert_int_equal(records_of_result(&records, &scene.result), 0);
	assert_int_equal(read.count, records.count);
	for (size_t i = 0; i < read.count; i++) {
		assert_string_equal(read.record[i].key, records.record[i].key);
		for (size_t field = 0; field < fields_count; field++)
			assert_string_equal(read.record[i].value.word[field], records.record[i].value.word[field]);
	}
	records_release(&read);
	scene_close(&scene);
	free(text);
}

/* Else they would be compared with each other: those of all disks too, in parts of the same size. */
static void rows_of_one_report_are_told_apart(void **state)
{
	static const struct {
		const char *spans;
		unsigned zones;
	} cases[] = { { "0:10%", 4 }, { "0:10%,90%:10%,1g:1g,2g:1g", 0 } };

	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		struct scene scene;

		scene_init(&scene, 2);
		assert_null(spans_parse(cases[i].spans, &scene.sweep.spans));
		scene.sweep.zones = cases[i].zones;
		scene_plan(&scene);
		for (size_t cell = 0; cell < scene.plan.cells; cell++) {
			scene_cell(&scene, cell);
			scene_done(&scene);
		}
		assert_int_equal(records_of_result(&records, &scene.result), 0);
		assert_int_equal(records.count, 4 * 3);
		for (size_t a = 0; a < records.count; a++)
			for (size_t b = 0; b < a; b++)
				assert_string_not_equal(records.record[a].key, records.record[b].key);
		scene_close(&scene);
		release(state);
	}
}

#define RECORD_TEST(test) cmocka_unit_test_teardown(test, release)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RECORD_TEST(values_go_by_their_columns),
		RECORD_TEST(columns_of_older_and_of_newer_reports_do_not_matter),
		RECORD_TEST(quoted_values_lose_their_quotes),
		RECORD_TEST(lines_may_end_in_two_characters),
		RECORD_TEST(what_is_no_report_is_refused),
		RECORD_TEST(another_schema_is_refused),
		RECORD_TEST(a_tail_of_zeros_is_refused),
		RECORD_TEST(too_many_values_are_refused),
		RECORD_TEST(an_error_takes_back_its_own_rows_alone),
		RECORD_TEST(rows_of_two_reports_find_each_other),
		RECORD_TEST(disks_of_several_machines_are_told_apart),
		RECORD_TEST(every_coordinate_tells_rows_apart_and_nothing_else),
		RECORD_TEST(a_row_is_called_by_what_is_unusual_of_it),
		RECORD_TEST(a_result_has_the_rows_of_its_report),
		RECORD_TEST(rows_of_one_report_are_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
