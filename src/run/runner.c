#include "run/runner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rng.h"
#include "base/thread.h"
#include "run/probe.h"
#include "run/worker.h"

enum { LEAST_BUFFER_BYTES = 4096 };

static const int64_t pause_ns = NS_PER_S, patience_ns = 2 * NS_PER_S, first_look_ns = 2 * NS_PER_S;

struct run {
	const struct plan *plan;
	struct worker *worker;          /* one for each disk of the plan, as the next four */
	struct track *track;
	struct probe *probe;
	struct source *source;
	struct log *log;
	FILE *log_stream;               /* NULL: no log */
	pthread_rwlock_t gate;
	_Atomic bool stop;

	/* The probe or the cell that is going on. */
	struct window *window;          /* NULL: a probe */
	struct collector *collector;
	unsigned first, disks;          /* of the plan */
	struct outcome outcome;
	int64_t started_ns, called_ns;
	int64_t stopped_ns;             /* 0: no signal has come */
	int64_t look_ns;                /* at the precision, after the window's opening */
};

/* Raw jobs first: the probe shall see the disk, not the page cache. */
static struct job largest_job(const struct plan *plan, unsigned disk)
{
	struct job largest = { .unfit = UNFIT_SIZE };

	for (const struct cell *cell = plan->cell; cell < plan->cell + plan->cells; cell++) {
		const struct job job = plan_job(plan, cell, disk);

		if (!job.unfit && (largest.unfit || cell->access < largest.cell->access ||
				   (cell->access == largest.cell->access && cell->block_bytes > largest.cell->block_bytes)))
			largest = job;
	}
	return largest;
}

static size_t largest_buffer(const struct plan *plan)
{
	size_t largest = LEAST_BUFFER_BYTES;

	for (const struct cell *cell = plan->cell; cell < plan->cell + plan->cells; cell++)
		if ((size_t)cell->block_bytes * cell->depth > largest)
			largest = (size_t)cell->block_bytes * cell->depth;
	return largest;
}

/* The kernel would promise more than it has, and end us later. */
static bool fits_in_memory(const struct plan *plan)
{
	const size_t most = (size_t)sysconf(_SC_PHYS_PAGES) / 2 * (size_t)sysconf(_SC_PAGESIZE);

	return largest_buffer(plan) <= most / plan->disks;
}

static bool worker_init(struct worker *worker, struct run *run, const struct device *device, unsigned disk)
{
	*worker = (struct worker){
		.device = device,
		.ring = ring_new(),
		.gate = &run->gate,
		.stop = &run->stop,
		.plan = run->plan,
		.number = disk,
		.largest = largest_job(run->plan, disk),
		.max_errors = run->plan->limits.max_errors,
		.requests = run->plan->limits.requests,
	};
	worker->job = worker->largest;
	worker->buffer_bytes = largest_buffer(run->plan);
	worker->buffer = mmap(NULL, worker->buffer_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (worker->buffer == MAP_FAILED)
		worker->buffer = NULL;
	return worker->ring && worker->buffer;
}

void run_try_engines(struct host *host)
{
	for (enum engine engine = ENGINE_AUTO + 1; engine < ENGINES; engine++)
		host->engine_errno[engine] = -engine_try(engine_ops[engine]);
}

int run_open(struct run **opened, const struct plan *plan, const struct device *device, struct error *error)
{
	struct run *run = calloc(1, sizeof *run);
	bool room;

	if (!run)
		goto out_memory;
	run->plan = plan;
	pthread_rwlock_init(&run->gate, NULL);
	run->worker = calloc(plan->disks, sizeof *run->worker);
	run->track = calloc(plan->disks, sizeof *run->track);
	run->probe = calloc(plan->disks, sizeof *run->probe);
	run->source = calloc(plan->disks, sizeof *run->source);
	run->log = calloc(plan->disks, sizeof *run->log);
	room = fits_in_memory(plan) && run->worker && run->track && run->probe && run->source && run->log;
	for (unsigned disk = 0; disk < plan->disks && room; disk++)
		room = worker_init(&run->worker[disk], run, &device[disk], disk);
	if (!room)
		goto out_memory;
	*opened = run;
	return 0;
out_memory:
	if (run)
		run_close(run);
	return error_set(error, STATUS_START, "not enough memory for %u disk%s; use fewer disks, smaller blocks or less depth",
			 plan->disks, plan->disks == 1 ? "" : "s");
}

bool run_abandoned(const struct run *run)
{
	for (unsigned disk = 0; disk < run->plan->disks; disk++)
		if (run->worker[disk].abandoned)
			return true;
	return false;
}

void run_close(struct run *run)
{
	if (run->worker && run_abandoned(run))
		return;
	for (unsigned disk = 0; run->worker && disk < run->plan->disks; disk++) {
		free(run->worker[disk].ring);
		if (run->worker[disk].buffer)
			munmap(run->worker[disk].buffer, run->worker[disk].buffer_bytes);
	}
	free(run->worker);
	free(run->track);
	free(run->probe);
	free(run->source);
	free(run->log);
	pthread_rwlock_destroy(&run->gate);
	free(run);
}

static bool takes_part(const struct worker *worker)
{
	return !worker->lost && !worker->job.unfit;
}

static struct worker *first_worker(const struct run *run)
{
	return run->worker + run->first;
}

static void give_up(struct run *run, struct worker *worker, enum ending ending, int64_t now_ns)
{
	if (!worker_finish(worker, ending, 0, now_ns))
		return;
	worker->lost = worker->abandoned = true;
	if (run->window)
		window_leave(run->window, worker->disk, now_ns);
	pthread_detach(worker->thread);
}

/* Threads that wait at the gate for a start that does not come. */
static void call_off(struct run *run, unsigned started)
{
	for (struct worker *worker = first_worker(run); worker < first_worker(run) + started; worker++)
		if (takes_part(worker))
			ring_close(worker->ring);
	pthread_rwlock_unlock(&run->gate);
	for (struct worker *worker = first_worker(run); worker < first_worker(run) + started; worker++)
		if (takes_part(worker))
			pthread_join(worker->thread, NULL);
}

static int open_engine(struct worker *worker)
{
	const struct cell *cell = worker->job.cell;

	worker->queue = (struct queue){
		.device = worker->device,
		.access = cell->access,
		.block_bytes = cell->block_bytes,
		.depth = cell->depth,
		.buffer = worker->buffer,
	};
	worker->ops = engine_ops[cell->engine];
	return worker->ops->open(&worker->engine, &worker->queue);
}

/* What a worker needs for a cell, and its thread. */
static int start_worker(struct run *run, struct worker *worker, void *(*body)(void *), struct error *error)
{
	int result = run->window ? open_engine(worker) : 0;

	if (result < 0)
		return error_set(error, STATUS_START, "cannot start engine %s for '%s': %s; use a smaller depth, or raise ulimit -n, "
				 "ulimit -l and sysctl fs.aio-max-nr", engine_names[worker->job.cell->engine],
				 worker->device->info.path, error_reason(-result));
	result = thread_start(&worker->thread, body, worker);
	if (result == 0)
		return 0;
	if (run->window)
		worker->ops->close(worker->engine);
	return error_set(error, STATUS_START, "cannot start a thread for '%s', disk %u of %u: %s%s", worker->device->info.path,
			 worker->number + 1, run->plan->disks, error_reason(-result), error_remedy(-result));
}

/* A thread for each disk that takes part; the rings of the others are closed. They wait at the gate,
 * which stays shut on success. */
static int start_threads(struct run *run, void *(*body)(void *), struct error *error)
{
	pthread_rwlock_wrlock(&run->gate);
	for (unsigned i = 0; i < run->disks; i++) {
		struct worker *worker = first_worker(run) + i;

		if (!worker->abandoned)
			ring_reset(worker->ring);
		if (!takes_part(worker)) {
			ring_close(worker->ring);
			worker->ending = worker->lost ? ENDED_ABSENT : ENDED_UNFIT;
			continue;
		}
		if (start_worker(run, worker, body, error) < 0) {
			call_off(run, i);
			return -1;
		}
	}
	return 0;
}

static void open_gate(struct run *run)
{
	run->started_ns = run->called_ns = clock_now_ns();
	run->outcome.paused_ns = 0;
	for (struct worker *worker = first_worker(run); worker < first_worker(run) + run->disks; worker++)
		worker->silent_from_ns = run->started_ns;
	pthread_rwlock_unlock(&run->gate);
}

int run_probe(struct run *run, struct error *error)
{
	run->window = NULL;
	run->first = 0;
	run->disks = run->plan->disks;
	if (start_threads(run, probe_disk, error) < 0)
		return -1;
	open_gate(run);
	return 0;
}

const struct probe *run_probed(struct run *run)
{
	for (unsigned disk = 0; disk < run->plan->disks; disk++) {
		struct worker *worker = &run->worker[disk];

		/* What an abandoned thread may still write is not read. */
		if (takes_part(worker)) {
			pthread_join(worker->thread, NULL);
			run->probe[disk] = worker->probe;
			worker->lost = worker->ending == ENDED_GONE;
		}
		run->probe[disk].ending = worker->ending;
	}
	return run->probe;
}

void run_log(struct run *run, FILE *stream)
{
	run->log_stream = stream;
}

/* What a thread that was left behind may still push is of no cell. */
static struct source source_of(struct run *run, const struct worker *worker, struct track *track)
{
	return (struct source){
		.ring = worker->abandoned ? NULL : worker->ring,
		.tally = &track->tally,
		.log = run->log_stream ? &run->log[worker->number] : NULL,
	};
}

/* False when memory is short. */
static bool prepare(struct run *run, const struct cell *cell)
{
	run->first = cell->first;
	run->disks = cell->disks;
	run->look_ns = first_look_ns;
	run->outcome = (struct outcome){ .cell = cell, .disk = run->track + cell->first };
	for (unsigned i = 0; i < cell->disks; i++) {
		struct worker *worker = first_worker(run) + i;
		struct track *track = run->track + cell->first + i;

		*track = (struct track){ .job = plan_job(run->plan, cell, cell->first + i) };
		run->source[i] = source_of(run, worker, track);
		if (run->log_stream && !log_begin(&run->log[worker->number], run->log_stream, run->plan, cell, worker->number))
			return false;
		if (worker->abandoned)
			continue;
		worker->window = run->window;
		worker->disk = i;
		worker->job = track->job;
		worker->kernel_known = kstat_read(&worker->device->info, &worker->kernel) == 0;
	}
	return true;
}

int run_start(struct run *run, const struct cell *cell, struct error *error)
{
	int result;

	run->window = window_new(cell->disks);
	if (!run->window || !prepare(run, cell)) {
		error_set(error, STATUS_START, "not enough memory for a cell of %u disks; use fewer", cell->disks);
		goto out_window;
	}
	if (start_threads(run, worker_measure, error) < 0)
		goto out_window;
	result = collector_start(&run->collector, run->window, run->source, cell->disks);
	if (result < 0) {
		call_off(run, cell->disks);
		error_set(error, STATUS_START, "cannot start the collector of %u disks: %s%s", cell->disks,
			  error_reason(-result), error_remedy(-result));
		goto out_window;
	}
	const int64_t now_ns = clock_now_ns();

	window_plan(run->window, now_ns + run->plan->limits.warmup_ns, run->plan->limits.time_ns,
		    run->plan->limits.requests != 0);
	for (unsigned i = 0; i < cell->disks; i++)
		if (!takes_part(first_worker(run) + i))
			window_leave(run->window, i, now_ns);
	open_gate(run);
	return 0;
out_window:
	free(run->window);
	run->window = NULL;
	return -1;
}

static bool watch(struct run *run, unsigned i, struct pulse *pulse, int64_t now_ns, int64_t gap_ns)
{
	struct worker *worker = first_worker(run) + i;

	*pulse = (struct pulse){ .live.ci95_percent = NAN };
	if (run->window)
		collector_peek(run->collector, i, &pulse->live);
	else
		pulse->live.last_ns = worker->probed_ns;
	if (ring_closed(worker->ring))
		return false;
	worker->silent_from_ns += gap_ns;
	if (pulse->live.last_ns > worker->silent_from_ns)
		worker->silent_from_ns = pulse->live.last_ns;
	pulse->silent_ns = now_ns - worker->silent_from_ns;
	if (pulse->silent_ns > run->plan->limits.hang_ns)
		give_up(run, worker, ENDED_HUNG, now_ns);
	else if (run->stopped_ns && now_ns - run->stopped_ns > patience_ns)
		give_up(run, worker, ENDED_CUT, now_ns);
	return true;
}

static bool precise_enough(const struct run *run, const struct pulse *pulse)
{
	for (unsigned i = 0; i < run->disks; i++)
		if (!ring_closed((first_worker(run) + i)->ring) &&
		    !(pulse[i].live.ci95_percent <= run->plan->limits.precision_percent))
			return false;
	return true;
}

/* Looks grow apart by half each time: many looks at a noisy rate would find a lucky one. */
static void look_at_precision(struct run *run, const struct pulse *pulse, int64_t now_ns)
{
	const int64_t start_ns = window_start_ns(run->window);

	if (run->plan->limits.precision_percent <= 0 || start_ns == INT64_MAX || now_ns - start_ns < run->look_ns)
		return;
	run->look_ns += run->look_ns / 2;
	if (run->outcome.cell->access == ACCESS_RAW && precise_enough(run, pulse))
		window_close(run->window, now_ns);
}

bool run_going(struct run *run, struct pulse *pulse)
{
	const int64_t now_ns = clock_now_ns(), gap_ns = now_ns - run->called_ns > pause_ns ? now_ns - run->called_ns : 0;
	bool going = false;

	run->called_ns = now_ns;
	run->outcome.paused_ns += gap_ns;
	for (unsigned i = 0; i < run->disks; i++)
		going |= watch(run, i, &pulse[i], now_ns, gap_ns);
	if (run->window)
		look_at_precision(run, pulse, now_ns);
	return going;
}

void run_stop(struct run *run)
{
	const int64_t now_ns = clock_now_ns();

	if (!run->stopped_ns)
		run->stopped_ns = now_ns;
	run->stop = true;
	if (!run->window)
		return;
	run->outcome.interrupted |= window_end_ns(run->window) > now_ns;
	window_close(run->window, now_ns);
}

static void finish_kernel(const struct worker *worker, struct track *track)
{
	struct kstat after;

	track->kernel_known = worker->kernel_known && kstat_read(&worker->device->info, &after) == 0;
	if (track->kernel_known)
		track->kernel = kstat_since(&worker->kernel, &after);
}

/* Returns whether a thread is left behind. */
static bool finish_disk(struct worker *worker, struct track *track)
{
	const bool joins = takes_part(worker);

	if (joins)
		pthread_join(worker->thread, NULL);
	track->ending = worker->ending;
	track->error = worker->error;
	track->ended_ns = worker->ended_ns;
	if (track->ending == ENDED_ABSENT || track->ending == ENDED_UNFIT)
		return false;
	finish_kernel(worker, track);
	if (!joins)
		return true;
	track->cpu_ns = worker->cpu_ns;
	track->worked_ns = worker->worked_ns;
	track->plain_buffer = worker->queue.plain_buffer;
	track->wrapped = worker->wrapped;
	track->ring_waits = worker->ring->waits;
	worker->lost = worker->ending == ENDED_GONE;
	return false;
}

const struct outcome *run_finish(struct run *run)
{
	struct outcome *outcome = &run->outcome;
	bool left_behind = false;

	collector_finish(run->collector);
	for (unsigned i = 0; i < run->disks; i++)
		left_behind |= finish_disk(first_worker(run) + i, run->track + run->first + i);
	outcome->start_ns = window_start_ns(run->window);
	outcome->end_ns = window_end_ns(run->window);
	if (outcome->end_ns <= outcome->start_ns || outcome->end_ns == INT64_MAX)
		outcome->start_ns = outcome->end_ns = 0;
	if (!left_behind)
		free(run->window);
	run->window = NULL;
	return outcome;
}
