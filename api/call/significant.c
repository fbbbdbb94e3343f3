/* Which arguments are significant on which rank, from the table of collectives. */
#include "api/call/signature.h"

const struct strata_side *strata_side_in_place(const struct strata_signature *s)
{
    const struct strata_collective_info *info = &strata_collective_info[s->collective];

    if (info->input == STRATA_NONE || s->collective == STRATA_BCAST) {
        return NULL;
    }
    if (info->root != '-' && s->rank != s->root) {
        return NULL;
    }
    return info->root == 'i' ? &s->recv : &s->send;
}

/* The whole memory is on the side that remains. */
static void find_in_place(struct strata_signature *s)
{
    const struct strata_side *side = strata_side_in_place(s);

    s->in_place = side && side->part != STRATA_NONE && side->buffer == MPI_IN_PLACE;
    if (s->in_place) {
        s->send.part = side == &s->send ? STRATA_NONE : STRATA_ALL;
        s->recv.part = side == &s->recv ? STRATA_NONE : STRATA_ALL;
    }
}

void strata_find_significant(struct strata_signature *s, int rank, int ranks)
{
    s->rank = rank;
    s->ranks = ranks;
    s->send.part = strata_input_of(s->collective, s->rank, s->root);
    s->recv.part = strata_output_of(s->collective, s->rank, s->root);
    if (s->collective == STRATA_BCAST) {
        s->send.part = STRATA_NONE;
    }
    find_in_place(s);
    if (s->collective == STRATA_EXSCAN && s->rank == 0 && !s->in_place) {
        s->recv.part = STRATA_NONE; /* it gets nothing, so its buffer may be anything */
    }
    if (s->recv.part == STRATA_ONE && s->recv.counts) {
        s->recv.count = s->recv.counts[s->rank]; /* reduce_scatter */
    }
}
