/* What can be known of a disk before any clock runs. */
#ifndef RUN_PROBE_H
#define RUN_PROBE_H

/* Body of a thread, taking a struct worker, whose probe it fills in: up to 64 random blocks of what will be measured,
 * within a second, so that a slow disk is not held up longer, then the largest block. Ends as run/worker.h says. */
void *probe_disk(void *worker);

#endif
