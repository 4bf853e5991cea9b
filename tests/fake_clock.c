#include "fake_clock.h"

#include <pthread.h>
#include <stdbool.h>

enum { ORDER_COLLECTOR = 1000, ORDER_TEST };

struct waiter {
	struct waiter *next;
	int64_t until_ns;
	unsigned order;
	bool woken;
	pthread_cond_t turn;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t thread_ended = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t at_end;
static _Atomic int64_t now_ns = 1000 * NS_PER_S;
static unsigned expected, running, threads;
static struct waiter *waiting;
static bool entered;
static __thread bool known, is_test;

static struct waiter **earliest(void)
{
	struct waiter **first = &waiting;

	for (struct waiter **each = &waiting; *each; each = &(*each)->next)
		if ((*each)->until_ns < (*first)->until_ns ||
		    ((*each)->until_ns == (*first)->until_ns && (*each)->order < (*first)->order))
			first = each;
	return first;
}

/* Under the lock, when the number of those who run may have become 0. */
static void pass_on(void)
{
	struct waiter **place = earliest(), *next = *place;

	if (expected || running || !next || next->until_ns == INT64_MAX)
		return;
	*place = next->next;
	if (next->until_ns > now_ns)
		now_ns = next->until_ns;
	next->woken = true;
	running++;
	pthread_cond_signal(&next->turn);
}

static void thread_ends(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	running--;
	threads--;
	pthread_cond_signal(&thread_ended);
	pass_on();
	pthread_mutex_unlock(&lock);
}

static void make_key(void)
{
	pthread_key_create(&at_end, thread_ends);
}

static void introduce(void)
{
	if (known)
		return;
	known = true;
	pthread_once(&once, make_key);
	pthread_setspecific(at_end, &known);
	if (expected)
		expected--;
	running++;
	threads++;
}

static void wait_turn(int64_t until_ns, unsigned order)
{
	struct waiter self = { .until_ns = until_ns, .order = order, .turn = PTHREAD_COND_INITIALIZER };

	pthread_mutex_lock(&lock);
	if (!is_test)
		introduce();
	self.next = waiting;
	waiting = &self;
	running--;
	pass_on();
	while (!self.woken)
		pthread_cond_wait(&self.turn, &lock);
	pthread_mutex_unlock(&lock);
}

void fake_clock_enter(void)
{
	pthread_mutex_lock(&lock);
	is_test = true;
	running += !entered;
	entered = true;
	pthread_mutex_unlock(&lock);
}

void fake_clock_leave(void)
{
	pthread_mutex_lock(&lock);
	running--;
	entered = false;
	pass_on();
	pthread_mutex_unlock(&lock);
}

void fake_clock_expect(unsigned count)
{
	pthread_mutex_lock(&lock);
	expected = count;
	pthread_mutex_unlock(&lock);
}

void fake_clock_wait(int64_t until_ns, unsigned disk)
{
	wait_turn(until_ns, disk);
}

void fake_clock_wake(unsigned disk)
{
	pthread_mutex_lock(&lock);
	for (struct waiter *each = waiting; each; each = each->next)
		if (each->order == disk)
			each->until_ns = now_ns;
	pass_on();
	pthread_mutex_unlock(&lock);
}

void fake_clock_outlast(void)
{
	fake_clock_leave();
	pthread_mutex_lock(&lock);
	while (threads)
		pthread_cond_wait(&thread_ended, &lock);
	pthread_mutex_unlock(&lock);
}

int64_t clock_now_ns(void)
{
	return now_ns;
}

int64_t clock_cost_ns(void)
{
	return 25;
}

/* Fake disks cost a processor nothing. */
int64_t clock_thread_ns(void)
{
	return 0;
}

void clock_sleep_ns(int64_t ns)
{
	wait_turn(now_ns + ns, is_test ? ORDER_TEST : ORDER_COLLECTOR);
}
