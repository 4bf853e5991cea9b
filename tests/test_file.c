/* A file is read whole or not at all. */
#include "test.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static char folder[] = "/tmp/diskbench-file-XXXXXX";

static int enter_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
	(void)state;
	unlink("file");
	return chdir("/") == 0 ? rmdir(folder) : -1;
}

static void write_file(const void *content, size_t size)
{
	FILE *file = fopen("file", "w");

	assert_non_null(file);
	assert_int_equal(fwrite(content, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void a_text_comes_with_its_length_and_its_end(void **state)
{
	static const struct {
		const char *content;
		size_t size;
	} file[] = { { "", 0 }, { "one\n", 4 }, { "a\0b", 3 } };
	char *text;
	size_t length;

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(file); i++) {
		write_file(file[i].content, file[i].size);
		assert_int_equal(file_read("file", 100, &text, &length), 0);
		assert_int_equal(length, file[i].size);
		assert_memory_equal(text, file[i].content, length + 1);
		free(text);
	}
}

static void long_files_are_read_to_their_end_but_no_longer_ones_than_allowed(void **state)
{
	enum { SIZE = 200001 };
	char *content = malloc(SIZE), *text;
	size_t length;

	(void)state;
	assert_non_null(content);
	memset(content, 'x', SIZE);
	write_file(content, SIZE);
	assert_int_equal(file_read("file", SIZE, &text, &length), 0);
	assert_int_equal(length, SIZE);
	assert_memory_equal(text, content, SIZE);
	free(text);
	free(content);
	assert_int_equal(file_read("file", SIZE - 1, &text, &length), -EFBIG);
	assert_null(text);
}

static void what_cannot_be_read_says_why(void **state)
{
	char *text;
	size_t length;

	(void)state;
	assert_int_equal(file_read("missing", 100, &text, &length), -ENOENT);
	assert_int_equal(file_read(".", 100, &text, &length), -EISDIR);
	assert_null(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_comes_with_its_length_and_its_end),
		cmocka_unit_test(long_files_are_read_to_their_end_but_no_longer_ones_than_allowed),
		cmocka_unit_test(what_cannot_be_read_says_why),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
