#include "internode/parts/partial.h"

int strata_partial_location_set(struct strata_builder *b, struct strata_partial_location place,
                                const struct strata_portion *part)
{
    struct strata_portion there = *part;
    for (int i = 0; i < there.nboxes; i++) {
        struct strata_box *box = &there.box[i];
        box->store = (int16_t)place.store;
        box->origin += place.shift;
        box->space = box->limit = place.space;
    }
    return strata_build_set_of(b, there.box, there.nboxes);
}

struct strata_partial strata_partial_of(struct strata_builder *b, const struct strata_fold *fold,
                                        int rank, bool commutative)
{
    int partner = strata_fold_partner(fold, rank);
    unsigned lower = (unsigned)strata_fold_member(fold, rank);
    if (partner >= 0) {
        lower = lower << 1 | (partner < rank);
    }
    return (struct strata_partial){.b = b,
                                   .commutative = commutative,
                                   .rank = rank,
                                   .stages = fold->bits + (partner >= 0),
                                   .lower = lower};
}

/* Whether the result moves in that stage to where the peer's operand was received. */
static bool moves(const struct strata_partial *p, int stage)
{
    return p->commutative ? stage == 0 || stage == p->stages - 1 : !(p->lower >> stage & 1);
}

/* The place that the result is in after this stage. */
static int place_after(const struct strata_partial *p)
{
    int place = 0;
    for (int stage = p->stage + 1; stage < p->stages; stage++) {
        place ^= moves(p, stage);
    }
    return place;
}

void strata_partial_exchange(struct strata_partial *p, int peer, const struct strata_portion *sent,
                             const struct strata_portion *kept)
{
    struct strata_builder *b = p->b;
    bool move = moves(p, p->stage), first = p->stage == 0;
    int end = place_after(p);
    struct strata_partial_location there = p->place[move ? end : !end];
    struct strata_partial_location here = p->place[move ? !end : end];
    struct strata_partial_location sends = first ? p->input : here;
    if (first && move) {
        here = p->input;
    } else if (first) {
        strata_build_copy(b, strata_partial_location_set(b, p->input, kept),
                          strata_partial_location_set(b, here, kept));
    }
    int received = strata_partial_location_set(b, there, kept);
    strata_build_recv_blocks(b, peer, received, STRATA_AS_FITS);
    if (sent) {
        strata_build_send_blocks(b, peer, strata_partial_location_set(b, sends, sent),
                                 STRATA_AS_FITS);
    }
    strata_build_wait(b, 0);
    int mine = strata_partial_location_set(b, here, kept);
    strata_build_reduce(b, move ? mine : received, move ? received : mine);
    p->stage++;
}

void strata_partial_aside(struct strata_builder *b, int partner, int input, int result)
{
    strata_build_phase(b, "to the partner");
    strata_build_send_blocks(b, partner, input, STRATA_AS_FITS);
    strata_build_wait(b, 0);
    if (result >= 0) {
        strata_build_phase(b, "the result");
        strata_build_recv_blocks(b, partner, result, STRATA_AS_FITS);
        strata_build_wait(b, 0);
    }
}
