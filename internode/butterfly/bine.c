/* Bine (binomial negabinary) trees and butterflies: their ranks meet at two thirds of the distances
 * of binomial ones, so fewer bytes leave a group of neighbouring ranks.
 *
 * A tree over n ranks in a row is a tree over half of them and the mirror image of a tree over the
 * other half, joined where their roots are nearest (internode/butterfly/bine_tree.h). In a
 * butterfly every rank is the root of a tree; ranks meet as in Swing
 * (internode/butterfly/swing_blocks.h). Versions:
 *   latency     bcast and reduce: down and up the tree. allreduce: a butterfly with the whole
 *               vector, distances falling.
 *   bandwidth   gather and scatter: the tree, whose subtrees are rows of ranks. allgather,
 *               reduce-scatter: the butterfly, with the largest messages between neighbours;
 *               allreduce: both. bcast: scatter and allgather. reduce: reduce-scatter and gather.
 *   contiguous  allreduce, reduce-scatter: blocks are numbered anew so that each message is one
 *               row, and nothing is packed (internode/butterfly/bine_halves.h). A reduce-scatter
 *               then sends each reduced block to its rank; an allreduce has no need to.
 *
 * Where P is no power of two, trees are cut into ceil(n/2) and floor(n/2) ranks; butterflies do as
 * Swing does. The cut is ours: the authors' code is for powers of two, some of it for even P. */
#include "internode/algorithms.h"
#include "internode/butterfly/bine_halves.h"
#include "internode/butterfly/bine_rooted.h"
#include "internode/butterfly/bine_tree.h"
#include "internode/butterfly/swing_steps.h"
#include "internode/butterfly/swing_whole.h"
#include "internode/parts/gather.h"
#include "internode/parts/path.h"
#include "internode/rooted/rooted.h"

enum version { BANDWIDTH = 1, LATENCY, CONTIGUOUS };

#define ROOTED_VECTOR (1u << STRATA_BCAST | 1u << STRATA_REDUCE)
#define SCATTERED     (1u << STRATA_REDUCE_SCATTER | 1u << STRATA_REDUCE_SCATTER_BLOCK)
#define GATHERED      (1u << STRATA_ALLGATHER | 1u << STRATA_ALLGATHERV)
#define ROOTED_BLOCKS                                                                              \
    (1u << STRATA_GATHER | 1u << STRATA_GATHERV | 1u << STRATA_SCATTER | 1u << STRATA_SCATTERV)

static bool one_of(const struct strata_problem *problem, unsigned collectives)
{
    return collectives >> problem->collective & 1u;
}

static const char *applicable(const struct strata_problem *problem)
{
    int ranks = problem->flat->ranks, version = problem->parameter[0];
    if (version == LATENCY && !one_of(problem, ROOTED_VECTOR | 1u << STRATA_ALLREDUCE)) {
        return "only bcast, reduce and allreduce have a version for latency";
    }
    if (version == CONTIGUOUS && !one_of(problem, SCATTERED | 1u << STRATA_ALLREDUCE)) {
        return "only allreduce and reduce_scatter have a contiguous version";
    }
    if (version == CONTIGUOUS && (ranks & (ranks - 1))) {
        return "ranks are no power of two";
    }
    return NULL;
}

/* The block that a rank answers for, among its sums; of one rank its input is the sum. */
static int contiguous_sum(struct strata_builder *b, int ranks, int rank)
{
    struct strata_swing_location sums = strata_bine_halves_sums(ranks, rank);
    struct strata_box_list list = {0};
    if (ranks == 1) {
        return strata_build_item(b, STRATA_INPUT, 1, 0);
    }
    strata_swing_location_run(&list, &sums, strata_bine_position(ranks, rank), 1);
    return strata_build_set_of(b, list.box, list.count);
}

/* To the rank whose block it is. */
static void send_home(struct strata_builder *b, int ranks, int rank)
{
    int position = strata_bine_position(ranks, rank), sum = contiguous_sum(b, ranks, rank);
    int mine = strata_build_item(b, STRATA_OUTPUT, ranks, rank);
    if (position == rank) {
        strata_build_phase(b, "my block");
        strata_build_copy(b, sum, mine);
        return;
    }
    strata_build_phase(b, "blocks to their ranks");
    strata_build_recv_blocks(b, strata_bine_rank_at(ranks, rank), mine, STRATA_AS_FITS);
    strata_build_send_blocks(b, position, sum, STRATA_AS_FITS);
    strata_build_wait(b, 0);
}

static void build_contiguous(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks, me = problem->rank;
    strata_build_blocks(b, strata_bine_halves_work(ranks, me));
    strata_bine_halves_reduce(b, ranks, me);
    if (one_of(problem, SCATTERED)) {
        send_home(b, ranks, me);
        return;
    }
    strata_build_phase(b, "the block that I sum up");
    strata_build_copy(b, contiguous_sum(b, ranks, me),
                      strata_build_item(b, STRATA_OUTPUT, ranks, strata_bine_position(ranks, me)));
    strata_bine_halves_gather(b, ranks, me);
}

static void build_butterfly(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks, me = problem->rank;
    if (problem->parameter[0] == LATENCY) {
        strata_build_blocks(b, (struct strata_blocks){.count = 1, .work = 1});
        strata_swing_whole(b, ranks, me, true);
    } else if (problem->parameter[0] == CONTIGUOUS) {
        build_contiguous(problem, b);
    } else {
        strata_build_blocks(b, strata_swing_work(ranks, me));
        (one_of(problem, SCATTERED) ? strata_swing_reduce_scatter
                                    : strata_swing_allreduce)(b, ranks, me);
    }
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    bool whole = problem->parameter[0] == LATENCY;
    if (problem->collective == STRATA_BCAST) {
        (whole ? strata_bine_bcast : strata_bine_bcast_scattered)(problem, b);
    } else if (problem->collective == STRATA_REDUCE) {
        (whole ? strata_bine_reduce : strata_bine_reduce_scattered)(problem, b);
    } else if (one_of(problem, 1u << STRATA_GATHER | 1u << STRATA_GATHERV)) {
        strata_bine_gather(problem, b);
    } else if (one_of(problem, ROOTED_BLOCKS)) {
        strata_bine_scatter(problem, b);
    } else if (one_of(problem, GATHERED)) {
        strata_gather_begin(b, problem->flat->ranks, problem->rank);
        strata_swing_allgather(b, problem->flat->ranks, problem->rank);
    } else {
        build_butterfly(problem, b);
    }
}

static struct strata_formula tree_formula(const struct strata_problem *problem)
{
    int ranks = problem->flat->ranks, sends = ranks > 1;
    int depth = strata_bine_depth(ranks), children = strata_bine_children(ranks);
    switch ((int)problem->collective) {
    case STRATA_BCAST:
        return (struct strata_formula){.rounds = depth,
                                       .messages = children,
                                       .blocks = children,
                                       .after = strata_bine_handed_on(ranks, false)};
    case STRATA_REDUCE:
        return (struct strata_formula){children, sends, sends, children, .copied = 1};
    case STRATA_GATHER:
    case STRATA_GATHERV:
        return (struct strata_formula){depth, sends, (ranks - ranks % 2) / 2.0, .copied = 1};
    default:
        return (struct strata_formula){.rounds = depth,
                                       .messages = children,
                                       .blocks = ranks - 1,
                                       .copied = 1,
                                       .after = strata_bine_handed_on(ranks, true)};
    }
}

/* Down the tree by blocks, and an allgather; a reduce-scatter, and up the tree by blocks. */
static struct strata_formula scattered_formula(const struct strata_problem *problem)
{
    return problem->collective == STRATA_BCAST
               ? strata_bine_bcast_scattered_formula(problem->flat->ranks, problem->root)
               : strata_bine_reduce_scattered_formula(problem->flat->ranks, problem->root);
}

static struct strata_formula contiguous_formula(const struct strata_problem *problem)
{
    int ranks = problem->flat->ranks, steps = strata_swing_steps(ranks), home = ranks > 2;
    double vector = ranks;
    if (one_of(problem, SCATTERED)) {
        return (struct strata_formula){steps + home, steps + home, ranks - 1 + home, ranks - 1,
                                       .copied = 1};
    }
    return (struct strata_formula){2 * steps, 2 * steps, 2 * (ranks - 1) / vector,
                                   (ranks - 1) / vector, .copied = 1 / vector};
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    int ranks = problem->flat->ranks, version = problem->parameter[0];
    if (one_of(problem, ROOTED_BLOCKS) || (one_of(problem, ROOTED_VECTOR) && version == LATENCY)) {
        return tree_formula(problem);
    }
    if (one_of(problem, ROOTED_VECTOR)) {
        return scattered_formula(problem);
    }
    if (version == CONTIGUOUS) {
        return contiguous_formula(problem);
    }
    if (one_of(problem, GATHERED)) {
        struct strata_formula gather = strata_swing_allgather_formula(ranks);
        gather.copied = 1;
        return gather;
    }
    return version == LATENCY           ? strata_swing_whole_formula(ranks)
           : one_of(problem, SCATTERED) ? strata_swing_reduce_scatter_formula(ranks)
                                        : strata_swing_allreduce_formula(ranks);
}

/* Of the butterflies. */
static bool round_of_all(const struct strata_problem *problem, int number,
                         struct strata_flat_round *round)
{
    int ranks = problem->flat->ranks;
    bool sums = strata_collective_reduces(problem->collective);
    bool gathers = !one_of(problem, SCATTERED);
    if (one_of(problem, ROOTED_BLOCKS | ROOTED_VECTOR)) {
        return false;
    }
    if (problem->parameter[0] == LATENCY) {
        return strata_swing_whole_round(ranks, true, number, round);
    }
    if (strata_swing_round(ranks, sums, gathers, number, round)) {
        round->blocks /= problem->collective == STRATA_ALLREDUCE ? ranks : 1;
        return true;
    }
    *round = strata_onward(ranks / 2, 0, 1, 1); /* home, most of them to other nodes */
    return problem->parameter[0] == CONTIGUOUS && !gathers && ranks > 2 &&
           number == strata_swing_steps(ranks);
}

/* The same collective of blocks, of which the vector is made. */
static struct strata_problem blocks_of(const struct strata_problem *problem,
                                       enum strata_collective collective)
{
    struct strata_problem of = *problem;
    of.collective = collective;
    of.block_bytes = problem->block_bytes / problem->flat->ranks;
    return of;
}

/* Where rows of ranks share nodes a tree costs as much as a binomial one: it leaves each node for
 * as many others. The butterfly comes before or behind it. */
static struct strata_cost rooted_cost(const struct strata_problem *problem,
                                      const struct strata_formula *f,
                                      const struct strata_machine *machine)
{
    bool bcast = problem->collective == STRATA_BCAST;
    bool tree = one_of(problem, ROOTED_BLOCKS) || problem->parameter[0] == LATENCY;
    struct strata_problem blocks = blocks_of(problem, bcast ? STRATA_SCATTER : STRATA_GATHER);
    struct strata_cost total = strata_rooted_cost(tree ? problem : &blocks, 2, machine);
    struct strata_flat_round round = {STRATA_ONWARD};
    for (int i = 0; !tree && strata_swing_round(problem->flat->ranks, !bcast, bcast, i, &round);
         i++) {
        strata_cost_round(&total, problem->topology, &round, blocks.block_bytes, machine);
    }
    if (!tree) {
        strata_formula_work(&total, f, problem->block_bytes, machine);
    }
    return total;
}

static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    struct strata_formula f = formula(problem);
    if (one_of(problem, ROOTED_BLOCKS | ROOTED_VECTOR) && strata_in_rows(problem, machine)) {
        return rooted_cost(problem, &f, machine);
    }
    return strata_path_cost(f, f.messages, f.blocks, problem, machine);
}

const struct strata_algorithm strata_bine = {
    .name = "bine",
    .collectives = ROOTED_VECTOR | ROOTED_BLOCKS | GATHERED | SCATTERED | 1u << STRATA_ALLREDUCE,
    .level = STRATA_FLAT,
    .knows_nodes = true,
    .summary = "binomial trees and butterflies in base -2, whose ranks meet at shorter distances",
    .paper = "De Sensi et al., Bine Trees, SC 2025",
    .title = "Bine Trees: Enhancing Collective Operations by Optimizing Communication Locality",
    .restrictions = "reductions: the operator must commute; contiguous: a power of two of ranks",
    .rounds_text = "D = floor(log2 P) in a tree, but ceil(log2 P) to reduce; B = ceil(log2 Q) in a "
                   "butterfly, where Q is P, or P-1 if P is odd, and 1 more to reduce if P is odd; "
                   "contiguous reduce-scatter B+1; latency allreduce D, and 2 more if P is no "
                   "power of two; bcast and reduce by bandwidth a butterfly and a tree",
    .volume_text = "latency: bcast ceil(log2 P) vectors, reduce 1, allreduce D, and 1 more if P is "
                   "no power of two; gather floor(P/2) blocks, scatter P-1; each pass of a "
                   "butterfly P-1 blocks; bcast by bandwidth 2(P-1)/P vectors, reduce near 3/2",
    .scratch_text = "gather, scatter: the blocks of the subtree; latency: allreduce a vector, "
                    "reduce up to two; bandwidth: to reduce two vectors; contiguous: 3/2 vectors",
    .parameters = {{"version",
                    0,
                    BANDWIDTH,
                    CONTIGUOUS,
                    {BANDWIDTH, LATENCY, CONTIGUOUS},
                    "blocks by halves, whole vectors, or blocks side by side",
                    {"bandwidth", "latency", "contiguous"}}},
    .applicable = applicable,
    .build = build,
    .cost = cost,
    .formula = formula,
    .round = round_of_all,
};
