/* The one way a reason travels to main, which alone prints it and chooses the exit status. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

/* What diskbench's exit status means; README and man page say the same. */
enum exit_status {
	STATUS_OK = 0,
	STATUS_READ = 1,        /* a read failed or a disk was lost */
	STATUS_USAGE = 2,       /* the command line is wrong */
	STATUS_START = 3,       /* a disk cannot be used, or the run cannot start */
	STATUS_MISSED = 4,      /* a requirement or the baseline was missed */
	STATUS_REPORT = 5,      /* a report could not be written */
};

struct error {
	enum exit_status status;
	char text[512];         /* one line without newline: subject quoted, numbers, remedy; cut if longer */
};

/* Fills in error and returns -1, so that a failing function ends with: return error_set(...). Control characters
 * that come in with a name are shown as '?': a message is always one line. */
int error_set(struct error *error, enum exit_status status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* strerror() of an errno, beginning in lower case as messages do; valid until the thread's next call. */
const char *error_reason(int number);

/* What to do about an errno that comes from a limit, "; raise the limit of 64 with ulimit -n"; "" for others. Likewise. */
const char *error_remedy(int number);

#endif
