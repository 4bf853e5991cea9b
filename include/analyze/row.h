/* One line of a report: every figure that a report may print of one disk, or of all disks together, in one cell. */
#ifndef ANALYZE_ROW_H
#define ANALYZE_ROW_H

#include "collect/outcome.h"

/* In the order of the CSV columns. */
enum figure {
	FIGURE_SECONDS,                 /* the window */
	FIGURE_REQUESTS,                /* reads completed well inside it */
	FIGURE_BYTES,                   /* requests * block size */
	FIGURE_ERRORS,                  /* reads that failed inside it */
	FIGURE_REQUEST_RATE,            /* requests / seconds */
	FIGURE_CI95,                    /* half the 95 % interval of that rate, in percent of it */
	FIGURE_BYTE_RATE,               /* bytes / seconds */
	FIGURE_MEAN,                    /* latencies, issue to completion, in ns, from here on */
	FIGURE_STDEV,
	FIGURE_MIN,
	FIGURE_P50,
	FIGURE_P90,
	FIGURE_P95,
	FIGURE_P99,
	FIGURE_P99_LO,                  /* latencies at the ranks n p -+ 2 sqrt(n p (1-p)) with p = .99, at most the maximum */
	FIGURE_P99_HI,
	FIGURE_P99_9,
	FIGURE_MAX,
	/* What the kernel counted of the whole disk over an interval of its own, warm-up and drain included: iostat's
	 * words and formulas (sysstat). Of all disks: not known. */
	FIGURE_KERNEL_SECONDS,          /* T, that interval */
	FIGURE_KERNEL_READ_RATE,        /* r/s: reads / T */
	FIGURE_KERNEL_BYTE_RATE,        /* rkB/s, in bytes: sectors * 512 / T */
	FIGURE_KERNEL_READ_BYTES,       /* rareq-sz, in bytes: sectors * 512 / reads */
	FIGURE_KERNEL_MERGED,           /* %rrqm: 100 * merges / (reads + merges) */
	FIGURE_KERNEL_AWAIT,            /* r_await, in ns: time of reads / reads */
	FIGURE_KERNEL_QUEUE,            /* aqu-sz: time of all requests / T, by Little's law */
	FIGURE_KERNEL_BUSY,             /* %util: 100 * time with anything in flight / T */
	FIGURE_KERNEL_SERVICE,          /* svctm, in ns: that time / (reads + writes), the true service time */
	FIGURES,
};

enum status { ROW_OK, ROW_ERRORS, ROW_INTERRUPTED, ROW_LOST, ROW_SKIPPED, ROW_STATUSES };
extern const char *const status_names[ROW_STATUSES];

enum { REMARK_TEXT = 200 };

/* Reads whose latency lies above the bucket before and up to this, see collect/histogram.h. */
struct bucket {
	int64_t upper_ns;
	uint64_t count;
};

struct row {
	const struct cell *cell;        /* of the plan */
	const struct device_info *disk; /* NULL: all disks of the cell */
	uint64_t span_start_bytes, span_bytes;  /* of the disk; of all: 0, and the sum of
					 * those that were not skipped */
	enum status status;
	double figure[FIGURES];         /* NAN: not known, printed as empty or "-" */
	char remark[REMARK_TEXT];       /* why it is not ok, in words; "" for none */
	struct bucket *bucket;          /* the occupied ones of the latency histogram, shortest first; freed by */
	size_t buckets;                 /* row_release() */
};

/* disk: an index into outcome->disk. False when memory is short. */
bool row_of_disk(struct row *row, const struct plan *plan, const struct outcome *outcome, unsigned disk);

/* Requests, errors and bytes are the sums of the disks' rows over the same window; latencies are those
 * of all their reads. disk_row: the rows of the cell's disks. False when memory is short. */
bool row_of_all(struct row *row, const struct outcome *outcome, const struct row *disk_row);

/* Not for rows that were not made. */
void row_release(struct row *row);

#endif
