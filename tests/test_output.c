/* Where a report goes: a file is the old report or the whole new one, devices stay what they are, disks
 * are never written to. */
#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "report/output.h"

static char folder[64];         /* a new one for each test, which is the working folder then */
static struct output_file file;
static struct error error;
static struct plan plan;

static int open_folder(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/diskbench-output-XXXXXX");
	umask(022);
	memset(&error, 0, sizeof error);
	plan = (struct plan){ 0 };
	return mkdtemp(folder) ? chdir(folder) : -1;
}

static unsigned entries(bool remove)
{
	DIR *all = opendir(".");
	unsigned count = 0;

	assert_non_null(all);
	for (const struct dirent *entry; (entry = readdir(all));) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		count++;
		if (remove && unlink(entry->d_name) < 0)
			assert_int_equal(rmdir(entry->d_name), 0);
	}
	closedir(all);
	return count;
}

static int close_folder(void **state)
{
	(void)state;
	output_discard(&file);
	entries(true);
	return chdir("/") == 0 ? rmdir(folder) : -1;
}

static void fill(const char *path, const char *content)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	fputs(content, out);
	assert_int_equal(fclose(out), 0);
}

static void assert_content(const char *path, const char *content)
{
	char text[256] = "";
	FILE *in = fopen(path, "r");

	assert_non_null(in);
	text[fread(text, 1, sizeof text - 1, in)] = '\0';
	fclose(in);
	assert_string_equal(text, content);
}

static mode_t mode_of(const char *path)
{
	struct stat facts;

	assert_int_equal(lstat(path, &facts), 0);
	return facts.st_mode;
}

/* A character device: root's tests make their own, since a bug might replace it by a file. NULL where
 * that is not possible. */
static const char *device_node(const char *path, unsigned minor_number)
{
	const char *node = path;
	int fd;

	if (geteuid() == 0) {
		node = "node.csv";
		assert_int_equal(mknod(node, S_IFCHR | 0600, makedev(1, minor_number)), 0);
	}
	fd = open(node, O_WRONLY);
	close(fd);
	return fd < 0 ? NULL : node;
}

static void open_well(const char *path)
{
	if (output_open_path(&file, path, &plan, &error) < 0)
		fail_msg("%s", error.text);
}

static void assert_refused(const char *path, enum exit_status status, const char *text)
{
	const unsigned before = entries(false);

	assert_int_equal(output_open_path(&file, path, &plan, &error), -1);
	assert_int_equal(error.status, status);
	assert_string_equal(error.text, text);
	assert_null(file.stream);
	assert_int_equal(entries(false), before);
}

static void a_new_file_appears_when_it_is_complete(void **state)
{
	(void)state;
	open_well("new.csv");
	fputs("half", file.stream);
	output_flush(&file);
	assert_int_equal(access("new.csv", F_OK), -1);
	assert_int_equal(entries(false), 1);
	fputs(" and half\n", file.stream);
	output_close(&file);
	assert_int_equal(file.error.status, STATUS_OK);
	assert_content("new.csv", "half and half\n");
	assert_int_equal(mode_of("new.csv"), S_IFREG | 0644);
	assert_int_equal(entries(false), 1);
}

static void an_old_report_stays_until_then_and_keeps_its_mode(void **state)
{
	(void)state;
	fill("old.csv", "old\n");
	assert_int_equal(chmod("old.csv", 0640), 0);
	open_well("old.csv");
	fputs("new\n", file.stream);
	output_flush(&file);
	assert_content("old.csv", "old\n");
	output_close(&file);
	assert_content("old.csv", "new\n");
	assert_int_equal(mode_of("old.csv"), S_IFREG | 0640);
	assert_int_equal(entries(false), 1);
}

static void the_mask_of_the_user_holds_for_a_new_file(void **state)
{
	(void)state;
	umask(027);
	open_well("new.csv");
	output_close(&file);
	assert_int_equal(mode_of("new.csv"), S_IFREG | 0640);
	assert_int_equal(umask(022), 027);
}

static void what_is_discarded_leaves_no_trace(void **state)
{
	(void)state;
	open_well("new.csv");
	fputs("new\n", file.stream);
	output_flush(&file);
	output_discard(&file);
	assert_int_equal(entries(false), 0);
	fill("old.csv", "old\n");
	open_well("old.csv");
	fputs("new\n", file.stream);
	output_discard(&file);
	assert_content("old.csv", "old\n");
	assert_int_equal(entries(false), 1);
	output_discard(&file);
}

static void a_link_stays_and_its_target_is_replaced(void **state)
{
	(void)state;
	assert_int_equal(mkdir("sub", 0755), 0);
	fill("sub/target.csv", "old\n");
	assert_int_equal(symlink("sub/target.csv", "link.csv"), 0);
	open_well("link.csv");
	fputs("new\n", file.stream);
	output_close(&file);
	assert_true(S_ISLNK(mode_of("link.csv")));
	assert_content("sub/target.csv", "new\n");
	assert_true(S_ISREG(mode_of("sub/target.csv")));
	assert_int_equal(unlink("sub/target.csv"), 0);
	assert_int_equal(rmdir("sub"), 0);
}

static void a_link_to_nothing_is_refused_and_stays(void **state)
{
	(void)state;
	assert_int_equal(symlink("nothing.csv", "link.csv"), 0);
	assert_refused("link.csv", STATUS_REPORT, "cannot write 'link.csv': no such file or directory; it is a link to nothing: "
		       "make its target or remove it");
	assert_true(S_ISLNK(mode_of("link.csv")));
}

static void a_missing_folder_is_named_before_the_run(void **state)
{
	(void)state;
	assert_refused("no/such/x.csv", STATUS_REPORT,
		       "cannot write 'no/such/x.csv': no such file or directory; make its folder first");
}

static void a_folder_is_no_report(void **state)
{
	(void)state;
	assert_int_equal(mkdir("x.csv", 0755), 0);
	assert_refused("x.csv", STATUS_REPORT, "cannot write 'x.csv': is a directory");
}

static void a_file_in_the_way_of_a_folder_is_named(void **state)
{
	(void)state;
	fill("x", "");
	assert_refused("x/y.csv", STATUS_REPORT, "cannot write 'x/y.csv': not a directory");
}

static void a_full_device_is_a_report_that_could_not_be_written(void **state)
{
	const char *node = device_node("/dev/full", 7);
	char text[128];

	(void)state;
	if (!node)
		skip();
	open_well(node);
	fputs("text\n", file.stream);
	output_flush(&file);
	assert_null(file.stream);
	assert_int_equal(file.error.status, STATUS_REPORT);
	snprintf(text, sizeof text, "cannot write '%s': no space left on device", node);
	assert_string_equal(file.error.text, text);
	output_flush(&file);
	output_close(&file);
	assert_int_equal(file.error.status, STATUS_REPORT);
}

static void an_error_on_the_way_leaves_the_old_report(void **state)
{
	(void)state;
	if (access("/dev/full", W_OK) < 0)
		skip();
	fill("old.csv", "old\n");
	open_well("old.csv");
	/* The filesystem is full from now on. */
	assert_non_null(freopen("/dev/full", "w", file.stream));
	fputs("new\n", file.stream);
	output_close(&file);
	assert_int_equal(file.error.status, STATUS_REPORT);
	assert_string_equal(file.error.text, "cannot write 'old.csv': no space left on device");
	assert_content("old.csv", "old\n");
	assert_int_equal(entries(false), 1);
}

/* What was not written then is lost: a log would have a gap. */
static void a_filesystem_that_was_full_for_a_while_leaves_the_old_report(void **state)
{
	const int full = open("/dev/full", O_WRONLY);
	int draft;

	(void)state;
	if (full < 0)
		skip();
	fill("old.csv", "old\n");
	open_well("old.csv");
	draft = dup(fileno(file.stream));
	dup2(full, fileno(file.stream));
	fputs("new\n", file.stream);
	assert_int_equal(fflush(file.stream), EOF);
	dup2(draft, fileno(file.stream));
	close(draft);
	close(full);
	output_close(&file);
	assert_string_equal(file.error.text, "cannot write 'old.csv': input/output error");
	assert_content("old.csv", "old\n");
	assert_int_equal(entries(false), 1);
}

static void a_folder_that_went_away_is_a_report_that_could_not_be_written(void **state)
{
	(void)state;
	assert_int_equal(mkdir("sub", 0755), 0);
	open_well("sub/x.csv");
	assert_int_equal(rename("sub", "gone"), 0);
	output_close(&file);
	/* The draft went with the folder. */
	assert_int_equal(chdir("gone"), 0);
	entries(true);
	assert_int_equal(chdir(".."), 0);
	assert_int_equal(file.error.status, STATUS_REPORT);
	assert_string_equal(file.error.text, "cannot write 'sub/x.csv': no such file or directory");
}

static void a_character_device_stays_one(void **state)
{
	const char *node = device_node("/dev/null", 3);
	struct stat before, after;

	(void)state;
	if (!node)
		skip();
	assert_int_equal(stat(node, &before), 0);
	open_well(node);
	fputs("text\n", file.stream);
	output_close(&file);
	assert_int_equal(file.error.status, STATUS_OK);
	assert_int_equal(lstat(node, &after), 0);
	assert_true(S_ISCHR(after.st_mode));
	assert_int_equal(after.st_ino, before.st_ino);
	assert_int_equal(after.st_mode, before.st_mode);
}

static void a_fifo_without_a_reader_is_not_waited_for(void **state)
{
	(void)state;
	assert_int_equal(mkfifo("pipe.csv", 0600), 0);
	assert_refused("pipe.csv", STATUS_REPORT, "cannot write 'pipe.csv': no such device or address; start its reader first");
	assert_true(S_ISFIFO(mode_of("pipe.csv")));
}

static void a_fifo_is_written_in_place(void **state)
{
	char text[16] = "";
	int reader;

	(void)state;
	assert_int_equal(mkfifo("pipe.csv", 0600), 0);
	reader = open("pipe.csv", O_RDONLY | O_NONBLOCK);
	assert_true(reader >= 0);
	open_well("pipe.csv");
	/* Once there is a reader, a full pipe is waited for. */
	assert_int_equal(fcntl(fileno(file.stream), F_GETFL) & O_NONBLOCK, 0);
	fputs("text\n", file.stream);
	output_close(&file);
	assert_int_equal(file.error.status, STATUS_OK);
	assert_int_equal(read(reader, text, sizeof text), 5);
	assert_string_equal(text, "text\n");
	close(reader);
	assert_true(S_ISFIFO(mode_of("pipe.csv")));
	assert_int_equal(entries(false), 1);
}

static void a_reader_of_a_file_that_went_away_is_an_error_of_that_file(void **state)
{
	int reader;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(mkfifo("pipe.csv", 0600), 0);
	reader = open("pipe.csv", O_RDONLY | O_NONBLOCK);
	open_well("pipe.csv");
	close(reader);
	fputs("text\n", file.stream);
	output_close(&file);
	assert_int_equal(file.error.status, STATUS_REPORT);
	assert_false(file.broken_pipe);
	signal(SIGPIPE, SIG_DFL);
}

static void a_block_device_is_never_written_to(void **state)
{
	char text[512];
	struct stat facts;
	glob_t found;

	(void)state;
	glob("/dev/*", 0, NULL, &found);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		if (stat(found.gl_pathv[i], &facts) < 0 || !S_ISBLK(facts.st_mode))
			continue;
		snprintf(text, sizeof text, "'%s' is a block device, and diskbench never writes to one",
			 found.gl_pathv[i]);
		assert_refused(found.gl_pathv[i], STATUS_USAGE, text);
		assert_int_equal(symlink(found.gl_pathv[i], "disk.csv"), 0);
		assert_refused("disk.csv", STATUS_USAGE,
			       "'disk.csv' is a block device, and diskbench never writes to one");
		globfree(&found);
		return;
	}
	globfree(&found);
	skip();
}

static void a_file_that_is_measured_is_never_written_to(void **state)
{
	static struct device_info info;
	static const struct device_info *const disk[] = { &info };
	struct stat facts;

	(void)state;
	fill("disk.img", "data");
	assert_int_equal(stat("disk.img", &facts), 0);
	info = (struct device_info){ .path = "disk.img", .kind = KIND_FILE, .dev = facts.st_dev, .inode = facts.st_ino };
	plan = (struct plan){ .disk = disk, .disks = 1 };
	assert_int_equal(symlink("disk.img", "alias.csv"), 0);
	assert_int_equal(link("disk.img", "twin.csv"), 0);
	assert_refused("disk.img", STATUS_USAGE, "'disk.img' is one of the disks to measure; name another file");
	assert_refused("alias.csv", STATUS_USAGE, "'alias.csv' is one of the disks to measure; name another file");
	assert_refused("twin.csv", STATUS_USAGE, "'twin.csv' is one of the disks to measure; name another file");
	assert_content("disk.img", "data");
	open_well("other.csv");
}

/* Runs a test with another standard output, which is -1 for a closed one. */
static void with_stdout(int fd, void (*test)(void))
{
	const int saved = dup(STDOUT_FILENO);

	fflush(stdout);
	if (fd < 0)
		close(STDOUT_FILENO);
	else
		dup2(fd, STDOUT_FILENO);
	test();
	dup2(saved, STDOUT_FILENO);
	close(saved);
}

static int opened;
static enum exit_status opened_status;

static void try_stdout(void)
{
	opened = output_open_stdout(&file, &error);
	opened_status = opened < 0 ? error.status : STATUS_OK;
	file.stream = NULL;
}

static void a_closed_standard_output_is_noticed_before_the_run(void **state)
{
	static const char *const text = "cannot write 'standard output': bad file descriptor; open it, or use --quiet with -o";
	const int read_only = open("/dev/null", O_RDONLY), write_only = open("/dev/null", O_WRONLY);

	(void)state;
	with_stdout(-1, try_stdout);
	assert_int_equal(opened_status, STATUS_REPORT);
	assert_int_equal(opened, -1);
	with_stdout(read_only, try_stdout);
	assert_int_equal(opened_status, STATUS_REPORT);
	with_stdout(write_only, try_stdout);
	assert_int_equal(opened, 0);
	assert_string_equal(error.text, text);
	close(read_only);
	close(write_only);
}

static void try_own_file(void)
{
	opened = output_open_path(&file, "out.csv", &plan, &error);
}

static void the_file_of_standard_output_is_refused(void **state)
{
	int fd;

	(void)state;
	fill("out.csv", "");
	fd = open("out.csv", O_WRONLY);
	with_stdout(fd, try_own_file);
	close(fd);
	assert_int_equal(opened, -1);
	assert_int_equal(error.status, STATUS_USAGE);
	assert_string_equal(error.text, "'out.csv' is standard output itself; use -f, or another file");
}

#define FOLDER_TEST(test) cmocka_unit_test_setup_teardown(test, open_folder, close_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FOLDER_TEST(a_new_file_appears_when_it_is_complete),
		FOLDER_TEST(an_old_report_stays_until_then_and_keeps_its_mode),
		FOLDER_TEST(the_mask_of_the_user_holds_for_a_new_file),
		FOLDER_TEST(what_is_discarded_leaves_no_trace),
		FOLDER_TEST(a_link_stays_and_its_target_is_replaced),
		FOLDER_TEST(a_link_to_nothing_is_refused_and_stays),
		FOLDER_TEST(a_missing_folder_is_named_before_the_run),
		FOLDER_TEST(a_folder_is_no_report),
		FOLDER_TEST(a_file_in_the_way_of_a_folder_is_named),
		FOLDER_TEST(a_full_device_is_a_report_that_could_not_be_written),
		FOLDER_TEST(an_error_on_the_way_leaves_the_old_report),
		FOLDER_TEST(a_filesystem_that_was_full_for_a_while_leaves_the_old_report),
		FOLDER_TEST(a_folder_that_went_away_is_a_report_that_could_not_be_written),
		FOLDER_TEST(a_character_device_stays_one),
		FOLDER_TEST(a_fifo_without_a_reader_is_not_waited_for),
		FOLDER_TEST(a_fifo_is_written_in_place),
		FOLDER_TEST(a_reader_of_a_file_that_went_away_is_an_error_of_that_file),
		FOLDER_TEST(a_block_device_is_never_written_to),
		FOLDER_TEST(a_file_that_is_measured_is_never_written_to),
		FOLDER_TEST(a_closed_standard_output_is_noticed_before_the_run),
		FOLDER_TEST(the_file_of_standard_output_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
