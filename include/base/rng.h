/* Random numbers that are the same on every machine for the same seed. */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

/* xoshiro256** (D. Blackman, S. Vigna, "Scrambled linear pseudorandom number generators", 2018). */
struct rng {
	uint64_t state[4];
};

/* Any seed is good; the state is filled by SplitMix64, as the authors advise. */
void rng_init(struct rng *rng, uint64_t seed);

/* A number of 64 random bits. */
uint64_t rng_next(struct rng *rng);

/* Uniform over 0 .. n-1 without bias for every n > 0 (D. Lemire, "Fast random integer generation in an
 * interval", 2019). */
uint64_t rng_below(struct rng *rng, uint64_t n);

/* Mixes one more coordinate into a seed: different coordinates give unrelated streams. */
uint64_t rng_mix(uint64_t seed, uint64_t coordinate);

/* A seed that nobody chose, from the kernel. */
uint64_t rng_fresh_seed(void);

#endif
