/* What is looked for in each cell, to be said at the end. */
#ifndef ANALYZE_FINDING_H
#define ANALYZE_FINDING_H

#include "analyze/row.h"

/* Ten independent slices correlate by more than this in about 8 cells of 100. */
#define DRIFT_CORRELATION .3

/* What is worth a word: a read of that long outside the window, and that share of reads held up. */
#define STALL_NS 1e9
#define WAITS_PERCENT .1

/* Of a processor: what a worker takes that waits for no disk; and over how long that can be told. */
#define HOST_PERCENT 90
#define HOST_LEAST_NS (NS_PER_S / 4)

/* A read should not take so many times as long as the kernel had it, by counters of milliseconds that have come so far. */
#define BUSY_FACTOR 2
#define BUSY_LEAST_MS 200

/* By so much may req/s x mean latency miss the depth, if each of that many reads in flight was one of ten or more. */
#define LITTLE_PERCENT 2
#define FEW_READS 10

/* No medium answers in less. */
#define QUICK_NS 2000.

enum finding_kind {
	FOUND_OTHERS,           /* value: others' reads and writes, bytes a second */
	FOUND_UNSEEN,           /* value: percent of our bytes that the kernel's counters miss */
	FOUND_SPLIT,            /* value: requests that the kernel made of each of our reads */
	FOUND_QUICK,            /* value: 1 / median of reads of a medium, under QUICK_NS */
	FOUND_LINK,             /* value: bytes a second / what the disk's link can carry, over 1 */
	FOUND_WRAPPED,          /* value: 1 */
	FOUND_DRIFT,            /* value: lag-1 correlation of the slices, over DRIFT_CORRELATION */
	FOUND_IMPRECISE,        /* value: +-95 % reached when time was up, in percent */
	FOUND_STALL,            /* value: ns of a read that does not count, over ten times the longest that does */
	FOUND_SLOW,             /* value: percent slower than the median of its siblings */
	FOUND_WAITS,            /* value: percent of reads held up by a full ring */
	FOUND_HOST,             /* value: percent of a processor that its worker took */
	FOUND_BUSY,             /* value: mean latency / the mean time that the kernel had a read */
	FOUND_FEW,              /* value: the depth, in reads that count */
	FOUND_LITTLE,           /* value: percent by which req/s x mean latency misses the depth */
	FOUND_PLAIN,            /* value: bytes of the buffer that memlock has no room for */
	FINDINGS,
};

/* Of each kind and disk the worst case is kept, and how often there was one. Starts as all zeros. */
struct finding {
	unsigned cells;                 /* in which it was seen; 0: never */
	const struct cell *cell;        /* the worst */
	double value;                   /* there */
	double mean_ns, await_ns;       /* FOUND_BUSY: both, there */
	unsigned siblings;              /* FOUND_SLOW: the others, there */
	double others_reads, others_bytes, writes;      /* FOUND_OTHERS: a second, there; reads NAN when not known */
};

/* The most that a link as struct device_info names it can carry, in bytes a second: "6.0 Gbps" (SATA, SAS), "USB 480
 * Mb/s", "PCIe 8.0 GT/s x4", less what their line codes take, 8 of 10 bits or 128 of 130. 0: not known. */
double link_bytes_per_second(const char *link);

/* Looks at one disk's part in a cell. row: its row. */
void finding_look(struct finding finding[FINDINGS], const struct plan *plan, const struct outcome *outcome,
		  const struct track *track, const struct row *row);

/* Disks of one model and size, four or more of them measured at the same time, should be equally fast. Looks for those whose rate
 * is worse than the median of the others by more than 5 % and by more than three times the others' range. finding and row: of each
 * disk of the cell. */
void finding_look_at_siblings(struct finding (*finding)[FINDINGS], const struct row *row, unsigned disks);

#endif
