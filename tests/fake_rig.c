#include "fake_rig.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

static const int64_t tick_ns = 20 * NS_PER_MS;

struct rig rig;

/* What a hung thread may have touched is left behind on purpose, and stays in reach of leak checkers. */
static struct run *left_behind[32];

int rig_reset(void **state)
{
	(void)state;
	memset(&rig, 0, sizeof rig);
	fake_disk_reset();
	return 0;
}

static void leave_behind(struct run *run)
{
	static size_t count;

	assert_true(count < TEXT_COUNT(left_behind));
	left_behind[count++] = run;
}

int rig_end(void **state)
{
	(void)state;
	fake_clock_enter();
	for (unsigned disk = 0; disk < FAKE_DISKS; disk++)
		fake_disk_release(disk);
	fake_clock_outlast();
	if (run_abandoned(rig.run))
		leave_behind(rig.run);
	run_close(rig.run);
	plan_release(&rig.plan);
	options_release(&rig.options);
	return 0;
}

static void parse(unsigned disks, const char *arguments)
{
	static const char names[] = "/dev/fake0 /dev/fake1 /dev/fake2 ";
	static char line[256];
	char *argv[40], *rest = NULL;
	struct error error = { 0 };
	int argc = 0;

	snprintf(line, sizeof line, "diskbench --seed 1 -w 0 %s %.*s", arguments, (int)(disks * strlen(names) / FAKE_DISKS),
		 names);
	for (char *word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		argv[argc++] = word;
	argv[argc] = NULL;
	if (options_parse(&rig.options, argc, argv, &error) < 0)
		fail_msg("%s", error.text);
}

void rig_open(unsigned disks, const char *arguments)
{
	struct error error = { 0 };

	parse(disks, arguments);
	rig.disks = disks;
	for (unsigned disk = 0; disk < disks; disk++) {
		device_open(&rig.device[disk], rig.options.devices.word[disk], rig.options.sweep.accesses, &error);
		rig.info[disk] = &rig.device[disk].info;
	}
	if (plan_make(&rig.plan, &rig.options.sweep, &rig.options.limits, &rig.host, rig.info, disks, &error) < 0 ||
	    run_open(&rig.run, &rig.plan, rig.device, &error) < 0)
		fail_msg("%s", error.text);
}

static void expect_threads(const struct cell *cell)
{
	unsigned threads = 1;

	for (unsigned disk = cell->first; disk < cell->first + cell->disks; disk++)
		threads += !rig.lost[disk] && !plan_job(&rig.plan, cell, disk).unfit;
	fake_clock_expect(threads);
}

void rig_start(size_t cell)
{
	struct error error;

	fake_clock_enter();
	expect_threads(&rig.plan.cell[cell]);
	assert_int_equal(run_start(rig.run, &rig.plan.cell[cell], &error), 0);
	rig.began_ns = clock_now_ns();
}

bool rig_go_on(int64_t until_ns)
{
	bool going;

	while ((going = run_going(rig.run, rig.pulse)) && clock_now_ns() - rig.began_ns < until_ns)
		clock_sleep_ns(tick_ns);
	return going;
}

static bool for_good(enum ending ending)
{
	return ending == ENDED_GONE || ending == ENDED_HUNG || ending == ENDED_CUT || ending == ENDED_ABSENT;
}

const struct outcome *rig_finish(void)
{
	const struct outcome *outcome;

	fake_clock_leave();
	outcome = run_finish(rig.run);
	for (unsigned i = 0; i < outcome->cell->disks; i++)
		rig.lost[outcome->cell->first + i] = for_good(outcome->disk[i].ending);
	return outcome;
}

const struct outcome *rig_measure(size_t cell)
{
	rig_start(cell);
	rig_go_on(INT64_MAX);
	return rig_finish();
}

void rig_start_probe(void)
{
	struct error error;

	fake_clock_enter();
	fake_clock_expect(rig.disks);
	assert_int_equal(run_probe(rig.run, &error), 0);
	rig.began_ns = clock_now_ns();
}

const struct probe *rig_finish_probe(void)
{
	const struct probe *probe;

	fake_clock_leave();
	probe = run_probed(rig.run);
	for (unsigned disk = 0; disk < rig.disks; disk++)
		rig.lost[disk] = for_good(probe[disk].ending);
	return probe;
}

const struct probe *rig_probe(void)
{
	rig_start_probe();
	rig_go_on(INT64_MAX);
	return rig_finish_probe();
}
