#include "plan/sweep.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

const char *const mode_names[MODES] = { "random", "linear", "reread" };
const char *const access_names[ACCESSES] = { "raw", "cooked" };
const char *const engine_names[ENGINES] = { "auto", "sync", "uring", "aio" };
const char *const order_names[ORDERS] = { "together", "alone", "scale" };

enum { ITEM_MAX = 64 };

static const char empty_item[] = "has an empty item; take out the extra comma";

/* The next item of a list, terminated; false at its end or when *why says what is wrong with it. */
static bool next_item(const char **cursor, char item[ITEM_MAX], const char **why)
{
	const char *text;
	size_t length;

	*why = NULL;
	if (!text_item(cursor, &text, &length))
		return false;
	if (!length)
		*why = empty_item;
	else if (length >= ITEM_MAX)
		*why = "has an item that is too long; use a shorter one";
	else
		snprintf(item, ITEM_MAX, "%.*s", (int)length, text);
	return !*why;
}

static const char *list_add(struct list *list, uint64_t value)
{
	for (unsigned i = 0; i < list->count; i++)
		if (list->value[i] == value)
			return NULL;
	if (list->count == LIST_MAX)
		return "has more than 64 items; use fewer";
	list->value[list->count++] = (uint32_t)value;
	return NULL;
}

/* One item of a list. Returns NULL, or why it is none. */
typedef const char *item_fn(const char *text, uint64_t *value);

static const char *size_item(const char *text, uint64_t *bytes)
{
	const char *why = size_parse(text, bytes);

	if (!why && *bytes > GIB)
		return "is too large for a block; use 1g or less";
	return why;
}

static const char *depth_item(const char *text, uint64_t *depth)
{
	const char *why = count_parse(text, depth);

	if (!why && !*depth)
		return "is no read in flight; use 1 or more";
	if (!why && *depth > DEPTH_MAX)
		return "is too deep; use 1024 or less";
	return why;
}

static const char *range_parse(char *item, item_fn *parse, struct list *list)
{
	uint64_t first, last;
	char *colon = strchr(item, ':');
	const char *why;

	if (colon)
		*colon = '\0';
	why = parse(item, &first);
	last = first;
	if (!why && colon)
		why = parse(colon + 1, &last);
	if (!why && first > last)
		why = "runs backwards; put the smaller one first";
	for (; !why && first <= last; first *= 2)
		why = list_add(list, first);
	return why;
}

static const char *list_parse(const char *text, item_fn *parse, struct list *list)
{
	char item[ITEM_MAX];
	const char *why;

	list->chosen = true;
	while (next_item(&text, item, &why)) {
		why = range_parse(item, parse, list);
		if (why)
			return why;
	}
	return why;
}

const char *sizes_parse(const char *text, struct list *sizes)
{
	return list_parse(text, size_item, sizes);
}

const char *depths_parse(const char *text, struct list *depths)
{
	return list_parse(text, depth_item, depths);
}

uint32_t depths_most(const struct list *depths)
{
	uint32_t most = 1;

	for (unsigned i = 0; i < depths->count; i++)
		if (depths->value[i] > most)
			most = depths->value[i];
	return most;
}

void sizes_keep_largest(struct list *sizes)
{
	for (unsigned i = 1; i < sizes->count; i++)
		if (sizes->value[i] > sizes->value[0])
			sizes->value[0] = sizes->value[i];
	sizes->count = 1;
}

static const char *place_parse(const char *text, struct place *place)
{
	char number[ITEM_MAX];
	size_t length = strlen(text);

	place->percent = length && text[length - 1] == '%';
	if (!place->percent && strspn(text, "0") != length)
		return size_parse(text, &place->value);
	snprintf(number, sizeof number, "%.*s", (int)(length - place->percent), text);
	if (count_parse(number, &place->value) || (place->percent && place->value > 100))
		return "is not START:LENGTH; use sizes or whole percentages, 0:10% or 1g:512m";
	return NULL;
}

static const char *span_range(char *item, struct span_wish *wish)
{
	char *colon = strchr(item, ':');
	const char *why;

	if (!colon)
		return "is not START:LENGTH; use sizes or whole percentages, 0:10% or 1g:512m";
	*colon = '\0';
	why = place_parse(item, &wish->start);
	if (!why)
		why = place_parse(colon + 1, &wish->length);
	if (!why && !wish->length.value)
		why = "has a length of 0; use 1 or more";
	if (!why && wish->start.percent && wish->length.percent && wish->start.value + wish->length.value > 100)
		why = "ends past 100%; use a shorter length";
	return why;
}

static bool place_same(const struct place *a, const struct place *b)
{
	return a->value == b->value && (a->percent == b->percent || !a->value);
}

const struct span_wish span_whole = { { 0, true }, { 100, true } };

bool span_same(const struct span_wish *a, const struct span_wish *b)
{
	return place_same(&a->start, &b->start) && place_same(&a->length, &b->length);
}

static const char *span_add(struct spans *spans, const struct span_wish *wish)
{
	for (unsigned i = 0; i < spans->count; i++)
		if (span_same(&spans->wish[i], wish))
			return NULL;
	if (spans->count == SPANS_MAX)
		return "has more than 32 spans; use fewer";
	spans->wish[spans->count++] = *wish;
	return NULL;
}

const char *spans_parse(const char *text, struct spans *spans)
{
	char item[ITEM_MAX];
	const char *why;

	while (next_item(&text, item, &why)) {
		struct span_wish wish;

		why = span_range(item, &wish);
		if (!why)
			why = span_add(spans, &wish);
		if (why)
			return why;
	}
	return why;
}

const char *name_parse(const char *text, const char *const *names, unsigned count, unsigned *index)
{
	static char why[128];
	size_t length;

	for (*index = 0; *index < count; ++*index)
		if (strcmp(text, names[*index]) == 0)
			return NULL;
	length = (size_t)snprintf(why, sizeof why, "is not known; use %s", names[0]);
	for (unsigned i = 1; i < count && length < sizeof why; i++)
		length += (size_t)snprintf(why + length, sizeof why - length, "%s %s", i + 1 < count ? "," : " or", names[i]);
	return why;
}

const char *set_parse(const char *text, const char *const *names, unsigned count, unsigned *set)
{
	char item[ITEM_MAX];
	const char *why;

	while (next_item(&text, item, &why)) {
		unsigned index;

		why = name_parse(item, names, count, &index);
		if (why)
			return why;
		*set |= 1U << index;
	}
	return why;
}
