#include "run/address.h"

void address_init(struct address *address, const struct job *job, uint64_t resume_bytes)
{
	const uint64_t block = job->cell->block_bytes;

	*address = (struct address){
		.mode = job->cell->mode,
		.block_bytes = job->cell->block_bytes,
		.start_bytes = job->start_bytes,
		.blocks = job->blocks,
	};
	rng_init(&address->rng, job->seed);
	if (resume_bytes > job->start_bytes)
		address->index = (resume_bytes - job->start_bytes + block - 1) / block;
	if (address->index >= job->blocks) {
		address->index = 0;
		address->wrapped = resume_bytes <= job->span_start_bytes + job->span_bytes;
	}
}

uint64_t address_next(struct address *address)
{
	uint64_t index = 0;

	if (address->mode == MODE_RANDOM) {
		index = rng_below(&address->rng, address->blocks);
	} else if (address->mode == MODE_LINEAR) {
		if (address->index == address->blocks) {
			address->index = 0;
			address->wrapped = true;
		}
		index = address->index++;
	}
	return address->start_bytes + index * address->block_bytes;
}

uint64_t address_resume_bytes(const struct address *address)
{
	return address->start_bytes + address->index * address->block_bytes;
}
