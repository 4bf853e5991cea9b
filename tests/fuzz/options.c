/* A whole command line, a line for each word. */
#include "fuzz.h"

#include "base/units.h"
#include "plan/options.h"

enum { WORDS_MAX = 64 };

static void check_options(const struct options *options)
{
	const struct list *sizes = &options->sweep.sizes;
	const struct limits *limits = &options->limits;

	promise(options->action > ACTION_DRY_RUN || options->devices.count > 0);
	for (size_t i = 0; i < options->devices.count; i++)
		promise(*options->devices.word[i]);
	for (size_t i = 0; i < options->output.files.count; i++)
		promise(*options->output.files.word[i]);
	promise(options->sweep.modes > 0 && options->sweep.modes < 1U << MODES);
	promise(options->sweep.accesses > 0 && options->sweep.accesses < 1U << ACCESSES);
	promise(options->sweep.order < ORDERS && options->output.progress < WHENS);
	promise(sizes->count > 0 && sizes->count <= LIST_MAX && options->sweep.spans.count <= SPANS_MAX);
	promise(limits->time_ns > 0 && limits->warmup_ns >= 0 && limits->hang_ns > 0 && limits->max_errors > 0);
	promise(limits->precision_percent >= 0 && limits->precision_percent <= 100);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char program[] = "diskbench", *text = fuzz_text(data, size), *rest = text, *word;
	char *argv[WORDS_MAX + 1] = { program };
	struct options options;
	struct error error = { 0 };
	int argc = 1;

	while (argc < WORDS_MAX && (word = strsep(&rest, "\n")))
		argv[argc++] = word;
	if (options_parse(&options, argc, argv, &error) == 0) {
		check_options(&options);
		options_release(&options);
	} else {
		promise(error.status == STATUS_USAGE);
		promise(*error.text && fuzz_printable(error.text));
	}
	free(text);
	return 0;
}
