/* Every sentence that diskbench says of its figures, written from the facts that stages keep: what was
 * seen, what that means, and what to do about it. */
#ifndef ANALYZE_NOTES_H
#define ANALYZE_NOTES_H

#include "analyze/result.h"

/* All notes of the report. */
void notes_write(struct words *notes, const struct result *result);

/* One line for each disk and kind of fault, and one for a disk that was lost. */
void complaints_write(struct words *complaints, const struct result *result);

#endif
