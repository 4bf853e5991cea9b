/* A thread that is stuck in a read of a hung disk keeps its process from ending. So a child measures and
 * reports, and the parent, which never touches a disk, waits for it, hands signals on, and ends with its
 * status, whatever becomes of the child. */
#ifndef RUN_SPLIT_H
#define RUN_SPLIT_H

#include <stdint.h>

#include "base/error.h"

/* How a process is to end. */
struct leave {
	int status;                     /* exit status */
	int signal;                     /* 0, or end by that one instead */
};

/* Before any thread: forks. Returns only in the child, with INT, TERM, HUP and USR1 blocked, to be taken
 * by split_wait(), and SIGPIPE and SIGXFSZ ignored, so that writes fail instead; the parent ends in here.
 * On error (STATUS_START) there is no child. What the parent gets goes on to the child, but a second INT,
 * TERM or HUP, a quarter of a second or more after the first, ends both at once. */
int split_fork(struct error *error);

/* Child: waits so long, in ns, for a signal, from the parent or directly. Returns it, or 0. */
int split_wait(int64_t timeout_ns);

/* Child: ends without waiting for threads that are left behind: passes leave to the parent, and closes every descriptor, so that
 * pipes end. */
void split_abandon(struct leave leave) __attribute__((noreturn));

/* Ends this process by leave.signal, or returns leave.status for main to return. */
int split_leave(struct leave leave);

#endif
