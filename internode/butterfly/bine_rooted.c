#include "internode/butterfly/bine_rooted.h"

#include "internode/butterfly/bine_tree.h"
#include "internode/butterfly/swing_steps.h"

static struct strata_bine_node my_node(const struct strata_problem *problem)
{
    return strata_bine_tree(problem->flat->ranks, problem->root, problem->rank);
}

static int row_set(struct strata_builder *b, struct strata_swing_location place,
                   const struct strata_bine_subtree *row)
{
    struct strata_box_list list = {0};
    strata_swing_location_run(&list, &place, row->first, row->count);
    return strata_build_set_of(b, list.box, list.count);
}

/* A store with one block for each rank, in their order. */
static struct strata_swing_location all_of(enum strata_store store, int ranks)
{
    return (struct strata_swing_location){store, ranks, ranks, 0, 0};
}

/* The blocks of a rank's subtree, in work. */
static struct strata_blocks subtree_work(int ranks, const struct strata_bine_node *node)
{
    bool inner = node->parent >= 0 && node->children > 0;
    return (struct strata_blocks){.count = ranks,
                                  .work = inner ? node->self.count : 0,
                                  .work_first = inner ? node->self.first : 0};
}

static struct strata_swing_location subtree_place(int ranks, const struct strata_bine_node *node)
{
    return (struct strata_swing_location){STRATA_WORK, node->self.count, ranks, 0,
                                          node->self.first};
}

/* My subtree's blocks of this place, from my parent and on to my children. */
static void scatter_rows(struct strata_builder *b, const struct strata_bine_node *node,
                         struct strata_swing_location place)
{
    if (node->parent >= 0) {
        strata_build_phase(b, "from the parent");
        strata_build_recv_blocks(b, node->parent, row_set(b, place, &node->self), STRATA_AS_FITS);
        strata_build_wait(b, 0);
    }
    if (node->children > 0) {
        strata_build_phase(b, "to the children");
    }
    for (int i = 0; i < node->children; i++) {
        strata_build_send_blocks(b, node->child[i].rank, row_set(b, place, &node->child[i]),
                                 STRATA_AS_FITS);
    }
    if (node->children > 0) {
        strata_build_wait(b, 0);
    }
}

/* The other way. */
static void gather_rows(struct strata_builder *b, const struct strata_bine_node *node,
                        struct strata_swing_location place)
{
    if (node->children > 0) {
        strata_build_phase(b, "from the children");
    }
    for (int i = node->children; i-- > 0;) {
        strata_build_recv_blocks(b, node->child[i].rank, row_set(b, place, &node->child[i]),
                                 STRATA_AS_FITS);
    }
    if (node->children > 0) {
        strata_build_wait(b, 0);
    }
    if (node->parent >= 0) {
        strata_build_phase(b, "to the parent");
        strata_build_send_blocks(b, node->parent, row_set(b, place, &node->self), STRATA_AS_FITS);
        strata_build_wait(b, 0);
    }
}

void strata_bine_bcast(const struct strata_problem *problem, struct strata_builder *b)
{
    struct strata_bine_node node = my_node(problem);
    int vector;
    strata_build_blocks(b, (struct strata_blocks){.count = 1});
    vector = strata_build_item(b, STRATA_OUTPUT, 1, 0);
    if (node.parent >= 0) {
        strata_build_phase(b, "from the parent");
        strata_build_recv_blocks(b, node.parent, vector, STRATA_AS_FITS);
        strata_build_wait(b, 0);
    }
    if (node.children > 0) {
        strata_build_phase(b, "to the children");
        for (int i = 0; i < node.children; i++) {
            strata_build_send_blocks(b, node.child[i].rank, vector, STRATA_AS_FITS);
        }
        strata_build_wait(b, 0);
    }
}

/* The smallest subtrees are ready first. The first vector that arrives is the one that the others
 * are added to; at the root that is the output. */
void strata_bine_reduce(const struct strata_problem *problem, struct strata_builder *b)
{
    struct strata_bine_node node = my_node(problem);
    bool root = node.parent < 0;
    int work = node.children == 0 ? 0 : root || node.children == 1 ? 1 : 2;
    strata_build_blocks(b, (struct strata_blocks){.count = 1, .work = work});
    int sum = strata_build_item(b, STRATA_INPUT, 1, 0);
    if (root) {
        int output = strata_build_item(b, STRATA_OUTPUT, 1, 0);
        strata_build_copy(b, sum, output);
        sum = output;
    }
    for (int i = node.children; i-- > 0;) {
        bool first = !root && i == node.children - 1;
        int arrived = strata_build_item(b, STRATA_WORK, work, root || first ? 0 : 1);
        strata_build_phase(b, "from rank %d", node.child[i].rank);
        strata_build_recv_blocks(b, node.child[i].rank, arrived, STRATA_AS_FITS);
        strata_build_wait(b, 0);
        strata_build_reduce(b, first ? sum : arrived, first ? arrived : sum);
        sum = first ? arrived : sum;
    }
    if (!root) {
        strata_build_phase(b, "to the parent");
        strata_build_send_blocks(b, node.parent, sum, STRATA_AS_FITS);
        strata_build_wait(b, 0);
    }
}

/* Inner ranks collect their subtree's blocks in work; the root does in its output. */
void strata_bine_gather(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks, me = problem->rank;
    struct strata_bine_node node = my_node(problem);
    struct strata_bine_subtree mine = {me, me, 1};
    struct strata_swing_location input = all_of(STRATA_INPUT, ranks), place = input;
    strata_build_blocks(b, subtree_work(ranks, &node));
    if (node.parent < 0 || node.children > 0) {
        place = node.parent < 0 ? all_of(STRATA_OUTPUT, ranks) : subtree_place(ranks, &node);
        strata_build_phase(b, "my block");
        strata_build_copy(b, row_set(b, input, &mine), row_set(b, place, &mine));
    }
    gather_rows(b, &node, place);
}

void strata_bine_scatter(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks, me = problem->rank;
    struct strata_bine_node node = my_node(problem);
    struct strata_bine_subtree mine = {me, me, 1};
    struct strata_swing_location output = all_of(STRATA_OUTPUT, ranks), place = output;
    strata_build_blocks(b, subtree_work(ranks, &node));
    if (node.parent < 0 || node.children > 0) {
        place = node.parent < 0 ? all_of(STRATA_INPUT, ranks) : subtree_place(ranks, &node);
    }
    scatter_rows(b, &node, place);
    if (node.parent < 0 || node.children > 0) {
        strata_build_phase(b, "my block");
        strata_build_copy(b, row_set(b, place, &mine), row_set(b, output, &mine));
    }
}

void strata_bine_bcast_scattered(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks;
    struct strata_bine_node node = my_node(problem);
    strata_build_blocks(b, (struct strata_blocks){.count = ranks});
    scatter_rows(b, &node, all_of(STRATA_OUTPUT, ranks));
    strata_swing_allgather(b, ranks, problem->rank);
}

void strata_bine_reduce_scattered(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks, me = problem->rank;
    struct strata_bine_node node = my_node(problem);
    struct strata_bine_subtree mine = {me, me, 1};
    struct strata_swing_location sums = strata_swing_sums(ranks, me);
    strata_build_blocks(b, strata_swing_work(ranks, me));
    if (ranks > 1) {
        strata_swing_sum(b, ranks, me);
    }
    if (node.parent < 0) {
        int sum = row_set(b, ranks > 1 ? sums : all_of(STRATA_INPUT, 1), &mine);
        sums = all_of(STRATA_OUTPUT, ranks);
        strata_build_copy(b, sum, row_set(b, sums, &mine));
    }
    gather_rows(b, &node, sums);
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Each has half of the ranks. */
double strata_bine_handed_on(int ranks, bool blocks)
{
    double sum = 0;
    for (int part = ranks / 2; part > 1; part /= 2) {
        sum += blocks ? part - 1 : strata_bine_children(part);
    }
    return sum;
}

/* The root sends most blocks, the last rank of an odd number most messages: two to each other. */
struct strata_formula strata_bine_bcast_scattered_formula(int ranks, int root)
{
    struct strata_formula gather = strata_swing_allgather_formula(ranks);
    double children = strata_bine_children(ranks), messages = children + gather.rounds;
    if (ranks > 1 && ranks % 2) {
        double last = strata_bine_tree(ranks, root, ranks - 1).children;
        messages = larger(messages + 1, last + gather.messages);
    }
    return (struct strata_formula){.rounds = strata_bine_depth(ranks) + gather.rounds,
                                   .messages = messages,
                                   .blocks = 2 * gather.blocks / ranks,
                                   .packed = gather.packed / ranks,
                                   .pieces = gather.pieces,
                                   .after = strata_bine_handed_on(ranks, true) / ranks};
}

/* The levels from the root down to the rank. */
static int level(int ranks, int root, int rank)
{
    int levels = 0;
    for (; rank != root; levels++) {
        rank = strata_bine_tree(ranks, root, rank).parent;
    }
    return levels;
}

/* The number of rounds from the first in which a rank can wait for its children, or send, until the
 * root is done. */
static int rounds_from(int ranks, int root, int rank)
{
    return level(ranks, root, rank) + (strata_bine_tree(ranks, root, rank).children > 0);
}

/* Where ranks are odd the last two have their sums a round later. */
struct strata_formula strata_bine_reduce_scattered_formula(int ranks, int root)
{
    struct strata_formula sum = strata_swing_sum_formula(ranks);
    double rounds = sum.rounds + strata_bine_depth(ranks), messages = sum.messages + (ranks > 1);
    if (ranks > 1 && ranks % 2) {
        int last = rounds_from(ranks, root, ranks - 1);
        int before = rounds_from(ranks, root, ranks - 2);
        rounds = larger(rounds - 1, sum.rounds + larger(last, before));
        messages = larger(sum.messages + (root != ranks - 1), sum.rounds + (root != ranks - 2));
    }
    return (struct strata_formula){
        .rounds = rounds,
        .messages = messages,
        .blocks = (sum.blocks + (ranks - ranks % 2) / 2.0) / ranks,
        .reduced = sum.reduced / ranks,
        .copied = larger(sum.copied, strata_swing_copied(ranks, root) + 1) / ranks,
        .packed = sum.packed / ranks,
        .pieces = sum.pieces};
}
