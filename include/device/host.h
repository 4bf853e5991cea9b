/* The machine that measures, and when. */
#ifndef DEVICE_HOST_H
#define DEVICE_HOST_H

#include <stdint.h>

struct host {
	char name[65], kernel[65];      /* uname's nodename, and sysname with release */
	int64_t started_s;              /* seconds since the epoch */
	int64_t clock_cost_ns;          /* of one clock_now_ns() */
};

void host_find(struct host *host);

#endif
