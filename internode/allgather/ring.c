/* Ring: each rank exchanges messages with its two neighbours only.
 *
 * Allgather: the block that came from the left in one round goes to the right in the next,
 * beginning with the rank's own block. Reduce-scatter is the same backwards: the partial result of
 * a block starts at the rank after its owner and collects an operand at each rank that it passes,
 * the owner's last. Allreduce is a reduce-scatter and then an allgather. */
#include "core/cost/formula_cost.h"
#include "core/cost/machine_cost.h"
#include "internode/algorithms.h"
#include "internode/parts/gather.h"
#include "internode/titles.h"

static const char *applicable(const struct strata_problem *problem)
{
    (void)problem;
    return NULL;
}

/* Block me - back, in a store. */
static int block(const struct strata_problem *problem, struct strata_builder *b,
                 enum strata_store store, int back)
{
    int ranks = problem->flat->ranks;
    int number = (int)(((int64_t)problem->rank - back + 2 * (int64_t)ranks) % ranks);
    return strata_build_item(b, store, ranks, number);
}

/* Appends a step whose blocks lie one lower in each iteration of a repeat. */
static void falling(struct strata_builder *b, struct strata_step step)
{
    step.set_step = -1;
    strata_build_step(b, step);
}

/* Sends the partial result of block me - back from `store`, receives that of the block before it,
 * and adds my operand to that. */
static void reduce_round(const struct strata_problem *problem, struct strata_builder *b,
                         enum strata_store store, int back)
{
    int ranks = problem->flat->ranks, me = problem->rank;
    int arriving = block(problem, b, STRATA_WORK, back + 1);
    falling(b, (struct strata_step){.op = STRATA_STEP_RECV_BLOCKS,
                                    .workshare = 1,
                                    .peer = (me + ranks - 1) % ranks,
                                    .set = arriving});
    falling(b, (struct strata_step){.op = STRATA_STEP_SEND_BLOCKS,
                                    .workshare = 1,
                                    .peer = (me + 1) % ranks,
                                    .set = block(problem, b, store, back)});
    strata_build_wait(b, 0);
    falling(b, (struct strata_step){.op = STRATA_STEP_REDUCE,
                                    .set = arriving,
                                    .from = block(problem, b, STRATA_INPUT, back + 1)});
}

/* The result of my block in the output. */
static void reduce_scatter(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks;
    strata_build_phase(b, "partial results go round the ring");
    if (ranks > 1) {
        reduce_round(problem, b, STRATA_INPUT, 1);
    }
    if (ranks > 2) {
        strata_build_repeat(b, ranks - 2);
        reduce_round(problem, b, STRATA_WORK, 2);
        strata_build_end(b);
    }
    strata_build_copy(b, block(problem, b, ranks > 1 ? STRATA_WORK : STRATA_INPUT, 0),
                      block(problem, b, STRATA_OUTPUT, 0));
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks;
    if (strata_collective_reduces(problem->collective)) {
        strata_build_blocks(b, (struct strata_blocks){.count = ranks, .work = ranks});
        reduce_scatter(problem, b);
    } else {
        strata_gather_begin(b, ranks, problem->rank);
    }
    if (strata_collective_info[problem->collective].output != STRATA_ONE) {
        strata_gather_ring(b, ranks, problem->rank);
    }
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    double ranks = problem->flat->ranks, once = ranks - 1;
    struct strata_formula f = {once, once, once, .copied = 1};
    if (strata_collective_reduces(problem->collective)) {
        f.reduced = once;
    }
    if (problem->collective == STRATA_ALLREDUCE) {
        f = (struct strata_formula){2 * once, 2 * once, 2 * once / ranks, once / ranks,
                                    .copied = 1 / ranks};
    }
    return f;
}

static bool round_of_all(const struct strata_problem *problem, int number,
                         struct strata_flat_round *round)
{
    const struct strata_formula f = formula(problem);
    round->first = round->messages = 1;
    round->blocks = f.blocks / f.rounds;
    round->times = f.rounds;
    return number == 0 && f.rounds > 0;
}

const struct strata_algorithm strata_ring = {
    .name = "ring",
    .collectives = 1u << STRATA_ALLGATHER | 1u << STRATA_ALLGATHERV | 1u << STRATA_ALLREDUCE |
                   1u << STRATA_REDUCE_SCATTER | 1u << STRATA_REDUCE_SCATTER_BLOCK,
    .level = STRATA_FLAT,
    .classic = true,
    .knows_nodes = true,
    .summary = "each block goes round once, from neighbour to neighbour",
    .paper = "Thakur, Rabenseifner, Gropp, IJHPCA 2005; Patarasuk, Yuan, JPDC 2009",
    .title = STRATA_TITLE_THAKUR
    "; Bandwidth optimal all-reduce algorithms for clusters of workstations",
    .restrictions = "reductions: the operator must commute",
    .rounds_text = "P-1; allreduce 2(P-1)",
    .volume_text = "P-1 blocks, reduce-scatter combines as many; allreduce 2(P-1)/P vectors",
    .scratch_text = "reductions: the vector once",
    .applicable = applicable,
    .formula = formula,
    .round = round_of_all,
    .build = build,
};
