#include "device/host.h"

#include <stdio.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/clock.h"

void host_find(struct host *host)
{
	struct utsname names;

	uname(&names);
	snprintf(host->name, sizeof host->name, "%s", names.nodename);
	snprintf(host->kernel, sizeof host->kernel, "%.31s %.31s", names.sysname, names.release);
	host->started_s = time(NULL);
	host->clock_cost_ns = clock_cost_ns();
}
