#include "report/disks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "device/identity.h"
#include "device/usage.h"
#include "report/format.h"

enum { NAME_WIDTH = 14, LINE_TEXT = 256 };

char *name_print(char *text, int width, const char *name)
{
	const int length = (int)strlen(name), left = (width - 1) / 2, right = width - 1 - left;

	if (length <= width)
		snprintf(text, (size_t)width + 1, "%.*s", width, name);
	else
		snprintf(text, (size_t)width + 1, "%.*s~%s", left, name, name + length - right);
	text_ascii(text);
	return text;
}

static const char *known(const char *text)
{
	return *text ? text : "-";
}

void disks_head(FILE *out)
{
	fprintf(out, "%-*s %7s %10s  %-7s  %-11s  %s\n", NAME_WIDTH, "disk", "size", "sector", "kind", "scheduler", "link");
}

/* Model, the path when it is not simply /dev/NAME, since both lead to the disk, and who uses it. */
static void put_details(FILE *out, const struct device_info *info)
{
	char plain[NAME_MAX + 8], details[PATH_MAX + 512];
	int length = snprintf(details, sizeof details, "%s", info->model);

	snprintf(plain, sizeof plain, "/dev/%s", info->name);
	if (strcmp(plain, info->path) != 0 && strcmp(info->name, info->path) != 0)
		length += snprintf(details + length, sizeof details - (size_t)length, "%s= %s", length ? " " : "", info->path);
	if (*info->in_use)
		snprintf(details + length, sizeof details - (size_t)length, "%sin use: %s", length ? "; " : "", info->in_use);
	if (*details)
		paragraph_put(out, "  ", details);
}

void disks_row(FILE *out, const struct device_info *info)
{
	char name[NAME_WIDTH + 1], size[UNITS_TEXT], sector[UNITS_TEXT];

	if (info->missing) {
		fprintf(out, "%-*s %7s %10s  could not be opened\n", NAME_WIDTH,
			name_print(name, NAME_WIDTH, info->name), "-", "-");
		put_details(out, info);
		return;
	}
	snprintf(sector, sizeof sector, "%u/%u", info->sector_bytes, info->physical_bytes);
	fprintf(out, "%-*s %7s %10s  %-7s  %-11.11s  %s\n", NAME_WIDTH, name_print(name, NAME_WIDTH, info->name),
		capacity_print(size, info->size_bytes), sector, kind_names[info->kind], known(info->scheduler),
		known(info->link));
	put_details(out, info);
}

void disks_shares(FILE *out, const struct topology *topology, const struct device_info *const *info)
{
	for (const struct share *share = topology->share; share < topology->share + topology->shares; share++) {
		struct paragraph paragraph = paragraph_begin(out, "  ");

		for (unsigned i = 0; i < share->disks; i++)
			paragraph_add(&paragraph, info[share->disk[i]]->name);
		paragraph_add(&paragraph, "share");
		paragraph_add(&paragraph, share->text);
		paragraph_end(&paragraph);
	}
}

static int find_usage(struct device_info *info, unsigned disks, struct error *error)
{
	struct usage usage;
	int result;

	usage_scan(&usage);
	for (unsigned i = 0; i < disks; i++)
		usage_find(&usage, &info[i]);
	result = usage_check(&usage, error);
	usage_release(&usage);
	return result;
}

static int list(FILE *out, struct device_info *info, unsigned disks, struct error *error)
{
	const struct device_info **each = calloc(disks + 1, sizeof *each);
	struct topology topology = { 0 };
	int result;

	if (!each)
		return error_set(error, STATUS_START, "not enough memory to list %u disks%s", disks, error_remedy(ENOMEM));
	for (unsigned i = 0; i < disks; i++)
		each[i] = &info[i];
	result = find_usage(info, disks, error);
	if (result == 0)
		result = topology_find(&topology, each, disks, error);
	if (result == 0) {
		disks_head(out);
		for (unsigned i = 0; i < disks; i++)
			disks_row(out, &info[i]);
		disks_shares(out, &topology, each);
		topology_release(&topology);
	}
	free(each);
	return result;
}

int disks_list(FILE *out, struct error *error)
{
	struct device_info *info;
	int disks = identity_list(&info), result;

	if (disks < 0)
		return error_set(error, STATUS_START, "cannot list the disks here: %s%s", error_reason(-disks),
				 error_remedy(-disks));
	result = list(out, info, (unsigned)disks, error);
	while (disks > 0)
		free((char *)info[--disks].path);
	free(info);
	return result;
}

static void put_cell(FILE *out, const struct plan *plan, size_t index)
{
	const struct cell *cell = &plan->cell[index];
	char size[UNITS_TEXT], span[SPAN_TEXT], reason[UNFIT_TEXT], line[LINE_TEXT];

	fprintf(out, "%5zu  %-6s  %-6s  %7s  %5u  %-12s ", index + 1, mode_names[cell->mode], access_names[cell->access],
		size_print(size, cell->block_bytes), cell->depth, part_print(span, cell));
	if (cell->disks == 1)
		fprintf(out, " %s\n", plan->disk[cell->first]->name);
	else
		fprintf(out, " %u disks at once\n", cell->disks);
	for (unsigned disk = cell->first; disk < cell->first + cell->disks; disk++) {
		const struct job job = plan_job(plan, cell, disk);

		if (!job.unfit)
			continue;
		snprintf(line, sizeof line, "not %.40s: %s", plan->disk[disk]->name, unfit_print(reason, plan, &job, disk));
		paragraph_put(out, "       ", line);
	}
}

void cells_put(FILE *out, const struct plan *plan)
{
	char longest[UNITS_TEXT];

	fprintf(out, "\n cell  mode    access    bsize  depth  span          disks\n");
	for (size_t i = 0; i < plan->cells; i++)
		put_cell(out, plan, i);
	fprintf(out, "\n%zu cell%s, %s at the longest\n", plan->cells, plan->cells == 1 ? "" : "s",
		duration_print(longest, plan_longest_ns(plan, 0)));
}
