/* The least that a benchmark can do: random direct reads, one at a time, with a timestamp before and after each. What diskbench is
 * held against by scripts/bench-overhead.
 *
 * usage: pread-loop DEVICE BYTES SECONDS [untimed]
 *
 * untimed: the clock is read once in 1024 reads only. Prints reads a second. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* xoshiro256** (D. Blackman, S. Vigna), as diskbench uses it. */
static uint64_t state[4] = { 1, 2, 3, 4 };

static uint64_t rotate(uint64_t value, int bits)
{
	return value << bits | value >> (64 - bits);
}

static uint64_t next(void)
{
	const uint64_t result = rotate(state[1] * 5, 7) * 9, shifted = state[1] << 17;

	state[2] ^= state[0];
	state[3] ^= state[1];
	state[1] ^= state[2];
	state[0] ^= state[3];
	state[2] ^= shifted;
	state[3] = rotate(state[3], 45);
	return result;
}

static uint64_t below(uint64_t n)
{
	__extension__ typedef unsigned __int128 product;

	return (uint64_t)((product)next() * n >> 64);
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void read_block(int fd, char *buffer, size_t bytes, uint64_t blocks)
{
	if (pread(fd, buffer, bytes, (off_t)(below(blocks) * bytes)) == (ssize_t)bytes)
		return;
	perror("pread-loop");
	exit(1);
}

int main(int argc, char **argv)
{
	const size_t bytes = argc > 3 ? (size_t)atol(argv[2]) : 0;
	const int fd = bytes ? open(argv[1], O_RDONLY | O_DIRECT) : -1;
	const off_t size = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
	char *buffer = mmap(NULL, bytes + !bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const int batch = argc > 4 && strcmp(argv[4], "untimed") == 0 ? 1024 : 1;
	int64_t start_ns, end_ns, latencies_ns = 0;
	uint64_t reads = 0;

	if (size < (off_t)bytes || !bytes || buffer == MAP_FAILED) {
		fprintf(stderr, "usage: pread-loop DEVICE BYTES SECONDS [untimed]\n");
		return 2;
	}
	start_ns = now_ns();
	do {
		const int64_t issued_ns = now_ns();

		for (int i = 0; i < batch; i++)
			read_block(fd, buffer, bytes, (uint64_t)size / bytes);
		end_ns = now_ns();
		latencies_ns += end_ns - issued_ns;
		reads += (uint64_t)batch;
	} while (end_ns - start_ns < (int64_t)(atof(argv[3]) * 1e9));
	printf("%.1f\n", (double)reads * 1e9 / (double)(end_ns - start_ns));
	return latencies_ns < 0;
}
