/* Requirements: tests that each disk's rows must pass. */
#ifndef ANALYZE_REQUIRE_H
#define ANALYZE_REQUIRE_H

#include "analyze/field.h"

/* "[MODE[/SIZE]:]FIGURE>=VALUE" or "<=": the figure of each row of that mode and size, or of all rows. */
struct requirement {
	const char *text;               /* as the user gave it; belongs to the caller of requirement_parse() */
	const struct field *field;
	bool least;                     /* >= */
	double value;                   /* in the field's unit */
	int mode;                       /* -1: any */
	uint32_t block_bytes;           /* 0: any */
};

/* A figure goes by its name in the CSV, its value then in the unit that the name ends with, or by its title in the table: req/s,
 * MB/s in 10^6 bytes a second, latencies with a unit. Returns NULL, or why it is none, as a phrase that follows the quoted text. */
const char *requirement_parse(const char *text, struct requirement *requirement);

/* Whether a row of the plan could be held against it. */
bool requirement_applies(const struct requirement *requirement, const struct plan *plan);

/* A line for each row that falls short: by its figure, or because that is not known. */
void requirement_misses(struct words *misses, const struct requirement *requirement, const struct result *result);

#endif
