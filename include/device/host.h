/* The machine that measures, and when. */
#ifndef DEVICE_HOST_H
#define DEVICE_HOST_H

#include <stdint.h>

#include "device/device.h"

struct host {
	char name[65], kernel[65];      /* uname's nodename, and sysname with release */
	int64_t started_s;              /* seconds since the epoch */
	int64_t clock_cost_ns;          /* of one clock_now_ns() */
	int engine_errno[ENGINES];      /* why the kernel refuses it, a positive errno; 0: it does not, or nobody asked.
					 * Filled in by run_try_engines() */
};

void host_find(struct host *host);

#endif
