/* Runs probes and cells: one worker thread per disk, and the guardian of hung disks. All that run shows,
 * to main alone, which pulls: start, ask while it goes on, finish. */
#ifndef RUN_RUNNER_H
#define RUN_RUNNER_H

#include "base/error.h"
#include "collect/collector.h"
#include "collect/outcome.h"
#include "device/host.h"

struct run;

/* Asks the kernel, before the plan, which engines it lets us use, and fills in host->engine_errno. */
void run_try_engines(struct host *host);

/* Allocates all that the plan's cells will need. device[i] is plan->disk[i], opened. Both must outlive
 * the run. On error (STATUS_START) there is nothing to close. */
int run_open(struct run **run, const struct plan *plan, const struct device *device, struct error *error);

/* Waits for no hung thread: what one may still touch is left behind, and run_abandoned() says so. */
void run_close(struct run *run);

/* Starts a thread per disk: up to 64 random blocks within a second, then the largest block that fits.
 * Ask run_going() as for a cell, then run_probed(), which returns the plan's disks' probes, valid until
 * the run is closed. */
int run_probe(struct run *run, struct error *error);
const struct probe *run_probed(struct run *run);

/* The cells that follow write every read to that stream, see collect/log.h, while they run; NULL: no more. */
void run_log(struct run *run, FILE *stream);

/* Starts a cell. On error (STATUS_START) nothing of it runs. */
int run_start(struct run *run, const struct cell *cell, struct error *error);

/* How one of the disks fares, for main's talk. */
struct pulse {
	struct live live;
	int64_t silent_ns;              /* since its last completion, pauses left out; 0 when it has stopped */
};

/* Whether probe or cell goes on; pulse is filled in for each of its disks, first .. first+disks-1 of the
 * plan. Gives hung disks up, and closes the window when the precision is reached. A gap of over a second
 * between calls is a pause: the program or its terminal was stopped. Call it every few ten ms. */
bool run_going(struct run *run, struct pulse *pulse);

/* A signal has come: stop reading, and give up after two seconds what still does not answer. */
void run_stop(struct run *run);

/* Ends the cell and returns what it yielded, valid until the next start. */
const struct outcome *run_finish(struct run *run);

/* Whether threads are left behind, which keep the process from ending. */
bool run_abandoned(const struct run *run);

#endif
