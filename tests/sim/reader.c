/* Reads random blocks of a disk for a while, one after another, and prints "reads mean_latency_ns bytes_per_second":
 * as plain a measurement as there can be, to hold against what the disk is known to do. Seed 0 reads the first block
 * again and again. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int measure(int fd, void *buffer, size_t block, double seconds, uint64_t blocks)
{
	double begin = now_ns(), passed;
	uint64_t reads = 0;

	do {
		if (pread(fd, buffer, block, (off_t)((uint64_t)random() % blocks * block)) != (ssize_t)block)
			return -1;
		passed = now_ns() - begin;
		reads++;
	} while (passed < seconds * 1e9);
	printf("%.0f %.0f %.0f\n", (double)reads, passed / (double)reads, (double)reads * (double)block / passed * 1e9);
	return 0;
}

int main(int argc, char **argv)
{
	size_t block = argc > 4 ? strtoul(argv[2], NULL, 10) : 0;
	void *buffer = aligned_alloc(4096, block);
	int fd = argc > 4 ? open(argv[1], O_RDONLY | O_DIRECT | O_CLOEXEC) : -1;
	unsigned long seed;

	if (fd < 0 || !buffer || block == 0 || block % 4096 != 0) {
		fputs("usage: reader DISK BYTES SECONDS SEED\n", stderr);
		return 2;
	}
	seed = strtoul(argv[4], NULL, 10);
	srandom((unsigned)seed);
	if (measure(fd, buffer, block, strtod(argv[3], NULL), seed > 0 ? (uint64_t)lseek(fd, 0, SEEK_END) / block : 1)) {
		fprintf(stderr, "reader: '%s': %s\n", argv[1], strerror(errno));
		return 1;
	}
	free(buffer);
	close(fd);
	return 0;
}
