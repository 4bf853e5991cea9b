/* Threads. */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>

/* Starts a thread with a stack of 256 KiB, whatever ulimit -s says. 0 or -errno. */
int thread_start(pthread_t *thread, void *(*body)(void *), void *context);

#endif
