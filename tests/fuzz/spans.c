/* Lists of spans. */
#include "fuzz.h"

#include "plan/plan.h"

static void print(char *text, const struct spans *spans)
{
	char span[SPAN_TEXT];

	*text = '\0';
	for (unsigned i = 0; i < spans->count; i++)
		sprintf(text + strlen(text), "%s%s", i ? "," : "", span_print(span, &spans->wish[i]));
}

static void check_span(const struct span_wish *span)
{
	promise(span->length.value > 0);
	promise(!span->start.percent || span->start.value <= 100);
	promise(!span->length.percent || span->length.value <= 100);
	promise(!span->start.percent || !span->length.percent || span->start.value + span->length.value <= 100);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), again[SPANS_MAX * SPAN_TEXT];
	struct spans spans = { 0 }, same = { 0 };
	const char *why = spans_parse(text, &spans);

	free(text);
	promise(spans.count <= SPANS_MAX);
	if (why) {
		promise(fuzz_phrase(why));
		return 0;
	}
	promise(spans.count > 0);
	for (unsigned i = 0; i < spans.count; i++) {
		check_span(&spans.wish[i]);
		for (unsigned j = 0; j < i; j++)
			promise(!span_same(&spans.wish[i], &spans.wish[j]));
	}
	print(again, &spans);
	promise(!spans_parse(again, &same) && same.count == spans.count);
	for (unsigned i = 0; i < spans.count; i++)
		promise(span_same(&spans.wish[i], &same.wish[i]));
	return 0;
}
