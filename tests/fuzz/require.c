/* Requirements. */
#include "fuzz.h"

#include <math.h>

#include "analyze/require.h"
#include "base/units.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct requirement requirement;
	const char *why = requirement_parse(text, &requirement);

	if (why) {
		promise(fuzz_phrase(why));
	} else {
		promise(requirement.text == text && !requirement.field->value);
		promise(isfinite(requirement.value) && requirement.value >= 0);
		promise(requirement.mode >= -1 && requirement.mode < MODES);
		promise(requirement.block_bytes <= GIB && (requirement.mode >= 0 || !requirement.block_bytes));
	}
	free(text);
	return 0;
}
