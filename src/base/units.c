#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/text.h"

struct unit {
	const char *suffix;
	uint64_t factor;
};

static const struct unit size_unit[] = { { "", 1 }, { "k", KIB }, { "m", MIB }, { "g", GIB }, { "t", GIB * KIB } };

static const struct unit duration_unit[] = {
	{ "", NS_PER_S }, { "ns", 1 }, { "us", 1000 }, { "ms", NS_PER_MS }, { "s", NS_PER_S }, { "m", 60 * NS_PER_S },
	{ "h", 3600 * NS_PER_S },
};

static const char too_large[] = "is too large; use less than 16777216t";

static const char *digits_parse(const char *text, char **end, uint64_t *value)
{
	if (!isdigit((unsigned char)*text))
		return "is not a number; use decimal digits";
	errno = 0;
	*value = strtoull(text, end, 10);
	return errno ? "is too large; use less than 2^64" : NULL;
}

const char *count_parse(const char *text, uint64_t *count)
{
	char *end;
	const char *why = digits_parse(text, &end, count);

	return why || !*end ? why : "is not a whole number; use decimal digits alone";
}

static const struct unit *size_unit_find(const char *suffix)
{
	const struct unit *unit = &size_unit[TEXT_COUNT(size_unit) - 1];

	while (unit > size_unit && strncasecmp(suffix, unit->suffix, 1) != 0)
		unit--;
	suffix += strlen(unit->suffix);
	if (*suffix && strcasecmp(suffix, "b") != 0 && (unit == size_unit || strcasecmp(suffix, "ib") != 0))
		return NULL;
	return unit;
}

const char *size_parse(const char *text, uint64_t *bytes)
{
	char *end;
	uint64_t number;
	const char *why = digits_parse(text, &end, &number);
	const struct unit *unit;

	if (why && isdigit((unsigned char)*text))
		return too_large;
	unit = why ? NULL : size_unit_find(end);
	if (!unit)
		return "is not a whole size; use 512, 16k, 1m or 1g";
	if (!number)
		return "is not a size; use 1 or more";
	if (__builtin_mul_overflow(number, unit->factor, bytes))
		return too_large;
	return NULL;
}

/* How much of text is a decimal number with at most nine decimals; 0: it does not begin with one. */
static size_t decimal_length(const char *text)
{
	const size_t digits = strspn(text, "0123456789");
	const size_t decimals = text[digits] == '.' ? strspn(text + digits + 1, "0123456789") : 0;

	return decimals > 9 ? 0 : digits + (decimals ? decimals + 1 : 0);
}

const char *number_parse(const char *text, double *number)
{
	const size_t length = decimal_length(text);

	if (!length || text[length] || length >= UNITS_TEXT)
		return "is not a decimal number; use 100 or 0.5";
	*number = strtod(text, NULL);
	return NULL;
}

const char *duration_parse(const char *text, int64_t *ns)
{
	static const char bad[] = "is not a duration; use 500ms, 5s, 2m or a number of seconds";
	const size_t length = decimal_length(text);
	const char *suffix = text + length;
	long double value;

	if (!length)
		return bad;
	value = strtold(text, NULL);
	for (const struct unit *unit = duration_unit; unit < duration_unit + TEXT_COUNT(duration_unit); unit++) {
		if (strcmp(suffix, unit->suffix) != 0)
			continue;
		value = roundl(value * (long double)unit->factor);
		if (value > (long double)(INT64_C(1) << 62))
			return "is too long; use a thousand years at the most";
		*ns = (int64_t)value;
		return NULL;
	}
	return bad;
}

const char *percent_parse(const char *text, double *percent)
{
	char *end;

	if (!isdigit((unsigned char)*text) && *text != '.')
		return "is not a percentage; use 2 or 0.5";
	if (strspn(text, "0123456789.%") != strlen(text))
		return "is not a percentage; use 2 or 0.5";
	*percent = strtod(text, &end);
	if (strcmp(end, "%") != 0 && *end)
		return "is not a percentage; use 2 or 0.5";
	if (*percent <= 0 || *percent > 100)
		return "is not a percentage above 0 and up to 100; use 2 or 0.5";
	return NULL;
}

char *size_print(char text[UNITS_TEXT], uint64_t bytes)
{
	const struct unit *unit = &size_unit[TEXT_COUNT(size_unit) - 1];

	while (unit > size_unit && (!bytes || bytes % unit->factor))
		unit--;
	snprintf(text, UNITS_TEXT, "%llu%s", (unsigned long long)(bytes / unit->factor), unit->suffix);
	return text;
}

char *capacity_print(char text[UNITS_TEXT], uint64_t bytes)
{
	static const char *const suffix[] = { "B", "kB", "MB", "GB", "TB", "PB", "EB" };
	double value = (double)bytes;
	size_t unit = 0;

	while (value >= 999.5 && unit + 1 < TEXT_COUNT(suffix)) {
		value /= 1000;
		unit++;
	}
	snprintf(text, UNITS_TEXT, "%.*f %s", unit && value < 9.995 ? 2 : unit && value < 99.95 ? 1 : 0, value,
		 suffix[unit]);
	return text;
}

char *duration_print(char text[UNITS_TEXT], int64_t ns)
{
	const long long ms = ns > 0 ? ns / NS_PER_MS + (ns % NS_PER_MS >= NS_PER_MS / 2) : 0, s = (ms + 500) / 1000;

	if (ms < 1000)
		snprintf(text, UNITS_TEXT, "%lld ms", ms);
	else if (ms < 59950)
		snprintf(text, UNITS_TEXT, ms % 1000 ? "%.1f s" : "%.0f s", (double)ms / 1000);
	else if (s < 3600)
		snprintf(text, UNITS_TEXT, "%lld min %02lld s", s / 60, s % 60);
	else
		snprintf(text, UNITS_TEXT, "%lld h %02lld min", s / 3600, s / 60 % 60);
	return text;
}

char *latency_print(char text[UNITS_TEXT], double ns)
{
	if (isnan(ns))
		snprintf(text, UNITS_TEXT, "-");
	else if (ns < 1e3)
		snprintf(text, UNITS_TEXT, "%.0f ns", ns);
	else if (ns < 1e6)
		snprintf(text, UNITS_TEXT, "%.4g us", ns / 1e3);
	else if (ns < 1e9)
		snprintf(text, UNITS_TEXT, "%.4g ms", ns / 1e6);
	else
		snprintf(text, UNITS_TEXT, "%.4g s", ns / 1e9);
	return text;
}

char *figure_print(char text[UNITS_TEXT], double value, int decimals, int width)
{
	if (isnan(value)) {
		snprintf(text, UNITS_TEXT, "-");
		return text;
	}
	while (snprintf(text, UNITS_TEXT, "%.*f", decimals, value) > width && decimals > 0)
		decimals--;
	return text;
}
