/* Which block to read next. */
#ifndef RUN_ADDRESS_H
#define RUN_ADDRESS_H

#include "base/rng.h"
#include "plan/plan.h"

struct address {
	enum mode mode;
	uint32_t block_bytes;
	uint64_t start_bytes, blocks;
	uint64_t index;                 /* linear: of the next block */
	struct rng rng;                 /* random */
	bool wrapped;                   /* linear: went back to the first block */
};

/* A job that fits. resume_bytes: where the disk's last linear cell stopped; linear goes on at the next
 * whole block, if that lies in the job's span, else at its first. */
void address_init(struct address *address, const struct job *job, uint64_t resume_bytes);

/* The offset of the next block, in bytes: random, uniform over all of them; linear, one after another,
 * wrapping after the last; reread, always the first. */
uint64_t address_next(struct address *address);

/* Where a further linear cell should go on. */
uint64_t address_resume_bytes(const struct address *address);

#endif
