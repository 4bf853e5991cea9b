#include "scene.h"

#include "base/clock.h"
#include "base/rng.h"
#include "test.h"

static const int64_t start_ns = 100 * NS_PER_S, end_ns = 110 * NS_PER_S;

static const char *const path[SCENE_DISKS] = { "/dev/sda", "/dev/sdb", "/dev/sdc", "/dev/sdd", "/dev/sde", "/dev/sdf",
					       "/dev/sdg", "/dev/sdh" };

void scene_init(struct scene *scene, unsigned disks)
{
	static char program[] = "diskbench";
	static char *const command[] = { program, NULL };

	*scene = (struct scene){
		.origin = { .command = command, .label = "" },
		.judge = { .tolerance_percent = 10 },
		.host = { .name = "box", .kernel = "Linux 6.1.0", .started_s = 1700000000, .clock_cost_ns = 25 },
		.disks = disks,
		.sweep = { .modes = 1U << MODE_RANDOM, .accesses = 1U << ACCESS_RAW },
		.limits = { .time_ns = end_ns - start_ns,
			    .warmup_ns = NS_PER_S / 2,
			    .hang_ns = 90 * NS_PER_S,
			    .max_errors = 100,
			    .seed = 42,
			    .seed_chosen = true },
	};
	scene->sweep.sizes.value[scene->sweep.sizes.count++] = 4096;
	for (unsigned i = 0; i < disks; i++) {
		scene->disk[i] = (struct device_info){
			.path = path[i],
			.kind = KIND_HDD,
			.rdev = i + 1,
			.size_bytes = UINT64_C(4000787030016),
			.sector_bytes = 512,
			.physical_bytes = 4096,
			.max_read_bytes = 1280 * 1024,
		};
		strcpy(scene->disk[i].name, path[i] + strlen("/dev/"));
		scene->info[i] = &scene->disk[i];
	}
}

void scene_plan(struct scene *scene)
{
	struct error error;

	if (plan_make(&scene->plan, &scene->sweep, &scene->limits, &scene->host, scene->info, scene->disks, &error) < 0)
		fail_msg("%s", error.text);
	assert_int_equal(result_init(&scene->result, &scene->host, &scene->plan, &scene->origin, &scene->judge), 0);
	scene->track = calloc(scene->disks, sizeof *scene->track);
	assert_non_null(scene->track);
}

void scene_cell(struct scene *scene, size_t cell)
{
	scene->outcome = (struct outcome){
		.cell = &scene->plan.cell[cell], .start_ns = start_ns, .end_ns = end_ns, .disk = scene->track
	};
	memset(scene->track, 0, scene->disks * sizeof *scene->track);
	for (unsigned i = 0; i < scene->outcome.cell->disks; i++) {
		struct track *track = &scene->track[i];

		track->job = plan_job(&scene->plan, scene->outcome.cell, scene->outcome.cell->first + i);
		track->ending = track->job.unfit ? ENDED_UNFIT : ENDED_WELL;
		track->ended_ns = end_ns;
		track->kernel_known = true;
		track->kernel.time_ns = end_ns - start_ns;
	}
}

static void read_well(struct scene *scene, unsigned disk, int64_t completed_ns, int64_t latency_ns)
{
	const struct sample sample = { .issued_ns = scene->outcome.start_ns + completed_ns - latency_ns,
				       .latency_ns = latency_ns,
				       .counts = true };

	tally_add(&scene->track[disk].tally, &sample, scene->outcome.start_ns);
	scene->track[disk].kernel.reads++;
	scene->track[disk].kernel.read_sectors += scene->outcome.cell->block_bytes / KSTAT_SECTOR_BYTES;
}

void scene_reads(struct scene *scene, unsigned disk, uint64_t reads, int64_t shortest_ns, int64_t longest_ns)
{
	const int64_t window_ns = scene->outcome.end_ns - scene->outcome.start_ns;

	for (uint64_t i = 0; i < reads; i++) {
		const int64_t latency_ns =
			shortest_ns + (reads > 1 ? (longest_ns - shortest_ns) * (int64_t)i / (int64_t)(reads - 1) : 0);

		read_well(scene, disk, window_ns / (int64_t)reads * (int64_t)(i + 1), latency_ns);
	}
}

void scene_rounds(struct scene *scene, unsigned rounds)
{
	const int64_t round_ns = (scene->outcome.end_ns - scene->outcome.start_ns) / rounds;
	struct rng rng;

	rng_init(&rng, 1);
	for (unsigned round = 0; round < rounds; round++)
		for (unsigned disk = 0; disk < scene->outcome.cell->disks; disk++) {
			const int64_t latency_ns = round_ns / 10 + (int64_t)rng_below(&rng, (uint64_t)(round_ns / 10 * 9));

			read_well(scene, disk, round * round_ns + latency_ns, latency_ns);
		}
}

void scene_faults(struct scene *scene, unsigned disk, uint64_t reads, int error, uint64_t first_offset)
{
	for (uint64_t i = 0; i < reads; i++) {
		const struct sample sample = { .issued_ns = scene->outcome.start_ns, .latency_ns = NS_PER_MS, .error = error,
					       .offset = first_offset + i * scene->outcome.cell->block_bytes, .counts = true };

		tally_add(&scene->track[disk].tally, &sample, scene->outcome.start_ns);
	}
}

void scene_ends(struct scene *scene, unsigned disk, enum ending ending, int error, int64_t after_ns)
{
	struct track *track = &scene->track[disk];

	track->ending = ending;
	track->error = error;
	track->ended_ns = scene->outcome.start_ns + after_ns;
}

void scene_done(struct scene *scene)
{
	assert_int_equal(result_add(&scene->result, &scene->outcome), 0);
}

void scene_close(struct scene *scene)
{
	result_release(&scene->result);
	plan_release(&scene->plan);
	free(scene->track);
}
