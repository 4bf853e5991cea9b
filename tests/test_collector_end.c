/* A read that is pushed, and the ring closed, in the very moment after the collector has looked: it is
 * still collected. The ring of this test stands in for collect/ring and brings that moment about. */
#include "test.h"

#include "collect/collector.h"

enum { DISKS = 2 };

/* What each disk's ring does when the collector looks: the first so many looks find nothing. */
static struct {
	struct ring ring;
	unsigned looks, empty_looks;
	size_t ready;
} disk[DISKS];

static const struct sample sample[] = { { .latency_ns = 7 }, { .latency_ns = 8 }, { .latency_ns = 9 } };

const struct sample *ring_peek(struct ring *ring, size_t *count)
{
	const unsigned i = ring != &disk[0].ring;

	*count = disk[i].ready;
	if (++disk[i].looks == disk[i].empty_looks) {
		disk[i].ready = TEXT_COUNT(sample);
		atomic_store(&ring->closed, true);
	}
	return sample;
}

void ring_consume(struct ring *ring, size_t count)
{
	disk[ring != &disk[0].ring].ready -= count;
}

static void what_is_pushed_between_a_look_and_the_close_is_collected(void **state)
{
	(void)state;
	for (unsigned looks = 1; looks < 4; looks++) {
		static struct tally tally[DISKS];
		struct window *window = window_new(DISKS);
		struct collector *collector;
		struct source source[DISKS];

		assert_non_null(window);
		for (unsigned i = 0; i < DISKS; i++) {
			tally[i] = (struct tally){ 0 };
			source[i] = (struct source){ .ring = &disk[i].ring, .tally = &tally[i] };
			atomic_store(&disk[i].ring.closed, false);
			disk[i].looks = 0;
			disk[i].empty_looks = i == 0 ? looks : 2;
		}
		assert_int_equal(collector_start(&collector, window, source, DISKS), 0);
		collector_finish(collector);
		for (unsigned i = 0; i < DISKS; i++)
			assert_int_equal(tally[i].whole_requests, TEXT_COUNT(sample));
		free(window);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_pushed_between_a_look_and_the_close_is_collected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
