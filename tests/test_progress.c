/* Talk on stderr: what stands there, and what is left when something else is printed. */
#include "test.h"

#include <fcntl.h>
#include <math.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "report/progress.h"
#include "scene.h"

static struct scene scene;
static struct progress progress;
static int saved, reader, writer;       /* stderr, and what stands in its place meanwhile */

/* A terminal that changes nothing on its way, or a pipe. */
static int open_terminal(void)
{
	struct termios raw;

	reader = posix_openpt(O_RDWR | O_NOCTTY);
	if (reader < 0 || grantpt(reader) < 0 || unlockpt(reader) < 0)
		return -1;
	writer = open(ptsname(reader), O_RDWR | O_NOCTTY);
	if (writer < 0 || tcgetattr(writer, &raw) < 0)
		return -1;
	cfmakeraw(&raw);
	return tcsetattr(writer, TCSANOW, &raw);
}

static void open_pipe(void)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	reader = ends[0];
	writer = ends[1];
}

/* Two cells of three hours and some seconds, so that the time left does not depend on how fast the machine is. */
static void start(bool terminal, enum when when)
{
	const struct output output = { .progress = when };

	scene_init(&scene, 1);
	scene.limits.warmup_ns = 0;
	scene.limits.time_ns = 10815 * NS_PER_S;
	scene.sweep.sizes.value[scene.sweep.sizes.count++] = 65536;
	scene_plan(&scene);
	if (!terminal)
		open_pipe();
	else if (open_terminal() < 0)
		skip();
	saved = dup(STDERR_FILENO);
	dup2(writer, STDERR_FILENO);
	progress_init(&progress, &output);
}

/* What was printed since the last call. A terminal passes it on when it likes: a mark behind it says
 * when all is here. */
static const char *printed(void)
{
	static char text[512];
	size_t length = 0;

	assert_int_equal(write(writer, "\1", 1), 1);
	while (length < sizeof text && read(reader, text + length, 1) == 1 && text[length] != '\1')
		length++;
	assert_true(length < sizeof text);
	text[length] = '\0';
	return text;
}

static void end(void)
{
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(reader);
	close(writer);
}

static int close_scene(void **state)
{
	(void)state;
	scene_close(&scene);
	return 0;
}

static void show(size_t cell, double rate)
{
	progress_show(&progress, &(struct stage){ &scene.plan, &scene.plan.cell[cell], clock_now_ns(), rate });
}

static void it_is_shown_on_a_terminal_or_when_asked_for(void **state)
{
	static const struct {
		enum when when;
		bool terminal, quiet, shown;
	} wish[] = {
		{ WHEN_AUTO, true, false, true }, { WHEN_AUTO, true, true, false }, { WHEN_AUTO, false, false, false },
		{ WHEN_ALWAYS, false, false, true }, { WHEN_ALWAYS, false, true, true }, { WHEN_NEVER, true, false, false },
	};
	bool shown[TEXT_COUNT(wish)], terminal[TEXT_COUNT(wish)];

	for (size_t i = 0; i < TEXT_COUNT(wish); i++) {
		start(wish[i].terminal, wish[i].when);
		progress_init(&progress, &(struct output){ .progress = wish[i].when, .quiet = wish[i].quiet });
		end();
		shown[i] = progress.shown;
		terminal[i] = progress.terminal;
		close_scene(state);
	}
	for (size_t i = 0; i < TEXT_COUNT(wish); i++) {
		assert_int_equal(shown[i], wish[i].shown);
		assert_int_equal(terminal[i], wish[i].terminal);
	}
	scene_init(&scene, 1);
	scene_plan(&scene);
}

static void without_a_terminal_it_is_a_line_every_ten_seconds(void **state)
{
	char text[4][512];

	(void)state;
	start(false, WHEN_ALWAYS);
	show(0, NAN);
	strcpy(text[0], printed());
	show(0, 118.24);
	strcpy(text[1], printed());
	progress.last_ns -= 10 * NS_PER_S;
	show(1, 118.24);
	strcpy(text[2], printed());
	progress_clear(&progress);
	strcpy(text[3], printed());
	end();
	assert_string_equal(text[0], "random 4k (1 of 2), at most 6 h 00 min left\n");
	assert_string_equal(text[1], "");
	assert_string_equal(text[2], "random 64k (2 of 2), 118.2 req/s, at most 3 h 00 min left\n");
	assert_string_equal(text[3], "");
}

static void on_a_terminal_one_line_is_written_over(void **state)
{
	static const char *const line = "random 64k (2 of 2), 118.2 req/s, at most 3 h 00 min left";
	static const char *const shorter = "random 4k (1 of 2), at most 6 h 00 min left";
	char text[5][512], wanted[5][512];

	(void)state;
	start(true, WHEN_AUTO);
	show(1, 118.2);
	strcpy(text[0], printed());
	show(1, 118.2);
	strcpy(text[1], printed());
	progress.last_ns -= NS_PER_S / 4;
	show(0, NAN);
	strcpy(text[2], printed());
	progress_say(&progress, "'%s': no answer", "/dev/sda");
	strcpy(text[3], printed());
	progress_clear(&progress);
	strcpy(text[4], printed());
	end();
	snprintf(wanted[0], sizeof wanted[0], "\r%s", line);
	snprintf(wanted[2], sizeof wanted[2], "\r%-*s", (int)strlen(line), shorter);
	snprintf(wanted[3], sizeof wanted[3], "\r%*s\rdiskbench: '/dev/sda': no answer\n", (int)strlen(shorter), "");
	assert_string_equal(text[0], wanted[0]);
	assert_string_equal(text[1], "");
	assert_string_equal(text[2], wanted[2]);
	assert_string_equal(text[3], wanted[3]);
	assert_string_equal(text[4], "");
}

static void what_must_be_said_is_said_without_progress(void **state)
{
	char text[2][512];

	(void)state;
	start(false, WHEN_NEVER);
	show(0, 100);
	strcpy(text[0], printed());
	progress_say(&progress, "%d errors", 3);
	strcpy(text[1], printed());
	end();
	assert_string_equal(text[0], "");
	assert_string_equal(text[1], "diskbench: 3 errors\n");
}

static void who_asks_is_answered_once_even_without_progress(void **state)
{
	struct stage stage = { &scene.plan, NULL, 0, NAN };
	char text[3][512];

	(void)state;
	start(false, WHEN_NEVER);
	progress_answer(&progress, &stage);
	strcpy(text[0], printed());
	progress_answer(&progress, &stage);
	strcpy(text[1], printed());
	progress.answered_ns -= NS_PER_S;
	stage = (struct stage){ &scene.plan, &scene.plan.cell[1], clock_now_ns(), 118.24 };
	progress_answer(&progress, &stage);
	strcpy(text[2], printed());
	end();
	assert_string_equal(text[0], "diskbench: the probe, then 2 cells, at most 6 h 00 min left\n");
	assert_string_equal(text[1], "");
	assert_string_equal(text[2], "diskbench: random 64k (2 of 2), 118.2 req/s, at most 3 h 00 min left\n");
}

#define SCENE_TEST(test) cmocka_unit_test_teardown(test, close_scene)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE_TEST(it_is_shown_on_a_terminal_or_when_asked_for),
		SCENE_TEST(without_a_terminal_it_is_a_line_every_ten_seconds),
		SCENE_TEST(on_a_terminal_one_line_is_written_over),
		SCENE_TEST(what_must_be_said_is_said_without_progress),
		SCENE_TEST(who_asks_is_answered_once_even_without_progress),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
