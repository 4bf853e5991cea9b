/* A line through mean latencies gives back what it was made of, and is not quoted where it is badly known. */
#include "test.h"

#include <math.h>

#include "analyze/service.h"
#include "base/clock.h"
#include "base/rng.h"
#include "base/units.h"

#define KB 1024.
#define MS ((double)NS_PER_MS)

static bool near(double actual, double expected, double relative)
{
	return fabs(actual - expected) <= relative * fabs(expected);
}

/* A. Cockcroft's disk: 5400 rpm, seek 11 ms, half a turn 5.6 ms, 4168 KB/s. */
static const struct {
	double kb, service_ms, kb_per_s, reads_per_s;
} cockcroft[] = {
	{ 2, 17.0798, 117.097, 58.549 },       { 8, 18.5194, 431.980, 53.997 },       { 64, 31.9551, 2002.811, 31.294 },
	{ 128, 47.3102, 2705.549, 21.137 },    { 1024, 262.2814, 3904.204, 3.813 },
};

enum { SIZES = TEXT_COUNT(cockcroft) };

static double cockcroft_ms(double kb)
{
	return 11 + 5.6 + kb / 4168 * 1000;
}

/* error: of each mean, in parts of it; NAN: not known. */
static void fill(struct service_point *point, size_t points, double error)
{
	for (size_t i = 0; i < points; i++) {
		const double mean_ns = cockcroft_ms(cockcroft[i].kb) * MS;

		point[i] = (struct service_point){ cockcroft[i].kb * KB, mean_ns, error * mean_ns };
	}
}

static struct service fit_cockcroft(double error)
{
	struct service_point point[SIZES];

	fill(point, SIZES, error);
	return service_fit(point, SIZES);
}

static void the_published_table_follows_from_its_line(void **state)
{
	const struct service service = fit_cockcroft(NAN);

	(void)state;
	for (size_t i = 0; i < SIZES; i++) {
		const double ms = service_mean_ns(&service, cockcroft[i].kb * KB) / MS;

		assert_true(near(ms, cockcroft[i].service_ms, 1e-5));
		assert_true(near(cockcroft[i].kb / ms * 1000, cockcroft[i].kb_per_s, 1e-5));
		assert_true(near(1000 / ms, cockcroft[i].reads_per_s, 1e-4));
	}
}

static void its_points_give_back_their_line_by_either_weight(void **state)
{
	static const double error[] = { NAN, .01 };

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(error); i++) {
		const struct service service = fit_cockcroft(error[i]);

		assert_true(near(service.alpha_ns, 16.6 * MS, 1e-9));
		assert_true(near(service_beta(&service), 4168 * KB, 1e-9));
		assert_true(service.worst_percent < 1e-6);
		assert_true(near(service.largest_bytes, 1024 * KB, 1e-12));
	}
}

static void sizes_for_an_efficiency_follow(void **state)
{
	const struct service service = fit_cockcroft(.01);
	const struct service_size half = service_size(&service, .5), most = service_size(&service, .9);

	(void)state;
	assert_true(half.known && near(half.bytes, 69.189 * KB, 1e-5));
	assert_true(most.known && near(most.bytes, 622.699 * KB, 1e-5));
}

static void bandwidth_over_latency_peaks_at_half_bandwidth(void **state)
{
	const struct service service = fit_cockcroft(.01);
	const double half = service_size(&service, .5).bytes;
	double previous = 0;

	(void)state;
	for (double bytes = half / 8; bytes < half * 8; bytes *= 1.01) {
		const double mean = service_mean_ns(&service, bytes), power = bytes / mean / mean;

		assert_true(bytes <= half ? power > previous : bytes < 1.02 * half || power < previous);
		previous = power;
	}
}

static void weights_are_one_over_the_square_of_the_mean(void **state)
{
	static const struct service_point point[] = { { 1, 2, NAN }, { 2, 4, NAN }, { 4, 4, NAN } };
	const struct service service = service_fit(point, 3);
	/* The weighted means are 10/6 and 16/6. */
	const double slope = (16 / 9. + 4 / 9. + 28 / 9.) / (16 / 9. + 1 / 9. + 49 / 9.);

	(void)state;
	assert_true(near(service.ns_per_byte, slope, 1e-12));
	assert_true(near(service.alpha_ns, 16 / 6. - slope * 10 / 6., 1e-12));
	assert_true(near(service.worst_percent, 100 * fabs((service.alpha_ns + 2 * slope) / 4 - 1), 1e-12));
}

static void errors_weigh_only_when_all_are_known(void **state)
{
	struct service_point point[] = { { 1, 2, 1 }, { 2, 4, 1 }, { 4, 4, 1 } };

	(void)state;
	/* Plain least squares, then the weights of the test above. */
	assert_true(near(service_fit(point, 3).ns_per_byte, 24 / 42., 1e-12));
	point[1].error_ns = 0;
	assert_true(near(service_fit(point, 3).ns_per_byte, 48 / 66., 1e-12));
}

/* Known errors: the deviation of many fits to points that scatter by them is the standard error that each states. */
static void standard_errors_are_those_of_repeated_measurements(void **state)
{
	enum { FITS = 4000 };
	const double error = .02;
	double alphas = 0, alpha_squares = 0, slopes = 0, slope_squares = 0;
	struct service service = fit_cockcroft(error);
	const double alpha_error = service.alpha_error_ns, slope_error = service.ns_per_byte_error;
	struct rng rng;

	(void)state;
	rng_init(&rng, 1);
	for (int i = 0; i < FITS; i++) {
		struct service_point point[SIZES];

		fill(point, SIZES, error);
		for (size_t j = 0; j < SIZES; j++) {
			double normal = -6;

			for (int k = 0; k < 12; k++)
				normal += (double)rng_next(&rng) / 0x1p64;
			point[j].mean_ns += normal * point[j].error_ns;
		}
		service = service_fit(point, SIZES);
		alphas += service.alpha_ns;
		alpha_squares += service.alpha_ns * service.alpha_ns;
		slopes += service.ns_per_byte;
		slope_squares += service.ns_per_byte * service.ns_per_byte;
	}
	assert_true(near(sqrt(alpha_squares / FITS - alphas * alphas / FITS / FITS), alpha_error, .05));
	assert_true(near(sqrt(slope_squares / FITS - slopes * slopes / FITS / FITS), slope_error, .05));
}

static void a_line_that_misses_its_points_is_less_sure(void **state)
{
	static const struct service_point straight[] = { { 1, 10, .1 }, { 2, 20, .1 }, { 3, 30, .1 } };
	static const struct service_point bent[] = { { 1, 10, .1 }, { 2, 24, .1 }, { 3, 30, .1 } };
	const double sure = service_fit(straight, 3).ns_per_byte_error;

	(void)state;
	assert_true(near(sure, .1 / sqrt(2), 1e-9));
	/* The misses are 4/3 8/3 4/3, so that chi squared is 16/9 + 64/9 + 16/9 over .01, for one degree of freedom. */
	assert_true(near(service_fit(bent, 3).ns_per_byte_error, sure * sqrt(96 / 9. / .01), 1e-9));
}

static void two_sizes_without_errors_make_a_line_but_no_answer(void **state)
{
	static const struct service_point point[] = { { 4096, 5e6, NAN }, { 65536, 6e6, NAN } };
	const struct service service = service_fit(point, 2);

	(void)state;
	assert_true(near(service.ns_per_byte, 1e6 / 61440, 1e-12));
	assert_true(isnan(service.ns_per_byte_error) && isnan(service.alpha_error_ns));
	assert_true(isnan(service_beta(&service)));
	assert_false(service_size(&service, .9).known);
	assert_true(service_size(&service, .9).bytes == 65536 * 8);
}

static void one_size_is_no_line(void **state)
{
	static const struct service_point point = { 4096, 5e6, 1e4 };

	(void)state;
	for (size_t points = 0; points <= 1; points++) {
		const struct service service = service_fit(&point, points);

		assert_true(isnan(service.alpha_ns) && isnan(service.ns_per_byte) && isnan(service.worst_percent));
		assert_true(isnan(service_beta(&service)));
		assert_false(service_size(&service, .5).known);
		assert_true(isnan(service_size(&service, .5).bytes));
	}
}

static const struct service line = {
	.alpha_ns = 8e6, .alpha_error_ns = 1e4, .ns_per_byte = 5, .ns_per_byte_error = .1, .largest_bytes = 512 * KB,
};

static void an_answer_is_given_up_to_four_times_the_largest_size(void **state)
{
	struct service service = line;

	(void)state;
	service.alpha_ns = 4 * 512 * KB * 5;
	assert_true(service_size(&service, .5).known);
	assert_true(service_size(&service, .5).bytes == 2048 * KB);
	service.alpha_ns *= 1.01;
	assert_false(service_size(&service, .5).known);
	assert_true(service_size(&service, .5).bytes == 1024 * KB);
	assert_true(service_beta(&service) > 0);
	service.alpha_ns = 8e9;
	service.largest_bytes = 256e6;
	assert_true(service_size(&service, .9).bytes == GIB);
	service.largest_bytes = GIB;
	assert_false(service_size(&service, .9).known);
	assert_true(isnan(service_size(&service, .9).bytes));
}

static void an_answer_is_given_only_when_the_rate_is_known_to_a_tenth(void **state)
{
	static const struct {
		double relative, needed_kb;
	} example[] = {
		{ .099, 0 }, { .1, 1024 }, { .19, 1024 }, { .31, 2048 }, { 5, 4096 }, { NAN, 4096 }, { INFINITY, 4096 },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(example); i++) {
		struct service service = line;

		service.ns_per_byte_error = example[i].relative * service.ns_per_byte;
		assert_true(service_size(&service, .5).known == !(example[i].needed_kb > 0));
		assert_true(isnan(service_beta(&service)) == (example[i].needed_kb > 0));
		if (example[i].needed_kb > 0)
			assert_true(service_size(&service, .5).bytes == example[i].needed_kb * KB);
	}
}

static void latency_that_does_not_grow_with_size_tells_no_rate(void **state)
{
	static const double slope[] = { 0, -3 };

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(slope); i++) {
		struct service service = line;

		service.ns_per_byte = slope[i];
		assert_true(isnan(service_beta(&service)));
		assert_false(service_size(&service, .9).known);
		assert_true(service_size(&service, .9).bytes == 4096 * KB);
	}
}

static void without_positioning_any_size_is_efficient(void **state)
{
	struct service service = line;

	(void)state;
	service.alpha_ns = -100;
	assert_true(service_size(&service, .9).known);
	assert_true(service_size(&service, .9).bytes == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_published_table_follows_from_its_line),
		cmocka_unit_test(its_points_give_back_their_line_by_either_weight),
		cmocka_unit_test(sizes_for_an_efficiency_follow),
		cmocka_unit_test(bandwidth_over_latency_peaks_at_half_bandwidth),
		cmocka_unit_test(weights_are_one_over_the_square_of_the_mean),
		cmocka_unit_test(errors_weigh_only_when_all_are_known),
		cmocka_unit_test(standard_errors_are_those_of_repeated_measurements),
		cmocka_unit_test(a_line_that_misses_its_points_is_less_sure),
		cmocka_unit_test(two_sizes_without_errors_make_a_line_but_no_answer),
		cmocka_unit_test(one_size_is_no_line),
		cmocka_unit_test(an_answer_is_given_up_to_four_times_the_largest_size),
		cmocka_unit_test(an_answer_is_given_only_when_the_rate_is_known_to_a_tenth),
		cmocka_unit_test(latency_that_does_not_grow_with_size_tells_no_rate),
		cmocka_unit_test(without_positioning_any_size_is_efficient),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
