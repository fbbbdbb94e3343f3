/* Replaces libstrata_check, and accepts no plan. */
#include <stdio.h>

#include "core/check/check.h"

int strata_check_plan(const struct strata_plan *const *plans, int ranks, unsigned seed,
                      struct strata_diagnostic *message)
{
    (void)plans;
    (void)seed;
    snprintf(message->text, sizeof message->text, "refused on all %d ranks", ranks);
    return STRATA_ERR_PLAN;
}
