/* The sequence, signals and the exit status. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rng.h"
#include "base/units.h"
#include "base/version.h"
#include "device/lock.h"
#include "device/sysfs.h"
#include "device/usage.h"
#include "report/comparison.h"
#include "report/disks.h"
#include "report/progress.h"
#include "report/report.h"
#include "run/runner.h"
#include "run/split.h"

/* A tick is an eighth of the time that the probe or cell has taken so far, within limits: short ones end promptly. */
static const int64_t least_tick_ns = NS_PER_MS / 4, most_tick_ns = 20 * NS_PER_MS, hang_warning_ns = 10 * NS_PER_S;
static const int64_t lock_retry_ns = NS_PER_S / 5;

enum { HOLDER_TEXT = 256 };

/* All that stands while the run goes on. */
struct bench {
	const struct options *options;
	struct host host;
	struct device *device;
	const struct device_info **info;
	unsigned disks;
	struct locks locks;
	struct plan plan;
	struct judge judge;
	struct topology topology;
	struct report report;
	struct result result;
	struct run *run;
	struct progress progress;
	struct pulse *pulse;
	int64_t *warned_ns;             /* of each disk: the completion before a warned silence */
	int64_t started_ns;             /* the probe or cell */
	int signal;                     /* that ended the run, or 0 */
	enum exit_status status;        /* the gravest so far */
};

/* The one that tells most wins; a signal comes after usage, before the others. */
static void bench_status(struct bench *bench, enum exit_status status)
{
	static const int gravity[] = { [STATUS_OK] = 0, [STATUS_MISSED] = 1, [STATUS_READ] = 2, [STATUS_START] = 3,
				       [STATUS_REPORT] = 4, [STATUS_USAGE] = 5 };

	if (gravity[status] > gravity[bench->status])
		bench->status = status;
}

static void complain(struct bench *bench, const struct error *error)
{
	progress_say(&bench->progress, "%s", error->text);
	bench_status(bench, error->status);
}

static int open_devices(struct bench *bench, struct error *error)
{
	const struct words *names = &bench->options->devices;
	unsigned missing = 0;

	bench->device = calloc(names->count, sizeof *bench->device);
	bench->info = calloc(names->count, sizeof *bench->info);
	bench->pulse = calloc(names->count, sizeof *bench->pulse);
	bench->warned_ns = calloc(names->count, sizeof *bench->warned_ns);
	if (!bench->device || !bench->info || !bench->pulse || !bench->warned_ns)
		return error_set(error, STATUS_START, "not enough memory for %zu disks; use fewer", names->count);
	for (; bench->disks < names->count; bench->disks++) {
		struct device *device = &bench->device[bench->disks];

		if (device_open(device, names->word[bench->disks], bench->options->sweep.accesses, error) < 0) {
			if (!bench->options->skip_missing)
				return -1;
			complain(bench, error);
			device_miss(device, names->word[bench->disks]);
		}
		missing += device->info.missing;
		bench->info[bench->disks] = &device->info;
	}
	return missing < bench->disks ? 0 : error_set(error, STATUS_START, "no disk is left to measure");
}

/* The disk that cannot be had, and by whom it is held. */
static void print_holder(const struct bench *bench, char text[HOLDER_TEXT])
{
	const struct lock *lock = &bench->locks.lock[bench->locks.taken];
	const pid_t holder = lock_holder(lock);
	char name[32];
	unsigned disk = 0;
	int length;

	sysfs_text(name, sizeof name, "/proc/%d/comm", (int)holder);
	while (bench->info[disk]->disk_rdev != lock->rdev)
		disk++;
	length = snprintf(text, HOLDER_TEXT, "'%.200s' is being measured by ", bench->info[disk]->path);
	if (holder)
		snprintf(text + length, HOLDER_TEXT - (size_t)length, "process %d (%s)", (int)holder, name);
	else
		snprintf(text + length, HOLDER_TEXT - (size_t)length, "another run");
}

/* For disks that another run measures. */
static int wait_for_locks(struct bench *bench)
{
	char holder[HOLDER_TEXT];
	bool tell = bench->progress.shown;
	int result;

	while ((result = locks_take(&bench->locks)) == -EWOULDBLOCK && bench->options->wait && !bench->signal) {
		if (tell) {
			print_holder(bench, holder);
			progress_say(&bench->progress, "%s; waiting for it", holder);
		}
		bench->signal = split_wait(lock_retry_ns);
		tell = bench->signal == SIGUSR1;
		if (tell)
			bench->signal = 0;
	}
	return result;
}

static int lock_disks(struct bench *bench, struct error *error)
{
	char holder[HOLDER_TEXT];
	int result;

	if (locks_init(&bench->locks, bench->info, bench->disks) < 0)
		return error_set(error, STATUS_START, "not enough memory to lock %u disks; use fewer", bench->disks);
	result = wait_for_locks(bench);
	bench->result.unlocked = bench->locks.error;
	if (!result)
		return 0;
	print_holder(bench, holder);
	return error_set(error, STATUS_START, "%s; %s", holder,
			 bench->signal ? "a signal ended the wait" : "try again later, or use --wait");
}

/* Once for all disks: it looks at everything that is mounted here. */
static int find_usage(struct bench *bench, struct error *error)
{
	struct usage usage;
	int result;

	usage_scan(&usage);
	for (unsigned i = 0; i < bench->disks; i++)
		if (!bench->device[i].info.missing)
			usage_find(&usage, &bench->device[i].info);
	result = usage_check(&usage, error);
	usage_release(&usage);
	return result;
}

/* What the run itself opens, an attribute of sysfs at a time, is taken as unknown when it cannot be opened. */
static int check_descriptors(const struct bench *bench, struct error *error)
{
	const int spare = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);

	if (spare < 0)
		return error_set(error, STATUS_START, "no descriptor is left after those of %u disks and %u reports: %s%s",
				 bench->disks, bench->report.destinations, error_reason(errno), error_remedy(errno));
	close(spare);
	return 0;
}

static int make_plan(struct bench *bench, struct error *error)
{
	struct limits limits = bench->options->limits;

	if (!limits.seed_chosen)
		limits.seed = rng_fresh_seed();
	if (bench->options->sweep.engine != ENGINE_AUTO || depths_most(&bench->options->sweep.depths) > 1)
		run_try_engines(&bench->host);
	return plan_make(&bench->plan, &bench->options->sweep, &limits, &bench->host, bench->info, bench->disks, error);
}

/* What the run is held against: bad wishes are refused before a disk is opened. */
static int prepare_judge(struct bench *bench, struct error *error)
{
	const struct wishes *wishes = &bench->options->wishes;

	if (judge_init(&bench->judge, wishes, error) < 0)
		return -1;
	return reports_read(&bench->judge.baseline, wishes->baselines.word, wishes->baselines.count, error);
}

static int prepare(struct bench *bench, struct error *error)
{
	const struct options *options = bench->options;

	progress_init(&bench->progress, &options->output);
	if (report_check(&options->output, error) < 0 || prepare_judge(bench, error) < 0 || open_devices(bench, error) < 0 ||
	    find_usage(bench, error) < 0 || make_plan(bench, error) < 0 || judge_check(&bench->judge, &bench->plan, error) < 0)
		return -1;
	if (result_init(&bench->result, &bench->host, &bench->plan, &options->origin, &bench->judge) < 0)
		return error_set(error, STATUS_START, "not enough memory for the results of %u disks; use fewer", bench->disks);
	bench->result.extended = options->output.extended;
	bench->result.histogram = options->output.histogram;
	if (topology_find(&bench->topology, bench->info, bench->disks, error) < 0)
		return -1;
	bench->result.topology = &bench->topology;
	if (report_open(&bench->report, &options->output, &bench->plan, error) < 0 || lock_disks(bench, error) < 0 ||
	    check_descriptors(bench, error) < 0)
		return -1;
	/* It may have waited: the run starts here. */
	host_find(&bench->host);
	return run_open(&bench->run, &bench->plan, bench->device, error);
}

static void warn_of_silence(struct bench *bench, unsigned first, unsigned disks)
{
	char silent[UNITS_TEXT], limit[UNITS_TEXT];

	for (unsigned i = 0; i < disks; i++) {
		const struct pulse *pulse = &bench->pulse[i];
		int64_t *warned_ns = &bench->warned_ns[first + i];

		if (pulse->silent_ns < hang_warning_ns || *warned_ns == pulse->live.last_ns + 1)
			continue;
		*warned_ns = pulse->live.last_ns + 1;
		progress_say(&bench->progress, "'%s': no answer for %s; it is given up after %s", bench->info[first + i]->path,
			     duration_print(silent, pulse->silent_ns), duration_print(limit, bench->plan.limits.hang_ns));
	}
}

static double rate_so_far(const struct bench *bench, const struct cell *cell)
{
	const int64_t measured_ns = clock_now_ns() - bench->started_ns - bench->plan.limits.warmup_ns;
	double requests = 0;

	for (unsigned i = 0; i < cell->disks; i++)
		requests += (double)bench->pulse[i].live.requests;
	return requests > 0 && measured_ns > 0 ? requests / ((double)measured_ns / (double)NS_PER_S) : NAN;
}

static int64_t tick_ns(int64_t elapsed_ns)
{
	const int64_t eighth_ns = elapsed_ns / 8;

	return eighth_ns < least_tick_ns ? least_tick_ns : eighth_ns > most_tick_ns ? most_tick_ns : eighth_ns;
}

/* One tick of a cell, or of the probe, NULL. */
static void attend(struct bench *bench, const struct cell *cell)
{
	const int number = split_wait(tick_ns(clock_now_ns() - bench->started_ns));
	const struct stage stage = { &bench->plan, cell, bench->started_ns, cell ? rate_so_far(bench, cell) : NAN };

	if (number == SIGUSR1) {
		progress_answer(&bench->progress, &stage);
	} else if (number) {
		if (!bench->signal)
			bench->signal = number;
		run_stop(bench->run);
		/* A thread that hangs may keep this process for long, and must not keep others from the other disks. */
		locks_release(&bench->locks);
	}
	if (cell)
		progress_show(&bench->progress, &stage);
	warn_of_silence(bench, cell ? cell->first : 0, cell ? cell->disks : bench->disks);
}

static int probe(struct bench *bench, struct error *error)
{
	if (run_probe(bench->run, error) < 0)
		return -1;
	bench->started_ns = clock_now_ns();
	while (run_going(bench->run, bench->pulse))
		attend(bench, NULL);
	result_add_probe(&bench->result, run_probed(bench->run));
	return 0;
}

static int measure_cell(struct bench *bench, const struct cell *cell, struct error *error)
{
	const size_t rows = bench->result.rows;

	run_log(bench->run, report_log(&bench->report));
	if (run_start(bench->run, cell, error) < 0)
		return -1;
	bench->started_ns = clock_now_ns();
	while (run_going(bench->run, bench->pulse))
		attend(bench, cell);
	if (result_add(&bench->result, run_finish(bench->run)) < 0)
		return error_set(error, STATUS_START, "not enough memory for more than %zu rows; use fewer disks or cells",
				 rows);
	progress_clear(&bench->progress);
	report_update(&bench->report, &bench->result, rows);
	return 0;
}

static int measure(struct bench *bench, struct error *error)
{
	const struct plan *plan = &bench->plan;

	report_begin(&bench->report, &bench->result);
	for (const struct cell *cell = plan->cell; cell < plan->cell + plan->cells && !bench->signal; cell++) {
		if (measure_cell(bench, cell, error) < 0)
			return -1;
		if (report_unread(&bench->report))
			bench->signal = SIGPIPE;
	}
	return 0;
}

static void show_plan(struct bench *bench)
{
	struct output_file *file = &bench->report.destination[0].file;

	if (bench->options->output.quiet)
		return;
	disks_head(file->stream);
	for (unsigned i = 0; i < bench->disks; i++)
		disks_row(file->stream, bench->info[i]);
	cells_put(file->stream, &bench->plan);
	output_flush(file);
	if (report_unread(&bench->report))
		bench->signal = SIGPIPE;
}

static void print_words(struct bench *bench, const struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		progress_say(&bench->progress, "%s", words->word[i]);
}

/* Also one that comes while reports are written: a loop of a shell goes on after a program that ends otherwise. */
static void take_last_signal(struct bench *bench)
{
	int number;

	while (!bench->signal && (number = split_wait(0)))
		if (number != SIGUSR1)
			bench->signal = number;
}

/* Notes and complaints, and the reports' ends. */
static void conclude(struct bench *bench, bool dry_run)
{
	struct error error;

	/* A reader who has seen enough wants no words about it. */
	bench->result.interrupted |= bench->signal && bench->signal != SIGPIPE;
	if (result_finish(&bench->result) < 0) {
		error_set(&error, STATUS_START, "not enough memory for all notes; the figures stand");
		complain(bench, &error);
	}
	progress_clear(&bench->progress);
	/* A run that could not start its first cell leaves the old files as they are. */
	if (!dry_run && (bench->result.rows || bench->signal))
		report_end(&bench->report, &bench->result);
	if (!bench->options->output.quiet && (dry_run || !report_has_notes(&bench->report)))
		print_words(bench, &bench->result.notes);
	print_words(bench, &bench->result.complaints);
	print_words(bench, &bench->result.worse);
	print_words(bench, &bench->result.unmet);
	if (result_troubled(&bench->result))
		bench_status(bench, STATUS_READ);
	if (bench->result.worse.count || bench->result.unmet.count)
		bench_status(bench, STATUS_MISSED);
	for (unsigned i = 0; i < bench->report.destinations; i++)
		if (report_error(&bench->report, i))
			complain(bench, report_error(&bench->report, i));
}

static void release(struct bench *bench)
{
	if (bench->run)
		run_close(bench->run);
	result_release(&bench->result);
	plan_release(&bench->plan);
	judge_release(&bench->judge);
	locks_release(&bench->locks);
	topology_release(&bench->topology);
	while (bench->disks)
		device_close(&bench->device[--bench->disks]);
	free(bench->device);
	free(bench->info);
	free(bench->pulse);
	free(bench->warned_ns);
}

static int fail(const struct error *error)
{
	fprintf(stderr, "diskbench: %s\n", error->text);
	return (int)error->status;
}

/* The child's whole life. */
static struct leave run_bench(const struct options *options)
{
	const bool dry_run = options->action == ACTION_DRY_RUN;
	struct bench bench = { .options = options };
	struct leave leave;
	struct error error;

	if (prepare(&bench, &error) < 0 || probe(&bench, &error) < 0) {
		complain(&bench, &error);
	} else {
		if (!dry_run && measure(&bench, &error) < 0)
			complain(&bench, &error);
		if (dry_run)
			show_plan(&bench);
		conclude(&bench, dry_run);
	}
	take_last_signal(&bench);
	leave.status = (int)bench.status;
	leave.signal = bench.status == STATUS_USAGE ? 0 : bench.signal;
	report_release(&bench.report);
	/* What a hung thread may still touch stays, and so does what it can be reached by. */
	if (bench.run && run_abandoned(bench.run))
		split_abandon(leave);
	release(&bench);
	return leave;
}

/* For --help and the like: what was printed must have arrived. */
static int printed(void)
{
	struct output_file file;
	struct error error;

	if (output_open_stdout(&file, &error) < 0)
		return fail(&error);
	output_close(&file);
	return file.error.status ? fail(&file.error) : STATUS_OK;
}

static int list_disks(void)
{
	struct error error;

	return disks_list(stdout, &error) < 0 ? fail(&error) : printed();
}

static int compare_reports(const struct options *options)
{
	const bool quiet = options->output.quiet;
	struct words misses = { 0 };
	struct error error;
	int status;

	if (reports_compare(quiet ? NULL : stdout, &options->devices, options->wishes.tolerance_percent, &misses, &error) < 0)
		return fail(&error);
	for (size_t i = 0; quiet && i < misses.count; i++)
		fprintf(stderr, "diskbench: %s\n", misses.word[i]);
	status = quiet ? STATUS_OK : printed();
	if (status == STATUS_OK && misses.count)
		status = STATUS_MISSED;
	words_release(&misses);
	return status;
}

/* Descriptors 0 to 2 must not become those of a disk. A standard output that was closed stays one that
 * cannot be written. */
static void fill_standard_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

static int act(const struct options *options)
{
	struct error error;

	switch (options->action) {
	case ACTION_HELP:
		options_help(stdout);
		return printed();
	case ACTION_VERSION:
		puts("diskbench " VERSION);
		return printed();
	case ACTION_LIST:
		return list_disks();
	case ACTION_COMPARE:
		return compare_reports(options);
	case ACTION_MEASURE:
	case ACTION_DRY_RUN:
		break;
	}
	return split_fork(&error) < 0 ? fail(&error) : split_leave(run_bench(options));
}

int main(int argc, char **argv)
{
	struct options options;
	struct error error;
	int status;

	fill_standard_descriptors();
	if (options_parse(&options, argc, argv, &error) < 0)
		return fail(&error);
	status = act(&options);
	options_release(&options);
	return status;
}
