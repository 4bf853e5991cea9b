/* The engines on a real file: every read ends once, in its own part of the buffer, with its own block or error. */
#include "test.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/rng.h"
#include "plan/sweep.h"
#include "run/engine.h"

enum { BLOCK = 4096, BLOCKS = 256, TAIL = 512, BUFFER = DEPTH_MAX * BLOCK };

static const uint32_t depths[] = { 1, 2, 3, 8, 32, 1000, 1024 };

/* A file of blocks that hold their number, and a part of one more; a buffer; an engine that reads one into the other. */
static struct device device;
static char *buffer;
static struct queue queue;
static const struct engine_ops *ops;
static void *engine;

/* The kernel of another day: what it does not know of io_uring, how often it is too busy to take a read, and how many it
 * takes at once, at most. */
static unsigned unknown_flags, busy;
static long most = DEPTH_MAX;

static bool refuses(long number, const long argument[])
{
	if (number == SYS_io_uring_setup) {
		errno = EINVAL;
		return ((const struct io_uring_params *)argument[1])->flags & unknown_flags;
	}
	errno = EAGAIN;
	return number == SYS_io_uring_enter && busy && busy--;
}

/* In place of the C library's. */
long syscall(long number, ...)
{
	static long (*real)(long, ...);
	long argument[6];
	va_list rest;

	va_start(rest, number);
	for (size_t i = 0; i < TEXT_COUNT(argument); i++)
		argument[i] = va_arg(rest, long);
	va_end(rest);
	if (refuses(number, argument))
		return -1;
	if ((number == SYS_io_uring_enter || number == SYS_io_submit) && argument[1] > most)
		argument[1] = most;
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "syscall");
	return real(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
}

static int make_file(void **state)
{
	char path[] = "/tmp/diskbench-engine-XXXXXX";
	const int fd = mkstemp(path);

	(void)state;
	if (fd < 0)
		return -1;
	for (uint32_t block = 0; block <= BLOCKS; block++) {
		uint32_t words[BLOCK / sizeof block];

		for (size_t i = 0; i < TEXT_COUNT(words); i++)
			words[i] = block;
		if (write(fd, words, block < BLOCKS ? BLOCK : TAIL) < 0)
			return -1;
	}
	device.fd[ACCESS_RAW] = open(path, O_RDONLY);
	device.fd[ACCESS_COOKED] = open(path, O_WRONLY);
	close(fd);
	unlink(path);
	buffer = mmap(NULL, BUFFER, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return buffer == MAP_FAILED ? -1 : 0;
}

static int drop_file(void **state)
{
	(void)state;
	close(device.fd[ACCESS_RAW]);
	close(device.fd[ACCESS_COOKED]);
	return munmap(buffer, BUFFER);
}

static void open_engine(enum engine kind, uint32_t depth, enum access access)
{
	ops = engine_ops[kind];
	queue = (struct queue){ .device = &device, .access = access, .block_bytes = BLOCK, .depth = depth, .buffer = buffer };
	assert_int_equal(ops->open(&engine, &queue), 0);
}

static bool refused(enum engine kind)
{
	const int error = engine_try(engine_ops[kind]);

	if (error)
		print_message("%s is not allowed here: %s\n", engine_names[kind], strerror(-error));
	return error;
}

/* In the slot lies the flight's own block. */
static void assert_landed(const struct flight *flight)
{
	const char *part = buffer + (size_t)flight->slot * BLOCK;
	const uint32_t block = (uint32_t)(flight->offset / BLOCK);

	assert_int_equal(flight->error, 0);
	assert_memory_equal(part, &block, sizeof block);
	assert_memory_equal(part + BLOCK - sizeof block, &block, sizeof block);
}

static void assert_reads(uint32_t depth)
{
	struct flight slot[DEPTH_MAX], *flight[DEPTH_MAX];
	unsigned fresh = depth, in_flight = 0, issued = 0, landed = 0;
	struct rng rng;

	rng_init(&rng, depth);
	for (unsigned i = 0; i < depth; i++) {
		slot[i] = (struct flight){ .slot = i };
		flight[i] = &slot[i];
	}
	while (fresh || in_flight) {
		unsigned done;

		for (unsigned i = 0; i < fresh; i++) {
			flight[i]->error = 1;
			flight[i]->offset = rng_below(&rng, BLOCKS) * BLOCK;
		}
		issued += fresh;
		done = ops->step(engine, flight, fresh);
		assert_true(done <= in_flight + fresh);
		for (unsigned i = 0; i < done; i++)
			assert_landed(flight[i]);
		landed += done;
		in_flight = in_flight + fresh - done;
		fresh = issued < 3 * depth + 50 ? done : 0;
	}
	assert_int_equal(landed, issued);
}

/* One read, in the last slot. */
static int read_one(uint64_t offset)
{
	struct flight slot = { .offset = offset, .slot = queue.depth - 1, .error = 1 };
	struct flight *flight[DEPTH_MAX] = { &slot };
	unsigned done = ops->step(engine, flight, 1);

	while (!done)
		done = ops->step(engine, flight, 0);
	assert_int_equal(done, 1);
	assert_ptr_equal(flight[0], &slot);
	return slot.error;
}

static void every_block_arrives_in_its_slot(void **state)
{
	(void)state;
	for (enum engine kind = ENGINE_AUTO + 1; kind < ENGINES; kind++)
		for (size_t i = 0; i < TEXT_COUNT(depths) && !refused(kind); i++) {
			if (kind == ENGINE_SYNC && depths[i] > 1)
				continue;
			open_engine(kind, depths[i], ACCESS_RAW);
			assert_reads(depths[i]);
			ops->close(engine);
		}
}

static void the_end_of_a_disk_that_is_shorter_than_it_said_is_an_error_of_the_read_alone(void **state)
{
	(void)state;
	for (enum engine kind = ENGINE_AUTO + 1; kind < ENGINES; kind++) {
		if (refused(kind))
			continue;
		open_engine(kind, kind == ENGINE_SYNC ? 1 : 8, ACCESS_RAW);
		assert_int_equal(read_one(BLOCKS * BLOCK), -ENXIO);
		assert_int_equal(read_one((BLOCKS + 1) * BLOCK), -ENXIO);
		assert_int_equal(read_one((BLOCKS - 1) * BLOCK), 0);
		ops->close(engine);
	}
}

static void what_the_kernel_does_not_take_has_failed(void **state)
{
	(void)state;
	for (enum engine kind = ENGINE_AUTO + 1; kind < ENGINES; kind++) {
		if (refused(kind))
			continue;
		open_engine(kind, kind == ENGINE_SYNC ? 1 : 8, ACCESS_COOKED);
		assert_int_equal(read_one(0), -EBADF);
		assert_int_equal(read_one(BLOCK), -EBADF);
		ops->close(engine);
	}
}

static void an_engine_opens_again_and_again(void **state)
{
	(void)state;
	for (enum engine kind = ENGINE_AUTO + 1; kind < ENGINES; kind++)
		for (int i = 0; i < 100 && !refused(kind); i++) {
			open_engine(kind, kind == ENGINE_SYNC ? 1 : 64, ACCESS_RAW);
			assert_false(queue.plain_buffer);
			assert_int_equal(read_one(0), 0);
			ops->close(engine);
		}
}

static void older_kernels_have_rings_too(void **state)
{
	/* IORING_SETUP_DEFER_TASKRUN, and IORING_SETUP_COOP_TASKRUN too: so may be our headers. */
	static const unsigned unknown[] = { 1U << 13, 1U << 13 | 1U << 8 };

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(unknown) && !refused(ENGINE_URING); i++) {
		unknown_flags = unknown[i];
		open_engine(ENGINE_URING, 32, ACCESS_RAW);
		assert_reads(32);
		ops->close(engine);
		unknown_flags = 0;
	}
}

static void what_the_kernel_does_not_take_at_once_it_takes_later(void **state)
{
	(void)state;
	for (enum engine kind = ENGINE_SYNC + 1; kind < ENGINES; kind++) {
		if (refused(kind))
			continue;
		most = 3;
		open_engine(kind, 32, ACCESS_RAW);
		assert_reads(32);
		ops->close(engine);
		most = DEPTH_MAX;
	}
}

static void a_kernel_that_is_busy_is_asked_again(void **state)
{
	(void)state;
	if (refused(ENGINE_URING))
		return;
	open_engine(ENGINE_URING, 8, ACCESS_RAW);
	assert_int_equal(read_one(0), 0);
	busy = 3;
	assert_int_equal(read_one(BLOCK), 0);
	assert_int_equal(busy, 0);
	ops->close(engine);
}

static void what_the_kernel_says_of_a_read_is_all_of_it_or_a_part_or_an_error(void **state)
{
	struct flight flight = { 0 };

	(void)state;
	queue = (struct queue){ .block_bytes = BLOCK };
	assert_false(flight_landed(&flight, &queue, -EINTR));
	assert_false(flight_landed(&flight, &queue, 512));
	assert_false(flight_landed(&flight, &queue, BLOCK - 1024));
	assert_int_equal(flight.done_bytes, BLOCK - 512);
	assert_true(flight_landed(&flight, &queue, 512));
	assert_int_equal(flight.error, 0);
	flight.done_bytes = 512;
	assert_true(flight_landed(&flight, &queue, 0));
	assert_int_equal(flight.error, -ENXIO);
	assert_true(flight_landed(&flight, &queue, -EIO));
	assert_int_equal(flight.error, -EIO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_block_arrives_in_its_slot),
		cmocka_unit_test(the_end_of_a_disk_that_is_shorter_than_it_said_is_an_error_of_the_read_alone),
		cmocka_unit_test(what_the_kernel_does_not_take_has_failed),
		cmocka_unit_test(an_engine_opens_again_and_again),
		cmocka_unit_test(older_kernels_have_rings_too),
		cmocka_unit_test(what_the_kernel_does_not_take_at_once_it_takes_later),
		cmocka_unit_test(a_kernel_that_is_busy_is_asked_again),
		cmocka_unit_test(what_the_kernel_says_of_a_read_is_all_of_it_or_a_part_or_an_error),
	};

	return cmocka_run_group_tests(tests, make_file, drop_file);
}
