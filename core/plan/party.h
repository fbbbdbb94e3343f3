/* Who exchanges: all ranks in a flat plan, one leader for each node in a node-aware one. Rounds
 * that are written for a party run in both. */
#ifndef STRATA_CORE_PLAN_PARTY_H
#define STRATA_CORE_PLAN_PARTY_H

#include "core/plan/builder.h"

struct strata_party {
    int size, me; /* members are numbered 0 .. size-1 */
    /* The rank of a member. */
    int (*rank)(const struct strata_party *party, int member);
    /* The plan's set of what the members in these boxes (of space `size`) contribute. */
    int (*set)(const struct strata_party *party, struct strata_builder *b,
               const struct strata_box *boxes, int nboxes);
    const void *self; /* of whoever made the party */
    /* How far a set moves, modulo its space, when the numbers of all its members grow by one: then
     * a repeat can step through members. 0: no such figure. */
    int32_t stride;
};

/* All ranks, in rank order; a member's contribution is its block in the output. */
struct strata_party strata_party_flat(int ranks, int rank);

/* The same for a flat allgather, which begins with this: the rank's block, from the input to its
 * place in the output. */
struct strata_party strata_party_flat_begin(struct strata_builder *b, int ranks, int rank);

static inline int strata_party_rank(const struct strata_party *party, int member)
{
    return party->rank(party, member);
}

/* Member numbers may be given beyond either end: they wrap around. */
static inline int strata_party_wrap(const struct strata_party *party, int64_t member)
{
    int64_t rest = member % party->size;
    return (int)(rest < 0 ? rest + party->size : rest);
}

static inline int strata_party_set(const struct strata_party *party, struct strata_builder *b,
                                   struct strata_box box)
{
    return party->set(party, b, &box, 1);
}

#endif
