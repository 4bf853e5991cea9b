/* An nbdkit plugin: spinning disks on one bus, the exports disk0, disk1 ... The model says when a read is over; here
 * it waits until then. */
#define NBDKIT_API_VERSION 2
#include <nbdkit-plugin.h>

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "model.h"

#define THREAD_MODEL NBDKIT_THREAD_MODEL_PARALLEL

/* A thread wakes up so much before its time and spins, for a wake-up takes about this long. */
#define SPIN_NS 60e3

static struct parameters parameters;
static char *log_path;
static FILE *log_file;
static struct model *model;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved;
static unsigned disk_number[SIM_DISKS_MAX];

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void spin_until(double due_ns)
{
	while (now_ns() < due_ns)
		;
}

/* Under the lock: until it is nearly time, or the model has moved. */
static void wait_until(double due_ns)
{
	double wake_ns = due_ns - SPIN_NS;
	struct timespec wake;

	if (isinf(due_ns)) {
		pthread_cond_wait(&moved, &lock);
		return;
	}
	wake.tv_sec = (time_t)(wake_ns / 1e9);
	wake.tv_nsec = (long)(wake_ns - (double)wake.tv_sec * 1e9);
	if (pthread_cond_timedwait(&moved, &lock, &wake) == ETIMEDOUT) {
		pthread_mutex_unlock(&lock);
		spin_until(due_ns);
		pthread_mutex_lock(&lock);
	}
}

/* The way from the reader to here and back is this machine's, not the disk's: who reads again at once shall see the
 * disk's time alone. */
static double issued_ns(unsigned disk, double arrived_ns)
{
	double idle_ns = model_idle_since(model, disk);

	return arrived_ns - idle_ns < parameters.way_ms * 1e6 ? fmin(idle_ns, arrived_ns) : arrived_ns;
}

static void serve(struct sim_read *read, double arrived_ns)
{
	pthread_mutex_lock(&lock);
	model_advance(model, arrived_ns);
	model_submit(model, read, issued_ns(read->disk, arrived_ns));
	/* In rounds, others may have waited for this one. */
	pthread_cond_broadcast(&moved);
	for (model_advance(model, now_ns()); !read->finished; model_advance(model, now_ns()))
		wait_until(model_due(model, read));
	pthread_mutex_unlock(&lock);
}

static void log_read(const struct sim_read *read)
{
	if (!log_file)
		return;
	fprintf(log_file, "%u,%llu,%llu,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f\n", read->disk, (unsigned long long)read->offset,
		(unsigned long long)read->bytes, read->arrived_ns, read->seek_ns, read->rotation_ns, read->asked_ns,
		read->finished_ns, now_ns() - read->finished_ns);
}

/* The same bytes at the same place, whatever the read that asks for them. */
static void fill(unsigned disk, char *bytes, uint64_t count, uint64_t offset)
{
	while (count > 0) {
		uint64_t word = sim_hash((uint64_t)parameters.seed + disk, offset / 8), skip = offset % 8;
		uint64_t part = 8 - skip < count ? 8 - skip : count;

		memcpy(bytes, (char *)&word + skip, part);
		bytes += part;
		offset += part;
		count -= part;
	}
}

static int spindle_pread(void *handle, void *buffer, uint32_t count, uint64_t offset, uint32_t flags)
{
	double arrived_ns = now_ns();
	struct sim_read read = { .disk = *(unsigned *)handle, .offset = offset, .bytes = count };

	(void)flags;
	/* A thread's sleep ends when it should, not up to 50 us later. */
	prctl(PR_SET_TIMERSLACK, 1UL);
	fill(read.disk, buffer, count, offset);
	serve(&read, arrived_ns);
	log_read(&read);
	return 0;
}

static void spindle_load(void)
{
	parameters = parameters_default;
}

static int spindle_config(const char *key, const char *value)
{
	char reason[160];

	if (strcmp(key, "log") == 0) {
		free(log_path);
		log_path = nbdkit_absolute_path(value);
		return log_path ? 0 : -1;
	}
	if (parameters_set(&parameters, key, value, reason)) {
		nbdkit_error("%s", reason);
		return -1;
	}
	return 0;
}

static int spindle_config_complete(void)
{
	char reason[160];

	if (parameters_check(&parameters, reason)) {
		nbdkit_error("%s", reason);
		return -1;
	}
	return 0;
}

static int log_open(void)
{
	log_file = fopen(log_path, "we");
	if (!log_file) {
		nbdkit_error("'%s': %m", log_path);
		return -1;
	}
	setvbuf(log_file, NULL, _IOLBF, 0);
	fputs("disk,offset,bytes,arrived_ns,seek_ns,rotation_ns,asked_ns,finished_ns,late_ns\n", log_file);
	return 0;
}

static int spindle_get_ready(void)
{
	pthread_condattr_t attributes;

	model = model_new(&parameters);
	if (!model) {
		nbdkit_error("no memory");
		return -1;
	}
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&moved, &attributes);
	return log_path ? log_open() : 0;
}

static void spindle_unload(void)
{
	if (log_file)
		fclose(log_file);
	free(log_path);
	model_free(model);
}

static void export_name(char name[16], unsigned disk)
{
	snprintf(name, 16, "disk%u", disk);
}

static int spindle_list_exports(int readonly, int is_tls, struct nbdkit_exports *exports)
{
	(void)readonly;
	(void)is_tls;
	for (unsigned i = 0; i < (unsigned)parameters.disks; i++) {
		char name[16];

		export_name(name, i);
		if (nbdkit_add_export(exports, name, NULL))
			return -1;
	}
	return 0;
}

static const char *spindle_default_export(int readonly, int is_tls)
{
	(void)readonly;
	(void)is_tls;
	return "disk0";
}

static void *spindle_open(int readonly)
{
	const char *wanted = nbdkit_export_name();

	(void)readonly;
	for (unsigned i = 0; wanted && i < (unsigned)parameters.disks; i++) {
		char name[16];

		export_name(name, i);
		if (strcmp(wanted, name) == 0) {
			disk_number[i] = i;
			return &disk_number[i];
		}
	}
	nbdkit_error("there is no disk '%s'", wanted ? wanted : "");
	return NULL;
}

static int64_t spindle_get_size(void *handle)
{
	(void)handle;
	return (int64_t)parameters.size_bytes;
}

static int spindle_yes(void *handle)
{
	(void)handle;
	return 1;
}

static struct nbdkit_plugin plugin = {
	.name = "spindle",
	.longname = "simulated spinning disks on a bus",
	.load = spindle_load,
	.unload = spindle_unload,
	.config = spindle_config,
	.config_complete = spindle_config_complete,
	.config_help = "The parameters of the disks, as of the program truth; log=FILE: every read as CSV",
	.get_ready = spindle_get_ready,
	.list_exports = spindle_list_exports,
	.default_export = spindle_default_export,
	.open = spindle_open,
	.get_size = spindle_get_size,
	.is_rotational = spindle_yes,
	.can_multi_conn = spindle_yes,
	.pread = spindle_pread,
};

/* What nbdkit looks for, which its header declares nowhere. */
struct nbdkit_plugin *plugin_init(void);

NBDKIT_REGISTER_PLUGIN(plugin)
