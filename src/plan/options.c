#include "plan/options.h"

#include <ctype.h>
#include <getopt.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"

/* Takes an option's value. Returns NULL, or why it is none, as the parsers of base/units.h do. */
typedef const char *take_fn(struct options *options, const char *value);

struct option_row {
	char letter;                    /* 0: long only */
	const char *name, *value;       /* value NULL: a switch, which is taken with NULL */
	take_fn *take;
	const char *help;               /* with the default */
};

static const char *take_device(struct options *options, const char *list)
{
	const char *name;
	size_t length;

	while (text_item(&list, &name, &length)) {
		if (!length)
			return "has an empty name; name a disk such as /dev/sdb";
		words_add(&options->devices, name, length);
	}
	return NULL;
}

static const char *take_mode(struct options *options, const char *value)
{
	return set_parse(value, mode_names, MODES, &options->sweep.modes);
}

static const char *take_access(struct options *options, const char *value)
{
	return set_parse(value, access_names, ACCESSES, &options->sweep.accesses);
}

static const char *take_size(struct options *options, const char *value)
{
	return sizes_parse(value, &options->sweep.sizes);
}

static const char *take_depth(struct options *options, const char *value)
{
	return depths_parse(value, &options->sweep.depths);
}

static const char *take_span(struct options *options, const char *value)
{
	return spans_parse(value, &options->sweep.spans);
}

static const char *take_zones(struct options *options, const char *value)
{
	uint64_t zones = 0;
	const char *why = count_parse(value, &zones);

	if (!why && (zones < 2 || zones > ZONES_MAX))
		why = "is out of range; use 2 to 100";
	options->sweep.zones = (unsigned)zones;
	return why;
}

static const char *take_order(struct options *options, const char *value)
{
	return name_parse(value, order_names, ORDERS, &options->sweep.order);
}

static const char *take_engine(struct options *options, const char *value)
{
	return name_parse(value, engine_names, ENGINES, &options->sweep.engine);
}

static const char *take_force(struct options *options, const char *value)
{
	(void)value;
	options->sweep.force = true;
	return NULL;
}

static const char *positive_duration(const char *value, int64_t *ns)
{
	const char *why = duration_parse(value, ns);

	return why || *ns > 0 ? why : "is no time at all; use 1s or more";
}

static const char *take_time(struct options *options, const char *value)
{
	return positive_duration(value, &options->limits.time_ns);
}

static const char *take_warmup(struct options *options, const char *value)
{
	return duration_parse(value, &options->limits.warmup_ns);
}

static const char *take_hang(struct options *options, const char *value)
{
	return positive_duration(value, &options->limits.hang_ns);
}

static const char *take_precision(struct options *options, const char *value)
{
	return percent_parse(value, &options->limits.precision_percent);
}

static const char *positive_count(const char *value, uint64_t *count)
{
	const char *why = count_parse(value, count);

	return why || *count ? why : "is none; use 1 or more";
}

static const char *take_requests(struct options *options, const char *value)
{
	return positive_count(value, &options->limits.requests);
}

static const char *take_max_errors(struct options *options, const char *value)
{
	return positive_count(value, &options->limits.max_errors);
}

static const char *take_seed(struct options *options, const char *value)
{
	options->limits.seed_chosen = true;
	return count_parse(value, &options->limits.seed);
}

static const char *take_format(struct options *options, const char *value)
{
	options->output.format = value;
	return NULL;
}

static const char *take_output(struct options *options, const char *value)
{
	if (!*value)
		return "is no file name; name one that ends in .txt, .csv, .json or .prom";
	words_add(&options->output.files, value, strlen(value));
	return NULL;
}

static const char *take_extended(struct options *options, const char *value)
{
	(void)value;
	options->output.extended = true;
	return NULL;
}

static const char *take_histogram(struct options *options, const char *value)
{
	(void)value;
	options->output.histogram = true;
	return NULL;
}

static const char *take_log(struct options *options, const char *value)
{
	options->output.log = value;
	return *value ? NULL : "is no file name; name one that ends in .csv";
}

static const char *take_progress(struct options *options, const char *value)
{
	static const char *const when_names[WHENS] = { "auto", "always", "never" };

	return name_parse(value, when_names, WHENS, &options->output.progress);
}

static const char *take_quiet(struct options *options, const char *value)
{
	(void)value;
	options->output.quiet = true;
	return NULL;
}

static const char *take_label(struct options *options, const char *value)
{
	for (const char *c = value; *c; c++)
		if (iscntrl((unsigned char)*c))
			return "has a control character; use one line of plain text";
	options->origin.label = value;
	return NULL;
}

static const char *take_baseline(struct options *options, const char *value)
{
	if (!*value)
		return "is no file name; name a report that was written by -f csv";
	words_add(&options->wishes.baselines, value, strlen(value));
	return NULL;
}

static const char *take_tolerance(struct options *options, const char *value)
{
	return percent_parse(value, &options->wishes.tolerance_percent);
}

static const char *take_require(struct options *options, const char *value)
{
	words_add(&options->wishes.requirements, value, strlen(value));
	return NULL;
}

static const char *take_compare(struct options *options, const char *value)
{
	(void)value;
	options->action = ACTION_COMPARE;
	return NULL;
}

static const char *take_skip_missing(struct options *options, const char *value)
{
	(void)value;
	options->skip_missing = true;
	return NULL;
}

static const char *take_wait(struct options *options, const char *value)
{
	(void)value;
	options->wait = true;
	return NULL;
}

static const char *take_list(struct options *options, const char *value)
{
	(void)value;
	options->action = ACTION_LIST;
	return NULL;
}

static const char *take_dry_run(struct options *options, const char *value)
{
	(void)value;
	options->action = ACTION_DRY_RUN;
	return NULL;
}

static const char *take_help(struct options *options, const char *value)
{
	(void)value;
	options->action = ACTION_HELP;
	return NULL;
}

static const char *take_version(struct options *options, const char *value)
{
	(void)value;
	options->action = ACTION_VERSION;
	return NULL;
}

/* Drives getopt and --help. The completion and scripts/check-options read --help: a value that is one of
 * some words, or a list of them, starts the text with these, "a,b,c"; the default is what the text ends
 * with, in parentheses. */
static const struct option_row table[] = {
	{ 'd', "device", "LIST", take_device, "block devices or regular files; repeatable" },
	{ 'm', "mode", "LIST", take_mode, "random,linear,reread (all three)" },
	{ 's', "size", "LIST", take_size, "block sizes, 16k:128k doubles (4k,16k,64k,256k,1m)" },
	{ 'q', "queue-depth", "LIST", take_depth, "reads in flight per disk, 1:32 doubles (1)" },
	{ 'a', "access", "LIST", take_access, "raw,cooked: O_DIRECT, page cache (raw)" },
	{ 0, "force", NULL, take_force, "cooked reads even of disks in use" },
	{ 0, "span", "LIST", take_span, "parts of each disk: 0:10%,1g:512m (whole disk)" },
	{ 0, "zones", "N", take_zones, "linear, largest size, in N equal slices of the span" },
	{ 0, "order", "WHEN", take_order, "together,alone,scale: 1, then 2 ... disks (together)" },
	{ 0, "engine", "NAME", take_engine, "auto,sync,uring,aio: how reads are issued (auto)" },
	{ 't', "time", "DUR", take_time, "measured time of a cell; exact without -p (10s)" },
	{ 'p', "precision", "PCT", take_precision, "end a cell when every req/s is known to +-PCT (2)" },
	{ 'n', "requests", "N", take_requests, "end a cell when a disk has completed N (no limit)" },
	{ 'w', "warmup", "DUR", take_warmup, "reads before each cell that do not count (0.5s)" },
	{ 0, "seed", "N", take_seed, "the same random addresses again (fresh)" },
	{ 0, "max-errors", "N", take_max_errors, "end a disk's cell after N failures in a row (100)" },
	{ 0, "hang-timeout", "DUR", take_hang, "give a disk up when a read takes longer (90s)" },
	{ 'f', "format", "NAME", take_format, "table,lewis,csv,json,prometheus (table)" },
	{ 'o', "output", "FILE", take_output, "a further .txt, .csv, .json or .prom; repeatable" },
	{ 'x', "extended", NULL, take_extended, "the kernel's counters too, in iostat's words" },
	{ 'H', "histogram", NULL, take_histogram, "how latencies spread, in the table" },
	{ 0, "log", "FILE", take_log, "every read as CSV" },
	{ 0, "label", "TEXT", take_label, "words that stand in every report" },
	{ 0, "baseline", "FILE", take_baseline, "an earlier CSV report to compare with; repeatable" },
	{ 0, "tolerance", "PCT", take_tolerance, "a change up to that is none (10)" },
	{ 0, "require", "TEST", take_require, "as 'random/4k:req/s>=100' or 'p99<=20ms'; repeatable" },
	{ 0, "compare", NULL, take_compare, "compare the last of CSV reports with the others" },
	{ 0, "skip-missing", NULL, take_skip_missing, "measure the others when a disk cannot be opened" },
	{ 0, "wait", NULL, take_wait, "wait for disks that another run measures" },
	{ 0, "progress", "WHEN", take_progress, "auto,always,never: on stderr (auto)" },
	{ 0, "quiet", NULL, take_quiet, "no standard output, no notes; errors and misses only" },
	{ 'l', "list", NULL, take_list, "show the disks here" },
	{ 0, "dry-run", NULL, take_dry_run, "check everything, show the cells, measure nothing" },
	{ 'h', "help", NULL, take_help, "show this help" },
	{ 'V', "version", NULL, take_version, "show the version" },
};

enum { ROWS = TEXT_COUNT(table), LONG_ONLY = 256 };

void options_help(FILE *out)
{
	fputs("usage: diskbench -d DEVICE[,DEVICE...] [options] [DEVICE...]\n"
	      "Measure how fast raw disks are, alone and together. It only ever reads.\n\n", out);
	for (const struct option_row *row = table; row < table + ROWS; row++) {
		char left[32];

		snprintf(left, sizeof left, "%c%c%c --%s%s%s", row->letter ? '-' : ' ', row->letter ? row->letter : ' ',
			 row->letter ? ',' : ' ', row->name, row->value ? " " : "", row->value ? row->value : "");
		fprintf(out, "  %-22s %s\n", left, row->help);
	}
	fputs("\nSizes: k, m, g, t are powers of 1024. Durations: 500ms, 5s, 2m; plain numbers\nare seconds.\n"
	      "Exit status: 0 all well, 1 a read failed or a disk was lost, 2 usage, 3 a disk\n"
	      "cannot be used or the run cannot start, 4 worse than required or before, 5 a\nreport could not be written.\n", out);
}

static void getopt_tables(char letters[3 * ROWS + 2], struct option names[ROWS + 1])
{
	*letters++ = ':';
	for (int i = 0; i < (int)ROWS; i++) {
		const struct option_row *row = &table[i];

		names[i] = (struct option){ row->name, row->value ? required_argument : no_argument, NULL, LONG_ONLY + i };
		if (!row->letter)
			continue;
		*letters++ = row->letter;
		if (row->value)
			*letters++ = ':';
	}
	*letters = '\0';
	names[ROWS] = (struct option){ 0 };
}

static const struct option_row *row_find(int code)
{
	if (code >= LONG_ONLY)
		return &table[code - LONG_ONLY];
	for (const struct option_row *row = table; row < table + ROWS; row++)
		if (row->letter == code)
			return row;
	return NULL;
}

static int parse_switches(struct options *options, int argc, char **argv, struct error *error)
{
	char letters[3 * ROWS + 2];
	struct option names[ROWS + 1];
	int code;

	getopt_tables(letters, names);
	opterr = 0;
	optind = 0;
	while ((code = getopt_long(argc, argv, letters, names, NULL)) != -1) {
		const struct option_row *row = row_find(code);
		const char *why;

		if (code == ':')
			return error_set(error, STATUS_USAGE, "option '%s' needs a value; try --help", argv[optind - 1]);
		if (!row && optopt > 0 && optopt < LONG_ONLY)
			return error_set(error, STATUS_USAGE, "option '-%c' is not known; try --help", optopt);
		if (!row && optopt)
			return error_set(error, STATUS_USAGE, "option '%s' takes no value; try --help", argv[optind - 1]);
		if (!row)
			return error_set(error, STATUS_USAGE, "option '%s' is not known; try --help", argv[optind - 1]);
		why = row->take(options, optarg);
		if (why)
			return error_set(error, STATUS_USAGE, "--%s '%s' %s", row->name, optarg ? optarg : "", why);
		if (options->action == ACTION_HELP || options->action == ACTION_VERSION)
			return 0;
	}
	return 0;
}

static int parse_operands(struct options *options, int argc, char **argv, struct error *error)
{
	for (; optind < argc; optind++) {
		if (!*argv[optind])
			return error_set(error, STATUS_USAGE, "'' is not a disk; name one such as /dev/sdb");
		words_add(&options->devices, argv[optind], strlen(argv[optind]));
	}
	if (options->devices.incomplete || options->output.files.incomplete || options->wishes.baselines.incomplete ||
	    options->wishes.requirements.incomplete)
		return error_set(error, STATUS_START, "not enough memory for a command line of %d words; use fewer", argc);
	if (options->sweep.zones && options->sweep.spans.count > 1)
		return error_set(error, STATUS_USAGE, "--zones divides one span, and --span names %u; name one",
				 options->sweep.spans.count);
	if (!options->devices.count && (options->action == ACTION_MEASURE || options->action == ACTION_DRY_RUN))
		return error_set(error, STATUS_USAGE, "no disk given; name one with -d, diskbench -l lists the disks here");
	if (options->action == ACTION_COMPARE && (options->wishes.requirements.count || options->wishes.baselines.count ||
						  options->output.files.count || options->output.log))
		return error_set(error, STATUS_USAGE, "--compare prints a comparison and measures nothing; leave --require, --baseline, "
				 "--output and --log out");
	if (options->devices.count < 2 && options->action == ACTION_COMPARE)
		return error_set(error, STATUS_USAGE, "--compare needs two reports; name the older one, then the newer one");
	return 0;
}

/* Wishes that contradict each other. */
static int check_depth(const struct sweep *sweep, struct error *error)
{
	const uint32_t depth = depths_most(&sweep->depths);

	if (depth > 1 && sweep->accesses & 1U << ACCESS_COOKED)
		return error_set(error, STATUS_USAGE, "--queue-depth '%u' is for raw reads, and the page cache takes one cooked read "
				 "after the other; use -a raw", depth);
	if (depth > 1 && sweep->engine == ENGINE_SYNC)
		return error_set(error, STATUS_USAGE, "--queue-depth '%u' does not go with --engine sync, which has one read in "
				 "flight; use --engine auto", depth);
	return 0;
}

/* What depends on what else was given. */
static void set_defaults(struct options *options)
{
	struct sweep *sweep = &options->sweep;
	struct limits *limits = &options->limits;

	if (!sweep->modes && sweep->zones)
		sweep->modes = 1U << MODE_LINEAR;
	if (!sweep->modes)
		sweep->modes = (1U << MODES) - 1;
	if (!sweep->accesses)
		sweep->accesses = strcmp(options->output.format, "lewis") == 0 ? (1U << ACCESSES) - 1 : 1U << ACCESS_RAW;
	if (!sweep->sizes.count)
		sweep->sizes = (struct list){ .value = { 4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB, MIB }, .count = 5 };
	if (sweep->zones)
		sizes_keep_largest(&sweep->sizes);
	if (limits->precision_percent <= 0 && !limits->time_ns && !limits->requests)
		limits->precision_percent = 2;
	if (!limits->time_ns)
		limits->time_ns = 10 * NS_PER_S;
}

int options_parse(struct options *options, int argc, char **argv, struct error *error)
{
	*options = (struct options){
		.limits = { .warmup_ns = NS_PER_S / 2, .hang_ns = 90 * NS_PER_S, .max_errors = 100 },
		.output.format = "table",
		.origin = { .command = argv, .label = "" },
		.wishes.tolerance_percent = 10,
	};
	if (parse_switches(options, argc, argv, error) < 0 || parse_operands(options, argc, argv, error) < 0)
		goto out_release;
	set_defaults(options);
	if (check_depth(&options->sweep, error) < 0)
		goto out_release;
	return 0;
out_release:
	options_release(options);
	return -1;
}

void options_release(struct options *options)
{
	words_release(&options->devices);
	words_release(&options->output.files);
	words_release(&options->wishes.baselines);
	words_release(&options->wishes.requirements);
}
