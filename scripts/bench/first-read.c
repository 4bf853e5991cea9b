/* Starts a program and watches from outside, by the kernel's counters in sysfs, when its disks are read; nothing slows it down
 * but a look every 50 us.
 *
 * usage: first-read READS DISK... -- PROGRAM [ARGUMENT...]
 *
 * Prints how many ms after its start every disk (zram3 ...) had completed READS reads, and one of them one more. */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DISKS = 64 };

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static unsigned long long reads_of(int fd)
{
	char text[256];
	const ssize_t length = pread(fd, text, sizeof text - 1, 0);

	text[length > 0 ? length : 0] = '\0';
	return strtoull(text, NULL, 10);
}

/* Whether all have reads and one has more. */
static int reached(const int *fd, const unsigned long long *before, int disks, unsigned long long reads)
{
	int more = 0;

	for (int i = 0; i < disks; i++) {
		const unsigned long long done = reads_of(fd[i]) - before[i];

		if (done < reads)
			return 0;
		more |= done > reads;
	}
	return more;
}

int main(int argc, char **argv)
{
	const struct timespec pause = { .tv_nsec = 50000 };
	int fd[DISKS], disks = 0, i, status;
	unsigned long long before[DISKS];
	int64_t start_ns;
	pid_t child;

	for (i = 2; i < argc && strcmp(argv[i], "--") != 0 && disks < DISKS; i++) {
		char path[256];

		snprintf(path, sizeof path, "/sys/block/%s/stat", argv[i]);
		fd[disks] = open(path, O_RDONLY | O_CLOEXEC);
		before[disks] = reads_of(fd[disks]);
		disks++;
	}
	if (i + 1 >= argc || !disks)
		return 2;
	start_ns = now_ns();
	child = fork();
	if (!child) {
		execvp(argv[i + 1], argv + i + 1);
		_exit(127);
	}
	while (!reached(fd, before, disks, strtoull(argv[1], NULL, 10))) {
		if (waitpid(child, &status, WNOHANG) == child)
			return 1;
		nanosleep(&pause, NULL);
	}
	printf("%.2f\n", (double)(now_ns() - start_ns) / 1e6);
	waitpid(child, &status, 0);
	return 0;
}
