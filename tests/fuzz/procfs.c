/* The lists of mounts and of swap space: the first byte says how large a part of all is of mounts. */
#include "tree.h"

#include "device/usage.h"

static void check_use(const struct use *use)
{
	const char *text = use->text;

	promise(fuzz_printable(text));
	promise(strncmp(text, "mounted on ", 11) == 0 || strcmp(text, "swap space") == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct device_info info = { .path = "/dev/sda", .rdev = 0x801 };
	const size_t mounts = size ? data[0] * size / 256 : 0;
	struct usage usage;

	tree_make();
	tree_file("/proc/self/mountinfo", data, mounts);
	tree_file("/proc/swaps", data + mounts, size - mounts);
	usage_scan(&usage);
	promise(!usage.error);
	for (size_t i = 0; i < usage.uses; i++)
		check_use(&usage.use[i]);
	usage_find(&usage, &info);
	promise(fuzz_printable(info.in_use));
	info.rdev = 0;
	usage_find(&usage, &info);
	promise(fuzz_printable(info.in_use));
	usage_release(&usage);
	return 0;
}
