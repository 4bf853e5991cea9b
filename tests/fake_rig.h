/* A run over the fake disks, as main would drive it: a tick every 20 ms of the fake clock. */
#ifndef TESTS_FAKE_RIG_H
#define TESTS_FAKE_RIG_H

#include "fake_clock.h"
#include "fake_device.h"
#include "plan/plan.h"
#include "run/runner.h"

struct rig {
	struct options options;
	struct host host;               /* refuses no engine */
	struct device device[FAKE_DISKS];
	const struct device_info *info[FAKE_DISKS];
	unsigned disks;
	struct plan plan;
	struct run *run;
	struct pulse pulse[FAKE_DISKS];
	bool lost[FAKE_DISKS];          /* takes part no more */
	int64_t began_ns;               /* of the probe or cell that is going on */
};

extern struct rig rig;

/* Before and after each test. Afterwards hung disks are released, and threads that were left behind must end. */
int rig_reset(void **state);
int rig_end(void **state);

/* Opens disks 0 .. disks-1 with a command line such as "-m random -s 4k -t 2"; no warm-up unless it says so. */
void rig_open(unsigned disks, const char *arguments);

/* A cell, step by step: start it, let it go on until so long after its start (or its end), finish it. */
void rig_start(size_t cell);
bool rig_go_on(int64_t until_ns);
const struct outcome *rig_finish(void);

/* The three at once. */
const struct outcome *rig_measure(size_t cell);

/* The probe likewise. */
void rig_start_probe(void);
const struct probe *rig_finish_probe(void);
const struct probe *rig_probe(void);

#endif
