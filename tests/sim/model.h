/* Spinning disks on a bus in virtual time: reads go in with the time of their arrival and come out with the time of
 * their completion. It reads no clock, never sleeps and does no I/O. Times are nanoseconds from any beginning.
 *
 * A disk serves one command at a time, in order of arrival. It takes the command up after its overhead, and the arm
 * seeks; reads that wait by then and adjoin it belong to it, since a large read may come in pieces. The platter turns
 * until the first byte is under the head, and the bytes of consecutive tracks pass by without a gap. When fence/255 of
 * them are cached, the disk asks for the bus. The bus serves in the order of asking: who comes first sends what is
 * cached at the rate of the bus and, when nothing is left, at the rate of the media, while the next one takes what
 * remains of the bus. So alone a command takes
 *     fence 255: overhead + positioning + bytes/rate + bytes/bus
 *     fence 0:   overhead + positioning + bytes/min(rate, bus)
 * which counts no first and last sector of their own: they are some .05 ms.
 *
 * With a cache, the last block (of any size) is sent again without positioning, and one that begins at its end is read
 * on without positioning: the disk reads ahead of what it was asked for, MODEL_AHEAD_BYTES at the most. Without, the
 * platter has to come round again.
 *
 * In strict rounds all disks of the last round wait for each other's next command before any receives it, and new
 * disks join them; one that sends none for MODEL_PATIENCE_NS after a round is left out. */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "parameters.h"

#define MODEL_PATIENCE_NS 250e6
#define MODEL_AHEAD_BYTES 0x1p20

/* A read, its caller's until it is finished; the first three are given. */
struct sim_read {
	unsigned disk;
	uint64_t offset, bytes;

	double arrived_ns;
	double seek_ns, rotation_ns;    /* of its command */
	double asked_ns;                /* when it asked for the bus */
	double finished_ns;
	bool finished;
	struct sim_read *next;          /* the model's own */
};

struct model;

/* NULL without memory. The parameters must outlive it. */
struct model *model_new(const struct parameters *parameters);
void model_free(struct model *model);

/* The read arrives, or has arrived before the time to which the model advanced, but not before its disk's last one was
 * finished. What the disk had done by now is done; only the bus was others' meanwhile. Reads of several disks that
 * arrive at once are submitted before the model advances. */
void model_submit(struct model *model, struct sim_read *read, double arrived_ns);

/* When the disk finished its last command, if it has none now; else INFINITY. */
double model_idle_since(const struct model *model, unsigned disk);

/* All happens that happens until now_ns, that included. */
void model_advance(struct model *model, double now_ns);

/* When the next thing happens if no read arrives; INFINITY: nothing. */
double model_next(const struct model *model);

/* A time before which the read cannot finish unless others arrive; INFINITY: it waits for their arrival. Once it is
 * reached, and the model has advanced, the read is finished or there is a later one. */
double model_due(const struct model *model, const struct sim_read *read);

/* A number of 64 bits for each index, by S. Vigna's splitmix64: neighbours have nothing in common. */
uint64_t sim_hash(uint64_t seed, uint64_t index);

#endif
