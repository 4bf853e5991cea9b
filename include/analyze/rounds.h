/* Whether disks answer in rounds: each completes a read before any completes another. With N(d, j) the reads of disk d
 * among the first j to complete, and S(j) the largest N less the smallest, rounds are strict if and only if S(j) <= 1
 * for all j. Independent disks drift apart too, but not at once: what is seen is held against surrogates, independent
 * disks that draw their times from one completion to the next from those seen, with a random phase. */
#ifndef ANALYZE_ROUNDS_H
#define ANALYZE_ROUNDS_H

#include "collect/trace.h"

/* How far the disks' counts are apart in an order of completions. */
struct spread {
	double phi;                     /* the share of j with S(j) <= 1; NAN for no reads */
	unsigned most;                  /* the largest S(j) */
};

/* order[reads]: which disk, 0 .. disks-1, completed each read. count[disks]: room to work in. */
struct spread spread_of(const uint16_t *order, unsigned reads, uint32_t *count, unsigned disks);

enum rounds_verdict {
	ROUNDS_UNDECIDED,              /* independent disks look like strict rounds here: too few reads, or too even */
	ROUNDS_NONE,
	ROUNDS_PARTIAL,                /* much more in step than independent disks */
	ROUNDS_STRICT,
};

struct rounds {
	enum rounds_verdict verdict;
	unsigned reads;                 /* of all disks, that this is from */
	struct spread seen;
	double p;                       /* how likely independent disks are to stay as close; NAN: not known */
	double chance_phi;              /* their mean phi; likewise */
};

/* One disk: its trace, and when it stopped or the window closed, since the opening. */
struct course {
	const struct trace *trace;
	int64_t stopped_ns;
};

/* How many reads are looked at, and how many sets of surrogates are made. */
enum { ROUNDS_READS = 4096, ROUNDS_SURROGATES = 199 };

/* From the opening until the first disk stops or the first trace is full, but for as many completions, up to disks-1,
 * as must be left out for the largest phi, since the window opens anywhere in a round; so for surrogates too.
 * With p = (1 + surrogates whose largest S is no larger than the one seen) / 200:
 *   ROUNDS     p <= .01, phi >= .99 and S <= 2
 *   PARTIAL    p <= .01, and phi is over the surrogates' mean by more than three deviations
 *   UNDECIDED  S <= 2 in so many surrogates that rounds could not have had p <= .01
 *   NONE       otherwise, or when even the closest surrogates are no further apart than the disks
 * One disk alone is undecided. Takes 75 ms for 16 disks, a time that grows as their number, and 8 KiB and 40 bytes a
 * disk. The same for the same seed. 0 or -ENOMEM. */
int rounds_judge(struct rounds *rounds, const struct course *course, unsigned disks, uint64_t seed);

#endif
