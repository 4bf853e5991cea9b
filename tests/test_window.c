/* The window opens and closes so that even a few long reads give an unbiased rate, and every read is judged by its
 * completion alone. */
#include "test.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>

#include "base/clock.h"
#include "base/rng.h"
#include "collect/window.h"

/* The moments of these tests are plain numbers: the warm-up ends at 100, the planned time is 1000. */
enum { WARM = 100, TIME = 1000 };

static struct window *window_of(unsigned disks)
{
	struct window *window = window_new(disks);

	assert_non_null(window);
	window_plan(window, WARM, TIME, false);
	return window;
}

static void nothing_is_known_before_every_disk_has_completed_a_read(void **state)
{
	struct window *window = window_of(2);

	(void)state;
	for (int64_t now_ns = 10; now_ns < 5000; now_ns += 10)
		assert_false(window_complete(window, 0, now_ns));
	assert_int_equal(window_start_ns(window), INT64_MAX);
	assert_int_equal(window_end_ns(window), INT64_MAX);
	free(window);
}

static void it_opens_at_the_end_of_the_warm_up_and_closes_as_planned(void **state)
{
	struct window *window = window_of(2);

	(void)state;
	assert_false(window_complete(window, 0, 10));
	assert_false(window_complete(window, 1, 90));
	assert_int_equal(window_start_ns(window), WARM);
	assert_false(window_complete(window, 0, 95));
	assert_false(window_complete(window, 0, WARM));
	assert_true(window_complete(window, 0, WARM + 1));
	assert_int_equal(window_end_ns(window), INT64_MAX);
	assert_true(window_complete(window, 1, 300));
	assert_int_equal(window_end_ns(window), WARM + TIME);
	assert_true(window_complete(window, 0, WARM + TIME));
	assert_false(window_complete(window, 0, WARM + TIME + 1));
	assert_false(window_complete(window, 1, 5000));
	assert_int_equal(window_end_ns(window), WARM + TIME);
	free(window);
}

static void a_read_that_completes_with_the_warm_up_does_not_open_it_later(void **state)
{
	struct window *window = window_of(1);

	(void)state;
	assert_false(window_complete(window, 0, WARM));
	assert_int_equal(window_start_ns(window), WARM);
	assert_true(window_complete(window, 0, WARM + 400));
	assert_int_equal(window_end_ns(window), WARM + TIME);
	free(window);
}

static void a_slow_disk_opens_it_by_a_read_that_does_not_count_and_closes_it_by_one_that_does(void **state)
{
	struct window *window = window_of(2);

	(void)state;
	assert_false(window_complete(window, 0, 50));
	assert_false(window_complete(window, 0, 150));
	assert_false(window_complete(window, 1, 400));
	assert_int_equal(window_start_ns(window), 400);
	assert_false(window_complete(window, 0, 400));
	assert_true(window_complete(window, 0, 401));
	assert_true(window_complete(window, 1, 700));
	assert_true(window_complete(window, 1, 1000));
	assert_true(window_complete(window, 1, 1300));
	/* The planned end, 1400, is over: the fast disk goes on until the slow one has completed its read. */
	assert_true(window_complete(window, 0, 1450));
	assert_int_equal(window_end_ns(window), INT64_MAX);
	assert_true(window_complete(window, 1, 1600));
	assert_int_equal(window_end_ns(window), 1600);
	assert_true(window_complete(window, 0, 1600));
	assert_false(window_complete(window, 0, 1601));
	free(window);
}

static void a_disk_that_opened_it_may_close_it_at_the_planned_end_exactly(void **state)
{
	struct window *window = window_of(1);

	(void)state;
	assert_false(window_complete(window, 0, 500));
	assert_true(window_complete(window, 0, 1000));
	assert_true(window_complete(window, 0, 1500));
	assert_int_equal(window_end_ns(window), 1500);
	free(window);
}

static void it_stays_open_until_every_disk_has_had_a_read_inside(void **state)
{
	struct window *window = window_of(2);

	(void)state;
	window_complete(window, 0, 10);
	window_complete(window, 1, 90);
	assert_true(window_complete(window, 0, 500));
	assert_true(window_complete(window, 0, 1500));
	assert_int_equal(window_end_ns(window), INT64_MAX);
	assert_true(window_complete(window, 1, 1700));
	assert_int_equal(window_end_ns(window), 1700);
	assert_false(window_complete(window, 0, 1701));
	free(window);
}

static void the_disk_that_opened_it_waits_for_the_others_too_but_no_longer(void **state)
{
	struct window *window = window_of(2);

	(void)state;
	window_complete(window, 1, 90);
	window_complete(window, 0, 200);
	assert_true(window_complete(window, 0, 1300));
	assert_int_equal(window_end_ns(window), INT64_MAX);
	assert_true(window_complete(window, 1, 1400));
	assert_int_equal(window_end_ns(window), 1400);
	assert_false(window_complete(window, 0, 1500));
	free(window);
}

static void it_closes_at_the_earliest_moment_that_anybody_asks_for(void **state)
{
	static const struct {
		int64_t first_ns, second_ns, end_ns;
	} cases[] = { { 600, 700, 600 }, { 700, 600, 600 }, { 600, 600, 600 }, { 2000, 3000, WARM + TIME } };

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		struct window *window = window_of(1);

		window_complete(window, 0, 10);
		assert_true(window_complete(window, 0, 500));
		window_close(window, cases[i].first_ns);
		window_close(window, cases[i].second_ns);
		assert_int_equal(window_end_ns(window), cases[i].end_ns);
		assert_true(window_complete(window, 0, cases[i].end_ns));
		assert_false(window_complete(window, 0, cases[i].end_ns + 1));
		free(window);
	}
}

static void a_signal_in_the_warm_up_lets_no_read_count(void **state)
{
	struct window *window = window_of(2);

	(void)state;
	window_complete(window, 0, 10);
	window_close(window, 50);
	for (int64_t now_ns = 51; now_ns < 5000; now_ns += 7)
		for (unsigned disk = 0; disk < 2; disk++)
			assert_false(window_complete(window, disk, now_ns));
	assert_int_equal(window_end_ns(window), 50);
	free(window);
}

static void a_signal_while_a_disk_is_awaited_ends_it_there(void **state)
{
	struct window *window = window_of(2);

	(void)state;
	window_complete(window, 0, 10);
	window_complete(window, 1, 20);
	assert_true(window_complete(window, 0, 700));
	window_close(window, 800);
	assert_true(window_complete(window, 0, 800));
	assert_false(window_complete(window, 1, 900));
	assert_int_equal(window_end_ns(window), 800);
	free(window);
}

static void a_disk_that_leaves_in_the_warm_up_is_waited_for_no_longer(void **state)
{
	struct window *window = window_of(2);

	(void)state;
	window_complete(window, 0, 10);
	window_leave(window, 1, 50);
	assert_int_equal(window_start_ns(window), WARM);
	assert_true(window_complete(window, 0, 200));
	assert_int_equal(window_end_ns(window), WARM + TIME);
	free(window);
}

static void a_disk_that_hangs_past_the_warm_up_opens_it_as_it_is_given_up_and_closes_nothing(void **state)
{
	struct window *window = window_of(2);

	(void)state;
	window_complete(window, 0, 10);
	assert_false(window_complete(window, 0, 8000));
	window_leave(window, 1, 9000);
	assert_int_equal(window_start_ns(window), 9000);
	assert_true(window_complete(window, 0, 9001));
	assert_int_equal(window_end_ns(window), 9000 + TIME);
	free(window);
}

static void a_disk_that_leaves_before_its_first_read_inside_holds_nothing_open(void **state)
{
	static const struct {
		int64_t left_ns, end_ns;
	} cases[] = { { 600, WARM + TIME }, { 4000, 4000 } };

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		struct window *window = window_of(2);

		window_complete(window, 0, 10);
		window_complete(window, 1, 20);
		assert_true(window_complete(window, 0, 500));
		window_leave(window, 1, cases[i].left_ns);
		assert_int_equal(window_end_ns(window), cases[i].end_ns);
		free(window);
	}
}

static void when_the_disk_that_was_to_close_it_leaves_the_planned_time_does(void **state)
{
	static const struct {
		int64_t left_ns, end_ns;
	} cases[] = { { 900, 400 + TIME }, { 4000, 4000 } };

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		struct window *window = window_of(2);

		window_complete(window, 0, 50);
		window_complete(window, 1, 400);
		assert_true(window_complete(window, 0, 500));
		assert_true(window_complete(window, 1, 800));
		assert_int_equal(window_end_ns(window), INT64_MAX);
		window_leave(window, 1, cases[i].left_ns);
		assert_int_equal(window_end_ns(window), cases[i].end_ns);
		free(window);
	}
}

static void the_last_disk_to_leave_closes_it_and_leaving_twice_is_leaving_once(void **state)
{
	struct window *window = window_of(3);

	(void)state;
	for (unsigned disk = 0; disk < 3; disk++)
		window_complete(window, disk, 10);
	assert_true(window_complete(window, 2, 200));
	window_leave(window, 0, 300);
	window_leave(window, 0, 310);
	window_leave(window, 0, 320);
	window_leave(window, 1, 350);
	assert_int_equal(window_end_ns(window), WARM + TIME);
	window_leave(window, 2, 600);
	assert_int_equal(window_end_ns(window), 600);
	free(window);
}

static void disks_that_all_leave_in_the_warm_up_leave_no_window(void **state)
{
	struct window *window = window_of(2);

	(void)state;
	window_leave(window, 1, 20);
	window_leave(window, 0, 30);
	assert_int_equal(window_end_ns(window), 30);
	assert_true(window_start_ns(window) >= window_end_ns(window));
	free(window);
}

static void a_planned_time_beyond_all_clocks_never_ends(void **state)
{
	struct window *window = window_new(1);

	(void)state;
	assert_non_null(window);
	window_plan(window, WARM, INT64_MAX - 10, false);
	window_complete(window, 0, 10);
	assert_true(window_complete(window, 0, 500));
	assert_true(window_complete(window, 0, INT64_MAX - 1));
	assert_int_equal(window_end_ns(window), INT64_MAX);
	free(window);
}

/* A disk of the simulation: its reads take so long, give or take a tenth. */
struct reader {
	int64_t latency_ns, next_ns;
	uint64_t counted;
	bool ended;
};

static int64_t read_ns(const struct reader *reader, struct rng *rng)
{
	return reader->latency_ns * 9 / 10 + (int64_t)rng_below(rng, (uint64_t)reader->latency_ns / 5);
}

static struct reader *next_to_complete(struct reader *reader, unsigned disks)
{
	struct reader *next = NULL;

	for (struct reader *one = reader; one < reader + disks; one++)
		if (!one->ended && (!next || one->next_ns < next->next_ns))
			next = one;
	return next;
}

/* All disks begin to read at 0 and go on as workers do. Returns how long the window was. */
static int64_t simulate(struct reader *reader, unsigned disks, int64_t warmup_ns, int64_t time_ns, struct rng *rng)
{
	struct window *window = window_new(disks);
	struct reader *next;
	int64_t length_ns;

	assert_non_null(window);
	window_plan(window, warmup_ns, time_ns, false);
	for (unsigned i = 0; i < disks; i++)
		reader[i] = (struct reader){ .latency_ns = reader[i].latency_ns, .next_ns = read_ns(&reader[i], rng) };
	while ((next = next_to_complete(reader, disks))) {
		next->counted += window_complete(window, (unsigned)(next - reader), next->next_ns);
		next->ended = next->next_ns >= window_end_ns(window);
		next->next_ns += read_ns(next, rng);
	}
	length_ns = window_end_ns(window) - window_start_ns(window);
	free(window);
	return length_ns;
}

enum { WINDOWS = 4000 };

/* The mean over many windows of each disk's rate, in the true rate. */
static void mean_rates(double rate[2], const int64_t latency_ns[2], unsigned disks, int64_t warmup_ns, int64_t spread_ns,
		       int64_t time_ns, struct rng *rng)
{
	rate[0] = rate[1] = 0;
	for (int i = 0; i < WINDOWS; i++) {
		struct reader reader[2] = { { .latency_ns = latency_ns[0] }, { .latency_ns = latency_ns[1] } };
		const int64_t from_ns = warmup_ns + (int64_t)rng_below(rng, (uint64_t)spread_ns);
		const double length_ns = (double)simulate(reader, disks, from_ns, time_ns, rng);

		for (unsigned j = 0; j < disks; j++)
			rate[j] += (double)reader[j].counted / length_ns * (double)latency_ns[j] / WINDOWS;
	}
}

static void assert_unbiased(const double rate[2], unsigned disks)
{
	for (unsigned i = 0; i < disks; i++)
		if (fabs(rate[i] - 1) > 0.02)
			fail_msg("disk %u shows %.3f of its rate", i, rate[i]);
}

/* A slow disk is alone, or beside one that is ten times as fast. */
static void reads_of_a_tenth_of_the_window_to_all_of_it_are_unbiased_after_a_long_warm_up(void **state)
{
	static const int64_t latency_ns[] = { 100000, 150000, 230000, 330000, 450000, 700000, 800000 };
	const int64_t time_ns = 1000000;
	struct rng rng;

	(void)state;
	rng_init(&rng, 1);
	for (size_t i = 0; i < TEXT_COUNT(latency_ns); i++)
		for (unsigned disks = 1; disks <= 2; disks++) {
			double rate[2];

			/* It ends at any phase of a read, and long after the first ones. */
			mean_rates(rate, (int64_t[]){ latency_ns[i], latency_ns[i] / 10 }, disks, 20 * latency_ns[i], latency_ns[i],
				   time_ns, &rng);
			assert_unbiased(rate, disks);
		}
}

static void reads_of_a_tenth_of_the_window_to_five_times_it_are_unbiased_when_they_outlast_the_warm_up(void **state)
{
	static const int64_t latency_ns[] = {
		100000, 230000, 330000, 500000, 700000, 1000000, 1500000, 2000000, 3300000, 5000000,
	};
	const int64_t time_ns = 1000000;
	struct rng rng;

	(void)state;
	rng_init(&rng, 2);
	for (size_t i = 0; i < TEXT_COUNT(latency_ns); i++)
		for (unsigned disks = 1; disks <= 2; disks++) {
			double rate[2];

			mean_rates(rate, (int64_t[]){ latency_ns[i], latency_ns[i] / 10 }, disks, 0, latency_ns[i] * 8 / 10, time_ns,
				   &rng);
			assert_unbiased(rate, disks);
		}
}

static void slow_disks_that_are_alike_show_their_rate(void **state)
{
	static const int64_t latency_ns[] = { 2000000, 3300000, 5000000 };
	struct rng rng;

	(void)state;
	rng_init(&rng, 3);
	for (size_t i = 0; i < TEXT_COUNT(latency_ns); i++) {
		double rate[2];

		mean_rates(rate, (int64_t[]){ latency_ns[i], latency_ns[i] }, 2, 0, latency_ns[i] * 8 / 10, 1000000, &rng);
		assert_unbiased(rate, 2);
	}
}

static void a_slow_disk_of_three_reads_shows_its_rate_exactly(void **state)
{
	struct window *window = window_of(2);
	unsigned counted = 0;

	(void)state;
	for (int64_t now_ns = 1; now_ns <= 1520; now_ns++) {
		window_complete(window, 0, now_ns);
		if (now_ns % 380 == 0)
			counted += window_complete(window, 1, now_ns);
	}
	assert_int_equal(counted, 3);
	assert_int_equal(window_end_ns(window) - window_start_ns(window), 3 * 380);
	free(window);
}

/* The stress: threads that complete reads as fast as they may, and note what they were told. */
enum { STRESS_DISKS = 8, STRESS_READS = 20000, STRESS_ROUNDS = 12 };

struct completion {
	int64_t now_ns, told_ns;        /* when it completed, and when its thread was done with it */
	bool counts;
};

struct racer {
	struct window *window;
	unsigned disk;
	bool leaves, left;              /* after its first read that counts */
	int64_t pause_ns;
	unsigned completions;
	struct completion completion[STRESS_READS];
};

static void *race(void *context)
{
	struct racer *racer = context;
	struct completion *completion = racer->completion;

	for (;;) {
		if (racer->pause_ns)
			clock_sleep_ns(racer->pause_ns);
		else
			sched_yield();
		completion->now_ns = clock_now_ns();
		completion->counts = window_complete(racer->window, racer->disk, completion->now_ns);
		racer->completions++;
		racer->left = (racer->leaves && completion->counts) || racer->completions == STRESS_READS;
		if (racer->left)
			window_leave(racer->window, racer->disk, completion->now_ns);
		completion->told_ns = clock_now_ns();
		if (racer->left || completion->now_ns >= window_end_ns(racer->window))
			return NULL;
		completion++;
	}
}

/* The completion by which a disk had its last part in an edge: its first one, or the first that counts,
 * or that with which it left. */
static const struct completion *part_of(const struct racer *racer, bool counts)
{
	unsigned i = 0;

	while (i + 1 < racer->completions && (racer->left || (counts && !racer->completion[i].counts)))
		i++;
	return &racer->completion[i];
}

/* When all threads could know an edge: its setter was done, or else the last that had a part in it. */
static int64_t known_ns(const struct racer *racer, int64_t edge_ns, bool counts)
{
	int64_t all_done_ns = 0, setter_done_ns = 0;

	for (const struct racer *one = racer; one < racer + STRESS_DISKS; one++) {
		const int64_t told_ns = part_of(one, counts)->told_ns;

		if (told_ns > all_done_ns)
			all_done_ns = told_ns;
		for (unsigned i = 0; i < one->completions; i++)
			if (one->completion[i].now_ns == edge_ns && one->completion[i].told_ns > setter_done_ns)
				setter_done_ns = one->completion[i].told_ns;
	}
	return setter_done_ns ? setter_done_ns : all_done_ns;
}

/* A read is misjudged only when it completes after an edge that another thread was about to tell. */
static void assert_judged_well(const struct racer *racer, const struct window *window)
{
	const int64_t start_ns = window_start_ns(window), end_ns = window_end_ns(window);
	const int64_t start_known_ns = known_ns(racer, start_ns, false), end_known_ns = known_ns(racer, end_ns, true);

	assert_true(start_ns < end_ns);
	for (const struct racer *one = racer; one < racer + STRESS_DISKS; one++) {
		unsigned counted = 0;

		for (unsigned i = 0; i < one->completions; i++) {
			const int64_t now_ns = one->completion[i].now_ns;

			counted += one->completion[i].counts;
			if (one->completion[i].counts)
				assert_true(now_ns > start_ns && (now_ns <= end_ns || now_ns <= end_known_ns));
			else
				assert_true(now_ns <= start_ns || now_ns > end_ns || now_ns <= start_known_ns);
		}
		assert_true(counted || one->left);
	}
}

static void eight_threads_agree_on_one_window(void **state)
{
	static struct racer racer[STRESS_DISKS];

	(void)state;
	for (int round = 0; round < STRESS_ROUNDS; round++) {
		struct window *window = window_new(STRESS_DISKS);
		pthread_t thread[STRESS_DISKS];

		assert_non_null(window);
		/* Opened by the warm-up's end, or by the slowest disk; with and without a disk that leaves. */
		window_plan(window, clock_now_ns() + (round % 2 ? 8 : 0) * NS_PER_MS, 4 * NS_PER_MS, false);
		for (unsigned i = 0; i < STRESS_DISKS; i++) {
			racer[i] = (struct racer){
				.window = window,
				.disk = i,
				.leaves = i == 1 && round % 4 >= 2,
				.pause_ns = i == 0 ? NS_PER_MS : i < 4 ? 50000 : 0,
			};
			assert_int_equal(pthread_create(&thread[i], NULL, race, &racer[i]), 0);
		}
		for (unsigned i = 0; i < STRESS_DISKS; i++)
			pthread_join(thread[i], NULL);
		assert_judged_well(racer, window);
		free(window);
	}
}

static void a_count_of_reads_opens_it_by_a_completion_after_the_warm_up(void **state)
{
	struct window *window = window_of(2);

	(void)state;
	window_plan(window, WARM, TIME, true);
	assert_false(window_complete(window, 0, 60));
	assert_false(window_complete(window, 1, 70));
	assert_int_equal(window_start_ns(window), INT64_MAX);
	assert_false(window_complete(window, 0, 120));
	assert_false(window_complete(window, 1, 140));
	assert_int_equal(window_start_ns(window), 140);
	assert_true(window_complete(window, 0, 180));
	free(window);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_known_before_every_disk_has_completed_a_read),
		cmocka_unit_test(a_count_of_reads_opens_it_by_a_completion_after_the_warm_up),
		cmocka_unit_test(it_opens_at_the_end_of_the_warm_up_and_closes_as_planned),
		cmocka_unit_test(a_read_that_completes_with_the_warm_up_does_not_open_it_later),
		cmocka_unit_test(a_slow_disk_opens_it_by_a_read_that_does_not_count_and_closes_it_by_one_that_does),
		cmocka_unit_test(a_disk_that_opened_it_may_close_it_at_the_planned_end_exactly),
		cmocka_unit_test(it_stays_open_until_every_disk_has_had_a_read_inside),
		cmocka_unit_test(the_disk_that_opened_it_waits_for_the_others_too_but_no_longer),
		cmocka_unit_test(it_closes_at_the_earliest_moment_that_anybody_asks_for),
		cmocka_unit_test(a_signal_in_the_warm_up_lets_no_read_count),
		cmocka_unit_test(a_signal_while_a_disk_is_awaited_ends_it_there),
		cmocka_unit_test(a_disk_that_leaves_in_the_warm_up_is_waited_for_no_longer),
		cmocka_unit_test(a_disk_that_hangs_past_the_warm_up_opens_it_as_it_is_given_up_and_closes_nothing),
		cmocka_unit_test(a_disk_that_leaves_before_its_first_read_inside_holds_nothing_open),
		cmocka_unit_test(when_the_disk_that_was_to_close_it_leaves_the_planned_time_does),
		cmocka_unit_test(the_last_disk_to_leave_closes_it_and_leaving_twice_is_leaving_once),
		cmocka_unit_test(disks_that_all_leave_in_the_warm_up_leave_no_window),
		cmocka_unit_test(a_planned_time_beyond_all_clocks_never_ends),
		cmocka_unit_test(reads_of_a_tenth_of_the_window_to_all_of_it_are_unbiased_after_a_long_warm_up),
		cmocka_unit_test(reads_of_a_tenth_of_the_window_to_five_times_it_are_unbiased_when_they_outlast_the_warm_up),
		cmocka_unit_test(slow_disks_that_are_alike_show_their_rate),
		cmocka_unit_test(a_slow_disk_of_three_reads_shows_its_rate_exactly),
		cmocka_unit_test(eight_threads_agree_on_one_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
