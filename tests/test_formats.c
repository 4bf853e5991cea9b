/* What the formats print, byte for byte as in tests/golden. To renew those files, and then to read what
 * git says of them: UPDATE_GOLDEN=1 build/tests/test_formats */
#include "test.h"

#include <errno.h>
#include <unistd.h>

#include "base/clock.h"
#include "report/disks.h"
#include "report/format.h"
#include "scene.h"

enum { FORMATS = 5, COLUMNS = 80 };

static const struct format *const format[FORMATS] = { &table_format, &csv_format, &lewis_format, &json_format,
							&prometheus_format };
static const char *const suffix[FORMATS] = { ".txt", ".csv", ".lewis", ".json", ".prom" };

static struct scene scene;
static FILE *page[FORMATS];
static char *text[FORMATS];
static size_t size[FORMATS];

static int close_scene(void **state)
{
	(void)state;
	for (int i = 0; i < FORMATS; i++) {
		if (page[i])
			fclose(page[i]);
		page[i] = NULL;
		free(text[i]);
		text[i] = NULL;
	}
	judge_release(&scene.judge);
	scene_close(&scene);
	return 0;
}

static void open_pages(void)
{
	for (int i = 0; i < FORMATS; i++) {
		page[i] = open_memstream(&text[i], &size[i]);
		assert_non_null(page[i]);
	}
}

static void begin_pages(void)
{
	open_pages();
	for (int i = 0; i < FORMATS; i++)
		format[i]->begin(page[i], &scene.result);
}

/* After scene_init() and the wishes. */
static void begin(void)
{
	scene_plan(&scene);
	begin_pages();
}

/* The cell under way is over. */
static void done(void)
{
	const size_t from = scene.result.rows;

	scene_done(&scene);
	for (int i = 0; i < FORMATS; i++)
		if (format[i]->rows)
			format[i]->rows(page[i], &scene.result, from);
}

static void end_pages(void)
{
	for (int i = 0; i < FORMATS; i++) {
		format[i]->end(page[i], &scene.result);
		assert_int_equal(fclose(page[i]), 0);
		page[i] = NULL;
	}
}

static void end(void)
{
	assert_int_equal(result_finish(&scene.result), 0);
	end_pages();
}

static void write_file(const char *path, const char *content)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(content, file);
	assert_int_equal(fclose(file), 0);
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *content = NULL;
	size_t room = 0;

	if (file && getdelim(&content, &room, '\0', file) < 0)
		*content = '\0';
	if (file)
		fclose(file);
	return content;
}

static void show_difference(const char *path, const char *content)
{
	char draft[] = "/tmp/diskbench-golden-XXXXXX", command[256];
	const int fd = mkstemp(draft);

	assert_true(fd >= 0);
	close(fd);
	write_file(draft, content);
	snprintf(command, sizeof command, "diff -u %s %s >&2", path, draft);
	if (system(command) == 0)
		print_error("no line differs\n");
	unlink(draft);
}

static void assert_golden(const char *name, const char *content)
{
	char path[128];

	snprintf(path, sizeof path, "tests/golden/%s", name);
	if (getenv("UPDATE_GOLDEN")) {
		write_file(path, content);
		return;
	}
	char *golden = read_file(path);
	const bool same = golden && strcmp(golden, content) == 0;

	free(golden);
	if (same)
		return;
	show_difference(path, content);
	fail_msg("the output is not that of %s; if it is right, renew it with UPDATE_GOLDEN=1", path);
}

/* Fit for a mailing list. */
static void assert_plain(const char *content)
{
	for (const char *line = content; *line;) {
		const size_t length = strcspn(line, "\n");

		if (length > COLUMNS)
			fail_msg("%zu columns: %.*s", length, (int)length, line);
		for (size_t i = 0; i < length; i++)
			assert_in_range((unsigned char)line[i], ' ', '~');
		assert_int_equal(line[length], '\n');
		line += length + 1;
	}
}

static void assert_pages_golden(const char *name)
{
	char file[64];

	assert_plain(text[0]);
	for (int i = 0; i < FORMATS; i++) {
		snprintf(file, sizeof file, "%s%s", name, suffix[i]);
		assert_golden(file, text[i]);
	}
}

static void assert_all_golden(const char *name)
{
	end();
	assert_pages_golden(name);
}

static void sizes(const char *list)
{
	scene.sweep.sizes.count = 0;
	assert_null(sizes_parse(list, &scene.sweep.sizes));
}

static void hdd(unsigned i)
{
	struct device_info *info = &scene.disk[i];

	strcpy(info->model, "ST4000DM004-2CV1");
	strcpy(info->id, "naa.5000c500a1b2c3d4");
	strcpy(info->scheduler, "mq-deadline");
	strcpy(info->link, "6.0 Gbps");
}

static void ssd(unsigned i)
{
	struct device_info *info = &scene.disk[i];

	info->kind = KIND_SSD;
	info->path = "/dev/disk/by-id/nvme-eui.002538b121400001";
	info->size_bytes = UINT64_C(2000398934016);
	info->sector_bytes = 4096;
	strcpy(info->name, "nvme0n1");
	strcpy(info->model, "Samsung SSD 980 PRO 2TB");
	strcpy(info->id, "eui.002538b121400001");
	strcpy(info->scheduler, "none");
	strcpy(info->link, "PCIe 16.0 GT/s x4");
}

/* Two disks at once: one that one size does not fit, bad sectors, a loss, a signal. */
static void two_disks_with_all_that_can_befall_them(void **state)
{
	(void)state;
	scene_init(&scene, 2);
	hdd(0);
	ssd(1);
	strcpy(scene.disk[1].in_use, "mounted on /var/lib/a rather long name of a folder that goes on");
	scene.sweep.modes |= 1U << MODE_REREAD;
	sizes("512,16k,1m");
	begin();
	scene_cell(&scene, 0);
	scene_reads(&scene, 0, 1182, 2 * NS_PER_MS, 14 * NS_PER_MS);
	done();
	scene_cell(&scene, 1);
	scene_reads(&scene, 0, 1181, 2 * NS_PER_MS, 15 * NS_PER_MS);
	scene_reads(&scene, 1, 123456, 60000, 100000);
	scene.track[0].kernel.reads += 50;
	scene.track[0].kernel.read_sectors += 400;
	done();
	scene_cell(&scene, 2);
	scene_reads(&scene, 0, 95, 8 * NS_PER_MS, 190 * NS_PER_MS);
	scene_faults(&scene, 0, 12, -EIO, 1234567168);
	scene_reads(&scene, 1, 20000, 400000, 700000);
	done();
	scene_cell(&scene, 3);
	scene_reads(&scene, 0, 80000, 100000, 150000);
	done();
	scene_cell(&scene, 4);
	scene_reads(&scene, 0, 60000, 120000, 180000);
	scene_reads(&scene, 1, 15000, 30000, 90000);
	scene_ends(&scene, 1, ENDED_GONE, -ENODEV, 1200 * NS_PER_MS);
	done();
	scene_cell(&scene, 5);
	scene.outcome.end_ns = scene.outcome.start_ns + NS_PER_S / 2;
	scene.outcome.interrupted = true;
	scene_reads(&scene, 0, 3, 6 * NS_PER_MS, 6 * NS_PER_MS);
	scene_ends(&scene, 1, ENDED_ABSENT, 0, 0);
	done();
	assert_all_golden("together");
}

/* The depth is the axis. */
static void depths_of_an_ssd(void **state)
{
	(void)state;
	scene_init(&scene, 2);
	ssd(1);
	sizes("4k");
	assert_null(depths_parse("1,8,32", &scene.sweep.depths));
	scene.sweep.modes |= 1U << MODE_REREAD;
	begin();
	scene.result.histogram = true;
	for (size_t i = 0; i < scene.plan.cells; i++) {
		const int64_t depth = scene.plan.cell[i].depth;

		scene_cell(&scene, i);
		scene_reads(&scene, 0, 1000, depth * 10 * NS_PER_MS, depth * 10 * NS_PER_MS);
		scene_reads(&scene, 1, 100000, depth * NS_PER_MS / 10, depth * NS_PER_MS / 10);
		done();
	}
	assert_all_golden("depths");
}

/* The depth stands in the heading, and above all why it goes through aio. */
static void depths_without_io_uring(void **state)
{
	(void)state;
	scene_init(&scene, 1);
	scene.host.engine_errno[ENGINE_URING] = EPERM;
	sizes("4k,64k");
	assert_null(depths_parse("8,1", &scene.sweep.depths));
	begin();
	for (size_t i = 0; i < scene.plan.cells; i++) {
		scene_cell(&scene, i);
		scene_reads(&scene, 0, i < 2 ? 80000 : 10000, NS_PER_MS, NS_PER_MS);
		done();
	}
	assert_all_golden("aio");
}

/* One after another, raw and cooked, with names that need care. */
static void odd_names_one_after_another(void **state)
{
	static const struct {
		const char *path, *name, *model;
	} odd[] = {
		{ "images/a \"big\" one,\nat last.img", "a \"big\" one,?at last.img", "" },
		{ "/dev/nvme10n1p12", "nvme10n1p12", "Vendor, Inc. Model" },
	};

	(void)state;
	scene_init(&scene, 2);
	for (unsigned i = 0; i < TEXT_COUNT(odd); i++) {
		scene.disk[i].path = odd[i].path;
		strcpy(scene.disk[i].name, odd[i].name);
		strcpy(scene.disk[i].model, odd[i].model);
	}
	scene.disk[0].kind = KIND_FILE;
	scene.disk[0].backing = BACKING_MEMORY;
	scene.disk[0].physical_bytes = 512;
	scene.disk[0].size_bytes = 268435456;
	scene.sweep.order = ORDER_ALONE;
	scene.sweep.accesses |= 1U << ACCESS_COOKED;
	sizes("4k,8k");
	begin();
	for (size_t i = 0; i < scene.plan.cells; i++) {
		scene_cell(&scene, i);
		scene_reads(&scene, 0, 1000 * (i + 1), NS_PER_MS / 20, NS_PER_MS / 10);
		done();
	}
	assert_all_golden("alone");
}

/* The spans are the axis, or stand in the heading. */
static void spans_of_a_disk(void **state)
{
	(void)state;
	scene_init(&scene, 2);
	hdd(0);
	ssd(1);
	scene.sweep.modes = 1U << MODE_LINEAR;
	assert_null(spans_parse("0:10%,90%:10%,1500g:100g,1:1023m", &scene.sweep.spans));
	sizes("1m");
	begin();
	for (size_t i = 0; i < scene.plan.cells; i++) {
		scene_cell(&scene, i);
		scene_reads(&scene, 0, 1900 - 300 * i, 5 * NS_PER_MS, 6 * NS_PER_MS);
		scene_reads(&scene, 1, 25000, NS_PER_MS / 3, NS_PER_MS / 2);
		done();
	}
	assert_all_golden("spans");
}

static void sizes_in_two_spans(void **state)
{
	(void)state;
	scene_init(&scene, 1);
	/* One disk is always alone: nothing to say. */
	scene.sweep.order = ORDER_ALONE;
	assert_null(spans_parse("0:10%,1g:512m", &scene.sweep.spans));
	sizes("4k,1m");
	begin();
	for (size_t i = 0; i < scene.plan.cells; i++) {
		scene_cell(&scene, i);
		scene_reads(&scene, 0, 1000, 5 * NS_PER_MS, 6 * NS_PER_MS);
		done();
	}
	assert_all_golden("headings");
}

/* Of all disks together, in steps as fine as fit: those of the second cell are fewer and coarser. */
static void how_latencies_spread(void **state)
{
	(void)state;
	scene_init(&scene, 2);
	assert_null(spans_parse("0:10%,90%:10%,1g:1g,2g:1g", &scene.sweep.spans));
	scene_plan(&scene);
	scene.result.histogram = true;
	begin_pages();
	for (size_t i = 0; i < scene.plan.cells; i++) {
		scene_cell(&scene, i);
		if (i == 0)
			scene_reads(&scene, 0, 10000, 900000, 2600000);
		if (i == 1)
			scene_reads(&scene, 0, 1000, 100, 100);
		if (i < 2)
			scene_reads(&scene, 1, 4, 60 * NS_PER_MS >> 20 * i, 70 * NS_PER_S >> 20 * i);
		if (i == 2)
			scene_reads(&scene, 1, 1, 3600 * NS_PER_S * 3, 3600 * NS_PER_S * 3);
		done();
	}
	assert_all_golden("spread");
}

static void a_spread_names_its_cell_once(void **state)
{
	(void)state;
	scene_init(&scene, 1);
	assert_null(depths_parse("8,16", &scene.sweep.depths));
	scene_plan(&scene);
	scene.result.histogram = true;
	begin_pages();
	for (size_t i = 0; i < scene.plan.cells; i++) {
		scene_cell(&scene, i);
		scene_reads(&scene, 0, 100, NS_PER_MS, NS_PER_MS);
		done();
	}
	end();
	assert_non_null(strstr(text[0], "latencies of sda, random 4k, depth 16\n"));
}

/* The zones' own figures, and a map of each disk under them. */
static void zones_of_two_disks(void **state)
{
	(void)state;
	scene_init(&scene, 2);
	hdd(0);
	ssd(1);
	scene.sweep.modes = 1U << MODE_LINEAR;
	scene.sweep.zones = 4;
	assert_null(spans_parse("50%:50%", &scene.sweep.spans));
	sizes("1m");
	begin();
	for (size_t i = 0; i < scene.plan.cells; i++) {
		scene_cell(&scene, i);
		scene_reads(&scene, 0, 1900 - 100 * i, 5 * NS_PER_MS, 6 * NS_PER_MS);
		if (i < 2)
			scene_reads(&scene, 1, 25000, NS_PER_MS / 3, NS_PER_MS / 2);
		else
			scene_ends(&scene, 1, i == 2 ? ENDED_HUNG : ENDED_ABSENT, 0, -1);
		done();
	}
	assert_all_golden("zones");
}

/* The kernel's view stands under each block: under the last one before the notes. */
static void a_disk_and_a_file_as_the_kernel_sees_them(void **state)
{
	(void)state;
	scene_init(&scene, 2);
	hdd(0);
	strcpy(scene.disk[0].settings, "nr_requests 256, device queue depth 32, read-ahead 128k, write cache write back, "
				       "zoned none, temperature 34 C");
	scene.disk[1].kind = KIND_FILE;
	strcpy(scene.disk[1].name, "a.img");
	scene.sweep.modes |= 1U << MODE_REREAD;
	sizes("8k,1m");
	scene_plan(&scene);
	scene.result.extended = true;
	begin_pages();
	for (size_t i = 0; i < scene.plan.cells; i++) {
		scene_cell(&scene, i);
		scene_reads(&scene, 0, 1200, 12 * NS_PER_MS, 13 * NS_PER_MS);
		scene_reads(&scene, 1, 100000, 100000, 110000);
		scene.track[0].kernel.read_merges = i == 0 ? 300 : 0;
		scene.track[0].kernel.read_ms = scene.track[0].kernel.queue_ms = 14400;
		scene.track[0].kernel.busy_ms = 9600;
		scene.track[0].kernel.reads *= i % 2 + 1;
		scene.track[1].kernel_known = false;
		done();
	}
	assert_all_golden("extended");
}

/* Four equal disks, of which the last is slower in the third night, when a fifth could not be opened. */
static void measure_night(unsigned night)
{
	const bool tonight = night == 2;
	const unsigned disks = tonight ? 5 : 4;

	scene_init(&scene, disks);
	scene.host.started_s += night * INT64_C(86400);
	scene.origin.label = "Gr\xc3\xb6\xc3\x9f" "e 4, \"left\" rack";
	sizes("4k,64k");
	for (unsigned i = 0; i < 4; i++) {
		hdd(i);
		scene.disk[i].id[0] = (char)('a' + i);
	}
	scene.disk[4].missing = tonight;
	scene_plan(&scene);
	for (size_t cell = 0; cell < scene.plan.cells; cell++) {
		scene_cell(&scene, cell);
		for (unsigned i = 0; i < 4; i++)
			scene_reads(&scene, i, 1200 - 100 * cell - 10 * night - (i == 3 && tonight ? 400 : 0), 2 * NS_PER_MS,
				    (i == 3 && tonight ? 30 : 14) * NS_PER_MS);
		scene_done(&scene);
	}
}

static void read_nights_before(struct judge *judge)
{
	struct error error;

	for (unsigned night = 0; night < 2; night++) {
		char *report = NULL;
		size_t length;
		FILE *out = open_memstream(&report, &length);

		assert_non_null(out);
		measure_night(night);
		csv_format.begin(out, &scene.result);
		for (size_t from = 0; from < scene.result.rows; from += scene.disks + 1)
			csv_format.rows(out, &scene.result, from);
		fclose(out);
		assert_int_equal(records_read(&judge->baseline, "r.csv", report, length, &error), 0);
		free(report);
		scene_close(&scene);
	}
}

static void a_night_on_which_a_disk_got_worse(void **state)
{
	static const char *const requirement[] = { "p99<=20ms", "random/64k:MB/s>=6.5", "errors<=0" };
	struct wishes wishes = { .tolerance_percent = 10 };
	struct judge judge;
	struct error error;

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(requirement); i++)
		words_add(&wishes.requirements, requirement[i], strlen(requirement[i]));
	assert_int_equal(judge_init(&judge, &wishes, &error), 0);
	read_nights_before(&judge);
	measure_night(2);
	scene.judge = judge;
	assert_int_equal(result_finish(&scene.result), 0);
	open_pages();
	for (int i = 0; i < FORMATS; i++) {
		format[i]->begin(page[i], &scene.result);
		for (size_t from = 0; format[i]->rows && from < scene.result.rows; from += 6)
			format[i]->rows(page[i], &scene.result, from);
	}
	end_pages();
	words_release(&wishes.requirements);
	assert_pages_golden("worse");
}

/* Two files of one name, texts that need care in every format, and no reads at all of one of them. */
static void names_that_every_format_must_escape(void **state)
{
	static char word[] = "odd \"\\\x01\xff", *const command[] = { word, NULL };
	static const char *const path[] = { "a/x\\y.img", "b/x\\y.img" };

	(void)state;
	scene_init(&scene, 2);
	scene.origin = (struct origin){ command, "back\\slash, \"quote\" and \xff" };
	for (unsigned i = 0; i < 2; i++) {
		scene.disk[i].path = path[i];
		scene.disk[i].kind = KIND_FILE;
		strcpy(scene.disk[i].name, "x\\y.img");
	}
	strcpy(scene.disk[0].model, "\x7f\xc3\xb6\xc3");
	strcpy(scene.disk[1].id, "new\nline");
	begin();
	scene_cell(&scene, 0);
	scene_reads(&scene, 0, 1000, NS_PER_MS, 2 * NS_PER_MS);
	done();
	assert_all_golden("names");
}

static void a_run_that_measured_nothing(void **state)
{
	(void)state;
	scene_init(&scene, 1);
	begin();
	scene.result.interrupted = true;
	assert_all_golden("nothing");
}

static void extreme_figures_keep_their_columns(void **state)
{
	(void)state;
	scene_init(&scene, 2);
	sizes("4k,1g");
	begin();
	scene_cell(&scene, 0);
	scene.outcome.end_ns = scene.outcome.start_ns + NS_PER_S / 100;
	scene_reads(&scene, 0, 99999, 90, 91);
	scene_reads(&scene, 1, 1, 25 * NS_PER_S, 25 * NS_PER_S);
	done();
	scene_cell(&scene, 1);
	scene_reads(&scene, 0, 1, 89 * NS_PER_S, 89 * NS_PER_S);
	done();
	assert_all_golden("extremes");
}

/* Disks of 2, 4 and 6 ms and 50 MB/s on a bus that two of them fill; two sizes and rereads; in one cell a disk is lost, in another
 * they answer in rounds. */
static void measure_disks_that_scale(void)
{
	for (size_t i = 0; i < scene.plan.cells; i++) {
		const struct cell *cell = &scene.plan.cell[i];

		scene_cell(&scene, i);
		if (cell->disks == 3 && cell->mode == MODE_RANDOM && cell->block_bytes == 16384)
			scene_ends(&scene, 2, ENDED_GONE, -ENODEV, 1200 * NS_PER_MS);
		for (unsigned disk = 0; disk < cell->disks; disk++) {
			const int64_t transfer_ns = 20 * (int64_t)cell->block_bytes;
			const int64_t latency_ns = cell->mode == MODE_REREAD ? cell->disks * (NS_PER_MS / 2 + transfer_ns) :
						   2 * NS_PER_MS * (cell->first + disk + 1) + transfer_ns;

			if (cell->disks == 2 && cell->mode == MODE_RANDOM && cell->block_bytes == 16384)
				continue;
			scene_reads(&scene, disk, (uint64_t)(10 * NS_PER_S / latency_ns), latency_ns / 10 * 9, latency_ns / 10 * 11);
		}
		if (cell->disks == 2 && cell->mode == MODE_RANDOM && cell->block_bytes == 16384)
			scene_rounds(&scene, 1600);
		done();
	}
}

static void disks_that_scale(void **state)
{
	static unsigned member[] = { 0, 1, 2 };
	static struct share share[] = {
		{ .text = "SAS expander 1:0 (12.0 Gbit)", .disk = member, .disks = 2 },
		{ .text = "PCI function 0000:03:00.0 (PCIe 8.0 GT/s x8)", .disk = member, .disks = 3 },
	};
	static struct relation relation[] = { { KIN_SAME_ID, 0, 1 }, { KIN_LIES_ON, 2, 1 } };
	static const struct topology topology = { share, 2, relation, 2 };

	(void)state;
	scene_init(&scene, 3);
	strcpy(scene.disk[2].name, "a disk of a long name");
	scene.sweep.order = ORDER_SCALE;
	scene.sweep.modes |= 1U << MODE_REREAD;
	sizes("16k,1m");
	scene_plan(&scene);
	scene.result.topology = &topology;
	begin_pages();
	measure_disks_that_scale();
	assert_all_golden("scale");
}

static void the_plan_of_a_dry_run(void **state)
{
	FILE *out;

	(void)state;
	scene_init(&scene, 2);
	hdd(0);
	ssd(1);
	scene.sweep.modes |= 1U << MODE_LINEAR;
	scene.sweep.accesses |= 1U << ACCESS_COOKED;
	assert_null(spans_parse("0:10%,1500g:100g", &scene.sweep.spans));
	sizes("512,1m");
	scene_plan(&scene);
	out = open_memstream(&text[0], &size[0]);
	assert_non_null(out);
	cells_put(out, &scene.plan);
	fclose(out);
	assert_plain(text[0]);
	assert_golden("dry-run.txt", text[0]);
}

static void the_plan_of_disks_that_scale(void **state)
{
	FILE *out;

	(void)state;
	scene_init(&scene, 3);
	scene.sweep.order = ORDER_SCALE;
	scene_plan(&scene);
	out = open_memstream(&text[0], &size[0]);
	assert_non_null(out);
	cells_put(out, &scene.plan);
	fclose(out);
	assert_plain(text[0]);
	assert_golden("dry-run-scale.txt", text[0]);
}

static void the_csv_has_the_columns_of_the_record(void **state)
{
	static const char header[] =
		"schema,time,host,kernel,version,label,seed,disk,path,id,model,capacity_bytes,sector_bytes,"
		"mode,access,block_bytes,queue_depth,engine,order,members,span_start_bytes,span_bytes,"
		"seconds,requests,bytes,errors,requests_per_second,ci95_percent,bytes_per_second,"
		"latency_mean_ns,latency_stdev_ns,latency_min_ns,latency_p50_ns,latency_p90_ns,latency_p95_ns,"
		"latency_p99_ns,latency_p99_lo_ns,latency_p99_hi_ns,latency_p99_9_ns,latency_max_ns,status,"
		"kernel_seconds,kernel_reads_per_second,kernel_bytes_per_second,kernel_read_bytes,kernel_merged_percent,"
		"kernel_await_ns,kernel_queue_length,kernel_busy_percent,kernel_service_ns,part\n";

	(void)state;
	scene_init(&scene, 1);
	begin();
	end();
	assert_string_equal(text[1], header);
}

static void csv_quotes_what_needs_it(void **state)
{
	static const struct {
		const char *path, *quoted;
	} path[] = {
		{ "plain", ",plain," },	  { "a b;c", ",a b;c," },   { "a,b", ",\"a,b\"," }, { "a\"b", ",\"a\"\"b\"," },
		{ "a\nb", ",\"a\nb\"," }, { "a\rb", ",\"a\rb\"," }, { "\"", ",\"\"\"\"," },
	};

	for (size_t i = 0; i < TEXT_COUNT(path); i++) {
		scene_init(&scene, 1);
		scene.disk[0].path = path[i].path;
		begin();
		scene_cell(&scene, 0);
		done();
		end();
		assert_non_null(strstr(text[1], path[i].quoted));
		close_scene(state);
	}
	scene_init(&scene, 1);
	begin();
}

static void seconds_have_9_decimals_and_rates_12_digits(void **state)
{
	(void)state;
	scene_init(&scene, 1);
	begin();
	scene_cell(&scene, 0);
	scene.outcome.end_ns = scene.outcome.start_ns + 3 * NS_PER_S + 1;
	scene_reads(&scene, 0, 1, 1234567, 1234567);
	done();
	end();
	assert_non_null(
		strstr(text[1],
		       ",0,4000787030016,3.000000001,1,4096,0,0.333333333222,,1365.33333288,1234567,,1234567,1234567,,,,,,,"
		       "1234567,ok,"));
}

/* The published rows of (reads, seconds, block size). */
static void lewis_rows_are_those_of_1988(void **state)
{
	static const struct {
		uint64_t reads;
		int64_t seconds;
		const char *size, *row;
	} published[] = {
		{ 1024, 29, "512", "512\t35.3103\t18078" },
		{ 512, 49, "2k", "2048\t10.449\t21399" },
		{ 32, 1, "2k", "2048\t32\t65536" },
		{ 32, 3, "32k", "32768\t10.6667\t349525" },
		{ 16, 11, "256k", "262144\t1.45455\t381300" },
		{ 4, 73, "512k", "524288\t0.0547945\t28728" },
	};

	for (size_t i = 0; i < TEXT_COUNT(published); i++) {
		char wanted[256];

		scene_init(&scene, 1);
		scene.sweep.accesses = 1U << ACCESS_COOKED;
		sizes(published[i].size);
		begin();
		scene_cell(&scene, 0);
		scene.outcome.end_ns = scene.outcome.start_ns + published[i].seconds * NS_PER_S;
		scene_reads(&scene, 0, published[i].reads, 1000, 1000);
		done();
		end();
		snprintf(wanted, sizeof wanted,
			 "sda:\nRandom\nbsize\treq/sec\tbw\treq/sec\tbw\n\tcooked\tcooked\traw\traw\n%s\t-\t-\n",
			 published[i].row);
		assert_string_equal(text[2], wanted);
		close_scene(state);
	}
	scene_init(&scene, 1);
	begin();
}

static void cooked_stands_beside_raw(void **state)
{
	(void)state;
	scene_init(&scene, 1);
	scene.sweep.accesses |= 1U << ACCESS_COOKED;
	scene.disk[0].sector_bytes = 4096;
	sizes("512,4k");
	scene.sweep.sizes.chosen = false;
	begin();
	for (size_t i = 0; i < scene.plan.cells; i++) {
		scene_cell(&scene, i);
		scene_reads(&scene, 0, scene.track[0].job.unfit ? 0 : 10 * (i + 1), 1000, 1000);
		done();
	}
	end();
	assert_string_equal(text[2], "sda:\nRandom\nbsize\treq/sec\tbw\treq/sec\tbw\n\tcooked\tcooked\traw\traw\n"
			    "512\t3\t1536\t-\t-\n4096\t4\t16384\t2\t8192\n");
}

static void a_format_is_known_by_name_and_by_suffix(void **state)
{
	(void)state;
	assert_ptr_equal(format_by_name("table"), &table_format);
	assert_ptr_equal(format_by_name("lewis"), &lewis_format);
	assert_ptr_equal(format_by_name("csv"), &csv_format);
	assert_ptr_equal(format_by_name("json"), &json_format);
	assert_ptr_equal(format_by_name("prometheus"), &prometheus_format);
	assert_ptr_equal(format_by_suffix("x.json"), &json_format);
	assert_ptr_equal(format_by_suffix("x.prom"), &prometheus_format);
	assert_null(format_by_name("CSV"));
	assert_null(format_by_name(""));
	assert_ptr_equal(format_by_suffix("a.b/x.csv"), &csv_format);
	assert_ptr_equal(format_by_suffix(".txt"), &table_format);
	assert_null(format_by_suffix("x.lewis"));
	assert_null(format_by_suffix("csv"));
	assert_null(format_by_suffix("x.csv.gz"));
	assert_null(format_by_suffix("x.csv/y"));
}

static void a_long_name_loses_its_middle(void **state)
{
	static const struct {
		const char *name;
		int width;
		const char *text;
	} name[] = {
		{ "sda", 8, "sda" },
		{ "12345678", 8, "12345678" },
		{ "123456789", 8, "123~6789" },
		{ "nvme10n1p12", 8, "nvm~1p12" },
		{ "", 8, "" },
	};
	char shown[16];

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(name); i++)
		assert_string_equal(name_print(shown, name[i].width, name[i].name), name[i].text);
}

#define LONG "/a/path/of/more/than/forty/characters/without/a/blank"

static void a_paragraph_breaks_between_words(void **state)
{
	static const char *const sentence =
		"aaaaaaaaa bbbbbbbbb ccccccccc ddddddddd eeeeeeeee fffffffff ggggggggg hhhhhhh iiiiiiiii";
	FILE *out;

	(void)state;
	scene_init(&scene, 1);
	scene_plan(&scene);
	out = open_memstream(&text[0], &size[0]);
	assert_non_null(out);
	paragraph_put(out, "- ", sentence);
	paragraph_put(out, "", "");
	/* What does not fit anywhere is not broken. */
	paragraph_put(out, "  ", LONG LONG);
	fclose(out);
	assert_string_equal(
		text[0], "- aaaaaaaaa bbbbbbbbb ccccccccc ddddddddd eeeeeeeee fffffffff ggggggggg hhhhhhh\n  iiiiiiiii\n\n"
			 "  " LONG LONG "\n");
}

#define SCENE_TEST(test) cmocka_unit_test_teardown(test, close_scene)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE_TEST(two_disks_with_all_that_can_befall_them),
		SCENE_TEST(depths_of_an_ssd),
		SCENE_TEST(depths_without_io_uring),
		SCENE_TEST(odd_names_one_after_another),
		SCENE_TEST(spans_of_a_disk),
		SCENE_TEST(sizes_in_two_spans),
		SCENE_TEST(how_latencies_spread),
		SCENE_TEST(a_spread_names_its_cell_once),
		SCENE_TEST(zones_of_two_disks),
		SCENE_TEST(a_disk_and_a_file_as_the_kernel_sees_them),
		SCENE_TEST(a_night_on_which_a_disk_got_worse),
		SCENE_TEST(names_that_every_format_must_escape),
		SCENE_TEST(a_run_that_measured_nothing),
		SCENE_TEST(extreme_figures_keep_their_columns),
		SCENE_TEST(disks_that_scale),
		SCENE_TEST(the_plan_of_a_dry_run),
		SCENE_TEST(the_plan_of_disks_that_scale),
		SCENE_TEST(the_csv_has_the_columns_of_the_record),
		SCENE_TEST(csv_quotes_what_needs_it),
		SCENE_TEST(seconds_have_9_decimals_and_rates_12_digits),
		SCENE_TEST(lewis_rows_are_those_of_1988),
		SCENE_TEST(cooked_stands_beside_raw),
		cmocka_unit_test(a_format_is_known_by_name_and_by_suffix),
		cmocka_unit_test(a_long_name_loses_its_middle),
		SCENE_TEST(a_paragraph_breaks_between_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
