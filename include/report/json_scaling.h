/* What a JSON document says of disks that share something, and of how they scale. */
#ifndef REPORT_JSON_SCALING_H
#define REPORT_JSON_SCALING_H

#include <stdio.h>

#include "analyze/result.h"

/* Members of the document: "shares", what several disks share on their way to the machine, and "relations", those that are one or
 * lie on one another; and "scaling", null where the run was of another order. Rates are bytes a second. */
void json_topology(FILE *out, const struct result *result);
void json_scaling(FILE *out, const struct result *result);

#endif
