/* Circulant: a logarithmic number of rounds and P-1 blocks for any P, in reductions too.
 *
 * Ranks exchange along skips: P halved again and again, rounded up: ceil(P/2), .., 2, 1. A
 * reduce-scatter takes the skips in this order. Before each skip a rank has partial results for the
 * ranks 0 .. larger-1 further on, where `larger` is the skip before, at first P. It sends those
 * from the skip on to the rank that many further on, receives as many from the rank that many back,
 * and combines them with the rest. In the end its own result is left. Allgather takes the skips
 * backwards. Allreduce is a reduce-scatter and then an allgather. */
#include "internode/algorithms.h"
#include "internode/parts/gather.h"

static const char *applicable(const struct strata_problem *problem)
{
    (void)problem;
    return NULL;
}

static void gather(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks;
    int64_t me = problem->rank;
    for (int level = strata_log_rounds(ranks, 2); level > 0; level--) {
        int skip = strata_circulant_skip(ranks, level);
        int larger = strata_circulant_skip(ranks, level - 1), count = larger - skip;
        strata_build_phase(b, "%d blocks become %d", skip, larger);
        strata_gather_recv(b, me + skip, strata_gather_blocks(ranks, me + skip, count), 0);
        strata_gather_send(b, me - skip, strata_gather_blocks(ranks, me, count), 0);
        strata_build_wait(b, 0);
    }
}

/* The blocks of the work store: one for each rank from mine on, and as many more as arrive in the
 * second round. */
static int work_blocks(int ranks)
{
    return ranks + (ranks + 1) / 4;
}

static struct strata_box work(const struct strata_problem *problem, int first, int count)
{
    return strata_box_in(STRATA_WORK,
                         strata_box_range(work_blocks(problem->flat->ranks), first, count));
}

/* My operands for the ranks `first` .. first + count - 1 further on. */
static struct strata_box mine(const struct strata_problem *problem, int first, int count)
{
    int ranks = problem->flat->ranks;
    int from = (int)(((int64_t)problem->rank + first) % ranks);
    return strata_box_in(STRATA_INPUT, strata_box_range(ranks, from, count));
}

/* The partial results for the ranks first .. end-1 further on: the first `combined` of all are
 * in the work store, others are my operands alone. */
static int partial(const struct strata_problem *problem, struct strata_builder *b, int first,
                   int end, int combined)
{
    struct strata_box boxes[2];
    int nboxes = 0;
    if (first < combined) {
        boxes[nboxes++] = work(problem, first, (end < combined ? end : combined) - first);
    }
    if (end > combined) {
        first = first < combined ? combined : first;
        boxes[nboxes++] = mine(problem, first, end - first);
    }
    return strata_build_set_of(b, boxes, nboxes);
}

/* In the first round the arriving blocks meet operands, later partial results. */
static void reduce_round(const struct strata_problem *problem, struct strata_builder *b, int level)
{
    int ranks = problem->flat->ranks, me = problem->rank;
    int skip = strata_circulant_skip(ranks, level);
    int larger = strata_circulant_skip(ranks, level - 1), count = larger - skip;
    bool first = level == 1;
    int arriving = strata_build_set(b, work(problem, first ? 0 : ranks, count));
    strata_build_phase(b, "partial results of %d blocks become %d", larger, skip);
    strata_build_recv_blocks(b, (me - skip + ranks) % ranks, arriving, STRATA_AS_FITS);
    strata_build_send_blocks(b, (int)(((int64_t)me + skip) % ranks),
                             partial(problem, b, skip, larger, first ? 0 : ranks / 2),
                             STRATA_AS_FITS);
    strata_build_wait(b, 0);
    strata_build_reduce(b, first ? strata_build_set(b, mine(problem, 0, count)) : arriving,
                        first ? arriving : strata_build_set(b, work(problem, 0, count)));
}

static void reduce_scatter(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks, levels = strata_log_rounds(ranks, 2);
    struct strata_box own = strata_box_item(ranks, problem->rank);
    strata_build_blocks(b, (struct strata_blocks){.count = ranks,
                                                  .work = work_blocks(ranks),
                                                  .work_first = problem->rank});
    for (int level = 1; level <= levels; level++) {
        reduce_round(problem, b, level);
    }
    strata_build_phase(b, "my result");
    strata_build_copy(b, partial(problem, b, 0, 1, ranks / 2),
                      strata_build_set(b, strata_box_in(STRATA_OUTPUT, own)));
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    if (strata_collective_reduces(problem->collective)) {
        reduce_scatter(problem, b);
    } else {
        strata_gather_begin(b, problem->flat->ranks, problem->rank);
    }
    if (strata_collective_info[problem->collective].output != STRATA_ONE) {
        gather(problem, b);
    }
}

/* With an odd number of ranks the partial results of the second round lie in two stores. */
static double packed(int ranks)
{
    int sent = strata_circulant_skip(ranks, 1) - strata_circulant_skip(ranks, 2);
    return ranks % 2 && sent > 1 ? sent : 0;
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    double ranks = problem->flat->ranks, others = ranks - 1;
    double levels = strata_log_rounds(problem->flat->ranks, 2);
    struct strata_formula f = {levels, levels, others, .copied = 1};
    if (strata_collective_reduces(problem->collective)) {
        f.reduced = others;
        f.packed = packed(problem->flat->ranks);
    }
    if (problem->collective == STRATA_ALLREDUCE) {
        f = (struct strata_formula){.rounds = 2 * levels,
                                    .messages = 2 * levels,
                                    .blocks = 2 * others / ranks,
                                    .reduced = others / ranks,
                                    .copied = 1 / ranks,
                                    .packed = f.packed / ranks};
    }
    f.pieces = f.packed > 0 ? 2 : 0;
    return f;
}

/* A reduce_scatter's rounds come first. */
static bool round_of_all(const struct strata_problem *problem, int number,
                         struct strata_flat_round *round)
{
    int ranks = problem->flat->ranks, levels = strata_log_rounds(ranks, 2);
    bool reduces = strata_collective_reduces(problem->collective);
    bool both = problem->collective == STRATA_ALLREDUCE;
    if (levels < 1 || number >= levels * (1 + both)) {
        return false;
    }
    int level = reduces && number < levels ? number + 1 : levels - number % levels;
    round->first = strata_circulant_skip(ranks, level);
    round->messages = 1;
    round->blocks = strata_circulant_skip(ranks, level - 1) - (double)round->first;
    if ((both ? number >= levels : !reduces) && round->blocks > 1) {
        round->packed = 2 * round->blocks;
        round->pieces = 4;
    }
    round->packed /= both ? ranks : 1;
    round->blocks /= both ? ranks : 1;
    return true;
}

const struct strata_algorithm strata_circulant = {
    .name = "circulant",
    .collectives = 1u << STRATA_ALLGATHER | 1u << STRATA_ALLGATHERV | 1u << STRATA_ALLREDUCE |
                   1u << STRATA_REDUCE_SCATTER | 1u << STRATA_REDUCE_SCATTER_BLOCK,
    .level = STRATA_FLAT,
    .knows_nodes = true,
    .summary = "skips that halve, rounded up: log rounds and no block too many for any P",
    .paper = "Traff, arXiv 2410.14234, 2024",
    .title = "Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms",
    .restrictions = "reductions: the operator must commute",
    .rounds_text = "ceil(log2 P); allreduce twice that",
    .volume_text = "P-1 blocks, reduce-scatter combines as many; allreduce 2(P-1)/P vectors",
    .scratch_text = "reductions: 5/4 of the vector, 3/4 of it used",
    .applicable = applicable,
    .formula = formula,
    .round = round_of_all,
    .build = build,
};
