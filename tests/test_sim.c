/* The simulated spinning disks do what their parameters say; all in virtual time. */
#include "test.h"

#include <math.h>

#include "sim/closed_loop.h"
#include "sim/model.h"

#define MS 1e6

enum { KIB = 1024, READS = 20000 };

/* A percentage of what is wanted. */
static void close_to(double got, double wanted, double percent)
{
	if (!(fabs(got - wanted) <= fabs(wanted) * percent / 100)) {
		print_error("got %.9g, wanted %.9g within %g %%\n", got, wanted, percent);
		fail();
	}
}

/* The default ones, changed by "key=value key=value". */
static struct parameters with(const char *text)
{
	struct parameters parameters = parameters_default;
	char copy[128], reason[160], *rest = copy;

	snprintf(copy, sizeof copy, "%s", text);
	for (char *word = strtok_r(rest, " ", &rest); word; word = strtok_r(rest, " ", &rest)) {
		char *value = strchr(word, '=');

		assert_non_null(value);
		*value++ = 0;
		assert_int_equal(parameters_set(&parameters, word, value, reason), 0);
	}
	assert_int_equal(parameters_check(&parameters, reason), 0);
	return parameters;
}

static struct closed_loop_result looped(const char *text, enum access access, unsigned disks, unsigned kib)
{
	struct parameters parameters = with(text);
	struct closed_loop loop = { .access = access, .disks = disks, .block_bytes = (uint64_t)kib * KIB, .reads = READS };
	struct closed_loop_result result;

	assert_int_equal(closed_loop_run(&parameters, &loop, &result), 0);
	return result;
}

static struct closed_loop_result random_reads(const char *text, unsigned disks, unsigned kib)
{
	return looped(text, ACCESS_RANDOM, disks, kib);
}

/* The default disks' mean overhead and positioning. */
static double alpha_ns(void)
{
	return parameters_default.overhead_ms * MS + parameters_mean_seek_ns(&parameters_default) +
	       parameters_turn_ns(&parameters_default) / 2;
}

static void parameters_are_read_whole_or_refused(void **state)
{
	static const struct {
		const char *key, *value, *reason;
	} wrong[] = {
		{ "disk", "1", "'disk' is no parameter of the disks" },
		{ "disks", "1.5", "disks '1.5' is not a whole number from 1 to 16" },
		{ "disks", "17", "disks '17' is not a whole number from 1 to 16" },
		{ "rpm", "", "rpm '' is not a number from 60 to 1000000" },
		{ "rpm", "5400x", "rpm '5400x' is not a number from 60 to 1000000" },
		{ "size", "1kb", "size '1kb' is not a whole number from 512 to 1125899906842624" },
		{ "rounds", "1", "rounds '1' is neither on nor off" },
	};
	struct parameters parameters = with("size=1g rate=8e6 rounds=on fence=0");
	char reason[160];

	(void)state;
	assert_true(parameters.size_bytes == 0x1p30 && parameters.rate == 8e6 && parameters.rounds == 1 && parameters.fence == 0);
	for (size_t i = 0; i < TEXT_COUNT(wrong); i++) {
		assert_int_equal(parameters_set(&parameters, wrong[i].key, wrong[i].value, reason), -1);
		assert_string_equal(reason, wrong[i].reason);
	}
}

static void disks_that_cannot_be_are_refused(void **state)
{
	struct parameters parameters = parameters_default;
	char reason[160];

	(void)state;
	parameters.stroke_ms = 1;
	assert_int_equal(parameters_check(&parameters, reason), -1);
	assert_string_equal(reason, "stroke-ms 1 is less than track-ms 1.5");
	parameters = parameters_default;
	parameters.size_bytes = 1e6 + 1;
	assert_int_equal(parameters_check(&parameters, reason), -1);
	assert_string_equal(reason, "size 1000001 is not a multiple of 512");
	parameters.size_bytes = 131072;
	assert_int_equal(parameters_check(&parameters, reason), -1);
	assert_string_equal(reason, "size 131072 is less than three tracks of 88889 bytes");
}

/* 101 tracks of 80000 bytes, 10 ms a turn. */
static void the_seek_curve_goes_from_track_to_stroke(void **state)
{
	struct parameters parameters = with("rpm=6000 rate=8e6 size=8079872 track-ms=2 stroke-ms=20");

	(void)state;
	assert_true(parameters_tracks(&parameters) == 101);
	assert_true(parameters_seek_ns(&parameters, 0) == 0);
	close_to(parameters_seek_ns(&parameters, 1), 2 * MS, 1e-9);
	close_to(parameters_seek_ns(&parameters, 100), 20 * MS, 1e-9);
	/* 25 of 99 steps: (sqrt(25/99) + 25/99)/2 = .377521 of 18 ms. */
	close_to(parameters_seek_ns(&parameters, 26), 8.795372 * MS, 1e-3);
}

static void the_mean_seek_is_that_of_random_pairs(void **state)
{
	struct parameters parameters = with("track-ms=2 stroke-ms=20");
	double tracks = parameters_tracks(&parameters), sum = 0;

	(void)state;
	close_to(parameters_mean_seek_ns(&parameters), (2 + 18 * 13. / 30) * MS, .1);
	for (unsigned i = 0; i < 100000; i++) {
		double from = (double)(sim_hash(1, i) % (uint64_t)tracks), to = (double)(sim_hash(2, i) % (uint64_t)tracks);

		sum += parameters_seek_ns(&parameters, fabs(from - to));
	}
	close_to(sum / 100000, parameters_mean_seek_ns(&parameters), .5);
}

static void a_random_read_seeks_and_waits_for_half_a_turn(void **state)
{
	static const char *const disks[] = { "rpm=5400", "rpm=7200 fence=0", "rpm=15000 track-ms=.4 stroke-ms=8", "cache=off" };

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(disks); i++) {
		struct parameters parameters = with(disks[i]);
		struct closed_loop_result result = random_reads(disks[i], 1, 16);

		close_to(result.rotation_mean_ns, parameters_turn_ns(&parameters) / 2, 1);
		close_to(result.seek_mean_ns, parameters_mean_seek_ns(&parameters), 1);
	}
}

static void a_disk_alone_takes_alpha_and_the_bytes_times(void **state)
{
	static const struct {
		const char *disks;
		double ns_a_byte;
	} cases[] = {
		{ "fence=255", 1e9 / 8e6 + 1e9 / 20e6 },
		{ "fence=0", 1e9 / 8e6 },
		{ "fence=0 bus=4e6", 1e9 / 4e6 },
		{ "fence=255 rounds=on", 1e9 / 8e6 + 1e9 / 20e6 },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		for (unsigned kib = 16; kib <= 512; kib *= 2) {
			struct closed_loop_result result = random_reads(cases[i].disks, 1, kib);
			double service_ns = alpha_ns() + kib * KIB * cases[i].ns_a_byte;

			close_to(result.latency_mean_ns, service_ns, 1);
			close_to(result.requests_per_second, 1e9 / service_ns, 1);
		}
	}
}

static void a_fast_bus_adds_the_disks_up(void **state)
{
	double one = random_reads("bus=1e9", 1, 64).bytes_per_second;

	(void)state;
	for (unsigned disks = 2; disks <= 4; disks++)
		close_to(random_reads("bus=1e9", disks, 64).bytes_per_second, disks * one, 1);
}

static void a_saturated_bus_is_never_idle(void **state)
{
	(void)state;
	close_to(random_reads("bus=2e6", 4, 128).bytes_per_second, 2e6, .1);
	close_to(random_reads("bus=2e6 fence=0", 4, 128).bytes_per_second, 2e6, .1);
	close_to(looped("bus=10e6", ACCESS_REREAD, 4, 64).bytes_per_second, 10e6, .1);
}

/* In rounds, the one read last is there when the others have sent theirs: at fence 0 it sends while the others still seek. */
static void an_early_fence_is_faster(void **state)
{
	(void)state;
	for (unsigned disks = 1; disks <= 4; disks++) {
		double late = random_reads("rounds=on fence=255", disks, 128).bytes_per_second;

		assert_true(random_reads("rounds=on fence=0", disks, 128).bytes_per_second > late * 1.05);
	}
}

/* Two disks whose media feed the bus to the full: a MiB passes each in 131.072 ms, and neither keeps it from the other. */
static void what_a_disk_leaves_of_the_bus_is_the_next_ones(void **state)
{
	struct parameters parameters = with("fence=0 bus=16e6");
	struct model *model = model_new(&parameters);
	struct sim_read read[2] = { { .offset = 1 << 30, .bytes = 1 << 20 }, { .disk = 1, .offset = 1 << 29, .bytes = 1 << 20 } };

	(void)state;
	assert_non_null(model);
	for (unsigned i = 0; i < 2; i++)
		model_submit(model, &read[i], 0);
	model_advance(model, 1000 * MS);
	for (unsigned i = 0; i < 2; i++)
		close_to(read[i].finished_ns - read[i].seek_ns - read[i].rotation_ns, 131.572 * MS, 1e-6);
	model_free(model);
}

/* E[max over k of A(k) + (D-k+1) b], the A(k) sorted, from draws of positioning times by their definition. */
static double round_ns(const struct parameters *parameters, unsigned disks, double bytes)
{
	double sum = 0, bus_ns = bytes / parameters->bus * 1e9, tracks = parameters_tracks(parameters);
	uint64_t draw = 0;

	for (unsigned i = 0; i < READS; i++) {
		double ready[SIM_DISKS_MAX], bus_free = 0;

		for (unsigned d = 0; d < disks; d++, draw += 3) {
			double distance = fabs((double)(sim_hash(7, draw) % (uint64_t)tracks) -
					       (double)(sim_hash(7, draw + 1) % (uint64_t)tracks));
			double turn = ldexp((double)sim_hash(7, draw + 2), -64) * parameters_turn_ns(parameters);
			unsigned place = d;

			ready[d] = parameters_seek_ns(parameters, distance) + turn;
			for (; place > 0 && ready[place - 1] > ready[place]; place--) {
				double later = ready[place - 1];

				ready[place - 1] = ready[place];
				ready[place] = later;
			}
		}
		for (unsigned d = 0; d < disks; d++)
			bus_free = fmax(bus_free, ready[d]) + bus_ns;
		sum += bus_free;
	}
	return parameters->overhead_ms * MS + bytes / parameters->rate * 1e9 + sum / READS;
}

static void strict_rounds_take_their_slowest_disk_and_the_bus(void **state)
{
	struct parameters parameters = with("rounds=on");

	(void)state;
	for (unsigned disks = 1; disks <= 4; disks++) {
		struct closed_loop_result result = random_reads("rounds=on", disks, 64);

		close_to(result.requests_per_second, disks * 1e9 / round_ns(&parameters, disks, 64 * KIB), 1);
	}
}

static void only_strict_rounds_keep_disks_together(void **state)
{
	struct closed_loop_result strict = random_reads("rounds=on", 4, 64), loose = random_reads("rounds=off", 4, 64);

	(void)state;
	assert_true(strict.share_within_one == 1 && strict.largest_spread == 1);
	assert_true(loose.share_within_one < .5 && loose.largest_spread > 10);
}

/* Between issue and completion of one read, all else being still. */
static double one_read_ns(struct model *model, unsigned disk, uint64_t offset, uint64_t bytes, double at_ns)
{
	struct sim_read read = { .disk = disk, .offset = offset, .bytes = bytes };

	model_advance(model, at_ns);
	model_submit(model, &read, at_ns);
	while (!read.finished) {
		double due = model_due(model, &read);

		assert_true(isfinite(due) && due >= at_ns);
		model_advance(model, due);
	}
	return read.finished_ns - read.arrived_ns;
}

/* .5 ms of overhead, 64 KiB in 3.2768 ms over the bus and in 8.192 ms over the head. */
static void a_cache_sends_the_last_block_again_and_reads_ahead(void **state)
{
	struct parameters parameters = with("cache=on");
	struct model *model = model_new(&parameters);

	(void)state;
	assert_non_null(model);
	one_read_ns(model, 0, 640 * KIB, 64 * KIB, 1 * MS);
	close_to(one_read_ns(model, 0, 640 * KIB, 64 * KIB, 1000 * MS), 3.7768 * MS, 1e-6);
	close_to(one_read_ns(model, 0, 648 * KIB, 32 * KIB, 1100 * MS), 2.1384 * MS, 1e-6);
	close_to(one_read_ns(model, 0, 704 * KIB, 64 * KIB, 1200 * MS), 3.7768 * MS, 1e-6);
	/* So long ago, it has read ahead as far as it may. */
	close_to(one_read_ns(model, 0, 704 * KIB, 64 * KIB, 9000 * MS), 3.7768 * MS, 1e-6);
	assert_true(one_read_ns(model, 0, 0, 64 * KIB, 9100 * MS) > 11.9 * MS);
	model_free(model);
	close_to(looped("cache=on", ACCESS_LINEAR, 1, 64).bytes_per_second, 8e6, .1);
}

static void without_a_cache_the_platter_comes_round_again(void **state)
{
	(void)state;
	close_to(looped("cache=off rpm=3600", ACCESS_REREAD, 1, 4).requests_per_second, 60, 1e-6);
	close_to(looped("cache=off rpm=3600", ACCESS_REREAD, 2, 4).requests_per_second, 120, 1e-6);
}

/* As random reads of a megabyte come out of the block layer: the later half may come first, and the other some time after. */
static void pieces_of_a_read_are_one_command(void **state)
{
	static const double after_ms[] = { 0, .4, 1.9 };
	struct parameters parameters = with("track-ms=2");

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(after_ms); i++) {
		struct model *model = model_new(&parameters);
		struct sim_read late = { .offset = (4 << 20) + 512 * KIB, .bytes = 512 * KIB };
		struct sim_read early = { .offset = 4 << 20, .bytes = 512 * KIB };

		assert_non_null(model);
		model_submit(model, i % 2 ? &early : &late, 0);
		model_advance(model, after_ms[i] * MS);
		model_submit(model, i % 2 ? &late : &early, after_ms[i] * MS);
		model_advance(model, 1000 * MS);
		assert_true(late.finished && early.finished && late.finished_ns == early.finished_ns);
		close_to(late.finished_ns - late.seek_ns - late.rotation_ns, (.5 + 131.072 + 52.4288) * MS, 1e-6);
		model_free(model);
	}
}

/* The later half makes the arm move, but what was missing comes before it gets there. A MiB passes in 131.072 ms. */
static void pieces_of_a_linear_read_pass_the_head_once(void **state)
{
	struct parameters parameters = with("overhead-ms=0");
	struct model *model = model_new(&parameters);
	double at_ns;

	(void)state;
	assert_non_null(model);
	at_ns = one_read_ns(model, 0, 0, 1024 * KIB, 0);
	at_ns += one_read_ns(model, 0, 1024 * KIB, 1024 * KIB, at_ns);
	for (uint64_t mib = 2; mib < 10; mib++) {
		struct sim_read late = { .offset = (mib << 20) + 512 * KIB, .bytes = 512 * KIB };
		struct sim_read early = { .offset = mib << 20, .bytes = 512 * KIB };

		model_submit(model, &late, at_ns);
		model_advance(model, at_ns + .1 * MS);
		model_submit(model, &early, at_ns + .1 * MS);
		model_advance(model, at_ns + 131.0720001 * MS);
		assert_true(late.finished && early.finished && late.finished_ns == early.finished_ns);
		close_to(late.finished_ns - at_ns, 131.072 * MS, 1e-6);
		at_ns = late.finished_ns;
	}
	model_free(model);
}

static void reads_of_a_deep_queue_are_served_one_by_one(void **state)
{
	struct parameters parameters = with("bus=1e12");
	struct model *model = model_new(&parameters);
	struct sim_read read[8] = { 0 };

	(void)state;
	assert_non_null(model);
	for (unsigned i = 0; i < 8; i++) {
		read[i].offset = (uint64_t)(i * 5 % 8) << 28;
		read[i].bytes = 4 * KIB;
		model_submit(model, &read[i], 0);
	}
	model_advance(model, 1000 * MS);
	for (unsigned i = 1; i < 8; i++)
		close_to(read[i].finished_ns - read[i - 1].finished_ns - read[i].seek_ns - read[i].rotation_ns, 1.012 * MS, .1);
	model_free(model);
}

/* The way there and back is then none of the disk's time. */
static void a_read_may_have_arrived_before_now(void **state)
{
	struct parameters parameters = with("");

	(void)state;
	for (unsigned i = 0; i < 100; i++) {
		struct model *prompt = model_new(&parameters), *tardy = model_new(&parameters);
		struct sim_read a = { .offset = sim_hash(3, i) % (4 << 20) * KIB, .bytes = 4 * KIB }, b = a;

		assert_true(prompt && tardy);
		model_submit(prompt, &a, 20 * MS);
		model_advance(prompt, 100 * MS);
		model_advance(tardy, 20.7 * MS);
		model_submit(tardy, &b, 20 * MS);
		assert_true(isinf(model_idle_since(tardy, 0)));
		model_advance(tardy, 100 * MS);
		assert_true(a.finished && b.finished && a.finished_ns == b.finished_ns);
		assert_true(model_idle_since(tardy, 0) == b.finished_ns);
		model_free(prompt);
		model_free(tardy);
	}
}

static void a_round_waits_for_its_disks_but_not_for_ever(void **state)
{
	struct parameters parameters = with("rounds=on disks=3");
	struct model *model = model_new(&parameters);
	struct sim_read a = { .disk = 0, .bytes = 4 * KIB }, b = { .disk = 1, .bytes = 4 * KIB }, again = a, next = b;
	double over_ns;

	(void)state;
	assert_non_null(model);
	model_submit(model, &a, 0);
	model_submit(model, &b, 0);
	model_advance(model, 100 * MS);
	assert_true(a.finished && b.finished);
	over_ns = fmax(a.finished_ns, b.finished_ns);

	/* b sends none: a waits, until it is forgotten; then a goes on alone. */
	model_submit(model, &again, 100 * MS);
	model_advance(model, 200 * MS);
	assert_false(again.finished);
	assert_true(model_due(model, &again) == over_ns + MODEL_PATIENCE_NS);
	model_advance(model, 500 * MS);
	assert_true(again.finished);
	close_to(one_read_ns(model, 0, 0, 4 * KIB, 600 * MS), .7048 * MS, 1e-6);

	/* It joins again as soon as no round goes on. */
	model_submit(model, &next, 700 * MS);
	model_submit(model, &again, 700 * MS);
	model_advance(model, 800 * MS);
	assert_true(next.finished && again.finished);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parameters_are_read_whole_or_refused),
		cmocka_unit_test(disks_that_cannot_be_are_refused),
		cmocka_unit_test(the_seek_curve_goes_from_track_to_stroke),
		cmocka_unit_test(the_mean_seek_is_that_of_random_pairs),
		cmocka_unit_test(a_random_read_seeks_and_waits_for_half_a_turn),
		cmocka_unit_test(a_disk_alone_takes_alpha_and_the_bytes_times),
		cmocka_unit_test(a_fast_bus_adds_the_disks_up),
		cmocka_unit_test(a_saturated_bus_is_never_idle),
		cmocka_unit_test(what_a_disk_leaves_of_the_bus_is_the_next_ones),
		cmocka_unit_test(an_early_fence_is_faster),
		cmocka_unit_test(strict_rounds_take_their_slowest_disk_and_the_bus),
		cmocka_unit_test(only_strict_rounds_keep_disks_together),
		cmocka_unit_test(a_cache_sends_the_last_block_again_and_reads_ahead),
		cmocka_unit_test(without_a_cache_the_platter_comes_round_again),
		cmocka_unit_test(pieces_of_a_read_are_one_command),
		cmocka_unit_test(pieces_of_a_linear_read_pass_the_head_once),
		cmocka_unit_test(reads_of_a_deep_queue_are_served_one_by_one),
		cmocka_unit_test(a_read_may_have_arrived_before_now),
		cmocka_unit_test(a_round_waits_for_its_disks_but_not_for_ever),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
