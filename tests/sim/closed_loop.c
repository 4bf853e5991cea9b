#include "closed_loop.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "model.h"

enum { WARM_UP = 16 };

struct reader {
	struct sim_read read;
	uint64_t issued, counted;
};

struct state {
	const struct parameters *parameters;
	const struct closed_loop *loop;
	struct model *model;
	struct reader reader[SIM_DISKS_MAX];
	uint64_t completed, within_one;
	double started_ns;
	double latency, latency_squared, seek, rotation;        /* sums */
	struct closed_loop_result *result;
};

static uint64_t block(const struct state *state, const struct reader *reader)
{
	uint64_t blocks = (uint64_t)state->parameters->size_bytes / state->loop->block_bytes;

	switch (state->loop->access) {
	case ACCESS_RANDOM:
		return sim_hash((uint64_t)state->parameters->seed + 1000 * (reader->read.disk + 1), reader->issued) % blocks;
	case ACCESS_LINEAR:
		return reader->issued % blocks;
	case ACCESS_REREAD:
		break;
	}
	return 0;
}

static void issue(struct state *state, struct reader *reader)
{
	reader->read.offset = block(state, reader) * state->loop->block_bytes;
	reader->read.bytes = state->loop->block_bytes;
	reader->issued++;
	model_submit(state->model, &reader->read, reader->read.finished_ns);
}

static unsigned spread(const struct state *state)
{
	uint64_t most = 0, least = UINT64_MAX;

	for (unsigned i = 0; i < state->loop->disks; i++) {
		uint64_t counted = state->reader[i].counted;

		most = counted > most ? counted : most;
		least = counted < least ? counted : least;
	}
	return (unsigned)(most - least);
}

static void count(struct state *state, struct reader *reader)
{
	double latency = reader->read.finished_ns - reader->read.arrived_ns;
	unsigned now;

	reader->counted++;
	state->latency += latency;
	state->latency_squared += latency * latency;
	state->seek += reader->read.seek_ns;
	state->rotation += reader->read.rotation_ns;
	now = spread(state);
	state->within_one += now <= 1;
	if (now > state->result->largest_spread)
		state->result->largest_spread = now;
}

static void complete(struct state *state, struct reader *reader)
{
	uint64_t warm_up = (uint64_t)WARM_UP * state->loop->disks;

	if (state->completed >= warm_up)
		count(state, reader);
	if (++state->completed == warm_up)
		state->started_ns = reader->read.finished_ns;
	issue(state, reader);
}

static double run(struct state *state)
{
	uint64_t until = (uint64_t)(WARM_UP + state->loop->reads) * state->loop->disks;
	double now = 0;

	for (unsigned i = 0; i < state->loop->disks; i++) {
		state->reader[i].read.disk = i;
		issue(state, &state->reader[i]);
	}
	while (state->completed < until) {
		now = model_next(state->model);
		model_advance(state->model, now);
		for (unsigned i = 0; i < state->loop->disks; i++)
			if (state->reader[i].read.finished && state->completed < until)
				complete(state, &state->reader[i]);
	}
	return now;
}

int closed_loop_run(const struct parameters *parameters, const struct closed_loop *loop, struct closed_loop_result *result)
{
	struct state state = { .parameters = parameters, .loop = loop, .model = model_new(parameters), .result = result };
	double reads = (double)loop->reads * loop->disks, seconds;

	if (!state.model)
		return -1;
	memset(result, 0, sizeof *result);
	seconds = (run(&state) - state.started_ns) / 1e9;
	model_free(state.model);
	result->requests_per_second = reads / seconds;
	result->bytes_per_second = result->requests_per_second * (double)loop->block_bytes;
	result->latency_mean_ns = state.latency / reads;
	result->latency_stdev_ns = sqrt(fmax(0, state.latency_squared / reads - result->latency_mean_ns * result->latency_mean_ns));
	result->seek_mean_ns = state.seek / reads;
	result->rotation_mean_ns = state.rotation / reads;
	result->share_within_one = (double)state.within_one / reads;
	return 0;
}
