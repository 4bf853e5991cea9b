#include "run/split.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

/* timeout(1) and others signal both a process and its group: what comes so soon after is the same wish. */
static const int64_t same_wish_ns = NS_PER_S / 4;

static int status_pipe = -1;            /* the child's end */
static sigset_t awaited;                /* signals that end a run early or ask how it fares */

/* But not those that whoever started us wants ignored, as nohup does. */
static void block_signals(void)
{
	static const int number[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1 };

	sigemptyset(&awaited);
	for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
		struct sigaction action;

		sigaction(number[i], NULL, &action);
		if (action.sa_handler != SIG_IGN)
			sigaddset(&awaited, number[i]);
	}
	sigprocmask(SIG_BLOCK, &awaited, NULL);
}

int split_leave(struct leave leave)
{
	sigset_t set;

	if (!leave.signal)
		return leave.status;
	signal(leave.signal, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, leave.signal);
	raise(leave.signal);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	return 128 + leave.signal;
}

static void leave_now(struct leave leave)
{
	_exit(split_leave(leave));
}

static struct leave reap(pid_t child)
{
	const struct rlimit no_core = { 0, 0 };
	int status;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status))
		return (struct leave){ .status = WEXITSTATUS(status) };
	setrlimit(RLIMIT_CORE, &no_core);
	return (struct leave){ .signal = WTERMSIG(status) };
}

static bool wanted(int number)
{
	return number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGPIPE;
}

/* The child has ended by itself. */
static void child_ended(pid_t child)
{
	const struct leave leave = reap(child);

	if (leave.signal && !wanted(leave.signal))
		fprintf(stderr, "diskbench: the measuring process %d ended by signal %d, %s; rows that it had printed are valid\n",
			(int)child, leave.signal, strsignal(leave.signal));
	leave_now(leave);
}

static void hand_on(pid_t child, int number)
{
	static int64_t first_ns;
	const int64_t now_ns = clock_now_ns();

	if (number != SIGUSR1) {
		if (!first_ns)
			first_ns = now_ns;
		if (now_ns - first_ns >= same_wish_ns) {
			kill(child, SIGKILL);
			leave_now((struct leave){ .signal = number });
		}
	}
	kill(child, number);
}

__attribute__((noreturn))
static void be_parent(pid_t child, int status_fd, int signal_fd)
{
	struct pollfd watched[] = { { .fd = signal_fd, .events = POLLIN }, { .fd = status_fd, .events = POLLIN } };
	struct signalfd_siginfo info;
	struct leave leave;

	for (;;) {
		poll(watched, 2, -1);
		if (watched[1].revents) {
			if (read(status_fd, &leave, sizeof leave) == sizeof leave)
				leave_now(leave);
			child_ended(child);
		}
		if (watched[0].revents && read(signal_fd, &info, sizeof info) == sizeof info)
			hand_on(child, (int)info.ssi_signo);
	}
}

int split_fork(struct error *error)
{
	const pid_t parent = getpid();
	int ends[2], signal_fd;
	pid_t child;

	block_signals();
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	signal_fd = signalfd(-1, &awaited, SFD_CLOEXEC);
	if (signal_fd < 0 || pipe2(ends, O_CLOEXEC) < 0)
		return error_set(error, STATUS_START, "cannot watch over the run: %s%s", error_reason(errno),
				 error_remedy(errno));
	child = fork();
	if (child < 0)
		return error_set(error, STATUS_START, "cannot start the measuring process: %s%s", error_reason(errno),
				 error_remedy(errno));
	if (child) {
		close(ends[1]);
		be_parent(child, ends[0], signal_fd);
	}
	close(ends[0]);
	close(signal_fd);
	status_pipe = ends[1];
	/* When the parent is killed, the run ends as by SIGTERM. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		raise(SIGTERM);
	return 0;
}

int split_wait(int64_t timeout_ns)
{
	const struct timespec timeout = { .tv_sec = timeout_ns / NS_PER_S, .tv_nsec = timeout_ns % NS_PER_S };
	const int number = sigtimedwait(&awaited, NULL, &timeout);

	return number > 0 ? number : 0;
}

void split_abandon(struct leave leave)
{
	fflush(NULL);
	/* First: to close a file of a filesystem that hangs may take for ever. */
	if (write(status_pipe, &leave, sizeof leave) == sizeof leave)
		closefrom(0);
	_exit(leave.status);
}
