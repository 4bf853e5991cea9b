/* The command line becomes wishes with every default in place, or a refusal that names option and value. */
#include "test.h"

#include <math.h>

#include "base/clock.h"
#include "base/units.h"
#include "plan/options.h"

enum { ARGUMENTS_MAX = 32 };

/* Parses a command line given as one text, split at blanks; '' is an empty argument. What options point
 * to lives until the next call. */
static int parse(struct options *options, const char *line, struct error *error)
{
	static char copy[512];
	static char *argv[ARGUMENTS_MAX + 2];
	static char program[] = "diskbench";
	int argc = 0;

	snprintf(copy, sizeof copy, "%s", line);
	argv[argc++] = program;
	for (char *word = strtok(copy, " "); word && argc <= ARGUMENTS_MAX; word = strtok(NULL, " "))
		argv[argc++] = strcmp(word, "''") == 0 ? word + 2 : word;
	argv[argc] = NULL;
	return options_parse(options, argc, argv, error);
}

static void parse_well(struct options *options, const char *line)
{
	struct error error = { 0 };

	if (parse(options, line, &error) < 0)
		fail_msg("'%s' was refused: %s", line, error.text);
}

static void a_disk_alone_gets_every_default(void **state)
{
	static const uint32_t sizes[] = { 4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB, MIB };
	struct options options;

	(void)state;
	parse_well(&options, "-d /dev/sdb");
	assert_int_equal(options.action, ACTION_MEASURE);
	assert_int_equal(options.devices.count, 1);
	assert_string_equal(options.devices.word[0], "/dev/sdb");
	assert_int_equal(options.sweep.modes, 7);
	assert_int_equal(options.sweep.accesses, 1 << ACCESS_RAW);
	assert_int_equal(options.sweep.sizes.count, TEXT_COUNT(sizes));
	assert_memory_equal(options.sweep.sizes.value, sizes, sizeof sizes);
	assert_false(options.sweep.sizes.chosen);
	assert_int_equal(options.sweep.spans.count, 0);
	assert_int_equal(depths_most(&options.sweep.depths), 1);
	assert_int_equal(options.sweep.engine, ENGINE_AUTO);
	assert_int_equal(options.sweep.order, ORDER_TOGETHER);
	assert_false(options.sweep.force);
	assert_int_equal(options.limits.time_ns, 10 * NS_PER_S);
	assert_int_equal(options.limits.warmup_ns, NS_PER_S / 2);
	assert_int_equal(options.limits.hang_ns, 90 * NS_PER_S);
	assert_true(options.limits.precision_percent == 2);
	assert_int_equal(options.limits.requests, 0);
	assert_int_equal(options.limits.max_errors, 100);
	assert_false(options.limits.seed_chosen);
	assert_string_equal(options.output.format, "table");
	assert_int_equal(options.output.files.count, 0);
	assert_int_equal(options.output.progress, WHEN_AUTO);
	assert_false(options.output.quiet);
	assert_false(options.output.extended);
	assert_false(options.output.histogram);
	assert_null(options.output.log);
	assert_int_equal(options.sweep.zones, 0);
	assert_string_equal(options.origin.label, "");
	assert_int_equal(options.wishes.baselines.count, 0);
	assert_true(options.wishes.tolerance_percent == 10);
	assert_int_equal(options.wishes.requirements.count, 0);
	assert_false(options.skip_missing);
	assert_false(options.wait);
	options_release(&options);
}

static void every_option_is_taken_in_its_long_form(void **state)
{
	struct options options;

	(void)state;
	parse_well(&options, "--device a,b --mode linear --size 16k:64k --access cooked,raw --force --span 0:10% --order alone "
		   "--time=5 --precision 1% --seed 7 --queue-depth 1 --engine uring");
	assert_int_equal(options.devices.count, 2);
	assert_int_equal(options.sweep.modes, 1 << MODE_LINEAR);
	assert_int_equal(options.sweep.sizes.count, 3);
	assert_true(options.sweep.sizes.chosen);
	assert_int_equal(options.sweep.accesses, 3);
	assert_true(options.sweep.force);
	assert_int_equal(options.sweep.spans.count, 1);
	assert_int_equal(options.sweep.order, ORDER_ALONE);
	assert_int_equal(options.sweep.depths.count, 1);
	assert_int_equal(options.sweep.engine, ENGINE_URING);
	assert_int_equal(options.limits.time_ns, 5 * NS_PER_S);
	assert_true(options.limits.precision_percent == 1);
	assert_true(options.limits.seed_chosen);
	assert_int_equal(options.limits.seed, 7);
	options_release(&options);
	parse_well(&options, "a --requests 100 --warmup 0 --max-errors 5 --hang-timeout 2m --format csv --output a.txt "
		   "--output b.csv --extended --histogram --log l.csv --progress never --quiet --dry-run");
	assert_true(options.output.extended);
	assert_true(options.output.histogram);
	assert_string_equal(options.output.log, "l.csv");
	assert_int_equal(options.action, ACTION_DRY_RUN);
	assert_int_equal(options.limits.requests, 100);
	assert_int_equal(options.limits.warmup_ns, 0);
	assert_int_equal(options.limits.max_errors, 5);
	assert_int_equal(options.limits.hang_ns, 120 * NS_PER_S);
	assert_string_equal(options.output.format, "csv");
	assert_int_equal(options.output.files.count, 2);
	assert_string_equal(options.output.files.word[1], "b.csv");
	assert_int_equal(options.output.progress, WHEN_NEVER);
	assert_true(options.output.quiet);
	options_release(&options);
	parse_well(&options, "a --label nightly --baseline a.csv --baseline b.csv --tolerance 5% --require p99<=20ms "
		   "--require errors<=0 --skip-missing --wait");
	assert_string_equal(options.origin.label, "nightly");
	assert_string_equal(options.origin.command[0], "diskbench");
	assert_int_equal(options.wishes.baselines.count, 2);
	assert_string_equal(options.wishes.baselines.word[1], "b.csv");
	assert_true(options.wishes.tolerance_percent == 5);
	assert_int_equal(options.wishes.requirements.count, 2);
	assert_string_equal(options.wishes.requirements.word[0], "p99<=20ms");
	assert_true(options.skip_missing);
	assert_true(options.wait);
	options_release(&options);
	parse_well(&options, "--compare a.csv b.csv c.csv");
	assert_int_equal(options.action, ACTION_COMPARE);
	assert_int_equal(options.devices.count, 3);
	options_release(&options);
}

static void every_letter_means_its_long_form(void **state)
{
	struct options options;

	(void)state;
	parse_well(&options, "-da,b -m random -s 4k,8k -q 1,1 -a cooked -t 500ms -p 0.5 -n 9 -w 1 -f lewis -o r.csv");
	assert_int_equal(options.devices.count, 2);
	assert_int_equal(options.sweep.modes, 1 << MODE_RANDOM);
	assert_int_equal(options.sweep.sizes.count, 2);
	assert_int_equal(options.sweep.accesses, 1 << ACCESS_COOKED);
	assert_int_equal(options.limits.time_ns, NS_PER_S / 2);
	assert_true(options.limits.precision_percent == 0.5);
	assert_int_equal(options.limits.requests, 9);
	assert_int_equal(options.limits.warmup_ns, NS_PER_S);
	assert_string_equal(options.output.format, "lewis");
	assert_string_equal(options.output.files.word[0], "r.csv");
	options_release(&options);
}

static void a_limit_that_is_given_alone_is_exact(void **state)
{
	static const struct {
		const char *line;
		double precision_percent;
		int64_t time_ns;
	} cases[] = {
		{ "a", 2, 10 * NS_PER_S }, { "a -t 5", 0, 5 * NS_PER_S }, { "a -t 10s", 0, 10 * NS_PER_S },
		{ "a -p 1", 1, 10 * NS_PER_S },
		{ "a -t 5 -p 1", 1, 5 * NS_PER_S }, { "a -p 1 -t 5", 1, 5 * NS_PER_S }, { "a -n 100", 0, 10 * NS_PER_S },
		{ "a -n 100 -p 3", 3, 10 * NS_PER_S },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		struct options options;

		parse_well(&options, cases[i].line);
		assert_true(options.limits.precision_percent == cases[i].precision_percent);
		assert_int_equal(options.limits.time_ns, cases[i].time_ns);
		options_release(&options);
	}
}

static void the_lewis_table_needs_both_accesses_unless_told_otherwise(void **state)
{
	struct options options;

	(void)state;
	parse_well(&options, "a -f lewis");
	assert_int_equal(options.sweep.accesses, 1 << ACCESS_RAW | 1 << ACCESS_COOKED);
	options_release(&options);
	parse_well(&options, "a -f lewis -a raw");
	assert_int_equal(options.sweep.accesses, 1 << ACCESS_RAW);
	options_release(&options);
}

static void only_values_of_d_are_split_at_commas(void **state)
{
	static const char *const name[] = { "a", "b:1", "d", "e,f", "-g" };
	struct options options;

	(void)state;
	parse_well(&options, "e,f -d a,b:1 -d d -- -g");
	assert_int_equal(options.devices.count, TEXT_COUNT(name));
	for (size_t i = 0; i < TEXT_COUNT(name); i++)
		assert_string_equal(options.devices.word[i], name[i]);
	options_release(&options);
}

static void lists_of_a_repeated_option_are_joined(void **state)
{
	struct options options;

	(void)state;
	parse_well(&options, "a -s 4k -s 4k,8k -m linear -m reread --span 0:10% --span 90%:10% --seed 1 --seed 2");
	assert_int_equal(options.sweep.sizes.count, 2);
	assert_int_equal(options.sweep.modes, 1 << MODE_LINEAR | 1 << MODE_REREAD);
	assert_int_equal(options.sweep.spans.count, 2);
	assert_int_equal(options.limits.seed, 2);
	options_release(&options);
}

static void zones_are_read_linearly_in_the_largest_size_unless_told_otherwise(void **state)
{
	static const struct {
		const char *line;
		unsigned modes;
		uint32_t block_bytes;
	} cases[] = {
		{ "a --zones 8", 1 << MODE_LINEAR, MIB },
		{ "a --zones 100 -s 64k,256k,4k", 1 << MODE_LINEAR, 256 * KIB },
		{ "a --zones 2 --span 0:50% -m random -s 4k", 1 << MODE_RANDOM, 4 * KIB },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		struct options options;

		parse_well(&options, cases[i].line);
		assert_int_equal(options.sweep.modes, cases[i].modes);
		assert_int_equal(options.sweep.sizes.count, 1);
		assert_int_equal(options.sweep.sizes.value[0], cases[i].block_bytes);
		options_release(&options);
	}
}

static void a_clear_abbreviation_is_taken(void **state)
{
	struct options options;

	(void)state;
	parse_well(&options, "--dev a --prec 3 --max 4 --dry");
	assert_true(options.limits.precision_percent == 3);
	assert_int_equal(options.limits.max_errors, 4);
	assert_int_equal(options.action, ACTION_DRY_RUN);
	options_release(&options);
}

static void list_help_and_version_need_no_disk(void **state)
{
	static const struct {
		const char *line;
		enum action action;
	} cases[] = {
		{ "-l", ACTION_LIST }, { "--list", ACTION_LIST }, { "-h", ACTION_HELP }, { "--help", ACTION_HELP },
		{ "-V", ACTION_VERSION },
		{ "--version", ACTION_VERSION }, { "-s 4k -h --junk", ACTION_HELP }, { "-V -s junk", ACTION_VERSION },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		struct options options;

		parse_well(&options, cases[i].line);
		assert_int_equal(options.action, cases[i].action);
		options_release(&options);
	}
}

static void a_mistake_is_refused_by_option_value_and_remedy(void **state)
{
	static const struct {
		const char *line, *text;
	} cases[] = {
		{ "", "no disk given; name one with -d, diskbench -l lists the disks here" },
		{ "-s 4k", "no disk given; name one with -d, diskbench -l lists the disks here" },
		{ "--dry-run", "no disk given; name one with -d, diskbench -l lists the disks here" },
		{ "-d ''", "--device '' has an empty name; name a disk such as /dev/sdb" },
		{ "-d a,", "--device 'a,' has an empty name; name a disk such as /dev/sdb" },
		{ "''", "'' is not a disk; name one such as /dev/sdb" },
		{ "a -m fast", "--mode 'fast' is not known; use random, linear or reread" },
		{ "a --mode=random,", "--mode 'random,' has an empty item; take out the extra comma" },
		{ "a -a direct", "--access 'direct' is not known; use raw or cooked" },
		{ "a --order scaled", "--order 'scaled' is not known; use together, alone or scale" },
		{ "a --progress yes", "--progress 'yes' is not known; use auto, always or never" },
		{ "a -s 12junk", "--size '12junk' is not a whole size; use 512, 16k, 1m or 1g" },
		{ "a -s 1.5m", "--size '1.5m' is not a whole size; use 512, 16k, 1m or 1g" },
		{ "a -s 0", "--size '0' is not a size; use 1 or more" },
		{ "a -s -4k", "--size '-4k' is not a whole size; use 512, 16k, 1m or 1g" },
		{ "a -s 17179869185g", "--size '17179869185g' is too large; use less than 16777216t" },
		{ "a -s 128k:16k", "--size '128k:16k' runs backwards; put the smaller one first" },
		{ "a -s 4k,,8k", "--size '4k,,8k' has an empty item; take out the extra comma" },
		{ "a -q 0", "--queue-depth '0' is no read in flight; use 1 or more" },
		{ "a -q 1025", "--queue-depth '1025' is too deep; use 1024 or less" },
		{ "a -q 4k", "--queue-depth '4k' is not a whole number; use decimal digits alone" },
		{ "a --engine posix", "--engine 'posix' is not known; use auto, sync, uring or aio" },
		{ "a -q 1,8 -a raw,cooked", "--queue-depth '8' is for raw reads, and the page cache takes one cooked read after the other; "
		  "use -a raw" },
		{ "a -f lewis -q 2", "--queue-depth '2' is for raw reads, and the page cache takes one cooked read after the other; "
		  "use -a raw" },
		{ "a --engine sync -q 1:32", "--queue-depth '32' does not go with --engine sync, which has one read in flight; "
		  "use --engine auto" },
		{ "a --span 95%:10%", "--span '95%:10%' ends past 100%; use a shorter length" },
		{ "a --zones 1", "--zones '1' is out of range; use 2 to 100" },
		{ "a --zones 101", "--zones '101' is out of range; use 2 to 100" },
		{ "a --zones few", "--zones 'few' is not a number; use decimal digits" },
		{ "a --zones 8 --span 0:10%,50%:10%", "--zones divides one span, and --span names 2; name one" },
		{ "a -t 0", "--time '0' is no time at all; use 1s or more" },
		{ "a -t -1", "--time '-1' is not a duration; use 500ms, 5s, 2m or a number of seconds" },
		{ "a -w 1y", "--warmup '1y' is not a duration; use 500ms, 5s, 2m or a number of seconds" },
		{ "a --hang-timeout 0s", "--hang-timeout '0s' is no time at all; use 1s or more" },
		{ "a -p 0", "--precision '0' is not a percentage above 0 and up to 100; use 2 or 0.5" },
		{ "a -n 0", "--requests '0' is none; use 1 or more" },
		{ "a -n 1k", "--requests '1k' is not a whole number; use decimal digits alone" },
		{ "a --max-errors 0", "--max-errors '0' is none; use 1 or more" },
		{ "a --seed -1", "--seed '-1' is not a number; use decimal digits" },
		{ "a -o ''", "--output '' is no file name; name one that ends in .txt, .csv, .json or .prom" },
		{ "a --log ''", "--log '' is no file name; name one that ends in .csv" },
		{ "a --baseline ''", "--baseline '' is no file name; name a report that was written by -f csv" },
		{ "a --tolerance 0", "--tolerance '0' is not a percentage above 0 and up to 100; use 2 or 0.5" },
		{ "a --label a\tb", "--label 'a?b' has a control character; use one line of plain text" },
		{ "--compare", "--compare needs two reports; name the older one, then the newer one" },
		{ "--compare a.csv b.csv --require 'p99<=1s'", "--compare prints a comparison and measures nothing; leave --require, "
		  "--baseline, --output and --log out" },
		{ "--compare a.csv b.csv -o c.csv", "--compare prints a comparison and measures nothing; leave --require, "
		  "--baseline, --output and --log out" },
		{ "--compare a.csv", "--compare needs two reports; name the older one, then the newer one" },
		{ "a --junk", "option '--junk' is not known; try --help" },
		{ "a --junk=1", "option '--junk=1' is not known; try --help" },
		{ "a -z", "option '-z' is not known; try --help" },
		{ "a -lz", "option '-z' is not known; try --help" },
		{ "a -d", "option '-d' needs a value; try --help" },
		{ "a --size", "option '--size' needs a value; try --help" },
		{ "a --quiet=1", "option '--quiet=1' takes no value; try --help" },
		{ "a --help=1", "option '--help=1' takes no value; try --help" },
		{ "a --list=1", "option '--list=1' takes no value; try --help" },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		struct options options;
		struct error error = { 0 };

		assert_int_equal(parse(&options, cases[i].line, &error), -1);
		assert_string_equal(error.text, cases[i].text);
		assert_int_equal(error.status, STATUS_USAGE);
		assert_null(options.devices.word);
	}
}

static void an_abbreviation_of_two_options_is_refused(void **state)
{
	struct options options;
	struct error error = { 0 };

	(void)state;
	assert_int_equal(parse(&options, "a --s 4k", &error), -1);
	assert_int_equal(error.status, STATUS_USAGE);
	assert_non_null(strstr(error.text, "'--s'"));
}

static void help_shows_every_option_once_within_80_columns(void **state)
{
	static const char *const name[] = {
		"-d, --device LIST", "-m, --mode LIST", "-s, --size LIST", "-q, --queue-depth LIST", "-a, --access LIST", "--force", "--span LIST",
		"--zones N", "--order WHEN", "--engine NAME",
		"-t, --time DUR", "-p, --precision PCT", "-n, --requests N", "-w, --warmup DUR", "--seed N",
		"--max-errors N",
		"--hang-timeout DUR", "-f, --format NAME", "-o, --output FILE", "-x, --extended", "-H, --histogram", "--log FILE",
		"--label TEXT", "--baseline FILE", "--tolerance PCT", "--require TEST", "--compare", "--skip-missing", "--wait",
		"--progress WHEN", "--quiet", "-l, --list",
		"--dry-run",
		"-h, --help", "-V, --version",
	};
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	unsigned options = 0;

	(void)state;
	assert_non_null(out);
	options_help(out);
	fclose(out);
	for (size_t i = 0; i < TEXT_COUNT(name); i++) {
		char row[64];

		snprintf(row, sizeof row, "\n  %s%s ", name[i][1] == '-' ? "    " : "", name[i]);
		assert_non_null(strstr(text, row));
		assert_null(strstr(strstr(text, row) + 1, row));
	}
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
		assert_in_range(strcspn(line, "\n"), 0, 80);
		options += strncmp(line, "  ", 2) == 0;
	}
	assert_int_equal(options, TEXT_COUNT(name));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_disk_alone_gets_every_default),
		cmocka_unit_test(every_option_is_taken_in_its_long_form),
		cmocka_unit_test(every_letter_means_its_long_form),
		cmocka_unit_test(a_limit_that_is_given_alone_is_exact),
		cmocka_unit_test(the_lewis_table_needs_both_accesses_unless_told_otherwise),
		cmocka_unit_test(only_values_of_d_are_split_at_commas),
		cmocka_unit_test(lists_of_a_repeated_option_are_joined),
		cmocka_unit_test(zones_are_read_linearly_in_the_largest_size_unless_told_otherwise),
		cmocka_unit_test(a_clear_abbreviation_is_taken),
		cmocka_unit_test(list_help_and_version_need_no_disk),
		cmocka_unit_test(a_mistake_is_refused_by_option_value_and_remedy),
		cmocka_unit_test(an_abbreviation_of_two_options_is_refused),
		cmocka_unit_test(help_shows_every_option_once_within_80_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
