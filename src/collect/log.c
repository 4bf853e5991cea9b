#include "collect/log.h"

#include <string.h>

enum { NUMBER = 20 };                   /* digits */

void log_head(FILE *stream)
{
	/* Until it is closed, which is at the end. */
	static char buffer[1 << 18];

	setvbuf(stream, buffer, _IOFBF, sizeof buffer);
	fputs("issued_ns,cell,disk,mode,access,block_bytes,queue_depth,offset_bytes,latency_ns,error,counted\n", stream);
}

bool log_begin(struct log *log, FILE *stream, const struct plan *plan, const struct cell *cell, unsigned disk)
{
	FILE *middle = fmemopen(log->middle, sizeof log->middle, "w");

	if (!middle)
		return false;
	fprintf(middle, ",%zu,", (size_t)(cell - plan->cell) + 1);
	text_quote(middle, plan->disk[disk]->name);
	fprintf(middle, ",%s,%s,%u,%u,", mode_names[cell->mode], access_names[cell->access], cell->block_bytes, cell->depth);
	fclose(middle);
	log->stream = stream;
	log->length = strlen(log->middle);
	return true;
}

/* Hundreds of thousands a second: printf() would be what takes most of the time. So two digits at
 * once, and from the last to the first, so that nothing is moved. Returns where the number begins. */
static char *put_number(char *end, uint64_t number)
{
	static const char pair[] =
		"0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
		"5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

	for (; number >= 100; number /= 100)
		memcpy(end -= 2, &pair[number % 100 * 2], 2);
	if (number >= 10)
		return memcpy(end - 2, &pair[number * 2], 2);
	*--end = (char)('0' + number);
	return end;
}

void log_add(const struct log *log, const struct sample *sample)
{
	char line[sizeof log->middle + 4 * (NUMBER + 1) + 4], *const end = line + sizeof line, *at = end;

	if (ferror_unlocked(log->stream))
		return;
	*--at = '\n';
	*--at = sample->counts ? '1' : '0';
	*--at = ',';
	at = put_number(at, (uint64_t)-(int64_t)sample->error);
	*--at = ',';
	at = put_number(at, sample->latency_ns > 0 ? (uint64_t)sample->latency_ns : 0);
	*--at = ',';
	at = put_number(at, sample->offset);
	at -= log->length;
	memcpy(at, log->middle, log->length);
	at = put_number(at, (uint64_t)sample->issued_ns);
	fwrite_unlocked(at, 1, (size_t)(end - at), log->stream);
}
