/* gather_scatter: all items go up a binomial tree to the first rank, merged at each step, and come
 * down again in order. */
#include "internode/split/methods.h"
#include "internode/split/tree_sort.h"

/* The power of two from which one tree holds all. */
static int width_of(int ranks)
{
    int width = 1;
    while (width < ranks) {
        width *= 2;
    }
    return width;
}

static const char *refuse(const struct strata_split_shape *shape)
{
    return shape->ranks > 1 << 30 ? "gathers at most 2^30 items" : NULL;
}

static size_t workspace(const struct strata_split_shape *shape, int rank)
{
    return strata_tree_sort_memory(shape, width_of(shape->ranks), rank) +
           strata_sorted_memory(shape);
}

static int run(struct strata_split *split, struct strata_chain_links *group)
{
    const int width = width_of(split->shape.ranks);
    struct strata_tree_sort sort;
    strata_tree_sort_init(&sort, split, width, split->memory);
    int error = strata_tree_sort_up(&sort);
    return error ? error
                 : strata_tree_sort_finish(
                       &sort,
                       split->memory +
                           strata_tree_sort_memory(&split->shape, width, split->chain->rank),
                       group);
}

const struct strata_split_method strata_split_gather_scatter = {
    .name = "gather_scatter",
    .summary = "Up a tree, merged at each step, and down again",
    .rounds = "3 L + 2",
    .memory = "O(P) at one rank",
    .refuse = refuse,
    .workspace = workspace,
    .run = run,
};
