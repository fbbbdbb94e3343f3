/* Long vectors on a torus: composed of the minimum-spanning tree and the bucket algorithm.
 *
 * The vector is cut into P segments. Bcast: a tree scatters them (mst_torus, both ways), and
 * buckets gather them on all ranks. Allreduce: buckets scatter the result and gather it again. */
#include "core/cost/links.h"
#include "internode/algorithms.h"
#include "internode/parts/path.h"
#include "internode/titles.h"
#include "internode/torus/bucket_steps.h"
#include "internode/torus/mst_collectives.h"
#include "internode/torus/mst_counts.h"
#include "internode/torus/mst_tree.h"
#include "internode/torus/torus_shape.h"

enum { CONFLICT, DIMS };

static const char *applicable(const struct strata_problem *problem)
{
    return strata_torus_refusal(problem, problem->parameter[DIMS]);
}

static struct strata_torus shape(const struct strata_problem *problem)
{
    return strata_torus_shape(problem, problem->flat->ranks, problem->parameter[DIMS]);
}

static struct strata_mst_scheme tree_on(const struct strata_torus *torus)
{
    return (struct strata_mst_scheme){.torus = *torus, .rule = STRATA_MST_PAPER, .ways = 2};
}

static int segments(const struct strata_mst_messages *messages, struct strata_builder *b,
                    const struct strata_region *part)
{
    int ranks = *(const int *)messages->self;
    struct strata_mst_position output = strata_mst_position_all(STRATA_OUTPUT, ranks, 0);
    return strata_build_set(b, strata_mst_position_box(&output, &messages->tree->torus, part));
}

static void scatter(const struct strata_problem *problem, const struct strata_torus *torus,
                    struct strata_builder *b)
{
    struct strata_mst_scheme scheme = tree_on(torus);
    struct strata_mst_tree tree;
    strata_mst_walk(&scheme, problem->root, problem->rank, &tree);
    struct strata_mst_messages messages = {segments, &tree, &problem->flat->ranks};
    strata_build_phase(b, "segments down the tree");
    strata_mst_down(&messages, b);
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    struct strata_torus torus = shape(problem);
    struct strata_buckets bucket =
        strata_bucket_of(&torus, (enum strata_bucket_rule)problem->parameter[CONFLICT]);
    if (problem->collective == STRATA_ALLREDUCE) {
        strata_bucket_reduce(&bucket, problem, b);
    } else {
        strata_build_blocks(b, (struct strata_blocks){.count = bucket.ranks});
        scatter(problem, &torus, b);
        strata_bucket_gather(&bucket, problem->rank, b);
    }
}

/* The innermost axis of which a box of ranks has not all, or not from the first one on. */
static int broken_axis(const struct strata_torus *torus, const struct strata_region *part)
{
    int axis = torus->ndims - 1;
    while (axis > 0 && part->size[axis] == torus->size[axis] && part->first[axis] == 0) {
        axis--;
    }
    return axis;
}

/* The blocks that the root's largest child hands on, then those of its largest child, and so on. */
static double handed_on(const struct strata_mst_scheme *scheme, int root)
{
    struct strata_region part = strata_mst_whole(scheme, root);
    struct strata_mst_split split;
    double blocks = 0;
    for (strata_mst_divide(scheme, &part, &split); split.count > 0;
         strata_mst_divide(scheme, &part, &split)) {
        part = split.part[0];
        for (int i = 1; i < split.count; i++) {
            bool larger = strata_region_count(&split.part[i]) > strata_region_count(&part);
            part = larger ? split.part[i] : part;
        }
        blocks += (double)strata_region_count(&part) - 1;
    }
    return blocks;
}

/* Adds the blocks that the root packs for the tree, for which all ranks wait: boxes of several
 * runs, but not those that only wrap around the end of all blocks. Counts at least their pieces. */
static void add_scattered(struct strata_formula *formula, const struct strata_mst_scheme *scheme,
                          int root, double ranks)
{
    const struct strata_torus *torus = &scheme->torus;
    struct strata_mst_tree tree;
    strata_mst_walk(scheme, root, root, &tree);
    for (int i = 0; i < tree.begin[tree.stages]; i++) {
        const struct strata_region *part = &tree.child[i];
        int axis = broken_axis(torus, part);
        bool apart = axis > 0 && part->first[axis] + part->size[axis] > torus->size[axis];
        double pieces = 1;
        while (axis-- > 0) {
            pieces *= part->size[axis];
        }
        if (apart || pieces > 1) {
            formula->packed += (double)strata_region_count(part) / ranks;
            formula->pieces += pieces;
        }
    }
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    double ranks = problem->flat->ranks, part = (ranks - 1) / ranks;
    struct strata_torus torus = shape(problem);
    struct strata_buckets bucket =
        strata_bucket_of(&torus, (enum strata_bucket_rule)problem->parameter[CONFLICT]);
    struct strata_bucket_sent sent = strata_bucket_sent(&bucket);
    double messages = sent.messages, pieces = 2 * sent.together;
    if (problem->collective == STRATA_ALLREDUCE) {
        return (struct strata_formula){
            2.0 * bucket.steps,           2 * messages,        2 * part, part, 1 / ranks,
            .packed = 2 * pieces / ranks, .pieces = 2 * pieces};
    }
    struct strata_mst_scheme scheme = tree_on(&torus);
    struct strata_mst_counts tree = strata_mst_count(&scheme, problem->root, 0);
    int sends = tree.sends > tree.others_send ? tree.sends : tree.others_send;
    struct strata_formula formula = {.rounds = tree.stages + bucket.steps,
                                     .messages = messages + sends,
                                     .blocks = 2 * part,
                                     .packed = pieces / ranks,
                                     .pieces = pieces,
                                     .after = handed_on(&scheme, problem->root) / ranks};
    add_scattered(&formula, &scheme, problem->root, ranks);
    return formula;
}

/* A tree's scatter of the segments, or buckets that scatter the result, and buckets that gather. */
static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    struct strata_formula f = formula(problem);
    struct strata_cost total = {0};
    struct strata_torus torus = shape(problem);
    struct strata_buckets bucket =
        strata_bucket_of(&torus, (enum strata_bucket_rule)problem->parameter[CONFLICT]);
    struct strata_problem scatter = *problem;
    struct strata_flat_round round = {STRATA_ONWARD};
    if (!strata_in_rows(problem, machine)) {
        const struct strata_topology *t = problem->topology;
        struct strata_machine routed = *machine;
        strata_bucket_round(&bucket, 0, &round);
        strata_machine_route(&routed, t, &round, round.messages * t->largest);
        return strata_path_cost(f, f.messages, f.blocks, problem, &routed);
    }
    scatter.block_bytes = problem->block_bytes / problem->flat->ranks;
    scatter.collective = STRATA_SCATTER;
    if (problem->collective == STRATA_BCAST) {
        struct strata_mst_scheme scheme = tree_on(&torus);
        total = strata_mst_cost(&scatter, &scheme, machine);
    }
    for (int pass = 0; pass < (problem->collective == STRATA_BCAST ? 1 : 2); pass++) {
        for (int i = 0; strata_bucket_round(&bucket, i, &round); i++) {
            strata_cost_round(&total, problem->topology, &round, scatter.block_bytes, machine);
        }
    }
    strata_formula_work(&total, &f, problem->block_bytes, machine);
    return total;
}

const struct strata_algorithm strata_long_vector = {
    .name = "long_vector",
    .collectives = 1u << STRATA_BCAST | 1u << STRATA_ALLREDUCE,
    .level = STRATA_FLAT,
    .classic = true,
    .knows_nodes = true,
    .torus = true,
    .summary = "on a torus: tree scatter, or bucket reduce-scatter, and bucket allgather",
    .paper = "Chan, van de Geijn, Gropp, Thakur, PPoPP 2006, 4.2.3 and 4.2.4",
    .title = STRATA_TITLE_CHAN,
    .restrictions = "allreduce: the operator must commute; a torus that is given has `dims` axes",
    .rounds_text = "bcast: the stages of the tree and the sum of the axes less their number; "
                   "allreduce: twice the latter",
    .volume_text = "2(P-1)/P vectors; allreduce combines (P-1)/P",
    .scratch_text = "allreduce: the vector once for each axis",
    .parameters = {{"conflict",
                    STRATA_BUCKET_BALANCED,
                    1,
                    2,
                    {1, 2},
                    "which axis brings a block that is off on several",
                    {"paper", "balanced"}},
                   {"dims", 0, 1, STRATA_TORUS_DIMS, {1, 2, 3, 4}, "axes of the torus", {NULL}}},
    .applicable = applicable,
    .cost = cost,
    .formula = formula,
    .build = build,
};
