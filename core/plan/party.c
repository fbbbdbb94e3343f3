#include "core/plan/party.h"

#include "core/base/memory.h"

static int same_rank(const struct strata_party *party, int member)
{
    (void)party;
    return member;
}

/* The boxes themselves, in the output. */
static int set_in_output(const struct strata_party *party, struct strata_builder *b,
                         const struct strata_box *boxes, int nboxes)
{
    (void)party;
    struct strata_box few[4] = {{0}}, *stored = few;
    if (nboxes > 4 && !(stored = strata_allocate((size_t)nboxes, sizeof *stored))) {
        return strata_build_no_memory(b);
    }
    for (int i = 0; i < nboxes; i++) {
        stored[i] = strata_box_in(STRATA_OUTPUT, boxes[i]);
    }
    int set = strata_build_set_of(b, stored, nboxes);
    if (stored != few) {
        strata_release(stored);
    }
    return set;
}

struct strata_party strata_party_flat(int ranks, int rank)
{
    return (struct strata_party){
        .size = ranks, .me = rank, .rank = same_rank, .set = set_in_output, .stride = 1};
}

struct strata_party strata_party_flat_begin(struct strata_builder *b, int ranks, int rank)
{
    struct strata_box mine = strata_box_item(ranks, rank);
    strata_build_blocks(b, (struct strata_blocks){.count = ranks});
    strata_build_phase(b, "my block");
    strata_build_copy(b, strata_build_set(b, strata_box_in(STRATA_INPUT, mine)),
                      strata_build_set(b, strata_box_in(STRATA_OUTPUT, mine)));
    return strata_party_flat(ranks, rank);
}
