/* io_uring by its system calls (io_uring(7)): a step is one of them. */
#include <errno.h>
#include <linux/io_uring.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "plan/sweep.h"
#include "run/engine.h"

/* Headers may be older than the kernel. */
#ifndef IORING_SETUP_COOP_TASKRUN
#define IORING_SETUP_COOP_TASKRUN (1U << 8)
#endif
#ifndef IORING_SETUP_SINGLE_ISSUER
#define IORING_SETUP_SINGLE_ISSUER (1U << 12)
#endif
#ifndef IORING_SETUP_DEFER_TASKRUN
#define IORING_SETUP_DEFER_TASKRUN (1U << 13)
#endif

struct uring {
	const struct queue *queue;
	int fd;
	uint8_t opcode;
	uint32_t tail;                  /* of the submissions, as far as written */
	uint32_t sq_mask, cq_mask;
	_Atomic uint32_t *sq_head, *sq_tail, *cq_head, *cq_tail;        /* shared with the kernel, as the next two */
	struct io_uring_sqe *sqe;
	const struct io_uring_cqe *cqe;
	void *rings;
	size_t rings_bytes, sqe_bytes;
	struct flight *flight[DEPTH_MAX];       /* by slot */
};

/* Completions are only looked for in a step: the kernel need not interrupt the worker for them. Only one thread submits,
 * which is not the one that opens: the ring starts disabled. */
static int setup(struct io_uring_params *params, uint32_t depth)
{
	static const uint32_t flags[] = {
		IORING_SETUP_R_DISABLED | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,      /* Linux 6.1 */
		IORING_SETUP_COOP_TASKRUN,                                                              /* Linux 5.19 */
		0,
	};
	long fd = -1;

	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
		*params = (struct io_uring_params){ .flags = flags[i] };
		fd = syscall(SYS_io_uring_setup, depth, params);
		if (fd >= 0 || errno != EINVAL)
			break;
	}
	return fd < 0 ? -errno : (int)fd;
}

static int map(struct uring *ring, const struct io_uring_params *params)
{
	const size_t sq_bytes = params->sq_off.array + params->sq_entries * sizeof(uint32_t);
	const size_t cq_bytes = params->cq_off.cqes + params->cq_entries * sizeof *ring->cqe;
	const int protection = PROT_READ | PROT_WRITE, flags = MAP_SHARED | MAP_POPULATE;
	char *rings, *sqe;

	ring->rings_bytes = sq_bytes > cq_bytes ? sq_bytes : cq_bytes;
	ring->sqe_bytes = params->sq_entries * sizeof *ring->sqe;
	rings = mmap(NULL, ring->rings_bytes, protection, flags, ring->fd, IORING_OFF_SQ_RING);
	if (rings == MAP_FAILED)
		return -errno;
	sqe = mmap(NULL, ring->sqe_bytes, protection, flags, ring->fd, IORING_OFF_SQES);
	if (sqe == MAP_FAILED) {
		munmap(rings, ring->rings_bytes);
		return -ENOMEM;
	}
	ring->rings = rings;
	ring->sqe = (void *)sqe;
	ring->cqe = (void *)(rings + params->cq_off.cqes);
	ring->sq_head = (void *)(rings + params->sq_off.head);
	ring->sq_tail = (void *)(rings + params->sq_off.tail);
	ring->cq_head = (void *)(rings + params->cq_off.head);
	ring->cq_tail = (void *)(rings + params->cq_off.tail);
	ring->sq_mask = params->sq_entries - 1;
	ring->cq_mask = params->cq_entries - 1;
	for (uint32_t i = 0; i < params->sq_entries; i++)
		((uint32_t *)(void *)(rings + params->sq_off.array))[i] = i;
	return 0;
}

static int reg(const struct uring *ring, unsigned what, const void *argument, unsigned count)
{
	return syscall(SYS_io_uring_register, ring->fd, what, argument, count) < 0 ? -errno : 0;
}

/* So that the kernel need not look up file and pages for each read. */
static int introduce(struct uring *ring, struct queue *queue)
{
	struct iovec part[DEPTH_MAX];
	int result = reg(ring, IORING_REGISTER_FILES, &queue->device->fd[queue->access], 1);

	if (result < 0)
		return result;
	for (uint32_t slot = 0; slot < queue->depth; slot++)
		part[slot] = (struct iovec){ queue->buffer + (size_t)slot * queue->block_bytes, queue->block_bytes };
	result = reg(ring, IORING_REGISTER_BUFFERS, part, queue->depth);
	queue->plain_buffer = result == -ENOMEM;
	ring->opcode = queue->plain_buffer ? IORING_OP_READ : IORING_OP_READ_FIXED;
	return queue->plain_buffer ? 0 : result;
}

static void close_ring(void *self)
{
	struct uring *ring = self;

	/* At once: what goes with the descriptor is only later taken off what memlock allows the next cell. */
	reg(ring, IORING_UNREGISTER_BUFFERS, NULL, 0);
	if (ring->rings) {
		munmap(ring->rings, ring->rings_bytes);
		munmap(ring->sqe, ring->sqe_bytes);
	}
	close(ring->fd);
	free(ring);
}

static int open_ring(void **self, struct queue *queue)
{
	struct uring *ring = calloc(1, sizeof *ring);
	struct io_uring_params params;
	int result;

	if (!ring)
		return -ENOMEM;
	ring->queue = queue;
	result = ring->fd = setup(&params, queue->depth);
	if (result < 0) {
		free(ring);
		return result;
	}
	/* The feature came with IORING_OP_READ, Linux 5.6. */
	result = params.features & IORING_FEAT_RW_CUR_POS ? map(ring, &params) : -ENOSYS;
	if (result == 0)
		result = introduce(ring, queue);
	if (result < 0)
		close_ring(ring);
	else
		*self = ring;
	return result;
}

static void put(struct uring *ring, struct flight *flight)
{
	ring->flight[flight->slot] = flight;
	ring->sqe[ring->tail++ & ring->sq_mask] = (struct io_uring_sqe){
		.opcode = ring->opcode,
		.flags = IOSQE_FIXED_FILE,
		.off = flight->offset + flight->done_bytes,
		.addr = (uintptr_t)flight_target(flight, ring->queue),
		.len = ring->queue->block_bytes - flight->done_bytes,
		.user_data = flight->slot,
		.buf_index = (uint16_t)flight->slot,
	};
}

static unsigned reap(struct uring *ring, struct flight **flight)
{
	const uint32_t tail = atomic_load_explicit(ring->cq_tail, memory_order_acquire);
	uint32_t head = atomic_load_explicit(ring->cq_head, memory_order_relaxed);
	unsigned done = 0;

	for (; head != tail; head++) {
		const struct io_uring_cqe *cqe = &ring->cqe[head & ring->cq_mask];
		struct flight *landed = ring->flight[cqe->user_data];

		if (flight_landed(landed, ring->queue, cqe->res))
			flight[done++] = landed;
		else
			put(ring, landed);
	}
	atomic_store_explicit(ring->cq_head, head, memory_order_release);
	return done;
}

/* Whether the kernel may take in the next step what it did not take in this one. */
static bool for_now(const struct uring *ring, int error)
{
	if (error == EBADFD)
		return reg(ring, IORING_REGISTER_ENABLE_RINGS, NULL, 0) == 0;
	return error == EINTR || error == EAGAIN || error == EBUSY;
}

/* Takes back what the kernel has not taken, and looks for only in a step. */
static unsigned refuse(struct uring *ring, struct flight **flight, int error)
{
	const uint32_t head = atomic_load_explicit(ring->sq_head, memory_order_acquire);
	unsigned done = 0;

	while (ring->tail != head) {
		flight[done] = ring->flight[ring->sqe[--ring->tail & ring->sq_mask].user_data];
		flight[done++]->error = error;
	}
	return done;
}

static unsigned step(void *self, struct flight **flight, unsigned fresh)
{
	struct uring *ring = self;
	uint32_t unsent;

	for (unsigned i = 0; i < fresh; i++) {
		flight[i]->done_bytes = 0;
		put(ring, flight[i]);
	}
	atomic_store_explicit(ring->sq_tail, ring->tail, memory_order_release);
	unsent = ring->tail - atomic_load_explicit(ring->sq_head, memory_order_acquire);
	if (syscall(SYS_io_uring_enter, ring->fd, unsent, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0 && !for_now(ring, errno))
		return refuse(ring, flight, -errno);
	return reap(ring, flight);
}

const struct engine_ops engine_uring = { open_ring, step, close_ring };
