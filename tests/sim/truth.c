/* Says the truth about simulated disks, from their parameters alone: what a measurement of them should find. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "closed_loop.h"

enum { READS = 20000 };

static void usage(FILE *file)
{
	fputs("usage: truth [KEY=VALUE]...                        constants of a disk, as key=value\n"
	      "       truth scale|linear|reread BLOCK[,BLOCK]... [KEY=VALUE]...\n"
	      "                                                  CSV: 1 .. disks of them at once; scale reads random blocks\n\n",
	      file);
	parameters_help(file);
}

/* beta: a further byte takes the media's time, and the bus's too when it crosses the bus only once it is cached. */
static void print_constants(const struct parameters *parameters)
{
	double fence = parameters->fence / 255, media_ns = 1e9 / parameters->rate, bus_ns = 1e9 / parameters->bus;
	double seek_ns = parameters_mean_seek_ns(parameters), half_turn_ns = parameters_turn_ns(parameters) / 2;
	double byte_ns = fmax(media_ns, fence * media_ns + bus_ns);

	printf("disks=%.0f\nsize_bytes=%.0f\n", parameters->disks, parameters->size_bytes);
	printf("overhead_ns=%.0f\nmean_seek_ns=%.0f\nhalf_turn_ns=%.0f\n", parameters->overhead_ms * 1e6, seek_ns, half_turn_ns);
	printf("alpha_ns=%.0f\n", parameters->overhead_ms * 1e6 + seek_ns + half_turn_ns);
	printf("beta_bytes_per_second=%.0f\n", 1e9 / byte_ns);
	printf("media_bytes_per_second=%.0f\nbus_bytes_per_second=%.0f\n", parameters->rate, parameters->bus);
}

static int print_row(const struct parameters *parameters, const struct closed_loop *loop)
{
	struct closed_loop_result result;

	if (closed_loop_run(parameters, loop, &result)) {
		fputs("truth: no memory\n", stderr);
		return -1;
	}
	printf("%u,%.0f,%.12g,%.12g,%.0f,%.0f,%.6f,%u\n", loop->disks, (double)loop->block_bytes, result.requests_per_second,
	       result.bytes_per_second, result.latency_mean_ns, result.latency_stdev_ns, result.share_within_one,
	       result.largest_spread);
	return 0;
}

/* A block is a size like any other; returns 0 for one that is none. */
static uint64_t block_parse(const struct parameters *parameters, const char *text)
{
	struct parameters block = { 0 };
	char reason[160];

	if (parameters_set(&block, "size", text, reason) || block.size_bytes > parameters->size_bytes)
		return 0;
	return (uint64_t)block.size_bytes;
}

static int print_table(const struct parameters *parameters, enum access access, char *blocks)
{
	puts("disks,block_bytes,requests_per_second,bytes_per_second,latency_mean_ns,latency_stdev_ns,"
	     "share_within_one,largest_spread");
	for (const char *text = strtok(blocks, ","); text; text = strtok(NULL, ",")) {
		struct closed_loop loop = { .access = access, .block_bytes = block_parse(parameters, text), .reads = READS };

		if (loop.block_bytes == 0) {
			fprintf(stderr, "truth: '%s' is no block of these disks\n", text);
			return -1;
		}
		for (loop.disks = 1; loop.disks <= parameters->disks; loop.disks++)
			if (print_row(parameters, &loop))
				return -1;
	}
	return 0;
}

static int parse(struct parameters *parameters, char **arguments)
{
	char reason[160];

	for (; *arguments; arguments++) {
		char *value = strchr(*arguments, '=');

		if (value)
			*value++ = 0;
		if (parameters_set(parameters, *arguments, value ? value : "", reason)) {
			fprintf(stderr, "truth: %s\n", reason);
			return -1;
		}
	}
	if (parameters_check(parameters, reason)) {
		fprintf(stderr, "truth: %s\n", reason);
		return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	static const char *const tables[] = { "scale", "linear", "reread" };
	struct parameters parameters = parameters_default;

	if (argc > 1 && strcmp(argv[1], "--help") == 0) {
		usage(stdout);
		return 0;
	}
	for (unsigned i = 0; i < 3; i++) {
		if (argc < 2 || strcmp(argv[1], tables[i]) != 0)
			continue;
		if (argc < 3) {
			usage(stderr);
			return 2;
		}
		if (parse(&parameters, argv + 3))
			return 2;
		return print_table(&parameters, (enum access)i, argv[2]) ? 1 : 0;
	}
	if (parse(&parameters, argv + 1))
		return 2;
	print_constants(&parameters);
	return 0;
}
