/* A line for every read, whatever its numbers. */
#include "test.h"

#include <errno.h>

#include "collect/log.h"
#include "scene.h"

#define HEAD "issued_ns,cell,disk,mode,access,block_bytes,queue_depth,offset_bytes,latency_ns,error,counted\n"

static struct scene scene;
static FILE *stream;

static int open_log(void **state)
{
	(void)state;
	scene_init(&scene, 2);
	scene.sweep.modes |= 1U << MODE_LINEAR;
	strcpy(scene.disk[1].name, "a \"b\", c");
	scene_plan(&scene);
	stream = tmpfile();
	return stream ? 0 : -1;
}

static int close_log(void **state)
{
	(void)state;
	fclose(stream);
	scene_close(&scene);
	return 0;
}

static void each_read_has_its_line(void **state)
{
	static const struct sample sample[] = {
		{ .issued_ns = 0, .latency_ns = 0, .offset = 0, .counts = false },
		{ .issued_ns = INT64_MAX, .latency_ns = INT64_MAX, .offset = UINT64_MAX, .error = -EIO, .counts = true },
		{ .issued_ns = 1234567890123, .latency_ns = -1, .offset = 40960, .counts = true },
		{ .issued_ns = 10, .latency_ns = 99, .offset = 100, .error = -ENODATA, .counts = false },
	};
	struct log log;
	char text[1024];

	(void)state;
	log_head(stream);
	log_begin(&log, stream, &scene.plan, &scene.plan.cell[0], 0);
	for (size_t i = 0; i < TEXT_COUNT(sample); i++)
		log_add(&log, &sample[i]);
	log_begin(&log, stream, &scene.plan, &scene.plan.cell[1], 1);
	log_add(&log, &sample[2]);
	rewind(stream);
	text[fread(text, 1, sizeof text - 1, stream)] = '\0';
	assert_string_equal(text, HEAD "0,1,sda,random,raw,4096,1,0,0,0,0\n"
			    "9223372036854775807,1,sda,random,raw,4096,1,18446744073709551615,9223372036854775807,5,1\n"
			    "1234567890123,1,sda,random,raw,4096,1,40960,0,0,1\n"
			    "10,1,sda,random,raw,4096,1,100,99,61,0\n"
			    "1234567890123,2,\"a \"\"b\"\", c\",linear,raw,4096,1,40960,0,0,1\n");
}

static void after_an_error_nothing_more_is_written(void **state)
{
	const struct sample sample = { .issued_ns = 1 };
	FILE *full = fopen("/dev/full", "w");
	struct log log;

	(void)state;
	assert_non_null(full);
	log_head(full);
	log_begin(&log, full, &scene.plan, &scene.plan.cell[0], 0);
	for (int i = 0; i < 100000; i++)
		log_add(&log, &sample);
	assert_true(ferror(full));
	fclose(full);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_read_has_its_line, open_log, close_log),
		cmocka_unit_test_setup_teardown(after_an_error_nothing_more_is_written, open_log, close_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
