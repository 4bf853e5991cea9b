/* The table of disks, in the report's head and for --list; and the cells of a plan, for --dry-run. */
#ifndef REPORT_DISKS_H
#define REPORT_DISKS_H

#include <stdio.h>

#include "device/device.h"
#include "device/topology.h"
#include "plan/plan.h"

/* The head line, then one disk. */
void disks_head(FILE *out);
void disks_row(FILE *out, const struct device_info *info);

/* --list: all disks here. On error (STATUS_START) nothing was printed. */
int disks_list(FILE *out, struct error *error);

/* What several of them share on their way to the machine, a paragraph each. */
void disks_shares(FILE *out, const struct topology *topology, const struct device_info *const *info);

void cells_put(FILE *out, const struct plan *plan);

/* A name in plain ASCII, shortened in its middle to at most width bytes, "very~name". */
char *name_print(char *text, int width, const char *name);

#endif
