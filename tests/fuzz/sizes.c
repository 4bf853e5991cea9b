/* Lists of block sizes. */
#include "fuzz.h"

#include "base/units.h"
#include "plan/sweep.h"

/* As a list of single sizes. */
static void print(char *text, const struct list *sizes)
{
	char size[UNITS_TEXT];

	*text = '\0';
	for (unsigned i = 0; i < sizes->count; i++)
		sprintf(text + strlen(text), "%s%s", i ? "," : "", size_print(size, sizes->value[i]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), again[LIST_MAX * UNITS_TEXT];
	struct list sizes = { 0 }, same = { 0 };
	const char *why = sizes_parse(text, &sizes);

	free(text);
	promise(sizes.count <= LIST_MAX);
	if (why) {
		promise(fuzz_phrase(why));
		return 0;
	}
	promise(sizes.count > 0 && sizes.chosen);
	for (unsigned i = 0; i < sizes.count; i++) {
		promise(sizes.value[i] > 0 && sizes.value[i] <= GIB);
		for (unsigned j = 0; j < i; j++)
			promise(sizes.value[i] != sizes.value[j]);
	}
	print(again, &sizes);
	promise(!sizes_parse(again, &same));
	promise(memcmp(&sizes, &same, sizeof sizes) == 0);
	return 0;
}
