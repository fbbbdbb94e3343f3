/* Throttled linear exchange: one message for each pair of ranks, a window of them posted at once.
 *
 * All receives and sends of a window of distances are posted together, block by block in the
 * caller's own datatypes. The next window begins when all of them are complete; a window of P is
 * the basic linear algorithm. Pairwise exchange, in contrast, goes on as soon as any two messages
 * are complete. Windows are those of MPICH's MPIR_CVAR_ALLTOALL_THROTTLE. */
#include "core/cost/round_cost.h"
#include "internode/algorithms.h"
#include "internode/titles.h"

static const char *applicable(const struct strata_problem *problem)
{
    (void)problem;
    return NULL;
}

static void exchange(struct strata_builder *b, int ranks, int first, int count, int step)
{
    strata_build_direct(b, strata_build_set(b, strata_box_range(ranks, first, count)), step);
    strata_build_wait_direct(b, 0);
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks;
    int window = problem->parameter[0] < ranks ? problem->parameter[0] : ranks;
    int windows = ranks / window, rest = ranks % window;
    strata_build_limits(b, (struct strata_limits){0, 1, 1});
    strata_build_phase(b, "%d block%s at once", window, window == 1 ? "" : "s");
    strata_build_repeat(b, windows);
    exchange(b, ranks, 0, window, window);
    strata_build_end(b);
    if (rest > 0) {
        exchange(b, ranks, windows * window, rest, 0);
    }
}

static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    struct strata_cost total = {0};
    int ranks = problem->flat->ranks, window = problem->parameter[0];
    const double bytes = strata_full_block(problem);
    for (int first = 0; first < ranks; first += window) {
        int end = first + window < ranks ? first + window : ranks;
        int messages = end - first - (first == 0); /* a rank's own block is copied */
        struct strata_flat_round round = strata_onward(first + (first == 0), 1, messages, messages);
        strata_cost_round(&total, problem->topology, &round, bytes, machine);
    }
    strata_cost_few(&total, problem, machine);
    strata_cost_copy(&total, problem->block_bytes, 1, machine);
    return total;
}

const struct strata_algorithm strata_linear = {
    .name = "linear",
    .collectives = 1u << STRATA_ALLTOALL | 1u << STRATA_ALLTOALLV | 1u << STRATA_ALLTOALLW,
    .level = STRATA_FLAT,
    .classic = true,
    .knows_nodes = true,
    .summary = "one message for each pair of ranks, a window of them posted at once",
    .paper = "Thakur, Rabenseifner, Gropp, IJHPCA 2005; windows as in MPICH",
    .title = STRATA_TITLE_THAKUR,
    .restrictions = "none",
    .rounds_text = "ceil(P / window)",
    .volume_text = "each block once",
    .scratch_text = "none; in place: the blocks that leave",
    .parameters = {{"window", 0, 1, 65536, {32, 65536}, "messages posted at once", {NULL}}},
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
