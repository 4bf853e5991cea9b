/* What to measure, as wished: nothing here knows of a disk. The parsers return NULL, or why the text is
 * no such list, as a phrase that follows the quoted value; they add to what is there, and what was there
 * already is merged. */
#ifndef PLAN_SWEEP_H
#define PLAN_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "device/device.h"

enum mode { MODE_RANDOM, MODE_LINEAR, MODE_REREAD, MODES };
enum order { ORDER_TOGETHER, ORDER_ALONE, ORDER_SCALE, ORDERS };

extern const char *const mode_names[MODES];             /* "random" ... */
extern const char *const access_names[ACCESSES];        /* "raw", "cooked" */
extern const char *const engine_names[ENGINES];         /* "auto", "sync", "uring", "aio" */
extern const char *const order_names[ORDERS];

enum { LIST_MAX = 64, SPANS_MAX = 32, DEPTH_MAX = 1024, ZONES_MAX = 100 };

/* Numbers, each once, in the order of the command line. */
struct list {
	uint32_t value[LIST_MAX];
	unsigned count;
	bool chosen;                    /* by the user */
};

struct place {
	uint64_t value;                 /* bytes, or whole percent of the disk */
	bool percent;
};

/* A part of each disk, [start, start + length). */
struct span_wish {
	struct place start, length;
};

extern const struct span_wish span_whole;
bool span_same(const struct span_wish *a, const struct span_wish *b);

struct spans {
	struct span_wish wish[SPANS_MAX];
	unsigned count;                 /* 0: the whole disk */
};

struct sweep {
	unsigned modes, accesses;       /* bit 1 << value for each one wished */
	struct list sizes;              /* bytes, 1 .. 2^30; one that was chosen and fits no disk is an error */
	struct list depths;             /* reads in flight, 1 .. DEPTH_MAX; count 0: one */
	struct spans spans;
	unsigned zones;                 /* equal slices of the one span; 0: it is not cut */
	enum order order;
	enum engine engine;             /* _AUTO: whichever the depth asks for and the kernel allows */
	bool force;                     /* cooked reads of disks in use */
};

/* "4k", "16k:128k" (doubling while not past the end), and lists of both: "512,4k:64k,1m". */
const char *sizes_parse(const char *text, struct list *sizes);

/* "8", "1:32" (doubling likewise), and lists of both. */
const char *depths_parse(const char *text, struct list *depths);

/* The greatest depth wished. */
uint32_t depths_most(const struct list *depths);

/* The others go. */
void sizes_keep_largest(struct list *sizes);

/* "0:10%", "1g:512m", and lists of them. */
const char *spans_parse(const char *text, struct spans *spans);

/* A list of some of count names into a set of bits; a remedy names them all. */
const char *set_parse(const char *text, const char *const *names, unsigned count, unsigned *set);

/* One of count names. The phrase stands until the next call of this or of set_parse(). */
const char *name_parse(const char *text, const char *const *names, unsigned count, unsigned *index);

#endif
