#include "report/json_scaling.h"

#include <math.h>

#include "report/json_value.h"

static const char *disk_name(const struct result *result, unsigned disk)
{
	return result->plan->disk[disk]->name;
}

static void put_share(FILE *out, const struct result *result, const struct share *share)
{
	fputs("{\"what\": ", out);
	json_string(out, share->text);
	fputs(", \"disks\": [", out);
	for (unsigned i = 0; i < share->disks; i++) {
		fputs(i ? ", " : "", out);
		json_string(out, disk_name(result, share->disk[i]));
	}
	fputs("]}", out);
}

static void put_relation(FILE *out, const struct result *result, const struct relation *relation)
{
	static const char *const kind[] = { [KIN_SAME_DISK] = "same disk",
					    [KIN_SAME_ID] = "same id",
					    [KIN_LIES_ON] = "lies on" };

	fputs("{\"disk\": ", out);
	json_string(out, disk_name(result, relation->a));
	json_text(out, "kind", kind[relation->kinship]);
	json_text(out, "other", disk_name(result, relation->b));
	fputc('}', out);
}

void json_topology(FILE *out, const struct result *result)
{
	static const struct topology none;
	const struct topology *topology = result->topology ? result->topology : &none;

	fputs(",\n  \"shares\": [", out);
	for (size_t i = 0; i < topology->shares; i++) {
		fputs(i ? ",\n    " : "\n    ", out);
		put_share(out, result, &topology->share[i]);
	}
	fputs("],\n  \"relations\": [", out);
	for (size_t i = 0; i < topology->relations; i++) {
		fputs(i ? ",\n    " : "\n    ", out);
		put_relation(out, result, &topology->relation[i]);
	}
	fputc(']', out);
}

/* Known: the size, not known: up to where to measure. */
static void put_size(FILE *out, const char *name, struct service_size size)
{
	json_number(out, name, size.known ? size.bytes : NAN);
}

static void put_portrait(FILE *out, const char *name, const struct portrait *portrait)
{
	const struct service *random = &portrait->random, *reread = &portrait->reread;
	const struct service_size most = service_size(random, .9);

	fputs("{\"disk\": ", out);
	json_string(out, name);
	json_number(out, "alpha_ns", random->alpha_ns);
	json_number(out, "alpha_error_ns", random->alpha_error_ns);
	json_number(out, "ns_per_byte", random->ns_per_byte);
	json_number(out, "ns_per_byte_error", random->ns_per_byte_error);
	json_number(out, "beta", service_beta(random));
	json_number(out, "worst_percent", random->worst_percent);
	put_size(out, "half_bandwidth_bytes", service_size(random, .5));
	put_size(out, "ninety_percent_bytes", most);
	json_number(out, "needs_bytes", most.known ? NAN : most.bytes);
	json_number(out, "overhead_ns", reread->alpha_ns);
	json_number(out, "overhead_error_ns", reread->alpha_error_ns);
	json_number(out, "link", service_beta(reread));
	json_number(out, "linear", portrait->linear);
	json_number(out, "first_ns", portrait->first_ns);
	json_number(out, "last_ns", portrait->last_ns);
	fputc('}', out);
}

static void put_rounds(FILE *out, const struct rounds *rounds)
{
	static const char *const verdict[] = { [ROUNDS_UNDECIDED] = "undecided", [ROUNDS_NONE] = "none",
					       [ROUNDS_PARTIAL] = "partial", [ROUNDS_STRICT] = "rounds" };

	fputs(", \"rounds\": ", out);
	if (!rounds->reads) {
		fputs("null", out);
		return;
	}
	fprintf(out, "{\"verdict\": \"%s\"", verdict[rounds->verdict]);
	json_number(out, "reads", rounds->reads);
	json_number(out, "phi", rounds->seen.phi);
	json_number(out, "chance_phi", rounds->chance_phi);
	json_number(out, "largest_lead", rounds->seen.most);
	json_number(out, "p", rounds->p);
	fputc('}', out);
}

static void put_step(FILE *out, const struct step *step)
{
	const struct cell *cell = step->cell;
	char span[SPAN_TEXT];

	fprintf(out, "{\"mode\": \"%s\"", mode_names[cell->mode]);
	json_text(out, "access", access_names[cell->access]);
	json_number(out, "block_bytes", cell->block_bytes);
	json_number(out, "queue_depth", cell->depth);
	json_text(out, "span", part_print(span, cell));
	json_number(out, "disks", cell->disks);
	json_number(out, "requests_per_second", step->requests_per_second);
	json_number(out, "bytes_per_second", step->bytes_per_second);
	json_number(out, "alone", step->alone);
	json_number(out, "one", step->one);
	json_number(out, "naive", step->prediction.naive);
	json_number(out, "bound", step->prediction.bound);
	json_number(out, "queueing", step->prediction.queueing);
	json_number(out, "strict_rounds", step->prediction.rounds);
	json_number(out, "predicted", step->predicted);
	json_number(out, "error_percent", 100 * (step->predicted - step->bytes_per_second) / step->bytes_per_second);
	json_number(out, "knee_disks", step->knee);
	put_rounds(out, &step->rounds);
	fputc('}', out);
}

static void put_accuracy(FILE *out, const char *way, const struct accuracy *accuracy)
{
	fprintf(out, "{\"way\": \"%s\"", way);
	json_number(out, "cells", accuracy->cells);
	json_number(out, "over_12_percent", accuracy->misses);
	json_number(out, "mean_percent", accuracy->mean_percent);
	json_number(out, "worst_percent", accuracy->worst_percent);
	fputc('}', out);
}

void json_scaling(FILE *out, const struct result *result)
{
	static const char *const way_names[WAYS] = { "naive", "bound", "queueing", "strict_rounds", "predicted" };
	const struct scaling *scaling = &result->scaling;

	fputs(",\n  \"scaling\": ", out);
	if (!scaling->portrait) {
		fputs("null", out);
		return;
	}
	fprintf(out, "{\n    \"bus\": {\"saturated\": %s", scaling->bus.saturated ? "true" : "false");
	json_number(out, "rate", scaling->bus.rate);
	fputs("},\n    \"disks\": [", out);
	for (unsigned i = 0; i < result->plan->disks; i++) {
		fputs(i ? ",\n      " : "\n      ", out);
		put_portrait(out, disk_name(result, i), &scaling->portrait[i]);
	}
	fputs("],\n    \"steps\": [", out);
	for (size_t i = 0; i < scaling->steps; i++) {
		fputs(i ? ",\n      " : "\n      ", out);
		put_step(out, &scaling->step[i]);
	}
	fputs("],\n    \"accuracy\": [", out);
	for (enum way way = 0; way < WAYS; way++) {
		fputs(way ? ",\n      " : "\n      ", out);
		put_accuracy(out, way_names[way], &scaling->accuracy[way]);
	}
	fputs("]}", out);
}
