/* What is made of a run of --order scale: steps, what disks and bus are made of, predictions, and how good these were. */
#include "test.h"

#include <errno.h>
#include <math.h>

#include "base/clock.h"
#include "scene.h"

#define MS ((double)NS_PER_MS)

static const double window_ns = 10e9, beta = 50e6;

static struct scene scene;

static int close_scene(void **state)
{
	(void)state;
	scene_close(&scene);
	return 0;
}

static bool near(double actual, double expected, double relative)
{
	return fabs(actual - expected) <= relative * fabs(expected);
}

static bool known(double value)
{
	return !isnan(value);
}

static void prepare(unsigned disks, unsigned modes, const char *sizes)
{
	scene_init(&scene, disks);
	scene.sweep.order = ORDER_SCALE;
	scene.sweep.modes = modes;
	scene.sweep.sizes.count = 0;
	assert_null(sizes_parse(sizes, &scene.sweep.sizes));
}

/* The latency of a disk alone: 8 ms for the first, 9 ms for the second ..., and the bytes; of rereads 1 ms for all. */
static double alone_ns(const struct cell *cell, unsigned disk)
{
	return (cell->mode == MODE_REREAD ? 1 : 8 + disk) * MS + cell->block_bytes / beta * 1e9;
}

static double rate_alone(const struct cell *cell, unsigned disk)
{
	return cell->block_bytes / alone_ns(cell, disk) * 1e9;
}

static const struct cell *begin(size_t i)
{
	scene_cell(&scene, i);
	return scene.outcome.cell;
}

/* Each disk takes so many times as long as alone, with a spread of a tenth either way. */
static void reads_of_all(double times)
{
	const struct cell *cell = scene.outcome.cell;

	for (unsigned i = 0; i < cell->disks; i++) {
		const double latency_ns = times * alone_ns(cell, cell->first + i);

		if (scene.track[i].job.unfit == FITS && scene.track[i].ending == ENDED_WELL)
			scene_reads(&scene, i, (uint64_t)(window_ns / latency_ns), (int64_t)(.9 * latency_ns), (int64_t)(1.1 * latency_ns));
	}
}

/* The whole plan; a saturated bus makes rereads of several disks take as many times as long. */
static void run(bool saturated)
{
	for (size_t i = 0; i < scene.plan.cells; i++) {
		const struct cell *cell = begin(i);

		reads_of_all(saturated && cell->mode == MODE_REREAD ? cell->disks : 1);
		scene_done(&scene);
	}
	assert_int_equal(result_finish(&scene.result), 0);
}

/* Of so many disks at once; NULL: there is none. */
static const struct step *step_of(enum mode mode, uint32_t block_bytes, unsigned disks)
{
	const struct scaling *scaling = &scene.result.scaling;

	for (const struct step *step = scaling->step; step < scaling->step + scaling->steps; step++)
		if (step->cell->mode == mode && step->cell->block_bytes == block_bytes && step->cell->disks == disks)
			return step;
	return NULL;
}

static double sum_alone(const struct cell *cell)
{
	double sum = 0;

	for (unsigned i = 0; i < cell->disks; i++)
		sum += rate_alone(cell, i);
	return sum;
}

static bool is_predicted(const struct step *step)
{
	const bool is = known(step->prediction.naive);

	assert_true(known(step->prediction.bound) == is && known(step->prediction.queueing) == is && known(step->predicted) == is);
	return is;
}

static void other_orders_have_no_scaling(void **state)
{
	static const enum order order[] = { ORDER_TOGETHER, ORDER_ALONE };

	for (size_t i = 0; i < TEXT_COUNT(order); i++) {
		prepare(2, 1U << MODE_RANDOM, "4k");
		scene.sweep.order = order[i];
		scene_plan(&scene);
		run(false);
		assert_int_equal(scene.result.scaling.steps, 0);
		assert_null(scene.result.scaling.portrait);
		close_scene(state);
	}
	prepare(1, 1U << MODE_RANDOM, "4k");
	scene_plan(&scene);
}

static void each_size_has_a_step_for_each_number_of_disks(void **state)
{
	const struct step *step;

	(void)state;
	prepare(3, 1U << MODE_RANDOM, "16k,64k");
	scene_plan(&scene);
	run(false);
	step = scene.result.scaling.step;
	assert_int_equal(scene.result.scaling.steps, 6);
	for (unsigned i = 0; i < 6; i++, step++) {
		assert_int_equal(step->cell->block_bytes, i < 3 ? 16384 : 65536);
		assert_int_equal(step->cell->disks, i % 3 + 1);
		assert_int_equal(step->cell->first, 0);
		assert_true(near(step->bytes_per_second, sum_alone(step->cell), .005));
		assert_true(near(step->requests_per_second * step->cell->block_bytes, step->bytes_per_second, 1e-9));
		assert_true(near(step->alone, sum_alone(step->cell), .005));
		assert_true(near(step->one, rate_alone(step->cell, 0), .005));
	}
}

static void predictions_are_those_of_the_disks_alone(void **state)
{
	(void)state;
	prepare(3, 1U << MODE_RANDOM, "16k,64k");
	scene_plan(&scene);
	run(false);
	for (unsigned disks = 2; disks <= 3; disks++) {
		const struct step *step = step_of(MODE_RANDOM, 65536, disks);

		/* Nothing is known to be shared. */
		assert_true(near(step->prediction.naive, sum_alone(step->cell), .005));
		assert_true(step->prediction.bound == step->prediction.naive);
		assert_true(near(step->prediction.queueing, step->prediction.naive, 1e-9));
		assert_true(near(step->predicted, step->prediction.naive, 1e-9));
		assert_true(step->prediction.rounds < step->prediction.naive);
		assert_false(known(step->knee));
	}
	assert_false(is_predicted(step_of(MODE_RANDOM, 65536, 1)));
	assert_false(known(scene.result.scaling.bus.rate));
	assert_int_equal(scene.result.scaling.accuracy[WAY_NAIVE].cells, 4);
	assert_true(scene.result.scaling.accuracy[WAY_NAIVE].mean_percent < .5);
	assert_int_equal(scene.result.scaling.accuracy[WAY_CHOSEN].misses, 0);
}

static void a_bus_that_rereads_saturate_limits_random_reads(void **state)
{
	const struct step *step;
	double rate;

	(void)state;
	prepare(4, 1U << MODE_RANDOM | 1U << MODE_REREAD, "64k,512k");
	scene_plan(&scene);
	run(true);
	assert_true(scene.result.scaling.bus.saturated);
	rate = scene.result.scaling.bus.rate;
	assert_true(near(rate, 524288 / (1 + 524288 / beta * 1e3) * 1e3, .005));
	step = step_of(MODE_RANDOM, 524288, 4);
	assert_true(step->prediction.bound == rate);
	assert_true(step->prediction.queueing < rate);
	assert_true(near(step->predicted, (rate + step->prediction.queueing) / 2, 1e-9));
	assert_true(near(step->knee, 4 * rate / step->prediction.naive, 1e-9));
	/* It was pretended that the bus limits nothing: the naive sum is right, the others are not. */
	assert_int_equal(scene.result.scaling.accuracy[WAY_NAIVE].misses, 0);
	assert_true(scene.result.scaling.accuracy[WAY_BOUND].misses > 0);
	assert_true(scene.result.scaling.accuracy[WAY_CHOSEN].worst_percent < -12);
}

static void a_bus_that_scales_is_at_least_that_fast(void **state)
{
	const struct step *step;

	(void)state;
	prepare(2, 1U << MODE_RANDOM | 1U << MODE_REREAD, "64k,512k");
	scene_plan(&scene);
	run(false);
	assert_false(scene.result.scaling.bus.saturated);
	assert_true(near(scene.result.scaling.bus.rate, 2 * 524288 / (1 + 524288 / beta * 1e3) * 1e3, .005));
	step = step_of(MODE_RANDOM, 524288, 2);
	assert_true(step->prediction.bound == step->prediction.naive);
	assert_true(step->prediction.queueing < .99 * step->prediction.naive);
	assert_false(known(step->knee));
}

/* In one size a disk is lost; that must not hide what the other size tells. */
static void a_size_at_which_a_disk_is_lost_does_not_tell_of_the_bus(void **state)
{
	(void)state;
	prepare(2, 1U << MODE_REREAD, "64k,512k");
	scene_plan(&scene);
	for (size_t i = 0; i < scene.plan.cells; i++) {
		const struct cell *cell = begin(i);

		if (cell->disks == 2 && cell->block_bytes == 524288)
			scene_ends(&scene, 1, ENDED_HUNG, 0, NS_PER_S);
		reads_of_all(cell->disks);
		scene_done(&scene);
	}
	assert_int_equal(result_finish(&scene.result), 0);
	assert_true(scene.result.scaling.bus.saturated);
	assert_true(near(scene.result.scaling.bus.rate, 65536 / (1 + 65536 / beta * 1e3) * 1e3, .005));
}

static void only_raw_random_reads_are_modelled(void **state)
{
	(void)state;
	prepare(2, 1U << MODE_RANDOM | 1U << MODE_LINEAR | 1U << MODE_REREAD, "16k,64k");
	scene.sweep.accesses = 1U << ACCESS_RAW | 1U << ACCESS_COOKED;
	scene_plan(&scene);
	run(false);
	assert_int_equal(scene.result.scaling.steps, 2 * 3 * 2 * 2);
	for (const struct step *step = scene.result.scaling.step; step < scene.result.scaling.step + scene.result.scaling.steps; step++) {
		const bool modelled = step->cell->mode == MODE_RANDOM && step->cell->access == ACCESS_RAW && step->cell->disks == 2;

		assert_true(known(step->bytes_per_second) && known(step->alone));
		assert_true(is_predicted(step) == modelled);
		assert_true((step->rounds.reads > 0) == modelled);
	}
}

static void cooked_rereads_tell_nothing_of_the_bus(void **state)
{
	(void)state;
	prepare(2, 1U << MODE_RANDOM | 1U << MODE_REREAD, "16k,64k");
	scene.sweep.accesses = 1U << ACCESS_COOKED;
	scene_plan(&scene);
	run(true);
	assert_false(known(scene.result.scaling.bus.rate));
	assert_false(known(scene.result.scaling.portrait[0].random.alpha_ns));
}

static void without_a_disk_what_it_is_part_of_is_not_known(void **state)
{
	(void)state;
	prepare(3, 1U << MODE_RANDOM, "16k,64k");
	scene.disk[1].missing = true;
	scene_plan(&scene);
	run(false);
	for (unsigned disks = 1; disks <= 3; disks++) {
		const struct step *step = step_of(MODE_RANDOM, 16384, disks);

		assert_true(known(step->bytes_per_second) == (disks == 1));
		assert_true(known(step->requests_per_second) == (disks == 1));
		assert_true(known(step->alone) == (disks == 1));
		assert_true(known(step->one) && !is_predicted(step));
		assert_int_equal(step->rounds.reads, 0);
	}
	assert_false(known(scene.result.scaling.portrait[1].random.alpha_ns));
	assert_false(known(scene.result.scaling.portrait[1].first_ns));
	assert_true(known(scene.result.scaling.portrait[2].random.alpha_ns));
	assert_int_equal(scene.result.scaling.accuracy[WAY_CHOSEN].cells, 0);
}

/* It is well alone, and so there is a prediction, of what was not measured. */
static void a_disk_that_is_lost_among_others_leaves_the_prediction(void **state)
{
	const struct step *step;

	(void)state;
	prepare(2, 1U << MODE_RANDOM, "16k");
	scene_plan(&scene);
	for (size_t i = 0; i < scene.plan.cells; i++) {
		if (begin(i)->disks == 2)
			scene_ends(&scene, 0, ENDED_GONE, -ENODEV, NS_PER_S);
		reads_of_all(1);
		scene_done(&scene);
	}
	assert_int_equal(result_finish(&scene.result), 0);
	step = step_of(MODE_RANDOM, 16384, 2);
	assert_false(known(step->bytes_per_second));
	assert_true(is_predicted(step));
	assert_int_equal(scene.result.scaling.accuracy[WAY_CHOSEN].cells, 0);
}

static void a_run_that_ends_early_has_the_steps_that_were_measured(void **state)
{
	(void)state;
	prepare(3, 1U << MODE_RANDOM, "16k,64k");
	scene_plan(&scene);
	for (size_t i = 0; i < 7; i++) {
		begin(i);
		reads_of_all(1);
		scene_done(&scene);
	}
	assert_int_equal(result_finish(&scene.result), 0);
	assert_int_equal(scene.result.scaling.steps, 3);
	assert_true(is_predicted(step_of(MODE_RANDOM, 16384, 2)));
	assert_null(step_of(MODE_RANDOM, 65536, 2));
	assert_null(step_of(MODE_RANDOM, 16384, 3));
}

static void where_rounds_are_seen_they_are_predicted(void **state)
{
	const struct step *step;

	(void)state;
	prepare(3, 1U << MODE_RANDOM, "16k");
	scene_plan(&scene);
	for (size_t i = 0; i < scene.plan.cells; i++) {
		if (begin(i)->disks == 3)
			scene_rounds(&scene, 999);
		else
			reads_of_all(1);
		scene_done(&scene);
	}
	assert_int_equal(result_finish(&scene.result), 0);
	step = step_of(MODE_RANDOM, 16384, 3);
	assert_int_equal(step->rounds.verdict, ROUNDS_STRICT);
	assert_true(step->predicted == step->prediction.rounds);
	step = step_of(MODE_RANDOM, 16384, 2);
	assert_int_not_equal(step->rounds.verdict, ROUNDS_STRICT);
	assert_true(step->predicted == (step->prediction.queueing + step->prediction.bound) / 2);
}

static void a_disk_alone_shows_what_it_is_made_of(void **state)
{
	(void)state;
	prepare(2, 1U << MODE_RANDOM | 1U << MODE_LINEAR | 1U << MODE_REREAD, "16k:1m");
	scene_plan(&scene);
	run(false);
	for (unsigned disk = 0; disk < 2; disk++) {
		const struct portrait *portrait = &scene.result.scaling.portrait[disk];
		const double smallest_ns = (8 + disk) * MS + 16384 / beta * 1e9;

		assert_true(near(portrait->random.alpha_ns, (8 + disk) * MS, .001));
		assert_true(near(service_beta(&portrait->random), beta, .001));
		assert_true(near(portrait->reread.alpha_ns, MS, .001));
		assert_true(near(service_beta(&portrait->reread), beta, .001));
		assert_true(near(portrait->linear, 1048576 / ((8 + disk) * MS + 1048576 / beta * 1e9) * 1e9, .001));
		/* Uniform over .9 .. 1.1: the first of two is a third of the way from there, the last two. */
		assert_true(near(portrait->first_ns, (.9 + .2 / 3) * smallest_ns, .005));
		assert_true(near(portrait->last_ns, (.9 + .4 / 3) * smallest_ns, .005));
	}
}

static void one_disk_has_no_others_to_scale_with(void **state)
{
	(void)state;
	prepare(1, 1U << MODE_RANDOM | 1U << MODE_REREAD, "16k,1m");
	scene_plan(&scene);
	run(false);
	assert_int_equal(scene.result.scaling.steps, 4);
	assert_true(near(scene.result.scaling.portrait[0].random.alpha_ns, 8 * MS, .001));
	assert_false(known(scene.result.scaling.bus.rate));
	assert_int_equal(scene.result.scaling.accuracy[WAY_CHOSEN].cells, 0);
}

/* Where a disk is slower, further in, is another line. */
static void of_several_spans_the_first_makes_the_portrait(void **state)
{
	(void)state;
	prepare(2, 1U << MODE_RANDOM, "16k,1m");
	assert_null(spans_parse("50%:10%,0:10%", &scene.sweep.spans));
	scene_plan(&scene);
	for (size_t i = 0; i < scene.plan.cells; i++) {
		reads_of_all(begin(i)->span.start.value ? 2 : 1);
		scene_done(&scene);
	}
	assert_int_equal(result_finish(&scene.result), 0);
	assert_true(near(scene.result.scaling.portrait[0].random.alpha_ns, 16 * MS, .001));
	assert_true(near(service_beta(&scene.result.scaling.portrait[0].random), beta / 2, .001));
	assert_true(near(scene.result.scaling.portrait[0].first_ns, 2 * (.9 + .2 / 3) * (8 * MS + 16384 / beta * 1e9), .005));
	assert_int_equal(scene.result.scaling.steps, 8);
}

#define SCENE_TEST(test) cmocka_unit_test_teardown(test, close_scene)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE_TEST(other_orders_have_no_scaling),
		SCENE_TEST(each_size_has_a_step_for_each_number_of_disks),
		SCENE_TEST(predictions_are_those_of_the_disks_alone),
		SCENE_TEST(a_bus_that_rereads_saturate_limits_random_reads),
		SCENE_TEST(a_bus_that_scales_is_at_least_that_fast),
		SCENE_TEST(a_size_at_which_a_disk_is_lost_does_not_tell_of_the_bus),
		SCENE_TEST(only_raw_random_reads_are_modelled),
		SCENE_TEST(cooked_rereads_tell_nothing_of_the_bus),
		SCENE_TEST(without_a_disk_what_it_is_part_of_is_not_known),
		SCENE_TEST(a_disk_that_is_lost_among_others_leaves_the_prediction),
		SCENE_TEST(a_run_that_ends_early_has_the_steps_that_were_measured),
		SCENE_TEST(where_rounds_are_seen_they_are_predicted),
		SCENE_TEST(a_disk_alone_shows_what_it_is_made_of),
		SCENE_TEST(one_disk_has_no_others_to_scale_with),
		SCENE_TEST(of_several_spans_the_first_makes_the_portrait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
