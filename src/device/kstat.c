#include "device/kstat.h"

static uint64_t ms_since(uint64_t before, uint64_t after)
{
	return (uint32_t)(after - before);
}

struct kstat kstat_since(const struct kstat *before, const struct kstat *after)
{
	return (struct kstat){
		.time_ns = after->time_ns - before->time_ns,
		.reads = after->reads - before->reads,
		.read_merges = after->read_merges - before->read_merges,
		.read_sectors = after->read_sectors - before->read_sectors,
		.read_ms = ms_since(before->read_ms, after->read_ms),
		.writes = after->writes - before->writes,
		.write_sectors = after->write_sectors - before->write_sectors,
		.busy_ms = ms_since(before->busy_ms, after->busy_ms),
		.queue_ms = ms_since(before->queue_ms, after->queue_ms),
	};
}
