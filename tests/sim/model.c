#include "model.h"

#include <math.h>
#include <stdlib.h>

enum phase { IDLE, RECEIVED, SEEKING, READING, SENDING };

struct disk {
	struct sim_read *waiting;       /* in order of arrival */
	struct sim_read *served;        /* the command's reads */
	enum phase phase;
	double phase_ends_ns;           /* but of SENDING */

	uint64_t start, end;            /* the command's bytes */
	double seek_ns;
	double sent, send_rate;         /* bytes, and bytes a ns */
	bool drained;                   /* all that is cached is sent, and more comes from the media as it is sent */
	double read_ns;                 /* when the command's last byte is in the cache */

	uint64_t cached_start, cached_end;      /* the last block; the head stands behind it */
	double cached_ns;               /* when its last byte was read */
	double phase_of_turn;
	double finished_ns;             /* the last command */
	bool member;                    /* of the last round */
};

struct model {
	const struct parameters *parameters;
	double now_ns;
	double media_rate, bus_rate;    /* bytes a ns */
	double turn_ns, track_bytes;
	double round_ended_ns;
	unsigned disks;
	unsigned senders;
	struct disk *sender[SIM_DISKS_MAX];     /* in order of asking */
	struct disk disk[SIM_DISKS_MAX];
};

uint64_t sim_hash(uint64_t seed, uint64_t index)
{
	uint64_t z = seed * UINT64_C(0xd1342543de82ef95) + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

struct model *model_new(const struct parameters *parameters)
{
	struct model *model = calloc(1, sizeof *model);

	if (!model)
		return NULL;
	model->parameters = parameters;
	model->disks = (unsigned)parameters->disks;
	model->media_rate = parameters->rate / 1e9;
	model->bus_rate = parameters->bus / 1e9;
	model->turn_ns = parameters_turn_ns(parameters);
	model->track_bytes = parameters_track_bytes(parameters);
	model->round_ended_ns = -INFINITY;
	for (unsigned i = 0; i < model->disks; i++)
		model->disk[i].phase_of_turn = ldexp((double)(sim_hash((uint64_t)parameters->seed, i) >> 11), -53);
	return model;
}

void model_free(struct model *model)
{
	free(model);
}

static bool busy(const struct model *model)
{
	for (unsigned i = 0; i < model->disks; i++)
		if (model->disk[i].phase != IDLE)
			return true;
	return false;
}

static void receive(struct model *model, struct disk *disk, double now_ns)
{
	disk->phase = RECEIVED;
	disk->phase_ends_ns = now_ns + model->parameters->overhead_ms * 1e6;
	disk->member = true;
}

static void move_to(struct model *model, double now_ns)
{
	if (now_ns <= model->now_ns)
		return;
	for (unsigned i = 0; i < model->senders; i++)
		model->sender[i]->sent += model->sender[i]->send_rate * (now_ns - model->now_ns);
	model->now_ns = now_ns;
}

void model_submit(struct model *model, struct sim_read *read, double arrived_ns)
{
	struct disk *disk = &model->disk[read->disk];
	struct sim_read **last = &disk->waiting;

	read->arrived_ns = fmax(arrived_ns, disk->finished_ns);
	read->finished = false;
	read->next = NULL;
	while (*last)
		last = &(*last)->next;
	*last = read;
	if (disk->phase == IDLE && model->parameters->rounds == 0)
		receive(model, disk, read->arrived_ns);
}

/* At the medium. */

static double command_bytes(const struct disk *disk)
{
	return (double)(disk->end - disk->start);
}

static void serve(struct disk *disk, struct sim_read **place)
{
	struct sim_read *read = *place;

	*place = read->next;
	read->next = disk->served;
	disk->served = read;
}

static bool extend(struct disk *disk)
{
	for (struct sim_read **place = &disk->waiting; *place; place = &(*place)->next) {
		uint64_t start = (*place)->offset, end = start + (*place)->bytes;

		if (start == disk->end)
			disk->end = end;
		else if (end == disk->start)
			disk->start = start;
		else
			continue;
		serve(disk, place);
		return true;
	}
	return false;
}

static void gather(struct disk *disk)
{
	disk->start = disk->waiting->offset;
	disk->end = disk->start + disk->waiting->bytes;
	serve(disk, &disk->waiting);
	while (extend(disk))
		;
}

static double seek_ns(const struct model *model, const struct disk *disk)
{
	double from = disk->cached_end ? floor((double)(disk->cached_end - 1) / model->track_bytes) : 0;

	return parameters_seek_ns(model->parameters, fabs(floor((double)disk->start / model->track_bytes) - from));
}

static double rotation_ns(const struct model *model, const struct disk *disk)
{
	double turns = (double)disk->start / model->track_bytes - disk->phase_ends_ns / model->turn_ns - disk->phase_of_turn;

	return (turns - floor(turns)) * model->turn_ns;
}

static bool is_cached(const struct model *model, const struct disk *disk)
{
	return model->parameters->cache > 0 && disk->start >= disk->cached_start && disk->end <= disk->cached_end;
}

static bool follows(const struct model *model, const struct disk *disk)
{
	return model->parameters->cache > 0 && disk->cached_end > 0 && disk->start == disk->cached_end;
}

static void take_up(struct model *model, struct disk *disk)
{
	gather(disk);
	disk->seek_ns = follows(model, disk) || is_cached(model, disk) ? 0 : seek_ns(model, disk);
	disk->phase = SEEKING;
	disk->phase_ends_ns += disk->seek_ns;
}

/* When the command's first byte passes the head, which may have been before. */
static double first_byte_ns(const struct model *model, const struct disk *disk)
{
	if (follows(model, disk))
		return fmax(disk->cached_ns, disk->phase_ends_ns - MODEL_AHEAD_BYTES / model->media_rate);
	return disk->phase_ends_ns + rotation_ns(model, disk);
}

static void read_media(struct model *model, struct disk *disk)
{
	double bytes_ns = command_bytes(disk) / model->media_rate, first = first_byte_ns(model, disk);

	disk->cached_start = disk->start;
	disk->cached_end = disk->end;
	disk->cached_ns = disk->read_ns = first + bytes_ns;
	for (struct sim_read *read = disk->served; read; read = read->next)
		read->rotation_ns = fmax(0, first - disk->phase_ends_ns);
	disk->phase_ends_ns = fmax(disk->phase_ends_ns, first + bytes_ns * model->parameters->fence / 255);
}

static void arrive(struct model *model, struct disk *disk)
{
	while (extend(disk))
		;
	for (struct sim_read *read = disk->served; read; read = read->next) {
		read->seek_ns = disk->seek_ns;
		read->rotation_ns = 0;
	}
	disk->phase = READING;
	disk->read_ns = disk->phase_ends_ns;
	if (!is_cached(model, disk))
		read_media(model, disk);
}

/* On the bus. */

static double cached_bytes(const struct model *model, const struct disk *disk)
{
	return command_bytes(disk) - fmax(0, disk->read_ns - model->now_ns) * model->media_rate;
}

static void allot(struct model *model)
{
	double left = model->bus_rate;

	for (unsigned i = 0; i < model->senders; i++) {
		struct disk *disk = model->sender[i];

		disk->send_rate = fmin(left, disk->drained ? model->media_rate : model->bus_rate);
		disk->drained = disk->drained && disk->send_rate >= model->media_rate;
		left -= disk->send_rate;
	}
}

static void ask(struct model *model, struct disk *disk)
{
	disk->phase = SENDING;
	disk->sent = 0;
	disk->drained = cached_bytes(model, disk) < 1;
	for (struct sim_read *read = disk->served; read; read = read->next)
		read->asked_ns = model->now_ns;
	model->sender[model->senders++] = disk;
}

static double sent_ns(const struct model *model, const struct disk *disk)
{
	return disk->drained ? disk->read_ns : model->now_ns + (command_bytes(disk) - disk->sent) / disk->send_rate;
}

/* Whether it will have sent all that is cached before the media has given the rest. */
static bool drains(const struct model *model, const struct disk *disk)
{
	return !disk->drained && disk->send_rate > model->media_rate && sent_ns(model, disk) < disk->read_ns;
}

static double sender_event_ns(const struct model *model, const struct disk *disk)
{
	if (disk->send_rate <= 0)
		return INFINITY;
	if (!drains(model, disk))
		return sent_ns(model, disk);
	return model->now_ns + (cached_bytes(model, disk) - disk->sent) / (disk->send_rate - model->media_rate);
}

static void leave_bus(struct model *model, const struct disk *disk)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < model->senders; i++)
		if (model->sender[i] != disk)
			model->sender[kept++] = model->sender[i];
	model->senders = kept;
}

static void finish(struct model *model, struct disk *disk)
{
	while (disk->served) {
		struct sim_read *read = disk->served;

		disk->served = read->next;
		read->finished_ns = model->now_ns;
		read->finished = true;
	}
	leave_bus(model, disk);
	disk->phase = IDLE;
	disk->finished_ns = model->now_ns;
	if (disk->waiting && model->parameters->rounds == 0)
		receive(model, disk, model->now_ns);
	if (!busy(model))
		model->round_ended_ns = model->now_ns;
}

static void sender_event(struct model *model, struct disk *disk)
{
	if (drains(model, disk)) {
		disk->sent = cached_bytes(model, disk);
		disk->drained = true;
	} else {
		finish(model, disk);
	}
}

/* In rounds. */

static double round_begins_ns(const struct model *model)
{
	double last = -INFINITY;
	bool missing = false;

	if (model->parameters->rounds == 0 || busy(model))
		return INFINITY;
	for (unsigned i = 0; i < model->disks; i++) {
		if (model->disk[i].waiting)
			last = fmax(last, model->disk[i].waiting->arrived_ns);
		else
			missing |= model->disk[i].member;
	}
	if (isinf(last))
		return INFINITY;
	return fmax(last, model->round_ended_ns + (missing ? MODEL_PATIENCE_NS : 0));
}

static void round_begin(struct model *model)
{
	double now_ns = round_begins_ns(model);

	for (unsigned i = 0; i < model->disks; i++) {
		model->disk[i].member = false;
		if (model->disk[i].waiting)
			receive(model, &model->disk[i], now_ns);
	}
}

/* What happens next. */

static double event_ns(const struct model *model, const struct disk *disk)
{
	switch (disk->phase) {
	case RECEIVED:
	case SEEKING:
	case READING:
		return disk->phase_ends_ns;
	case SENDING:
		return sender_event_ns(model, disk);
	case IDLE:
		break;
	}
	return INFINITY;
}

static void event(struct model *model, struct disk *disk)
{
	switch (disk->phase) {
	case RECEIVED:
		take_up(model, disk);
		break;
	case SEEKING:
		arrive(model, disk);
		break;
	case READING:
		ask(model, disk);
		break;
	case SENDING:
		sender_event(model, disk);
		break;
	case IDLE:
		break;
	}
	allot(model);
}

static double next_event(const struct model *model, unsigned *which)
{
	double earliest = INFINITY;

	*which = 0;
	for (unsigned i = 0; i < model->disks; i++) {
		double at = event_ns(model, &model->disk[i]);

		if (at < earliest) {
			earliest = at;
			*which = i;
		}
	}
	return earliest;
}

double model_next(const struct model *model)
{
	unsigned which;

	return fmin(next_event(model, &which), round_begins_ns(model));
}

void model_advance(struct model *model, double now_ns)
{
	unsigned which;
	double at;

	while ((at = next_event(model, &which)) <= now_ns || round_begins_ns(model) <= now_ns) {
		if (at <= now_ns) {
			move_to(model, at);
			event(model, &model->disk[which]);
		} else {
			move_to(model, round_begins_ns(model));
			round_begin(model);
		}
	}
	move_to(model, now_ns);
}

double model_due(const struct model *model, const struct sim_read *read)
{
	const struct disk *disk = &model->disk[read->disk];
	double latest = -INFINITY;

	if (disk->phase != IDLE)
		return disk->phase == SENDING ? model_next(model) : disk->phase_ends_ns;
	for (unsigned i = 0; i < model->disks; i++)
		if (model->disk[i].phase != IDLE && model->disk[i].phase != SENDING)
			latest = fmax(latest, model->disk[i].phase_ends_ns);
	return latest > model->now_ns ? latest : model_next(model);
}

double model_idle_since(const struct model *model, unsigned disk)
{
	return model->disk[disk].phase == IDLE && !model->disk[disk].waiting ? model->disk[disk].finished_ns : INFINITY;
}
