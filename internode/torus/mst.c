/* Minimum-spanning tree on a line: the ranks are divided into parts, again and again.
 *
 * The ranks of a line are divided into `parts` ranges of equal size. The rank that has the data
 * sends them to one rank of each of the other ranges, all at once, and each range goes on by
 * itself; a scatter sends only the range's blocks. Reduce and gather are the same backwards, so a
 * reduction combines operands in the order of ranks. With two parts this is the original algorithm.
 * With 2N+1 parts it takes as few stages as 2N messages at once allow, but on a torus of N axes
 * messages of a stage then share links, which mst_torus avoids. */
#include "internode/algorithms.h"
#include "internode/titles.h"
#include "internode/torus/mst_collectives.h"

static const char *applicable(const struct strata_problem *problem)
{
    (void)problem;
    return NULL;
}

static struct strata_mst_scheme line(const struct strata_problem *problem)
{
    return (struct strata_mst_scheme){
        .torus = {.ndims = 1, .size = {problem->flat->ranks}, .mesh = true},
        .rule = STRATA_MST_LINE,
        .parts = problem->parameter[0]};
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    struct strata_mst_scheme mst = line(problem);
    strata_mst_build(problem, &mst, b);
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    struct strata_mst_scheme mst = line(problem);
    return strata_mst_formula(problem, &mst);
}

static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    struct strata_mst_scheme mst = line(problem);
    return strata_mst_cost(problem, &mst, machine);
}

const struct strata_algorithm strata_mst = {
    .name = "mst",
    .collectives = STRATA_MST_COLLECTIVES,
    .level = STRATA_FLAT,
    .classic = true,
    .knows_nodes = true,
    .torus = true,
    .keeps_order = true,
    .returns = true,
    .summary =
        "minimum-spanning tree on a line: a message to each of the other parts, again and again",
    .paper = "Chan, van de Geijn, Gropp, Thakur, PPoPP 2006, 4.1.1 and 4.1.5",
    .title = STRATA_TITLE_CHAN,
    .restrictions = "none",
    .rounds_text = "ceil(log_parts P); allgather, allreduce and reduce_scatter twice that",
    .volume_text = "bcast: the vector to each child; reduce 1 vector; scatter, gather: the blocks "
                   "of each part once; the others: one way up and one down",
    .scratch_text =
        "scatter, gather: the blocks of a part; reductions: a vector for each part of a stage",
    .parameters =
        {{"parts", 0, 2, STRATA_MST_PARTS, {2, 3, 5, 7}, "ranges a line is divided into", {NULL}}},
    .applicable = applicable,
    .cost = cost,
    .formula = formula,
    .build = build,
};
