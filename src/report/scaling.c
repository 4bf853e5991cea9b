#include "report/scaling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "report/disks.h"
#include "report/format.h"

enum { NAME_WIDTH = 12 };

static const char *const verdict_words[] = { [ROUNDS_UNDECIDED] = "undecided", [ROUNDS_NONE] = "none",
					     [ROUNDS_PARTIAL] = "PARTIAL", [ROUNDS_STRICT] = "ROUNDS" };

static void put_figure(FILE *out, int width, double value, int decimals, const char *suffix)
{
	char text[UNITS_TEXT];
	const int room = isnan(value) ? 0 : (int)strlen(suffix);

	figure_print(text, value, decimals, width - 1 - room);
	fprintf(out, "%*s%s", width - room, text, isnan(value) ? "" : suffix);
}

static void put_heading(FILE *out, const struct cell *cell)
{
	char size[UNITS_TEXT], span[SPAN_TEXT];

	fprintf(out, "\nscaling of %s %s, %s, depth %u", mode_names[cell->mode], size_print(size, cell->block_bytes),
		access_names[cell->access], cell->depth);
	if (cell->zones || !span_same(&cell->span, &span_whole))
		fprintf(out, ", span %s", part_print(span, cell));
	fprintf(out, "\n%5s%9s%9s%7s%8s", "disks", "req/s", "MB/s", "of one", "of sum");
	if (scaling_models(cell))
		fprintf(out, "%16s%8s%7s  %s", "predicted", "rounds", "error", "verdict");
	fputc('\n', out);
}

/* Without rounds the truth lies between disks that queue for the bus and disks that never wait while it is free. */
static void put_interval(FILE *out, double least, double most)
{
	char low[UNITS_TEXT], high[UNITS_TEXT], text[2 * UNITS_TEXT];

	if (isnan(least))
		snprintf(text, sizeof text, "-");
	else
		snprintf(text, sizeof text, "%s..%s", figure_print(low, least, 3, 6), figure_print(high, most, 3, 6));
	fprintf(out, "%16s", text);
}

/* How far the model is off, and whether the disks answer in rounds. */
static void put_model(FILE *out, const struct step *step)
{
	put_interval(out, step->prediction.queueing / 1e6, step->prediction.bound / 1e6);
	put_figure(out, 8, step->prediction.rounds / 1e6, 3, "");
	put_figure(out, 7, 100 * (step->predicted - step->bytes_per_second) / step->bytes_per_second, 1, "%");
	fprintf(out, "  %s", step->rounds.reads ? verdict_words[step->rounds.verdict] : "-");
}

static void put_step(FILE *out, const struct step *step)
{
	fprintf(out, "%5u", step->cell->disks);
	put_figure(out, 9, step->requests_per_second, step->requests_per_second < 10 ? 3 : 1, "");
	put_figure(out, 9, step->bytes_per_second / 1e6, 3, "");
	put_figure(out, 7, step->bytes_per_second / step->one, 2, "x");
	put_figure(out, 8, 100 * step->bytes_per_second / step->alone, 1, "%");
	if (scaling_models(step->cell))
		put_model(out, step);
	fputc('\n', out);
}

static void put_steps(FILE *out, const struct scaling *scaling)
{
	for (const struct step *step = scaling->step; step < scaling->step + scaling->steps; step++) {
		if (step->cell->disks == 1)
			put_heading(out, step->cell);
		put_step(out, step);
	}
}

static void put_size(FILE *out, struct service_size size)
{
	char text[UNITS_TEXT] = "-";

	if (size.known)
		size_print(text, (uint64_t)(ceil(size.bytes / KIB) * KIB));
	fprintf(out, "%9s", text);
}

static void put_portrait(FILE *out, const struct device_info *disk, const struct portrait *portrait, double unit_ns)
{
	const struct service *random = &portrait->random, *reread = &portrait->reread;
	char name[NAME_WIDTH + 1];

	fprintf(out, "%-*s", NAME_WIDTH, name_print(name, NAME_WIDTH, disk->name));
	put_figure(out, 10, random->alpha_ns / unit_ns, 3, "");
	put_figure(out, 8, random->alpha_error_ns / unit_ns, 3, "");
	put_figure(out, 11, service_beta(random) / 1e6, 1, "");
	put_size(out, service_size(random, .5));
	put_size(out, service_size(random, .9));
	put_figure(out, 10, reread->alpha_ns / unit_ns, 3, "");
	put_figure(out, 11, service_beta(reread) / 1e6, 1, "");
	fputc('\n', out);
}

/* Latencies in the unit that suits the fastest disk; nothing where random reads of two sizes are not known of any. */
static void put_portraits(FILE *out, const struct result *result)
{
	const struct portrait *portrait = result->scaling.portrait;
	double least_ns = INFINITY;
	const char *unit;

	for (unsigned i = 0; i < result->plan->disks; i++)
		least_ns = fmin(least_ns, portrait[i].random.alpha_ns);
	if (isinf(least_ns))
		return;
	unit = least_ns < 1e6 ? "us" : "ms";
	fprintf(out, "\neach disk alone: latency = alpha + size / beta\n%-*s%8s%s%8s%11s%9s%9s%8s%s%11s\n", NAME_WIDTH, "disk",
		"alpha ", unit, "+-", "beta MB/s", "50% size", "90% size", "reread ", unit, "link MB/s");
	for (unsigned i = 0; i < result->plan->disks; i++)
		put_portrait(out, result->plan->disk[i], &portrait[i], *unit == 'u' ? 1e3 : 1e6);
}

/* How many disks fill the bus, at each size. */
static void put_knees(FILE *out, const struct scaling *scaling)
{
	const char *before = "; it is full with ";
	char size[UNITS_TEXT];

	for (const struct step *step = scaling->step; step < scaling->step + scaling->steps; step++) {
		if (step->cell->disks < scaling->plan->disks || isnan(step->knee))
			continue;
		fprintf(out, "%s%.1f disks at %s", before, step->knee, size_print(size, step->cell->block_bytes));
		before = ", ";
	}
}

static void put_bus(FILE *out, const struct scaling *scaling)
{
	const struct plateau *bus = &scaling->bus;
	char *text = NULL;
	size_t length;
	FILE *memory = open_memstream(&text, &length);

	if (!memory)
		return;
	if (isnan(bus->rate))
		fprintf(memory, "bus: not measured; -m random,reread tells its rate");
	else if (bus->saturated)
		fprintf(memory, "bus: %.3f MB/s, where rereads of all disks stop scaling", bus->rate / 1e6);
	else
		fprintf(memory, "bus: not saturated, at least %.3f MB/s", bus->rate / 1e6);
	put_knees(memory, scaling);
	if (fclose(memory) == 0) {
		fputc('\n', out);
		paragraph_put(out, "", text);
	}
	free(text);
}

static void put_accuracies(FILE *out, const struct scaling *scaling)
{
	static const char *const name[WAYS] = { "sum of the disks alone", "no rounds, at most", "no rounds, queueing",
						"strict rounds", "as predicted above" };

	if (!scaling->accuracy[WAY_CHOSEN].cells)
		return;
	fprintf(out, "\n%-24s%8s%8s%12s\n", "error of predictions", "mean", "worst", "over 12 %");
	for (enum way way = 0; way < WAYS; way++) {
		const struct accuracy *accuracy = &scaling->accuracy[way];

		if (!accuracy->cells)
			continue;
		fprintf(out, "%-24s%7.1f%%%+7.1f%%%6u of %u\n", name[way], accuracy->mean_percent, accuracy->worst_percent,
			accuracy->misses, accuracy->cells);
	}
}

void scaling_put(FILE *out, const struct result *result)
{
	const struct scaling *scaling = &result->scaling;

	if (!scaling->steps)
		return;
	if (scaling->plan->disks > 1)
		put_steps(out, scaling);
	put_portraits(out, result);
	if (scaling->plan->disks > 1)
		put_bus(out, scaling);
	put_accuracies(out, scaling);
}
