/* Stands in for base/clock: time that passes only while all threads of a run wait for it, so that a run
 * of any number of disks is the same each time, and takes no longer than its threads need.
 *
 * One thread runs at a time. When the last one waits, the clock is set to the earliest moment that one
 * of them waits for, and that one runs on: among several, the disks in their order, then the collector,
 * then the test. */
#ifndef TESTS_FAKE_CLOCK_H
#define TESTS_FAKE_CLOCK_H

#include <stdint.h>

#include "base/clock.h"

/* The test's own thread: from here on time stands still but in its clock_sleep_ns(), until it leaves.
 * One that failed on its way may enter again. */
void fake_clock_enter(void);
void fake_clock_leave(void);

/* So many threads are about to start; time stands still until each of them has waited. They are counted
 * out as they end. */
void fake_clock_expect(unsigned threads);

/* A disk's thread: waits until that moment; INT64_MAX: until fake_clock_wake(). */
void fake_clock_wait(int64_t until_ns, unsigned disk);
void fake_clock_wake(unsigned disk);

/* Leaves, and returns when every thread has ended. */
void fake_clock_outlast(void);

#endif
