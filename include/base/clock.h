/* Time. A test replaces this module at link time. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S INT64_C(1000000000)

/* CLOCK_MONOTONIC in ns: never set back, and standing still while the machine is suspended. */
int64_t clock_now_ns(void);

/* What one clock_now_ns() costs here, in ns, 1 at least: the median of some rounds. */
int64_t clock_cost_ns(void);

/* Processor time, in ns, that the calling thread has taken so far. */
int64_t clock_thread_ns(void);

/* Lets the thread sleep for about that long. */
void clock_sleep_ns(int64_t ns);

#endif
