#include "collect/collector.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "base/clock.h"
#include "base/thread.h"

enum { EMPTY_EVERY_NS = 4000000 };

struct feed {
	struct source source;
	int64_t last_ns;                /* of the latest completion */
};

struct collector {
	pthread_t thread;
	pthread_mutex_t lock;           /* over tallies and last_ns */
	const struct window *window;
	unsigned disks;
	struct feed feed[];
};

/* The log may wait for its filesystem: nobody else shall. */
static void empty(struct collector *collector, struct feed *feed)
{
	const struct sample *sample;
	size_t count;

	while (sample = ring_peek(feed->source.ring, &count), count) {
		/* Asked after that: what counts came after the opening. */
		const int64_t opened_ns = window_start_ns(collector->window);

		pthread_mutex_lock(&collector->lock);
		feed->last_ns = sample[count - 1].issued_ns + sample[count - 1].latency_ns;
		for (size_t i = 0; i < count; i++)
			tally_add(feed->source.tally, &sample[i], opened_ns);
		pthread_mutex_unlock(&collector->lock);
		for (size_t i = 0; i < count && feed->source.log; i++)
			log_add(feed->source.log, &sample[i]);
		ring_consume(feed->source.ring, count);
	}
}

/* One pass over all rings. Returns whether every one is at its end. */
static bool pass(struct collector *collector)
{
	bool ended = true;

	for (struct feed *feed = collector->feed; feed < collector->feed + collector->disks; feed++) {
		if (!feed->source.ring)
			continue;
		/* In this order: what was pushed before the close is still seen. */
		ended &= ring_closed(feed->source.ring);
		empty(collector, feed);
	}
	return ended;
}

static void *collect(void *context)
{
	prctl(PR_SET_NAME, "collector");
	while (!pass(context))
		clock_sleep_ns(EMPTY_EVERY_NS);
	return NULL;
}

int collector_start(struct collector **collector, const struct window *window, const struct source *source,
		    unsigned disks)
{
	struct collector *new = calloc(1, sizeof *new + disks * sizeof *new->feed);
	int result;

	if (!new)
		return -ENOMEM;
	new->window = window;
	new->disks = disks;
	for (unsigned i = 0; i < disks; i++)
		new->feed[i].source = source[i];
	pthread_mutex_init(&new->lock, NULL);
	result = thread_start(&new->thread, collect, new);
	if (result < 0) {
		free(new);
		return result;
	}
	*collector = new;
	return 0;
}

void collector_peek(struct collector *collector, unsigned disk, struct live *live)
{
	const struct feed *feed = &collector->feed[disk];
	const struct tally *tally = feed->source.tally;

	pthread_mutex_lock(&collector->lock);
	*live = (struct live){
		.requests = tally->requests,
		.errors = tally->errors,
		.last_ns = feed->last_ns,
		.ci95_percent = series_ci95_percent(&tally->series, feed->last_ns - window_start_ns(collector->window),
						    tally->requests),
	};
	pthread_mutex_unlock(&collector->lock);
}

void collector_finish(struct collector *collector)
{
	pthread_join(collector->thread, NULL);
	pthread_mutex_destroy(&collector->lock);
	free(collector);
}
