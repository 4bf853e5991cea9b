/* What one read costs: a time that does not depend on its size, and the bytes at a rate (A. Cockcroft, "Sun
 * Performance and Tuning", chapter 8): mean latency = alpha + block size / beta. Of random reads, alpha is
 * positioning and overhead; of rereads it is overhead alone, and beta the link's rate. */
#ifndef ANALYZE_SERVICE_H
#define ANALYZE_SERVICE_H

#include <stdbool.h>
#include <stddef.h>

/* Where an answer is no better known than this, or lies further beyond the largest size measured, it is not given. */
#define SERVICE_RELATIVE_ERROR .1
#define SERVICE_REACH 4

/* One size, as measured. */
struct service_point {
	double block_bytes, mean_ns;    /* both over 0 */
	double error_ns;                /* standard error of the mean, over 0; NAN: not known */
};

struct service {
	double alpha_ns, alpha_error_ns;        /* with their standard errors; NAN: not known */
	double ns_per_byte, ns_per_byte_error;  /* 1 / beta, which can come out as 0 or less by chance */
	double largest_bytes;                   /* the largest size measured */
	double worst_percent;                   /* the worst mean of the line, against the one measured */
};

/* A block size that reaches an efficiency, or how large reads must be measured to tell it. */
struct service_size {
	bool known;
	double bytes;                   /* known: the size, 0 or more, which may be under the smallest measured;
					 * else: a power of two to measure up to, NAN when no size up to 1 GiB helps */
};

/* Weighted least squares over sizes that are all different: by 1 / error_ns^2 where the error of every mean is
 * known, else by 1 / mean_ns^2, which takes all means to be equally good in per cent. The standard errors come
 * from those of the means, widened where the means miss the line by more; without them, from how far they miss it,
 * and two sizes then leave them NAN. Fewer than two sizes: all is NAN. */
struct service service_fit(const struct service_point *point, size_t points);

/* alpha + block_bytes / beta. */
double service_mean_ns(const struct service *service, double block_bytes);

/* Transfer rate in bytes a second, NAN when it is not known to SERVICE_RELATIVE_ERROR. */
double service_beta(const struct service *service);

/* The size at which a read spends that share of its time on the transfer, 0 < efficiency < 1: e / (1 - e) * alpha *
 * beta. At .5, the half-bandwidth size, bandwidth divided by latency is highest too. */
struct service_size service_size(const struct service *service, double efficiency);

#endif
