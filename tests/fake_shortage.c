/* Linked with the program: of the calls that ask for memory, threads, processes or descriptors, the one numbered by
 * the variable SHORTAGE, 1 .. N, fails as under a limit; the child of a fork counts on. Descriptor 3, if open, gets a
 * line when that happens, and one when the program returns from main with blocks that nobody freed. */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The C library's own. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);
void __libc_freeres(void);

enum { TALK_FD = 3 };

static long failing;                    /* 0: none */
static atomic_long calls, blocks;

__attribute__((format(printf, 1, 2)))
static void talk(const char *format, ...)
{
	char line[128];
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	if (write(TALK_FD, line, (size_t)length) < 0)
		return;
}

static bool fails(const char *call, int number)
{
	if (!failing || atomic_fetch_add(&calls, 1) + 1 != failing)
		return false;
	talk("%s failed\n", call);
	errno = number;
	return true;
}

static void *counted(void *block)
{
	if (block)
		atomic_fetch_add(&blocks, 1);
	return block;
}

void *malloc(size_t size)
{
	return fails("malloc", ENOMEM) ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
	return fails("calloc", ENOMEM) ? NULL : counted(__libc_calloc(count, size));
}

void *realloc(void *block, size_t size)
{
	if (!block)
		return malloc(size);
	return fails("realloc", ENOMEM) ? NULL : __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return fails("aligned_alloc", ENOMEM) ? NULL : counted(__libc_memalign(alignment, size));
}

void free(void *block)
{
	if (block)
		atomic_fetch_sub(&blocks, 1);
	__libc_free(block);
}

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
	if (fails("mmap", ENOMEM))
		return MAP_FAILED;
	atomic_fetch_add(&blocks, 1);
	return (void *)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
}

int munmap(void *address, size_t length)
{
	atomic_fetch_sub(&blocks, 1);
	return (int)syscall(SYS_munmap, address, length);
}

/* The next definition of a name after this one. */
static void *next(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);

	if (!found)
		abort();
	return found;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context)
{
	int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

	*(void **)&create = next("pthread_create");
	return fails("pthread_create", EAGAIN) ? EAGAIN : create(thread, attributes, body, context);
}

pid_t fork(void)
{
	pid_t (*fork_process)(void);

	*(void **)&fork_process = next("fork");
	return fails("fork", EAGAIN) ? -1 : fork_process();
}

int pipe2(int ends[2], int flags)
{
	return fails("pipe2", EMFILE) ? -1 : (int)syscall(SYS_pipe2, ends, flags);
}

int signalfd(int fd, const sigset_t *signals, int flags)
{
	int (*make)(int, const sigset_t *, int);

	*(void **)&make = next("signalfd");
	return fails("signalfd", EMFILE) ? -1 : make(fd, signals, flags);
}

__attribute__((constructor))
static void begin(void)
{
	const char *number = getenv("SHORTAGE");

	failing = number ? atol(number) : 0;
}

__attribute__((destructor))
static void end(void)
{
	fflush(NULL);
	__libc_freeres();
	if (blocks)
		talk("%ld blocks leaked\n", blocks);
}
