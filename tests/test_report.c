/* All reports of a run: opened before it, written as it goes on, complete or absent at its end. */
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/report.h"
#include "scene.h"

static struct scene scene;
static struct report report;
static char folder[64];
static struct output output;
static int saved;

static int open_all(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/diskbench-report-XXXXXX");
	output = (struct output){ .format = "table" };
	scene_init(&scene, 1);
	scene_plan(&scene);
	return mkdtemp(folder) ? chdir(folder) : -1;
}

static int close_all(void **state)
{
	(void)state;
	report_release(&report);
	words_release(&output.files);
	scene_close(&scene);
	unlink("a.txt");
	unlink("b.csv");
	return chdir("/") == 0 ? rmdir(folder) : -1;
}

static void add_file(const char *name)
{
	words_add(&output.files, name, strlen(name));
}

/* Standard output is a file or pipe for a while. */
static void stdout_to(int fd)
{
	fflush(stdout);
	saved = dup(STDOUT_FILENO);
	dup2(fd, STDOUT_FILENO);
}

static void stdout_back(void)
{
	dup2(saved, STDOUT_FILENO);
	close(saved);
	clearerr(stdout);
}

/* How many of its lines hold that text; -1: there is no such file. */
static int lines_with(const char *path, const char *text)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;
	int count = 0;

	if (!file)
		return -1;
	while (getline(&line, &size, file) > 0)
		count += strstr(line, text) != NULL;
	free(line);
	fclose(file);
	return count;
}

static void measure(void)
{
	scene_cell(&scene, 0);
	scene_reads(&scene, 0, 1000, 1000, 2000);
	scene_done(&scene);
	report_update(&report, &scene.result, 0);
}

static void what_cannot_be_opened_leaves_nothing_behind(void **state)
{
	static const struct {
		const char *format, *file;
		enum exit_status status;
		const char *text;
	} bad[] = {
		{ "xml", NULL, STATUS_USAGE, "--format 'xml' is not known; use table, lewis, csv, json or prometheus" },
		{ "table", "x.doc", STATUS_USAGE, "--output 'x.doc' does not say its format; end it in .txt, .csv, .json or .prom" },
		{ "table", "x", STATUS_USAGE, "--output 'x' does not say its format; end it in .txt, .csv, .json or .prom" },
		{ "table", "no/x.csv", STATUS_REPORT,
		  "cannot write 'no/x.csv': no such file or directory; make its folder first" },
	};
	struct error error;

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(bad); i++) {
		output.format = bad[i].format;
		add_file("a.txt");
		if (bad[i].file)
			add_file(bad[i].file);
		assert_int_equal(report_open(&report, &output, &scene.plan, &error), -1);
		assert_int_equal(error.status, bad[i].status);
		assert_string_equal(error.text, bad[i].text);
		assert_int_equal(report.destinations, 0);
		words_release(&output.files);
		/* No draft is left. */
		assert_int_equal(rmdir(folder), 0);
		assert_int_equal(mkdir(folder, 0700), 0);
		assert_int_equal(chdir(folder), 0);
	}
}

static void files_are_complete_at_the_end_and_standard_output_at_once(void **state)
{
	char text[8192] = "";
	int ends[2];
	ssize_t at_once;
	struct error error;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	add_file("a.txt");
	add_file("b.csv");
	output.format = "csv";
	stdout_to(ends[1]);
	const int opened = report_open(&report, &output, &scene.plan, &error);

	report_begin(&report, &scene.result);
	measure();
	at_once = read(ends[0], text, sizeof text - 1);
	const int early = lines_with("b.csv", "");

	result_finish(&scene.result);
	/* Without closing this program's own standard output. */
	report.destination[0].file.stream = NULL;
	report_end(&report, &scene.result);
	stdout_back();
	close(ends[0]);
	close(ends[1]);
	assert_int_equal(opened, 0);
	assert_true(at_once > 0);
	assert_non_null(strstr(text, "\n1,2023-11-14T22:13:20Z,box,"));
	assert_non_null(strstr(text, ",ok,"));
	assert_int_equal(early, -1);
	assert_int_equal(lines_with("a.txt", "random, raw, depth 1"), 1);
	assert_int_equal(lines_with("b.csv", ""), 3);
	for (unsigned i = 0; i < report.destinations; i++)
		assert_null(report_error(&report, i));
}

/* With reports of before the table waits for its first line, the verdict; other formats do not. */
static void the_verdict_stands_before_the_table(void **state)
{
	struct error error;
	char *line = NULL;
	size_t size = 0;
	FILE *file;

	(void)state;
	scene_cell(&scene, 0);
	scene_reads(&scene, 0, 1000, 1000, 2000);
	scene_done(&scene);
	assert_int_equal(records_of_result(&scene.judge.baseline, &scene.result), 0);
	result_release(&scene.result);
	assert_int_equal(result_init(&scene.result, &scene.host, &scene.plan, &scene.origin, &scene.judge), 0);
	output.quiet = true;
	add_file("a.txt");
	add_file("b.csv");
	assert_int_equal(report_open(&report, &output, &scene.plan, &error), 0);
	report_begin(&report, &scene.result);
	measure();
	assert_int_equal(ftell(report.destination[0].file.stream), 0);
	assert_true(ftell(report.destination[1].file.stream) > 0);
	assert_int_equal(result_finish(&scene.result), 0);
	report_end(&report, &scene.result);
	file = fopen("a.txt", "r");
	assert_non_null(file);
	assert_true(getline(&line, &size, file) > 0);
	assert_string_equal(line, "none of 1 row worse than 2023-11-14\n");
	free(line);
	fclose(file);
	assert_int_equal(lines_with("a.txt", "random, raw, depth 1"), 1);
	assert_int_equal(lines_with("a.txt", "   4k  sda"), 1);
	judge_release(&scene.judge);
}

static void what_is_written_in_place_needs_no_suffix(void **state)
{
	struct error error;

	(void)state;
	output.quiet = true;
	output.format = "csv";
	add_file("/dev/null");
	assert_int_equal(report_open(&report, &output, &scene.plan, &error), 0);
	assert_ptr_equal(report.destination[0].format, &csv_format);
}

static void a_report_that_is_released_early_leaves_no_trace(void **state)
{
	struct error error;

	(void)state;
	output.quiet = true;
	add_file("b.csv");
	assert_int_equal(report_open(&report, &output, &scene.plan, &error), 0);
	assert_int_equal(report.destinations, 1);
	report_begin(&report, &scene.result);
	measure();
	report_release(&report);
	assert_int_equal(lines_with("b.csv", ""), -1);
	assert_int_equal(rmdir(folder), 0);
	assert_int_equal(mkdir(folder, 0700), 0);
	assert_int_equal(chdir(folder), 0);
}

static void a_failed_report_does_not_stop_the_others(void **state)
{
	struct error error;

	(void)state;
	if (access("/dev/full", W_OK) < 0)
		skip();
	output.quiet = true;
	add_file("a.txt");
	add_file("b.csv");
	assert_int_equal(report_open(&report, &output, &scene.plan, &error), 0);
	assert_non_null(freopen("/dev/full", "w", report.destination[0].file.stream));
	report_begin(&report, &scene.result);
	measure();
	result_finish(&scene.result);
	report_end(&report, &scene.result);
	assert_non_null(report_error(&report, 0));
	assert_int_equal(report_error(&report, 0)->status, STATUS_REPORT);
	assert_null(report_error(&report, 1));
	assert_false(report_unread(&report));
	assert_int_equal(lines_with("a.txt", ""), -1);
	assert_int_equal(lines_with("b.csv", ""), 3);
}

static void a_reader_that_went_away_is_no_error(void **state)
{
	int ends[2];
	struct error error;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	stdout_to(ends[1]);
	close(ends[1]);
	report_open(&report, &output, &scene.plan, &error);
	/* A copy of the stream, since the program needs its own again. */
	report.destination[0].file.stream = fdopen(dup(STDOUT_FILENO), "w");
	report_begin(&report, &scene.result);
	stdout_back();
	signal(SIGPIPE, SIG_DFL);
	assert_true(report_unread(&report));
	assert_null(report_error(&report, 0));
	assert_null(report.destination[0].file.stream);
}

static void notes_are_shown_by_tables_alone(void **state)
{
	struct error error;

	(void)state;
	output.quiet = true;
	add_file("b.csv");
	assert_int_equal(report_open(&report, &output, &scene.plan, &error), 0);
	assert_false(report_has_notes(&report));
	report_release(&report);
	add_file("a.txt");
	assert_int_equal(report_open(&report, &output, &scene.plan, &error), 0);
	assert_true(report_has_notes(&report));
}

#define REPORT_TEST(test) cmocka_unit_test_setup_teardown(test, open_all, close_all)

int main(void)
{
	const struct CMUnitTest tests[] = {
		REPORT_TEST(what_cannot_be_opened_leaves_nothing_behind),
		REPORT_TEST(files_are_complete_at_the_end_and_standard_output_at_once),
		REPORT_TEST(the_verdict_stands_before_the_table),
		REPORT_TEST(what_is_written_in_place_needs_no_suffix),
		REPORT_TEST(a_report_that_is_released_early_leaves_no_trace),
		REPORT_TEST(a_failed_report_does_not_stop_the_others),
		REPORT_TEST(a_reader_that_went_away_is_no_error),
		REPORT_TEST(notes_are_shown_by_tables_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
