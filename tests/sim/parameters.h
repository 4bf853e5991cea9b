/* What a simulated spinning disk is made of, and the bus that it shares with its likes: all disks are equal. */
#ifndef SIM_PARAMETERS_H
#define SIM_PARAMETERS_H

#include <stdint.h>
#include <stdio.h>

enum { SIM_DISKS_MAX = 16 };

/* Times are in nanoseconds, rates in bytes a second. */
struct parameters {
	double disks;           /* 1 .. SIM_DISKS_MAX */
	double size_bytes;      /* of each disk, a multiple of 512 */
	double rpm;
	double track_ms;        /* seek to the next track */
	double stroke_ms;       /* seek over the whole disk */
	double rate;            /* of the media; a track holds what passes by in one turn */
	double overhead_ms;     /* from a command's arrival until the disk takes it up */
	double bus;             /* rate of the bus; one disk at a time uses it */
	double fence;           /* a disk asks for the bus when fence/255 of a command's bytes are cached */
	double rounds;          /* 1: all disks receive a command, then all transmit, before any receives another */
	double cache;           /* 1: a disk keeps the last block that it read and reads ahead; 0: it does neither */
	double way_ms;          /* a read that comes so soon after its disk's last one was over counts as issued then */
	double seed;            /* of the contents, of the platters' angles and of simulated addresses */
};

extern const struct parameters parameters_default;

/* Takes over "rate" and "8e6": a number with an optional k, m, g or t (powers of 1024), or on and off. Returns 0, or
 * -1 with a line about what is wrong in reason, 160 bytes. */
int parameters_set(struct parameters *parameters, const char *key, const char *value, char *reason);

/* Whether they fit each other; likewise. */
int parameters_check(const struct parameters *parameters, char *reason);

/* One line a parameter: its key, default and meaning. */
void parameters_help(FILE *file);

double parameters_turn_ns(const struct parameters *parameters);
double parameters_track_bytes(const struct parameters *parameters);
double parameters_tracks(const struct parameters *parameters);

/* Time of a seek over so many tracks: 0 for none of them; between the next track (x = 0) and the whole stroke (x = 1)
 * it grows with (sqrt(x) + x)/2: arms accelerate and brake over short distances and coast over long ones, as in C.
 * Ruemmler and J. Wilkes, "An introduction to disk drive modeling", IEEE Computer 27(3), 1994. Over random pairs the
 * mean of that factor is (8/15 + 1/3)/2 = 13/30. */
double parameters_seek_ns(const struct parameters *parameters, double tracks);

/* Mean seek between two random tracks, by summing up all distances: 2(T-d)/T^2 of the pairs are d apart. */
double parameters_mean_seek_ns(const struct parameters *parameters);

#endif
