#include "base/rng.h"

#include <sys/random.h>

#include "base/clock.h"

__extension__ typedef unsigned __int128 uint128_t;

static uint64_t splitmix(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

void rng_init(struct rng *rng, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		rng->state[i] = splitmix(&seed);
}

static uint64_t rotate_left(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

uint64_t rng_next(struct rng *rng)
{
	uint64_t *s = rng->state, result = rotate_left(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate_left(s[3], 45);
	return result;
}

uint64_t rng_below(struct rng *rng, uint64_t n)
{
	uint128_t product = (uint128_t)rng_next(rng) * n;

	if ((uint64_t)product < n)
		for (uint64_t floor = -n % n; (uint64_t)product < floor;)
			product = (uint128_t)rng_next(rng) * n;
	return (uint64_t)(product >> 64);
}

uint64_t rng_mix(uint64_t seed, uint64_t coordinate)
{
	uint64_t state = seed ^ coordinate * 0xff51afd7ed558ccd;

	return splitmix(&state);
}

uint64_t rng_fresh_seed(void)
{
	uint64_t seed;

	/* Short, so that it can be typed again from a table in a post. */
	if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != sizeof seed)
		seed = rng_mix(0, (uint64_t)clock_now_ns());
	return seed >> 32;
}
