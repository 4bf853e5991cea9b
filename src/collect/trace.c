#include "collect/trace.h"

void trace_add(struct trace *trace, int64_t since_start_ns)
{
	if (trace->reads < TRACE_READS)
		trace->completed_ns[trace->reads++] = since_start_ns;
}

int64_t trace_until_ns(const struct trace *trace, int64_t stopped_ns)
{
	return trace->reads < TRACE_READS ? stopped_ns : trace->completed_ns[TRACE_READS - 1];
}
