#include "analyze/judge.h"

#include <stdlib.h>

int judge_init(struct judge *judge, const struct wishes *wishes, struct error *error)
{
	const struct words *texts = &wishes->requirements;

	*judge = (struct judge){ .tolerance_percent = wishes->tolerance_percent };
	judge->requirement = calloc(texts->count + 1, sizeof *judge->requirement);
	if (!judge->requirement)
		return error_set(error, STATUS_START, "not enough memory for %zu requirements; use fewer", texts->count);
	for (; judge->requirements < texts->count; judge->requirements++) {
		const char *text = texts->word[judge->requirements];
		const char *why = requirement_parse(text, &judge->requirement[judge->requirements]);

		if (why) {
			judge_release(judge);
			return error_set(error, STATUS_USAGE, "--require '%s' %s", text, why);
		}
	}
	return 0;
}

void judge_release(struct judge *judge)
{
	free(judge->requirement);
	records_release(&judge->baseline);
	*judge = (struct judge){ 0 };
}

int judge_check(const struct judge *judge, const struct plan *plan, struct error *error)
{
	for (const struct requirement *r = judge->requirement; r < judge->requirement + judge->requirements; r++)
		if (!requirement_applies(r, plan))
			return error_set(error, STATUS_USAGE, "--require '%s' is of a mode and size that is not measured; "
					 "take it into -m and -s", r->text);
	return 0;
}
