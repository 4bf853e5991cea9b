/* One of several equal disks that is slower than the others is named, and nothing else is. */
#include "test.h"

#include <errno.h>

#include "base/clock.h"
#include "scene.h"

#define ADVICE ": look at its SMART data, its link and its slot."

static struct scene scene;

static void start(unsigned disks)
{
	scene_init(&scene, disks);
	for (unsigned i = 0; i < disks; i++)
		strcpy(scene.disk[i].model, "ST4000DM004-2CV1");
	scene.sweep.sizes.count = 0;
	assert_null(sizes_parse("64k,1m", &scene.sweep.sizes));
}

/* A cell in which the disks complete so many reads in their 10 s. */
static void measure(size_t cell, const unsigned reads[SCENE_DISKS])
{
	scene_cell(&scene, cell);
	for (unsigned i = 0; i < scene.disks; i++)
		scene_reads(&scene, i, reads[i], NS_PER_MS, NS_PER_MS);
}

/* note: the only one of siblings; NULL: none. */
static void assert_note(const char *what, const char *note)
{
	const char *found = NULL;

	assert_int_equal(result_finish(&scene.result), 0);
	for (size_t i = 0; i < scene.result.notes.count; i++) {
		if (!strstr(scene.result.notes.word[i], "siblings"))
			continue;
		if (found)
			fail_msg("%s: '%s' and '%s'", what, found, scene.result.notes.word[i]);
		found = scene.result.notes.word[i];
	}
	if (!found != !note || (note && strcmp(found, note) != 0))
		fail_msg("%s: %s", what, found ? found : "nothing");
	scene_close(&scene);
}

static void a_disk_slower_than_its_siblings_is_named(void **state)
{
	static const struct {
		const char *what;
		unsigned disks, reads[SCENE_DISKS];
		const char *note;
	} cases[] = {
		{ "eight equal ones", 8, { 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000 }, NULL },
		{ "one of eight", 8, { 1000, 1010, 990, 1000, 1000, 690, 1005, 995 },
		  "sdf: 31 % slower than its 7 siblings at random 64k" ADVICE },
		{ "one of four", 4, { 1000, 800, 1000, 1000 }, "sdb: 20 % slower than its 3 siblings at random 64k" ADVICE },
		{ "one of three", 3, { 1000, 500, 1000 }, NULL },
		{ "5 %", 4, { 1000, 950, 1000, 1000 }, NULL },
		{ "a little over 5 %", 4, { 1000, 949, 1000, 1000 }, "sdb: 5 % slower than its 3 siblings at random 64k" ADVICE },
		{ "less than three times the others' range", 4, { 1040, 800, 1000, 960 }, NULL },
		{ "more than that", 4, { 1033, 800, 1000, 967 }, "sdb: 20 % slower than its 3 siblings at random 64k" ADVICE },
		{ "one that is faster", 4, { 1000, 1000, 1000, 2000 }, NULL },
		{ "two of four", 4, { 1000, 500, 1000, 500 }, NULL },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		start(cases[i].disks);
		scene_plan(&scene);
		measure(0, cases[i].reads);
		scene_done(&scene);
		assert_note(cases[i].what, cases[i].note);
	}
}

static void siblings_are_of_one_model_and_size(void **state)
{
	static const unsigned reads[SCENE_DISKS] = { 1000, 500, 1000, 1000, 1000 };
	static const char *const named = "sdb: 50 % slower than its 4 siblings at random 64k" ADVICE;
	static const char *const less = "sdb: 50 % slower than its 3 siblings at random 64k" ADVICE;

	(void)state;
	for (int what = 0; what < 6; what++) {
		start(5);
		for (unsigned i = 0; i < 5; i++) {
			struct device_info *info = &scene.disk[i];

			if (what == 1 && i == 1)
				strcpy(info->model, "another");
			else if (what == 2 && i == 1)
				info->size_bytes /= 2;
			else if (what == 3)
				*info->model = '\0';
			else if (what == 4 && i == 4)
				strcpy(info->model, "another");
			else if (what == 5 && i > 2)
				info->size_bytes /= 2;
		}
		scene_plan(&scene);
		measure(0, reads);
		scene_done(&scene);
		assert_note("models and sizes", what == 0 ? named : what == 4 ? less : NULL);
	}
}

static void the_worst_of_several_cells_is_told(void **state)
{
	static const unsigned first[SCENE_DISKS] = { 1000, 900, 1000, 1000 }, second[SCENE_DISKS] = { 200, 100, 200, 200 };

	(void)state;
	start(4);
	scene_plan(&scene);
	measure(0, first);
	scene_done(&scene);
	measure(1, second);
	scene_done(&scene);
	assert_note("cells", "sdb: 50 % slower than its 3 siblings in 2 cells, most in random 1m" ADVICE);
}

/* Its figures cover less than the window. */
static void lost_disks_neither_are_slow_nor_judge(void **state)
{
	static const unsigned reads[SCENE_DISKS] = { 1000, 500, 1000, 1000 };

	(void)state;
	for (unsigned lost = 0; lost < 2; lost++) {
		start(4);
		scene_plan(&scene);
		measure(0, reads);
		scene_ends(&scene, lost, ENDED_GONE, -ENODEV, 5 * NS_PER_S);
		scene_done(&scene);
		assert_note("lost", NULL);
	}
}

static void disks_one_after_another_are_not_compared(void **state)
{
	(void)state;
	start(4);
	scene.sweep.order = ORDER_ALONE;
	scene_plan(&scene);
	for (size_t cell = 0; cell < scene.plan.cells; cell++) {
		scene_cell(&scene, cell);
		scene_reads(&scene, 0, cell < 2 ? 500 : 1000, NS_PER_MS, NS_PER_MS);
		scene_done(&scene);
	}
	assert_note("alone", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_disk_slower_than_its_siblings_is_named),
		cmocka_unit_test(siblings_are_of_one_model_and_size),
		cmocka_unit_test(the_worst_of_several_cells_is_told),
		cmocka_unit_test(lost_disks_neither_are_slow_nor_judge),
		cmocka_unit_test(disks_one_after_another_are_not_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
