#include "base/clock.h"

#include <stdlib.h>
#include <time.h>

int64_t clock_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

int64_t clock_thread_ns(void)
{
	struct timespec spent;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
	return spent.tv_sec * NS_PER_S + spent.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

int64_t clock_cost_ns(void)
{
	enum { ROUNDS = 31, CALLS = 64 };
	int64_t cost[ROUNDS];

	for (int round = 0; round < ROUNDS; round++) {
		int64_t start = clock_now_ns();

		for (int call = 1; call < CALLS; call++)
			clock_now_ns();
		cost[round] = (clock_now_ns() - start) / CALLS;
	}
	qsort(cost, ROUNDS, sizeof *cost, compare);
	return cost[ROUNDS / 2] > 0 ? cost[ROUNDS / 2] : 1;
}

void clock_sleep_ns(int64_t ns)
{
	struct timespec time = { .tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S };

	nanosleep(&time, NULL);
}
