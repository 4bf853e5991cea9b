#include "collect/tally.h"

void fault_add(struct fault fault[TALLY_FAULTS], int error, uint64_t count, uint64_t first_offset)
{
	unsigned i = 0;

	while (i < TALLY_FAULTS - 1 && fault[i].error && fault[i].error != error)
		i++;
	if (!fault[i].error)
		fault[i] = (struct fault){ .error = error, .first_offset = first_offset };
	fault[i].count += count;
}

void tally_add(struct tally *tally, const struct sample *sample, int64_t opened_ns)
{
	const int64_t since_start_ns = sample->issued_ns + sample->latency_ns - opened_ns;

	if (sample->counts)
		trace_add(&tally->trace, since_start_ns);
	if (sample->error) {
		tally->whole_errors++;
		tally->errors += sample->counts;
		fault_add(tally->fault, sample->error, 1, sample->offset);
		return;
	}
	tally->whole_requests++;
	if (!sample->counts) {
		if (sample->latency_ns > tally->outside_max_ns)
			tally->outside_max_ns = sample->latency_ns;
		return;
	}
	tally->requests++;
	histogram_add(&tally->latency, sample->latency_ns);
	series_add(&tally->series, since_start_ns);
}
