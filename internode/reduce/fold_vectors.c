/* Reductions from left to right, for short vectors: each rank that needs a result gets all vectors
 * and combines them in the order of ranks.
 *
 * The result is ((x0 o x1) o x2) o ..., so results depend on the ranks' data alone. Vectors travel
 * as the blocks of an allgather (bruck) or, for a root, of a gather (binomial), and lie side by
 * side in work. In scans a rank gets the vectors of the ranks before it, twice as many after each
 * round. Each vector is combined in place with all before it. */
#include <string.h>

#include "core/plan/embed.h"
#include "internode/algorithms.h"
#include "internode/parts/gather.h"
#include "internode/parts/path.h"

static const char *applicable(const struct strata_problem *problem)
{
    (void)problem;
    return NULL;
}

static const struct strata_algorithm *gathering(const struct strata_problem *problem)
{
    return problem->collective == STRATA_REDUCE ? &strata_binomial : &strata_bruck;
}

/* The problem of gathering the vectors. */
static struct strata_problem gather_of(const struct strata_problem *problem)
{
    struct strata_problem gather = *problem;
    const struct strata_parameter *first = &gathering(problem)->parameters[0];
    gather.collective = problem->collective == STRATA_REDUCE ? STRATA_GATHER : STRATA_ALLGATHER;
    memset(gather.parameter, 0, sizeof gather.parameter);
    gather.parameter[0] = first->name ? first->least : 0;
    return gather;
}

static bool scans(const struct strata_problem *problem)
{
    return strata_collective_info[problem->collective].result != STRATA_REDUCED;
}

/* The number of ranks whose vectors count in my result. */
static int combined(const struct strata_problem *problem)
{
    int ranks = problem->flat->ranks;
    bool has = strata_output_of(problem->collective, problem->rank, problem->root) != STRATA_NONE;
    enum strata_result result = strata_collective_info[problem->collective].result;
    return result == STRATA_UP_TO_ME    ? problem->rank + 1
           : result == STRATA_BEFORE_ME ? problem->rank
                                        : (has ? ranks : 0);
}

static int vectors(struct strata_builder *b, int ranks, int first, int count)
{
    return strata_build_set(b, strata_box_in(STRATA_WORK, strata_box_range(ranks, first, count)));
}

/* The ranks first .. last, as far as they exist and are not after me. */
static int vectors_up_to(struct strata_builder *b, int ranks, int64_t first, int last)
{
    int from = first > 0 ? (int)first : 0;
    return vectors(b, ranks, from, last - from + 1);
}

/* Gathers the vectors before mine. No rank needs the vector of an exscan's last rank. */
static void gather_before(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks, me = problem->rank;
    if (problem->collective == STRATA_SCAN || me + 1 < ranks) {
        int input = strata_build_item(b, STRATA_INPUT, 1, 0);
        strata_build_copy(b, input, vectors(b, ranks, me, 1));
    }
    for (int64_t distance = 1; distance < ranks; distance *= 2) {
        int d = (int)distance;
        if (me >= d) {
            int set = vectors_up_to(b, ranks, me - 2 * distance + 1, me - d);
            strata_build_recv_blocks(b, me - d, set, STRATA_AS_FITS);
        }
        if (me < ranks - d) {
            int set = vectors_up_to(b, ranks, me - distance + 1, me);
            strata_build_send_blocks(b, me + d, set, STRATA_AS_FITS);
        }
        if (me >= d || me < ranks - d) {
            strata_build_wait(b, 0);
        }
    }
}

/* Ranks are themselves. */
static int same_rank(const void *self, int endpoint)
{
    (void)self;
    return endpoint;
}

/* My vector is my input; another's lies in work. */
static struct strata_box vector_of(const void *self, struct strata_run run, int *taken)
{
    const struct strata_plan *plan = self;
    int ranks = plan->topology->ranks;
    int before = run.store == STRATA_WORK ? plan->blocks.work_first : 0;
    *taken = run.count;
    return run.store == STRATA_INPUT
               ? strata_box_in(STRATA_INPUT, strata_box_item(1, 0))
               : strata_box_in(STRATA_WORK,
                               strata_box_range(ranks, (before + run.first) % ranks, run.count));
}

static void gather(const struct strata_problem *problem, struct strata_builder *b)
{
    struct strata_problem inner = gather_of(problem);
    struct strata_diagnostic message;
    struct strata_plan *plan = NULL;
    if (strata_algorithm_plan(gathering(problem), &inner, &plan, &message) != STRATA_OK) {
        strata_build_no_memory(b);
        return;
    }
    struct strata_embedding embedding = {.self = plan, .rank = same_rank, .box = vector_of};
    strata_build_embedded(b, plan, &embedding);
    strata_plan_destroy(plan);
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks, count = combined(problem);
    strata_build_blocks(b, (struct strata_blocks){.count = 1, .work = ranks});
    if (scans(problem)) {
        gather_before(problem, b);
    } else {
        gather(problem, b);
    }
    if (count == 0) {
        return;
    }
    strata_build_phase(b, "from left to right");
    for (int rank = 1; rank < count; rank++) {
        int left = vectors(b, ranks, rank - 1, 1);
        strata_build_reduce(b, left, vectors(b, ranks, rank, 1));
    }
    strata_build_copy(b, vectors(b, ranks, count - 1, 1),
                      strata_build_item(b, STRATA_OUTPUT, 1, 0));
}

/* Of the ranks that send in as many rounds the last one sends most. */
static double most_before(int ranks)
{
    int64_t most = 0;
    for (int64_t farthest = 1; farthest < ranks; farthest *= 2) {
        int64_t sent = 0, has = ranks - farthest;
        for (int64_t distance = 1; distance <= farthest; distance *= 2) {
            sent += distance < has ? distance : has;
        }
        most = sent > most ? sent : most;
    }
    return (double)most;
}

static struct strata_formula gather_formula(const struct strata_problem *problem)
{
    struct strata_problem inner = gather_of(problem);
    int ranks = problem->flat->ranks, rounds = strata_log_rounds(ranks, 2);
    return scans(problem) ? (struct strata_formula){.rounds = rounds,
                                                    .messages = rounds,
                                                    .blocks = most_before(ranks)}
                          : gathering(problem)->formula(&inner);
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    struct strata_formula f = gather_formula(problem);
    int last = problem->flat->ranks - (problem->collective == STRATA_EXSCAN);
    f.reduced = last > 1 ? last - 1 : 0;
    f.copied = last > 1 || problem->collective != STRATA_EXSCAN ? 2 : last;
    return f;
}

static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    struct strata_formula f = formula(problem);
    double vector = problem->block_bytes;
    struct strata_problem inner = gather_of(problem);
    if (scans(problem)) {
        return strata_path_cost(f, f.messages, f.blocks, problem, machine);
    }
    struct strata_cost total = strata_algorithm_cost(gathering(problem), &inner, machine);
    strata_cost_reduce(&total, f.reduced * vector, machine);
    strata_cost_copy(&total, vector, 1, machine);
    return total;
}

const struct strata_algorithm strata_fold_vectors = {
    .name = "fold_vectors",
    .collectives =
        1u << STRATA_REDUCE | 1u << STRATA_ALLREDUCE | 1u << STRATA_SCAN | 1u << STRATA_EXSCAN,
    .level = STRATA_FLAT,
    .knows_nodes = true,
    .keeps_order = true,
    .left_fold = true,
    .summary = "whoever needs a result gets all vectors and combines them from left to right",
    .paper = "none; rounds as Bruck et al., IEEE TPDS 8(11), 1997",
    .restrictions = "none",
    .rounds_text = "ceil(log2 P)",
    .volume_text =
        "P-1 vectors, in scans at most; reduce: as many as the largest subtree of the root has",
    .scratch_text = "P vectors",
    .applicable = applicable,
    .cost = cost,
    .formula = formula,
    .build = build,
};
