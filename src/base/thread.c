#include "base/thread.h"

enum { STACK_BYTES = 256 * 1024 };

int thread_start(pthread_t *thread, void *(*body)(void *), void *context)
{
	pthread_attr_t attributes;
	int result;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	result = pthread_create(thread, &attributes, body, context);
	pthread_attr_destroy(&attributes);
	return -result;
}
