#include "analyze/service.h"

#include <math.h>

#include "base/clock.h"
#include "base/units.h"

static const double most_bytes = GIB;

/* Weighted moments, around the means so that no digits are lost. */
struct moments {
	double weight, mean_x, mean_y, xx, xy;
};

static bool errors_known(const struct service_point *point, size_t points)
{
	for (size_t i = 0; i < points; i++)
		if (!(point[i].error_ns > 0))
			return false;
	return true;
}

static double weight_of(const struct service_point *point, bool by_error)
{
	const double scale = by_error ? point->error_ns : point->mean_ns;

	return 1 / (scale * scale);
}

static struct moments moments_of(const struct service_point *point, size_t points, bool by_error)
{
	struct moments m = { 0 };

	for (size_t i = 0; i < points; i++) {
		const double weight = weight_of(&point[i], by_error);

		m.weight += weight;
		m.mean_x += weight * point[i].block_bytes;
		m.mean_y += weight * point[i].mean_ns;
	}
	m.mean_x /= m.weight;
	m.mean_y /= m.weight;
	for (size_t i = 0; i < points; i++) {
		const double x = point[i].block_bytes - m.mean_x, weighted = weight_of(&point[i], by_error) * x;

		m.xx += weighted * x;
		m.xy += weighted * (point[i].mean_ns - m.mean_y);
	}
	return m;
}

/* The variance of a mean whose weight is 1. */
static double unit_variance(const struct service *service, const struct service_point *point, size_t points,
			    bool by_error)
{
	double squares = 0;

	for (size_t i = 0; i < points; i++) {
		const double miss = point[i].mean_ns - service_mean_ns(service, point[i].block_bytes);

		squares += weight_of(&point[i], by_error) * miss * miss;
	}
	if (points <= 2)
		return by_error ? 1 : NAN;
	squares /= (double)(points - 2);
	return by_error ? fmax(1, squares) : squares;
}

static double worst_percent(const struct service *service, const struct service_point *point, size_t points)
{
	double worst = 0;

	for (size_t i = 0; i < points; i++)
		worst = fmax(worst, 100 * fabs(service_mean_ns(service, point[i].block_bytes) / point[i].mean_ns - 1));
	return worst;
}

struct service service_fit(const struct service_point *point, size_t points)
{
	const bool by_error = errors_known(point, points);
	const struct moments m = moments_of(point, points, by_error);
	struct service service = { NAN, NAN, NAN, NAN, NAN, NAN };
	double variance;

	if (points < 2)
		return service;
	service.ns_per_byte = m.xy / m.xx;
	service.alpha_ns = m.mean_y - service.ns_per_byte * m.mean_x;
	variance = unit_variance(&service, point, points, by_error);
	service.ns_per_byte_error = sqrt(variance / m.xx);
	service.alpha_error_ns = sqrt(variance * (1 / m.weight + m.mean_x * m.mean_x / m.xx));
	service.worst_percent = worst_percent(&service, point, points);
	service.largest_bytes = 0;
	for (size_t i = 0; i < points; i++)
		service.largest_bytes = fmax(service.largest_bytes, point[i].block_bytes);
	return service;
}

double service_mean_ns(const struct service *service, double block_bytes)
{
	return service->alpha_ns + block_bytes * service->ns_per_byte;
}

/* That of 1 / beta is that of beta. NAN or INFINITY: nothing is known. */
static double relative_error(const struct service *service)
{
	return service->ns_per_byte > 0 ? service->ns_per_byte_error / service->ns_per_byte : INFINITY;
}

double service_beta(const struct service *service)
{
	return relative_error(service) < SERVICE_RELATIVE_ERROR ? (double)NS_PER_S / service->ns_per_byte : NAN;
}

/* The transfer rate's error falls as the largest size grows. */
static double needed_bytes(const struct service *service, double size_bytes)
{
	const double error = relative_error(service) / SERVICE_RELATIVE_ERROR;
	const double factor = error < 1 ? size_bytes / SERVICE_REACH / service->largest_bytes : fmax(2, fmin(error, 8));
	const double bytes = exp2(ceil(log2(service->largest_bytes * factor)));

	return service->largest_bytes < most_bytes ? fmin(bytes, most_bytes) : NAN;
}

struct service_size service_size(const struct service *service, double efficiency)
{
	const double bytes = fmax(0, efficiency / (1 - efficiency) * service->alpha_ns / service->ns_per_byte);

	if (!isnan(service_beta(service)) && bytes <= SERVICE_REACH * service->largest_bytes)
		return (struct service_size){ true, bytes };
	return (struct service_size){ false, needed_bytes(service, bytes) };
}
