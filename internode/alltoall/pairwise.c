/* Throttled pairwise exchange: one message for each pair of ranks, few at a time.
 *
 * In iteration i a rank receives from the rank i before it and sends to the rank i after it, block
 * by block in the caller's own datatypes. At most `window` iterations are under way. The window is
 * ours. */
#include "core/cost/round_cost.h"
#include "internode/algorithms.h"
#include "internode/titles.h"

static const char *applicable(const struct strata_problem *problem)
{
    (void)problem;
    return NULL;
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks;
    strata_build_limits(b, (struct strata_limits){0, 1, 1});
    strata_build_phase(b, "one block to each rank");
    strata_build_repeat(b, ranks);
    strata_build_direct(b, strata_build_set(b, strata_box_item(ranks, 0)), 1);
    strata_build_wait_direct(b, 2 * (problem->parameter[0] - 1));
    strata_build_end(b);
    strata_build_wait_direct(b, 0);
}

static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    struct strata_cost total = {0};
    int ranks = problem->flat->ranks, window = problem->parameter[0];
    const double bytes = strata_full_block(problem);
    for (int first = 1; first < ranks; first += window) {
        int messages = ranks - first < window ? ranks - first : window;
        struct strata_flat_round round = strata_onward(first, 1, messages, messages);
        strata_cost_round(&total, problem->topology, &round, bytes, machine);
    }
    strata_cost_few(&total, problem, machine);
    strata_cost_copy(&total, problem->block_bytes, 1, machine);
    return total;
}

const struct strata_algorithm strata_pairwise = {
    .name = "pairwise",
    .collectives = 1u << STRATA_ALLTOALL | 1u << STRATA_ALLTOALLV | 1u << STRATA_ALLTOALLW,
    .level = STRATA_FLAT,
    .classic = true,
    .knows_nodes = true,
    .summary = "one message for each pair of ranks, a few at a time",
    .paper = "Thakur, Rabenseifner, Gropp, IJHPCA 2005",
    .title = STRATA_TITLE_THAKUR,
    .restrictions = "none",
    .rounds_text = "P-1",
    .volume_text = "each block once",
    .scratch_text = "none; in place: the blocks that leave",
    .parameters = {{"window", 0, 1, 65536, {4, 16}, "iterations under way at once", {NULL}}},
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
