/* Every sentence of advice, and when it is not said. */
#include "test.h"

#include <errno.h>

#include "base/clock.h"
#include "scene.h"

#define DISTURBED "figures are disturbed; measure when nobody else uses it."
#define ZEROS "random blocks hold nothing but zeros, as on a disk that was never written or was trimmed; an SSD or a thin " \
	"volume answers such reads without its medium, and is slower when filled."
#define INTERRUPTED "a signal ended the run early: 1 of 1 cells stand here, the last of a shorter window."

static struct scene scene;
static struct probe probe[SCENE_DISKS];

static int close_scene(void **state)
{
	(void)state;
	scene_close(&scene);
	return 0;
}

static void start(unsigned disks)
{
	scene_init(&scene, disks);
	scene_plan(&scene);
	scene_cell(&scene, 0);
	memset(probe, 0, sizeof probe);
}

/* A cell of 1000 good reads of sda. */
static void steady(void)
{
	scene_cell(&scene, 0);
	scene_reads(&scene, 0, 1000, NS_PER_MS, NS_PER_MS);
}

static void look_only_at_the_queue(void)
{
	scene_done(&scene);
	assert_int_equal(scene.result.finding[0][FOUND_LITTLE].cells, 0);
}

/* Ends the run. note: the only one; NULL: none. */
static void assert_note(const char *note)
{
	assert_int_equal(result_finish(&scene.result), 0);
	for (size_t i = 0; i < scene.result.notes.count; i++)
		if (!note || strcmp(scene.result.notes.word[i], note) != 0)
			fail_msg("not wanted: %s", scene.result.notes.word[i]);
	assert_int_equal(scene.result.notes.count, note != NULL);
}

static void assert_complaints(size_t count, const char *const *complaint)
{
	assert_int_equal(result_finish(&scene.result), 0);
	for (size_t i = 0; i < count && i < scene.result.complaints.count; i++)
		assert_string_equal(scene.result.complaints.word[i], complaint[i]);
	assert_int_equal(scene.result.complaints.count, count);
}

static void a_good_run_is_not_commented(void **state)
{
	(void)state;
	start(2);
	scene_reads(&scene, 0, 1000, NS_PER_MS, 2 * NS_PER_MS);
	scene_reads(&scene, 1, 1000, NS_PER_MS, 2 * NS_PER_MS);
	scene_done(&scene);
	result_add_probe(&scene.result, probe);
	assert_note(NULL);
	assert_complaints(0, NULL);
	assert_false(result_troubled(&scene.result));
}

static void others_reads_and_writes_are_told_by_the_second(void **state)
{
	static const struct {
		uint64_t reads, read_sectors, writes;
		const char *note;
	} other[] = {
		{ 2120, 16960, 30, "sda: 212 other reads and 3 writes a second during random 4k: " DISTURBED },
		{ 50, 400, 0, "sda: 5 other reads a second during random 4k: " DISTURBED },
		{ 3, 24, 0, "sda: less than one other read a second during random 4k: " DISTURBED },
		{ 10, 80, 5, "sda: 1 other read and less than one write a second during random 4k: " DISTURBED },
		{ 0, 0, 4000, "sda: 400 writes a second during random 4k: " DISTURBED },
		/* More sectors but no more reads: ours were merged with others'. */
		{ 0, 40000, 0, "sda: other reads of 2.05 MB a second during random 4k: " DISTURBED },
	};

	for (size_t i = 0; i < TEXT_COUNT(other); i++) {
		start(1);
		steady();
		scene.track[0].kernel.reads += other[i].reads;
		scene.track[0].kernel.read_sectors += other[i].read_sectors;
		scene.track[0].kernel.writes += other[i].writes;
		scene_done(&scene);
		assert_note(other[i].note);
		close_scene(state);
	}
	start(1);
}

static void reads_that_the_kernel_may_split_are_told_in_bytes(void **state)
{
	(void)state;
	scene_init(&scene, 1);
	scene.sweep.sizes.value[0] = 1024 * 1024;
	scene.disk[0].max_read_bytes = 512 * 1024;
	scene_plan(&scene);
	steady();
	scene.track[0].kernel.reads += 1000;
	scene_done(&scene);
	assert_note(NULL);
	scene.track[0].kernel.read_sectors += 20000;
	scene_done(&scene);
	assert_note("sda: other reads of 1.02 MB a second during random 1m: " DISTURBED);
}

static void split_reads_are_told_beside_the_kernels_figures(void **state)
{
	(void)state;
	scene_init(&scene, 1);
	scene.sweep.sizes.value[0] = 1024 * 1024;
	scene.disk[0].max_read_bytes = 512 * 1024;
	scene_plan(&scene);
	steady();
	scene.track[0].kernel.reads += 1000;
	scene_done(&scene);
	scene.result.extended = true;
	assert_note("sda: the kernel made 2 requests of each read during random 1m, since it takes 512k at most "
		    "(max_sectors_kb, max_segments): r/s, rareq-sz and r_await are those of the parts.");
}

static void reads_are_split_elsewhere_too_but_not_by_others_reads(void **state)
{
	(void)state;
	start(1);
	steady();
	scene.track[0].kernel.reads += 500;
	scene_done(&scene);
	scene_cell(&scene, 0);
	scene_reads(&scene, 0, 1000, NS_PER_MS, NS_PER_MS);
	scene_done(&scene);
	scene.result.extended = true;
	assert_note("sda: the kernel made 1.5 requests of each read during random 4k: r/s, rareq-sz and r_await are those "
		    "of the parts.");
	scene_close(&scene);
	start(1);
	steady();
	scene.track[0].kernel.reads += 500;
	scene.track[0].kernel.read_sectors += 500 * 8;
	scene_done(&scene);
	scene.result.extended = true;
	assert_note("sda: 50 other reads a second during random 4k: " DISTURBED);
}

static void reads_quicker_than_any_medium_are_doubted(void **state)
{
	static const struct {
		int64_t ns;
		enum access access;
		enum backing backing;
		const char *note;
	} reads[] = {
		{ 1500, ACCESS_RAW, BACKING_MEDIUM, "sda: half of the reads took no more than 1500 ns in random 4k: no medium is so "
		  "quick, so memory answered, of a RAM disk, a controller or a hypervisor; measure a --span larger than that." },
		{ 2000, ACCESS_RAW, BACKING_MEDIUM, NULL },
		{ 1500, ACCESS_COOKED, BACKING_MEDIUM, NULL },
		{ 1500, ACCESS_RAW, BACKING_MEMORY, "sda lies in memory: its figures are those of this machine's memory and kernel, "
		  "not of a disk." },
	};

	for (size_t i = 0; i < TEXT_COUNT(reads); i++) {
		scene_init(&scene, 1);
		scene.sweep.accesses = 1U << reads[i].access;
		scene.disk[0].backing = reads[i].backing;
		scene_plan(&scene);
		scene_cell(&scene, 0);
		scene_reads(&scene, 0, 1000, reads[i].ns, reads[i].ns);
		scene_done(&scene);
		assert_note(reads[i].note);
		close_scene(state);
	}
	start(1);
}

static void a_rate_above_the_links_speed_is_doubted(void **state)
{
	(void)state;
	scene_init(&scene, 1);
	strcpy(scene.disk[0].link, "USB 480 Mb/s");
	scene.sweep.sizes.value[0] = 1000 * 1024;
	scene_plan(&scene);
	scene_cell(&scene, 0);
	scene_reads(&scene, 0, 580, NS_PER_MS, NS_PER_MS);
	scene_done(&scene);
	assert_note(NULL);
	scene_cell(&scene, 0);
	scene_reads(&scene, 0, 645, NS_PER_MS, NS_PER_MS);
	scene_done(&scene);
	assert_note("sda: the rate is 1.1 times what its link (USB 480 Mb/s) can carry in random 1000k: data came from a cache "
		    "on this side of it, or the link is not the disk's own; do not take this for the disk's rate.");
}

static void links_carry_their_speed_less_the_line_code(void **state)
{
	static const struct {
		const char *link;
		double megabytes;
	} carried[] = {
		{ "6.0 Gbps", 600 }, { "1.5 Gbps", 150 }, { "12.0 Gbit", 1200 }, { "22.5 Gbit", 2400 },
		{ "USB 12 Mb/s", 1.5 }, { "USB 480 Mb/s", 60 }, { "USB 5000 Mb/s", 500 }, { "USB 10000 Mb/s", 1212.1 },
		{ "PCIe 2.5 GT/s x1", 250 }, { "PCIe 5.0 GT/s x2", 1000 }, { "PCIe 8.0 GT/s x4", 3938.5 },
		{ "PCIe 16.0 GT/s x4", 7876.9 }, { "", 0 }, { "fast", 0 }, { "6.0 parsecs", 0 }, { "PCIe x4", 0 },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(carried); i++)
		assert_int_equal((int)(link_bytes_per_second(carried[i].link) / 1e5 + .5), (int)(carried[i].megabytes * 10 + .5));
}

static void a_host_managed_disk_is_warned_of(void **state)
{
	(void)state;
	start(1);
	scene.disk[0].host_managed = true;
	assert_note("sda is a host-managed zoned disk: what was never written in a zone is answered without the medium, or not "
		    "at all; measure a --span that is full.");
}

static void counters_that_say_nothing_give_no_note(void **state)
{
	static const struct {
		bool known;
		struct kstat kernel;
	} counter[] = { { true, { 0 } }, { false, { .reads = 5000, .read_sectors = 40000, .writes = 7 } } };

	for (size_t i = 0; i < TEXT_COUNT(counter); i++) {
		start(1);
		steady();
		scene.track[0].kernel_known = counter[i].known;
		scene.track[0].kernel = counter[i].kernel;
		scene_done(&scene);
		assert_note(NULL);
		close_scene(state);
	}
	start(1);
}

static void our_own_failed_and_uncounted_reads_are_not_others(void **state)
{
	(void)state;
	start(1);
	steady();
	/* Warm-up and drain, and ten reads that failed: the kernel has seen them all. */
	scene.track[0].tally.whole_requests += 500;
	scene.track[0].kernel.reads += 500;
	scene.track[0].kernel.read_sectors += 500 * 8;
	scene_faults(&scene, 0, 10, -EIO, 0);
	scene.track[0].kernel.reads += 10;
	scene.track[0].kernel.read_sectors += 10 * 8;
	scene_done(&scene);
	assert_note(NULL);
	scene.track[0].kernel.reads += 50;
	scene.track[0].kernel.read_sectors += 50 * 8;
	scene_done(&scene);
	assert_note("sda: 5 other reads a second during random 4k: " DISTURBED);
}

static void reads_that_the_kernel_did_not_see_came_from_elsewhere(void **state)
{
	(void)state;
	start(1);
	steady();
	scene.track[0].kernel.read_sectors -= 8 * 125;
	scene_done(&scene);
	assert_note("sda: the kernel's counters miss 12.5 % of what was read during random 4k: that came from elsewhere "
		    "than this disk.");
}

static void cooked_reads_may_differ_from_the_kernels_but_writes_are_others(void **state)
{
	(void)state;
	scene_init(&scene, 1);
	scene.sweep.accesses = 1U << ACCESS_COOKED;
	scene_plan(&scene);
	for (int fewer = 0; fewer < 2; fewer++) {
		steady();
		scene.track[0].kernel.read_sectors = fewer ? 80 : 1000000;
		scene.track[0].kernel.reads = fewer ? 10 : 5000;
		scene_done(&scene);
	}
	assert_note(NULL);
	scene.track[0].kernel.writes = 20;
	scene_done(&scene);
	assert_note("sda: 2 writes a second during random 4k, cooked: " DISTURBED);
}

static void the_worst_of_several_cells_stands_for_them(void **state)
{
	static const uint64_t others[] = { 100, 900, 500 };

	(void)state;
	scene_init(&scene, 1);
	scene.sweep.sizes.value[scene.sweep.sizes.count++] = 8192;
	scene.sweep.sizes.value[scene.sweep.sizes.count++] = 16384;
	scene_plan(&scene);
	for (size_t i = 0; i < TEXT_COUNT(others); i++) {
		scene_cell(&scene, i);
		scene_reads(&scene, 0, 1000, NS_PER_MS, NS_PER_MS);
		scene.track[0].kernel.reads += others[i];
		scene.track[0].kernel.read_sectors += others[i] * 8;
		scene_done(&scene);
	}
	assert_note("sda: 90 other reads a second during 3 cells, most in random 8k: " DISTURBED);
}

static void linear_reads_that_began_again_are_noted(void **state)
{
	(void)state;
	scene_init(&scene, 1);
	scene.sweep.modes = 1U << MODE_LINEAR;
	scene_plan(&scene);
	steady();
	scene.track[0].wrapped = true;
	scene_done(&scene);
	assert_note("sda: linear reads came to the end and began again at the start in 1 cell: a cache may have answered "
		    "the second time.");
	words_release(&scene.result.notes);
	scene_done(&scene);
	assert_note("sda: linear reads came to the end and began again at the start in 2 cells: a cache may have answered "
		    "the second time.");
}

/* A rate that goes up by and by, or to and fro so that neighbours are alike only a little. */
static void uneven(const unsigned tenth[SLICES])
{
	const bool interrupted = scene.outcome.interrupted;

	scene_cell(&scene, 0);
	scene.outcome.interrupted = interrupted;
	for (unsigned i = 0; i < SLICES; i++)
		for (unsigned j = 0; j < tenth[i]; j++) {
			const int64_t completed_ns = NS_PER_S * (int64_t)i + NS_PER_S / 2 + (int64_t)j * NS_PER_MS;
			const struct sample sample = { .issued_ns = scene.outcome.start_ns + completed_ns - NS_PER_MS,
						       .latency_ns = NS_PER_MS, .counts = true };

			tally_add(&scene.track[0].tally, &sample, scene.outcome.start_ns);
		}
	scene.track[0].kernel_known = false;
	scene_done(&scene);
}

static const unsigned rising[SLICES] = { 50, 60, 70, 80, 90, 100, 110, 120, 130, 140 };
static const unsigned alike[SLICES] = { 90, 90, 90, 110, 110, 110, 110, 110, 90, 90 };
static const unsigned level[SLICES] = { 90, 110, 90, 110, 90, 110, 90, 110, 90, 110 };

static void a_rate_that_drifts_much_is_noted_at_once(void **state)
{
	uint64_t slice[SLICES];

	(void)state;
	start(1);
	for (int i = 0; i < 9; i++)
		uneven(level);
	uneven(rising);
	assert_true(series_slices(&scene.track[0].tally.series, 10 * NS_PER_S, slice));
	assert_true(slices_correlation(slice) > .6);
	assert_note("sda: the rate drifts during random 4k, so that +-95% is too narrow; use a longer -w and -t.");
}

static void a_rate_that_drifts_no_more_than_by_chance_is_not_noted(void **state)
{
	uint64_t slice[SLICES];

	(void)state;
	start(1);
	uneven(alike);
	assert_true(series_slices(&scene.track[0].tally.series, 10 * NS_PER_S, slice));
	assert_true(slices_correlation(slice) > DRIFT_CORRELATION && slices_correlation(slice) < .6);
	/* 2 of 10 cells: .8 is the mean, and .8 + 2 sqrt(.8 * .92) = 2.5 not unlikely. */
	uneven(alike);
	for (int i = 0; i < 8; i++)
		uneven(level);
	assert_note(NULL);
	uneven(alike);
	assert_note("sda: the rate drifts during 3 cells, most in random 4k, so that +-95% is too narrow; use a longer -w "
		    "and -t.");
}

static void a_precision_that_was_not_reached_is_noted(void **state)
{
	(void)state;
	scene_init(&scene, 1);
	scene.limits.precision_percent = 2;
	scene_plan(&scene);
	uneven(level);
	assert_note("sda: time was up before the precision was reached in random 4k (+-7.5 %); use a longer -t.");
	close_scene(state);

	/* Reached; none asked for; cut short by a signal. */
	scene_init(&scene, 1);
	scene.limits.precision_percent = 8;
	scene_plan(&scene);
	uneven(level);
	assert_note(NULL);
	close_scene(state);
	start(1);
	uneven(level);
	assert_note(NULL);
	close_scene(state);
	scene_init(&scene, 1);
	scene.limits.precision_percent = 2;
	scene_plan(&scene);
	scene.outcome.interrupted = true;
	uneven(level);
	assert_note(INTERRUPTED);
}

static void reads_held_up_by_the_collector_are_noted(void **state)
{
	(void)state;
	start(1);
	steady();
	scene.track[0].tally.whole_requests += 500;
	scene.track[0].tally.whole_errors += 500;
	scene.track[0].ring_waits = 50;
	scene.track[0].kernel_known = false;
	scene_done(&scene);
	assert_note("sda: 2.5 % of the reads were held up because the collector had no processor during random 4k: this "
		    "machine is too busy to measure.");
}

static void what_a_disk_is_can_be_a_note(void **state)
{
	static const struct {
		enum backing backing;
		const char *in_use, *note;
	} fact[] = {
		{ BACKING_MEDIUM, "mounted on /home",
		  "sda is in use (mounted on /home): what others read and write there slows it down, and is slowed down "
		  "by this." },
		{ BACKING_MEMORY, "",
		  "sda lies in memory: its figures are those of this machine's memory and kernel, not of a disk." },
		{ BACKING_PAGE_CACHE, "",
		  "sda reads its file through the page cache, which may answer in the disk's stead; set it up with "
		  "losetup --direct-io=on." },
	};

	for (size_t i = 0; i < TEXT_COUNT(fact); i++) {
		start(1);
		scene.disk[0].backing = fact[i].backing;
		strcpy(scene.disk[0].in_use, fact[i].in_use);
		assert_note(fact[i].note);
		close_scene(state);
	}
	start(1);
}

static void a_disk_that_is_mostly_zeros_is_noted(void **state)
{
	static const struct {
		unsigned blocks, zero_blocks;
		const char *note;
	} probed[] = {
		{ 64, 33, "sda: 33 of 64 " ZEROS },
		{ 8, 8, "sda: 8 of 8 " ZEROS },
		{ 64, 32, NULL },
		{ 7, 7, NULL },
		{ 0, 0, NULL },
	};

	for (size_t i = 0; i < TEXT_COUNT(probed); i++) {
		start(1);
		probe[0].blocks = probed[i].blocks;
		probe[0].zero_blocks = probed[i].zero_blocks;
		result_add_probe(&scene.result, probe);
		assert_note(probed[i].note);
		close_scene(state);
	}
	start(1);
}

static void a_first_read_that_woke_the_disk_is_noted(void **state)
{
	static const struct {
		int64_t first_ns, median_ns;
		const char *note;
	} probed[] = {
		{ 9500 * NS_PER_MS, 12 * NS_PER_MS,
		  "sda: the very first read took 9.5 s and the next ones 12 ms: the disk may have been asleep; its "
		  "figures were taken after that." },
		{ 400 * NS_PER_MS, NS_PER_MS / 10,
		  "sda: the very first read took 400 ms and the next ones under 1 ms: the disk may have been asleep; its "
		  "figures were taken after that." },
		{ 500 * NS_PER_MS, 10 * NS_PER_MS, NULL },      /* not over 50 times */
		{ 90 * NS_PER_MS, NS_PER_MS / 10, NULL },       /* no disk wakes so fast */
		{ 400 * NS_PER_MS, 0, NULL },                   /* nothing to compare with */
		{ -1, NS_PER_MS / 10, NULL },                   /* it failed */
		{ 0, 0, NULL },
	};

	for (size_t i = 0; i < TEXT_COUNT(probed); i++) {
		start(1);
		probe[0].first_ns = probed[i].first_ns;
		probe[0].median_ns = probed[i].median_ns;
		result_add_probe(&scene.result, probe);
		assert_note(probed[i].note);
		close_scene(state);
	}
	start(1);
}

static void a_stall_that_the_window_cut_off_is_noted(void **state)
{
	(void)state;
	start(1);
	scene_reads(&scene, 0, 1000, NS_PER_MS, NS_PER_MS);
	scene.track[0].tally.outside_max_ns = 6 * NS_PER_S;
	scene_done(&scene);
	assert_note("sda: just before or after the measured time a read took 6 s in random 4k, ten times as long as any inside: "
		    "the disk stalled; measure it again, for longer.");
}

static void a_slow_disk_does_not_stall(void **state)
{
	(void)state;
	start(1);
	scene_reads(&scene, 0, 10, NS_PER_S, NS_PER_S);
	scene.track[0].tally.outside_max_ns = 2 * NS_PER_S;
	scene_done(&scene);
	assert_int_equal(scene.result.notes.count, 0);
}

/* A cell of so many reads of sda, which take 1 ms each: that many / 10000 in flight. */
static void eight_in_flight(uint64_t reads)
{
	scene_init(&scene, 1);
	assert_null(depths_parse("8", &scene.sweep.depths));
	scene_plan(&scene);
	scene_cell(&scene, 0);
	scene_reads(&scene, 0, reads, NS_PER_MS, NS_PER_MS);
}

static void fewer_or_more_reads_in_flight_than_the_depth_are_noted(void **state)
{
	static const struct {
		uint64_t reads;
		const char *note;
	} cases[] = {
		{ 80000, NULL }, { 78410, NULL }, { 81590, NULL },
		{ 70000, "sda: req/s x mean latency misses the depth by 12.5 % in random 4k, depth 8: there were not as many reads in "
			 "flight all the time; this machine is too busy, or reads are stuck." },
		{ 90000, "sda: req/s x mean latency misses the depth by 12.5 % in random 4k, depth 8: there were not as many reads in "
			 "flight all the time; this machine is too busy, or reads are stuck." },
		{ 79, "sda: fewer than ten times as many reads as were in flight count in random 4k, depth 8: too few to tell a rate; "
		      "use a longer -t or a larger -n." },
	};

	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		eight_in_flight(cases[i].reads);
		scene_done(&scene);
		assert_note(cases[i].note);
		close_scene(state);
	}
	start(1);
}

static void what_the_edges_of_the_window_cut_off_is_not_missed_in_flight(void **state)
{
	(void)state;
	/* A read outside of 2 s may have taken a fifth of each slot's time. */
	eight_in_flight(70000);
	scene.track[0].tally.outside_max_ns = 2 * NS_PER_S;
	look_only_at_the_queue();
	close_scene(state);
	/* Failed reads have no latency. */
	eight_in_flight(70000);
	scene.track[0].tally.whole_errors = 1;
	look_only_at_the_queue();
	close_scene(state);
	/* So does a disk that was lost on its way. */
	eight_in_flight(70000);
	scene_ends(&scene, 0, ENDED_HUNG, 0, 9 * NS_PER_S);
	look_only_at_the_queue();
}

static void what_reads_take_beyond_the_kernels_time_is_noted(void **state)
{
	static const struct {
		uint64_t reads, read_ms;        /* of 1 ms each */
		const char *note;
	} cases[] = {
		{ 10000, 9900, NULL }, { 10000, 5000, NULL }, { 300, 99, NULL }, { 10000, 0, NULL },
		{ 10000, 2500, "sda: a read took 1 ms, and the kernel had it for 250 us of that, in random 4k: the rest was lost in this "
			       "machine, which is too busy; measure when it is idle." },
	};

	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		scene_init(&scene, 1);
		scene_plan(&scene);
		scene_cell(&scene, 0);
		scene_reads(&scene, 0, cases[i].reads, NS_PER_MS, NS_PER_MS);
		scene.track[0].kernel.read_ms = cases[i].read_ms;
		scene_done(&scene);
		assert_note(cases[i].note);
		close_scene(state);
	}
	start(1);
}

static void cooked_reads_may_take_a_whole_processor(void **state)
{
	(void)state;
	scene_init(&scene, 1);
	scene.sweep.accesses = 1U << ACCESS_COOKED;
	scene_plan(&scene);
	steady();
	scene.track[0].worked_ns = scene.track[0].cpu_ns = 10 * NS_PER_S;
	scene_done(&scene);
	assert_note(NULL);
}

static void a_thread_that_takes_a_whole_processor_is_noted(void **state)
{
	(void)state;
	start(1);
	steady();
	scene.track[0].worked_ns = 10 * NS_PER_S;
	scene.track[0].cpu_ns = 9 * NS_PER_S;
	scene_done(&scene);
	assert_int_equal(scene.result.finding[0][FOUND_HOST].cells, 0);
	steady();
	scene.track[0].worked_ns = NS_PER_S / 5;
	scene.track[0].cpu_ns = NS_PER_S / 5;
	scene_done(&scene);
	assert_int_equal(scene.result.finding[0][FOUND_HOST].cells, 0);
	steady();
	scene.track[0].worked_ns = 10 * NS_PER_S;
	scene.track[0].cpu_ns = 97 * NS_PER_S / 10;
	scene_done(&scene);
	assert_note("sda: its thread used 97 % of a processor during random 4k: the host, not the disk, is the limit here; larger "
		    "blocks show more of the disk.");
}

static void a_buffer_over_the_memlock_limit_is_noted(void **state)
{
	(void)state;
	eight_in_flight(80000);
	scene.track[0].plain_buffer = true;
	scene_done(&scene);
	assert_note("sda: the memlock limit has no room for the 32k that are read into in random 4k, depth 8, so that each read "
		    "costs the host more; raise it with ulimit -l.");
}

static void an_engine_that_was_passed_over_is_noted(void **state)
{
	(void)state;
	scene_init(&scene, 1);
	scene.host.engine_errno[ENGINE_URING] = EPERM;
	assert_null(depths_parse("8", &scene.sweep.depths));
	scene_plan(&scene);
	assert_note("the kernel refuses io_uring (operation not permitted), so several reads in flight go through aio, which costs "
		    "the host more; look at sysctl kernel.io_uring_disabled and at the seccomp filter of a container.");
	close_scene(state);
	/* Nobody asked for it. */
	scene_init(&scene, 1);
	scene.host.engine_errno[ENGINE_URING] = EPERM;
	scene_plan(&scene);
	assert_note(NULL);
}

static void a_pause_and_its_first_cell_are_noted(void **state)
{
	(void)state;
	scene_init(&scene, 1);
	scene.sweep.sizes.value[scene.sweep.sizes.count++] = 8192;
	scene.sweep.sizes.value[scene.sweep.sizes.count++] = 16384;
	scene_plan(&scene);
	for (size_t i = 0; i < 3; i++) {
		scene_cell(&scene, i);
		scene_reads(&scene, 0, 1000, NS_PER_MS, NS_PER_MS);
		scene.outcome.paused_ns = (int64_t)i * 1500 * NS_PER_MS;
		scene_done(&scene);
	}
	assert_note("the program stood still for 4.5 s, first in random 8k, as when it or its terminal is stopped: rates there "
		    "may be too low.");
}

static void disks_measured_alone_have_their_own_notes_and_complaints(void **state)
{
	static const char *const complaint = "'/dev/sdb': 1 read failed, the first at byte 0: input/output error";

	(void)state;
	scene_init(&scene, 2);
	scene.sweep.order = ORDER_ALONE;
	scene_plan(&scene);
	for (size_t i = 0; i < 2; i++) {
		scene_cell(&scene, i);
		scene_reads(&scene, 0, 1000, NS_PER_MS, NS_PER_MS);
		if (i == 1) {
			scene_faults(&scene, 0, 1, -EIO, 0);
			scene.track[0].kernel.writes = 100;
		}
		scene_done(&scene);
	}
	assert_note("sdb: 10 writes a second during random 4k: " DISTURBED);
	assert_string_equal(scene.result.complaints.word[0], complaint);
}

static void a_run_that_a_signal_ended_is_noted(void **state)
{
	(void)state;
	scene_init(&scene, 1);
	assert_null(sizes_parse("8k,16k", &scene.sweep.sizes));
	scene_plan(&scene);
	steady();
	scene_done(&scene);
	steady();
	scene.outcome.interrupted = true;
	scene_done(&scene);
	assert_note("a signal ended the run early: 2 of 3 cells stand here, the last of a shorter window.");
}

static void a_run_that_a_signal_ended_in_the_probe_is_noted(void **state)
{
	(void)state;
	scene_init(&scene, 1);
	scene_plan(&scene);
	scene.result.interrupted = true;
	assert_note("a signal ended the run before its first cell: nothing was measured.");
}

static void each_disk_and_kind_of_fault_is_one_complaint(void **state)
{
	static const char *const complaint[] = {
		"'/dev/sda': 8 reads failed, the first at byte 4096: input/output error",
		"'/dev/sda': 1 read failed, the first at byte 0: no data available",
		"'/dev/sdb': 1 read failed, the first at byte 512: input/output error",
	};

	(void)state;
	start(3);
	probe[0].fault[0] = (struct fault){ .error = -EIO, .count = 3, .first_offset = 4096 };
	probe[1].fault[0] = (struct fault){ .error = -EIO, .count = 1, .first_offset = 512 };
	result_add_probe(&scene.result, probe);
	scene_faults(&scene, 0, 5, -EIO, 8192);
	scene_faults(&scene, 0, 1, -ENODATA, 0);
	scene_done(&scene);
	assert_complaints(TEXT_COUNT(complaint), complaint);
	assert_true(result_troubled(&scene.result));
}

static void a_lost_disk_is_a_complaint(void **state)
{
	static const struct {
		enum ending ending;
		int error;
		const char *complaint;
	} lost[] = {
		{ ENDED_GONE, -ENODEV, "'/dev/sda': lost during random 4k: no such device" },
		{ ENDED_HUNG, 0,
		  "'/dev/sda': given up during random 4k: a read took more than 1 min 30 s; --hang-timeout allows more" },
		{ ENDED_FAILING, -EIO,
		  "'/dev/sda': given up during random 4k: 100 reads in a row failed; --max-errors allows more" },
	};

	for (size_t i = 0; i < TEXT_COUNT(lost); i++) {
		start(1);
		scene_ends(&scene, 0, lost[i].ending, lost[i].error, NS_PER_S);
		scene_done(&scene);
		/* Its absence later on is no further trouble. */
		scene_ends(&scene, 0, ENDED_ABSENT, 0, 0);
		scene_done(&scene);
		assert_complaints(1, &lost[i].complaint);
		assert_true(result_troubled(&scene.result));
		close_scene(state);
	}
	start(1);
}

static void a_disk_lost_in_the_probe_is_a_complaint(void **state)
{
	static const char *const complaint =
		"'/dev/sdb': given up during the probe: a read took more than 1 min 30 s; --hang-timeout allows more";

	(void)state;
	start(2);
	probe[1].ending = ENDED_HUNG;
	result_add_probe(&scene.result, probe);
	assert_complaints(1, &complaint);
	assert_true(result_troubled(&scene.result));
}

static void the_worst_end_of_a_disk_is_told(void **state)
{
	static const enum ending ending[] = { ENDED_FAILING, ENDED_GONE, ENDED_HUNG };
	static const char *const complaint = "'/dev/sda': lost during random 4k: no such device";

	(void)state;
	start(1);
	for (size_t i = 0; i < TEXT_COUNT(ending); i++) {
		scene_ends(&scene, 0, ending[i], -ENODEV, NS_PER_S);
		scene_done(&scene);
	}
	assert_complaints(1, &complaint);
}

static void a_disk_that_did_its_part_until_the_signal_is_no_trouble(void **state)
{
	(void)state;
	start(1);
	scene_ends(&scene, 0, ENDED_WELL, 0, NS_PER_S);
	scene.outcome.interrupted = true;
	scene_done(&scene);
	assert_complaints(0, NULL);
	assert_false(result_troubled(&scene.result));
}

static void a_disk_that_does_not_answer_to_a_signal_is_named(void **state)
{
	static const char *const complaint[] = {
		"'/dev/sda': left behind during random 4k: a read did not end after the signal",
	};

	(void)state;
	start(1);
	scene_ends(&scene, 0, ENDED_CUT, 0, NS_PER_S);
	scene.outcome.interrupted = true;
	scene_done(&scene);
	assert_complaints(1, complaint);
}

static void disks_that_are_one_or_lie_on_one_another_are_noted(void **state)
{
	static const struct {
		struct relation relation[3];
		size_t relations;
		const char *note;
	} example[] = {
		{ { { KIN_SAME_DISK, 0, 1 } }, 1, "sda, sdb are parts of one disk: measured together, each slows the others down." },
		{ { { KIN_SAME_DISK, 0, 1 }, { KIN_SAME_DISK, 0, 2 }, { KIN_SAME_DISK, 1, 2 } }, 3,
		  "sda, sdb and 1 more are parts of one disk: measured together, each slows the others down." },
		{ { { KIN_SAME_ID, 1, 2 } }, 1,
		  "sdb, sdc have the same id, as two paths to one disk do: together they are no faster than it." },
		{ { { KIN_LIES_ON, 2, 0 } }, 1, "sdc lies on sda, which is measured too: what is read there is read of both." },
		{ { { KIN_LIES_ON, 1, 0 }, { KIN_LIES_ON, 2, 0 } }, 2,
		  "sdb and 1 more lie on sda, which is measured too: what is read there is read of both." },
	};

	for (size_t i = 0; i < TEXT_COUNT(example); i++) {
		struct relation relation[3];
		const struct topology topology = { .relation = relation, .relations = example[i].relations };

		memcpy(relation, example[i].relation, sizeof relation);
		start(3);
		scene.result.topology = &topology;
		assert_note(example[i].note);
		close_scene(state);
	}
	start(1);
}

/* Random reads of 2 ms and 100 MB/s by each of the first disks alone, up to that size, with a spread of that share of latency. */
static void scale(unsigned disks, const char *list, double spread)
{
	scene_init(&scene, disks);
	scene.sweep.order = ORDER_SCALE;
	scene.sweep.sizes.count = 0;
	assert_null(sizes_parse(list, &scene.sweep.sizes));
	scene_plan(&scene);
	for (size_t i = 0; i < scene.plan.cells && scene.plan.cell[i].disks == 1; i++) {
		const double latency_ns = 2e6 + 10. * scene.plan.cell[i].block_bytes;

		scene_cell(&scene, i);
		scene_reads(&scene, 0, (uint64_t)(10e9 / latency_ns), (int64_t)((1 - spread) * latency_ns), (int64_t)((1 + spread) * latency_ns));
		scene_done(&scene);
	}
}

static void the_size_that_uses_most_of_the_transfer_rate_is_told(void **state)
{
	(void)state;
	/* Nine times 2 ms of 100 MB/s are 1758 KiB. */
	scale(1, "4k:1m", .1);
	assert_note("sda: random reads of 1792k or more use 90 % of its transfer rate of 100.0 MB/s.");
}

static void sizes_that_do_not_tell_it_are_told_once_with_those_that_will(void **state)
{
	static const struct {
		unsigned disks;
		const char *sizes, *note;
		double spread;
	} example[] = {
		{ 1, "4k:128k", "sda: the sizes do not tell how large random reads must be to use 90 % of the transfer rate; that needs -s up "
		  "to 512k.", .1 },
		{ 2, "4k:128k", "sda and 1 more disk: the sizes do not tell how large random reads must be to use 90 % of the transfer rate; "
		  "that needs -s up to 512k.", .1 },
		{ 3, "4k,8k", "sda and 2 more disks: the sizes do not tell how large random reads must be to use 90 % of the transfer rate; "
		  "that needs -s up to 64k.", .9 },
		{ 1, "4k", NULL, .1 },
	};

	for (size_t i = 0; i < TEXT_COUNT(example); i++) {
		scale(example[i].disks, example[i].sizes, example[i].spread);
		assert_note(example[i].note);
		close_scene(state);
	}
	start(1);
}

#define CAUSES ". Look for what makes them wait for each other: an adapter or bridge that serves one command at a time, a port " \
	"multiplier without FIS-based switching, a queue depth of 1, one lock in a driver."

/* One size, and so nothing to say of sizes. */
static void rounds_are_told_with_their_cost_and_causes(void **state)
{
	(void)state;
	scale(3, "16k", .1);
	scene_cell(&scene, 3);
	scene_rounds(&scene, 3000);
	scene_done(&scene);
	assert_note("the disks answer in rounds in random 16k with 2 disks (phi 1.000, largest lead 1, p 0.005): 9.8 MB/s there, and 15.1 "
		    "without rounds" CAUSES);
}

static void of_several_cells_with_rounds_the_costliest_is_told(void **state)
{
	(void)state;
	scale(3, "16k", .1);
	for (size_t i = 3; i < 5; i++) {
		scene_cell(&scene, i);
		scene_rounds(&scene, i == 3 ? 3000 : 2000);
		scene_done(&scene);
	}
	assert_note("the disks answer in rounds in 2 cells, most in random 16k with 3 disks (phi 1.000, largest lead 1, p 0.005): 9.8 MB/s "
		    "there, and 22.7 without rounds" CAUSES);
}

/* A cost that is not known is left out. */
static void rounds_of_which_nothing_else_is_known_are_told(void **state)
{
	(void)state;
	scene_init(&scene, 2);
	scene.sweep.order = ORDER_SCALE;
	scene_plan(&scene);
	scene_cell(&scene, 2);
	scene_rounds(&scene, 3000);
	scene_done(&scene);
	assert_note("the disks answer in rounds in random 4k with 2 disks (phi 1.000, largest lead 1, p 0.005)" CAUSES);
}

static void disks_that_answer_when_they_will_give_no_note(void **state)
{
	(void)state;
	scale(2, "16k", .1);
	scene_cell(&scene, 2);
	scene_reads(&scene, 0, 4600, 2 * NS_PER_MS, 2 * NS_PER_MS);
	scene_reads(&scene, 1, 4700, 2 * NS_PER_MS, 2 * NS_PER_MS);
	scene_done(&scene);
	assert_note(NULL);
}

#define SCENE_TEST(test) cmocka_unit_test_teardown(test, close_scene)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE_TEST(a_disk_that_does_not_answer_to_a_signal_is_named),
		SCENE_TEST(a_stall_that_the_window_cut_off_is_noted),
		SCENE_TEST(a_slow_disk_does_not_stall),
		SCENE_TEST(a_good_run_is_not_commented),
		SCENE_TEST(others_reads_and_writes_are_told_by_the_second),
		SCENE_TEST(reads_that_the_kernel_may_split_are_told_in_bytes),
		SCENE_TEST(split_reads_are_told_beside_the_kernels_figures),
		SCENE_TEST(reads_are_split_elsewhere_too_but_not_by_others_reads),
		SCENE_TEST(reads_quicker_than_any_medium_are_doubted),
		SCENE_TEST(a_rate_above_the_links_speed_is_doubted),
		cmocka_unit_test(links_carry_their_speed_less_the_line_code),
		SCENE_TEST(a_host_managed_disk_is_warned_of),
		SCENE_TEST(counters_that_say_nothing_give_no_note),
		SCENE_TEST(our_own_failed_and_uncounted_reads_are_not_others),
		SCENE_TEST(reads_that_the_kernel_did_not_see_came_from_elsewhere),
		SCENE_TEST(cooked_reads_may_differ_from_the_kernels_but_writes_are_others),
		SCENE_TEST(the_worst_of_several_cells_stands_for_them),
		SCENE_TEST(linear_reads_that_began_again_are_noted),
		SCENE_TEST(a_rate_that_drifts_much_is_noted_at_once),
		SCENE_TEST(a_rate_that_drifts_no_more_than_by_chance_is_not_noted),
		SCENE_TEST(a_precision_that_was_not_reached_is_noted),
		SCENE_TEST(reads_held_up_by_the_collector_are_noted),
		SCENE_TEST(what_a_disk_is_can_be_a_note),
		SCENE_TEST(a_disk_that_is_mostly_zeros_is_noted),
		SCENE_TEST(a_first_read_that_woke_the_disk_is_noted),
		SCENE_TEST(what_reads_take_beyond_the_kernels_time_is_noted),
		SCENE_TEST(fewer_or_more_reads_in_flight_than_the_depth_are_noted),
		SCENE_TEST(what_the_edges_of_the_window_cut_off_is_not_missed_in_flight),
		SCENE_TEST(cooked_reads_may_take_a_whole_processor),
		SCENE_TEST(a_thread_that_takes_a_whole_processor_is_noted),
		SCENE_TEST(a_buffer_over_the_memlock_limit_is_noted),
		SCENE_TEST(an_engine_that_was_passed_over_is_noted),
		SCENE_TEST(a_pause_and_its_first_cell_are_noted),
		SCENE_TEST(disks_measured_alone_have_their_own_notes_and_complaints),
		SCENE_TEST(a_run_that_a_signal_ended_is_noted),
		SCENE_TEST(a_run_that_a_signal_ended_in_the_probe_is_noted),
		SCENE_TEST(each_disk_and_kind_of_fault_is_one_complaint),
		SCENE_TEST(a_lost_disk_is_a_complaint),
		SCENE_TEST(a_disk_lost_in_the_probe_is_a_complaint),
		SCENE_TEST(the_worst_end_of_a_disk_is_told),
		SCENE_TEST(a_disk_that_did_its_part_until_the_signal_is_no_trouble),
		SCENE_TEST(disks_that_are_one_or_lie_on_one_another_are_noted),
		SCENE_TEST(the_size_that_uses_most_of_the_transfer_rate_is_told),
		SCENE_TEST(sizes_that_do_not_tell_it_are_told_once_with_those_that_will),
		SCENE_TEST(rounds_are_told_with_their_cost_and_causes),
		SCENE_TEST(of_several_cells_with_rounds_the_costliest_is_told),
		SCENE_TEST(rounds_of_which_nothing_else_is_known_are_told),
		SCENE_TEST(disks_that_answer_when_they_will_give_no_note),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
