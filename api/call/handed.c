#include "api/call/handed.h"

STRATA_EACH_THREAD struct strata_handed strata_handed = {
    .asked = {.collective = STRATA_COLLECTIVE_COUNT}};

/* Whether what the arguments' arrays hold is looked at only by MPI. */
static bool plain(const struct strata_signature *s)
{
    bool apart = strata_collective_transposes(s->collective) && s->send.buffer != s->recv.buffer &&
                 !s->in_place;

    return !strata_collective_info[s->collective].varying || apart;
}

static bool settled(const struct strata_call *c)
{
    if (!c->entry) {
        return c->state->standing == STRATA_STANDING_NATIVE;
    }
    return strata_selection_settled(c->signature) ||
           (strata_choice_native(&c->entry->key.forced) &&
            !strata_collective_reduces(c->signature->collective));
}

void strata_hand_over(const struct strata_call *c)
{
    if (settled(c) && (c->state->inter || plain(c->signature))) {
        strata_handed = (struct strata_handed){.asked = *c->signature,
                                               .state = c->state,
                                               .entry = c->entry,
                                               .process = c->process,
                                               .handles = strata_handles_now(c->process)};
    }
}
