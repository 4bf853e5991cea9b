#include "parameters.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { REASON = 160 };

/* A 5400 rpm disk of half a gigabyte of the nineties in all but size, so that random blocks hardly ever meet the last one. */
const struct parameters parameters_default = {
	.disks = 4, .size_bytes = 4294967296, .rpm = 5400, .track_ms = 1.5, .stroke_ms = 18, .rate = 8e6, .overhead_ms = 0.5,
	.bus = 20e6, .fence = 255, .rounds = 0,
	.cache = 1, .way_ms = 10, .seed = 1,
};

static const struct {
	const char *key;
	size_t at;
	double min, max;
	bool whole, boolean;
	const char *meaning;
} known[] = {
	{ "disks", offsetof(struct parameters, disks), 1, SIM_DISKS_MAX, true, false, "how many disks: exports disk0, disk1 ..." },
	{ "size", offsetof(struct parameters, size_bytes), 512, 0x1p50, true, false, "bytes of each disk" },
	{ "rpm", offsetof(struct parameters, rpm), 60, 1e6, false, false, "turns a minute" },
	{ "track-ms", offsetof(struct parameters, track_ms), 0, 1e3, false, false, "seek to the next track" },
	{ "stroke-ms", offsetof(struct parameters, stroke_ms), 0, 1e3, false, false, "seek over the whole disk" },
	{ "rate", offsetof(struct parameters, rate), 1e3, 1e12, false, false, "bytes a second that pass under the head" },
	{ "overhead-ms", offsetof(struct parameters, overhead_ms), 0, 1e3, false, false, "before a command is taken up" },
	{ "bus", offsetof(struct parameters, bus), 1e3, 1e12, false, false, "bytes a second of the bus, which all share" },
	{ "fence", offsetof(struct parameters, fence), 0, 255, false, false, "0: ask for the bus at once; 255: when all is cached" },
	{ "rounds", offsetof(struct parameters, rounds), 0, 1, false, true, "all disks receive, then all transmit" },
	{ "cache", offsetof(struct parameters, cache), 0, 1, false, true, "keep the last block, and read ahead" },
	{ "way-ms", offsetof(struct parameters, way_ms), 0, 1e3, false, false, "a read so soon after the last was issued then" },
	{ "seed", offsetof(struct parameters, seed), 0, 0x1p53, true, false, "of contents and angles" },
};

enum { KNOWN = sizeof known / sizeof known[0] };

static bool number_parse(const char *text, double *number)
{
	static const char suffixes[] = "kmgt";
	const char *suffix;
	char *end;

	*number = strtod(text, &end);
	if (end == text || !isfinite(*number))
		return false;
	suffix = *end ? strchr(suffixes, *end | 0x20) : NULL;
	if (suffix) {
		*number = ldexp(*number, 10 * (int)(suffix - suffixes + 1));
		end++;
	}
	return !*end;
}

static bool value_parse(const char *text, bool boolean, double *number)
{
	if (!boolean)
		return number_parse(text, number);
	*number = strcmp(text, "on") == 0;
	return *number > 0 || strcmp(text, "off") == 0;
}

int parameters_set(struct parameters *parameters, const char *key, const char *value, char *reason)
{
	for (size_t i = 0; i < KNOWN; i++) {
		double number;

		if (strcmp(key, known[i].key) != 0)
			continue;
		if (!value_parse(value, known[i].boolean, &number) || number < known[i].min || number > known[i].max ||
		    (known[i].whole && number != floor(number))) {
			if (known[i].boolean)
				snprintf(reason, REASON, "%s '%.40s' is neither on nor off", key, value);
			else
				snprintf(reason, REASON, "%s '%.40s' is not a %snumber from %.17g to %.17g", key, value,
					 known[i].whole ? "whole " : "", known[i].min, known[i].max);
			return -1;
		}
		memcpy((char *)parameters + known[i].at, &number, sizeof number);
		return 0;
	}
	snprintf(reason, REASON, "'%.40s' is no parameter of the disks", key);
	return -1;
}

int parameters_check(const struct parameters *parameters, char *reason)
{
	if (parameters->stroke_ms < parameters->track_ms)
		snprintf(reason, REASON, "stroke-ms %g is less than track-ms %g", parameters->stroke_ms, parameters->track_ms);
	else if (fmod(parameters->size_bytes, 512) != 0)
		snprintf(reason, REASON, "size %.0f is not a multiple of 512", parameters->size_bytes);
	else if (parameters_tracks(parameters) < 3)
		snprintf(reason, REASON, "size %.0f is less than three tracks of %.0f bytes", parameters->size_bytes,
			 parameters_track_bytes(parameters));
	else
		return 0;
	return -1;
}

void parameters_help(FILE *file)
{
	for (size_t i = 0; i < KNOWN; i++) {
		double number;

		memcpy(&number, (const char *)&parameters_default + known[i].at, sizeof number);
		if (known[i].boolean)
			fprintf(file, "  %-11s %-10s %s\n", known[i].key, number > 0 ? "on" : "off", known[i].meaning);
		else
			fprintf(file, "  %-11s %-10.12g %s\n", known[i].key, number, known[i].meaning);
	}
}

double parameters_turn_ns(const struct parameters *parameters)
{
	return 60e9 / parameters->rpm;
}

double parameters_track_bytes(const struct parameters *parameters)
{
	return parameters->rate * 60 / parameters->rpm;
}

double parameters_tracks(const struct parameters *parameters)
{
	return ceil(parameters->size_bytes / parameters_track_bytes(parameters));
}

double parameters_seek_ns(const struct parameters *parameters, double tracks)
{
	double x = (tracks - 1) / (parameters_tracks(parameters) - 2);

	if (tracks < 1)
		return 0;
	return (parameters->track_ms + (parameters->stroke_ms - parameters->track_ms) * (sqrt(x) + x) / 2) * 1e6;
}

double parameters_mean_seek_ns(const struct parameters *parameters)
{
	double tracks = parameters_tracks(parameters), sum = 0;

	for (uint64_t distance = 1; distance < (uint64_t)tracks; distance++)
		sum += 2 * (tracks - (double)distance) / (tracks * tracks) * parameters_seek_ns(parameters, (double)distance);
	return sum;
}
