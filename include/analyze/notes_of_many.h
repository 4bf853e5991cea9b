/* Sentences about several disks: which of them are one, and how they scale. Private to analyze/notes.h. */
#ifndef ANALYZE_NOTES_OF_MANY_H
#define ANALYZE_NOTES_OF_MANY_H

#include "analyze/result.h"

/* Disks that are one disk, have one id, or lie on one another: nothing where that was not looked for. */
void notes_of_topology(struct words *notes, const struct result *result);

/* Sizes that use most of a transfer rate, and rounds: after --order scale. */
void notes_of_scaling(struct words *notes, const struct result *result);

#endif
