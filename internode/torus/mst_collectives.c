/* The collectives by a minimum-spanning tree.
 *
 * Bcast and scatter go down the tree, reduce and gather up. The other collectives go up to rank 0
 * and down again: allgather is gather and bcast, allreduce is reduce and bcast, reduce-scatter is
 * reduce and scatter. A rank that hands parts on keeps their blocks in its work store, as long as
 * it has no output for them.
 *
 * Where parts are ranges of ranks, operands are combined in the order of ranks: in each stage first
 * those of higher ranks, the nearest first, then those of lower ranks. */
#include "internode/torus/mst_collectives.h"

#include <math.h>

#include "core/cost/links.h"
#include "internode/parts/gather.h"
#include "internode/parts/path.h"
#include "internode/torus/mst_balanced.h"
#include "internode/torus/mst_counts.h"
#include "internode/torus/mst_tree.h"

/* A plan as it grows. */
struct making {
    const struct strata_problem *problem;
    struct strata_builder *b;
    struct strata_mst_tree tree;
    struct strata_blocks blocks;
    bool ordered;
    int slots;   /* vectors in the work store */
    int partial; /* the slot with my partial result, or one of the following */
};

enum { IN_INPUT = -1, IN_OUTPUT = -2 };

static int whole_set(const struct strata_mst_messages *messages, struct strata_builder *b,
                     const struct strata_region *part)
{
    (void)b;
    (void)part;
    return *(const int *)messages->self;
}

static int placed_set(const struct strata_mst_messages *messages, struct strata_builder *b,
                      const struct strata_region *part)
{
    return strata_build_set(b,
                            strata_mst_position_box(messages->self, &messages->tree->torus, part));
}

/* Sends the same set to all ranks. */
static void spread(struct making *m, int set)
{
    strata_build_phase(m->b, "down the tree");
    struct strata_mst_messages messages = {whole_set, &m->tree, &set};
    strata_mst_down(&messages, m->b);
}

/* The vector: all blocks of a store, or of a slot of the work store. */
static int vector(struct making *m, enum strata_store store, int slot)
{
    int count = m->blocks.count, space = store == STRATA_WORK ? m->slots * count : count;
    return strata_build_set(m->b,
                            strata_box_in(store, strata_box_range(space, slot * count, count)));
}

static int partial(struct making *m)
{
    return m->partial == IN_INPUT    ? vector(m, STRATA_INPUT, 0)
           : m->partial == IN_OUTPUT ? vector(m, STRATA_OUTPUT, 0)
                                     : vector(m, STRATA_WORK, m->partial);
}

/* The slot of a stage's child: not the one with my partial result. */
static int slot_of(const struct making *m, int child)
{
    return m->partial < 0 || child < m->partial ? child : child + 1;
}

/* Combines with the operand of a child, in `slot`. */
static void combine(struct making *m, int child, int slot, int spare)
{
    bool lower = strata_region_root(&m->tree.torus, &m->tree.child[child]) < m->problem->rank;
    bool before = m->ordered && lower; /* its ranks are lower than all that I have */
    if (m->partial == IN_INPUT && before) {
        strata_build_copy(m->b, partial(m), vector(m, STRATA_WORK, spare));
        m->partial = spare;
    }
    if (m->partial == IN_INPUT || (m->ordered && !before)) {
        strata_build_reduce(m->b, partial(m), vector(m, STRATA_WORK, slot));
        m->partial = slot;
    } else {
        strata_build_reduce(m->b, vector(m, STRATA_WORK, slot), partial(m));
    }
}

static void reduce_stage(struct making *m, int stage)
{
    int first = m->tree.begin[stage], children = m->tree.begin[stage + 1] - first;
    int slot[STRATA_MST_PARTS] = {0};
    for (int i = 0; i < children; i++) {
        slot[i] = slot_of(m, i);
        strata_build_recv_blocks(m->b,
                                 strata_region_root(&m->tree.torus, &m->tree.child[first + i]),
                                 vector(m, STRATA_WORK, slot[i]), STRATA_AS_FITS);
    }
    strata_build_wait(m->b, 0);
    int spare = slot_of(m, children);
    for (int i = children - 1; i >= 0; i--) {
        combine(m, first + i, slot[i], spare);
    }
}

/* The result is the root's partial one. */
static void reduce_up(struct making *m)
{
    strata_build_phase(m->b, "up the tree, combining");
    for (int stage = m->tree.stages - 1; stage >= 0; stage--) {
        reduce_stage(m, stage);
    }
    if (m->tree.parent >= 0) {
        strata_build_send_blocks(m->b, m->tree.parent, partial(m), STRATA_AS_FITS);
        strata_build_wait(m->b, 0);
    }
}

static bool leaf(const struct making *m)
{
    return m->tree.parent >= 0 && m->tree.stages == 0;
}

static int own(struct making *m, const struct strata_mst_position *place)
{
    struct strata_region me = m->tree.mine;
    for (int axis = 0; axis < m->tree.torus.ndims; axis++) {
        me.first[axis] = (int)(((int64_t)me.first[axis] + me.at[axis]) % m->tree.torus.size[axis]);
        me.size[axis] = 1;
    }
    return strata_build_set(m->b, strata_mst_position_box(place, &m->tree.torus, &me));
}

/* Blocks up or down the tree by way of `place`, and mine out of the input or into the output. */
static void move_blocks(struct making *m, struct strata_mst_position place, bool down)
{
    struct strata_mst_messages messages = {placed_set, &m->tree, &place};
    struct strata_mst_position mine =
        strata_mst_position_all(down ? STRATA_OUTPUT : STRATA_INPUT, m->blocks.count, 0);
    if (leaf(m)) {
        place = mine;
    }
    if (!down && !leaf(m)) {
        strata_build_copy(m->b, own(m, &mine), own(m, &place));
    }
    strata_build_phase(m->b, down ? "down the tree" : "up the tree");
    (down ? strata_mst_down : strata_mst_up)(&messages, m->b);
    if (down && !leaf(m)) {
        strata_build_copy(m->b, own(m, &place), own(m, &mine));
    }
}

static void build_blocks(struct making *m, bool down)
{
    struct strata_mst_position place =
        strata_mst_position_all(down ? STRATA_INPUT : STRATA_OUTPUT, m->blocks.count, 0);
    if (m->tree.parent >= 0 && !leaf(m)) {
        place = strata_mst_position_part(&m->tree.torus, &m->tree.mine, &m->blocks);
    }
    strata_build_blocks(m->b, m->blocks);
    move_blocks(m, place, down);
}

/* The root's partial result, a block for each rank, to them. Its place is its input where there
 * is one rank only. */
static void scatter_result(struct making *m)
{
    int count = m->blocks.count;
    move_blocks(m,
                m->partial == IN_INPUT
                    ? strata_mst_position_all(STRATA_INPUT, count, 0)
                    : strata_mst_position_all(STRATA_WORK, m->blocks.work, m->partial * count),
                true);
}

static void build_reduction(struct making *m)
{
    enum strata_collective collective = m->problem->collective;
    bool scatters = strata_collective_info[collective].output == STRATA_ONE;
    bool root = m->tree.parent < 0 && !scatters;
    m->slots = m->tree.stages > 0 ? strata_mst_widest(&m->tree) + 1 : 0;
    m->blocks.work = m->slots * m->blocks.count;
    strata_build_blocks(m->b, m->blocks);
    if (root && !m->ordered) { /* in place nothing has to be copied then */
        strata_build_copy(m->b, partial(m), vector(m, STRATA_OUTPUT, 0));
        m->partial = IN_OUTPUT;
    }
    reduce_up(m);
    if (root && m->ordered) {
        strata_build_copy(m->b, partial(m), vector(m, STRATA_OUTPUT, 0));
    }
    if (scatters) {
        scatter_result(m);
    } else if (collective == STRATA_ALLREDUCE) {
        spread(m, vector(m, STRATA_OUTPUT, 0));
    }
}

/* Up to rank 0, and all blocks down again: each rank receives its own blocks, too. */
static void build_allgather(struct making *m)
{
    struct strata_mst_position all = strata_mst_position_all(STRATA_OUTPUT, m->blocks.count, 0);
    struct strata_mst_messages messages = {placed_set, &m->tree, &all};
    strata_gather_begin(m->b, m->blocks.count, m->problem->rank);
    strata_build_phase(m->b, "up the tree");
    strata_mst_up(&messages, m->b);
    spread(m, vector(m, STRATA_OUTPUT, 0));
}

void strata_mst_build(const struct strata_problem *problem, struct strata_mst_scheme *mst,
                      struct strata_builder *b)
{
    enum strata_collective collective = problem->collective;
    struct making m = {
        .problem = problem, .b = b, .ordered = mst->rule == STRATA_MST_LINE, .partial = IN_INPUT};
    if (strata_mst_open(mst) != STRATA_OK) {
        strata_build_no_memory(b);
        return;
    }
    strata_mst_walk(mst, problem->root, problem->rank, &m.tree);
    strata_mst_close(mst);
    m.blocks.count = strata_collective_info[collective].ranked ? problem->flat->ranks : 1;
    if (strata_collective_reduces(collective)) {
        build_reduction(&m);
    } else if (collective == STRATA_BCAST) {
        strata_build_blocks(b, m.blocks);
        spread(&m, vector(&m, STRATA_OUTPUT, 0));
    } else if (collective == STRATA_ALLGATHER || collective == STRATA_ALLGATHERV) {
        build_allgather(&m);
    } else {
        build_blocks(&m, collective == STRATA_SCATTER || collective == STRATA_SCATTERV);
    }
}

/* Up and down again. */
static struct strata_formula there_and_back(const struct strata_problem *problem,
                                            const struct strata_mst_counts *t, bool ordered)
{
    double ranks = problem->flat->ranks, busiest = fmax(t->sends, t->others_send);
    double messages = ranks > 1 ? fmax(t->sends, t->others_send + 1) : 0;
    struct strata_formula f = {2 * t->stages, messages, .copied = 1};
    f.ahead = t->sends + t->handed - busiest;
    if (problem->collective == STRATA_ALLREDUCE) {
        f.blocks = messages;
        f.reduced = busiest;
        f.copied += ordered && t->left;
    } else if (strata_collective_reduces(problem->collective)) {
        f.blocks = ranks > 1 ? ranks - 1 + (double)t->largest : 0;
        f.reduced = ranks * busiest;
        f.ahead = (double)t->blocks;
        f.copied += ordered && (t->left || t->others_left) ? ranks : 0;
    } else {
        f.blocks = fmax(ranks * t->sends, t->load);
        f.ahead *= ranks;
    }
    return f;
}

static struct strata_formula one_pass(const struct strata_problem *problem,
                                      const struct strata_mst_counts *t, bool ordered)
{
    double ranks = problem->flat->ranks, busiest = fmax(t->sends, t->others_send);
    switch (problem->collective) {
    case STRATA_BCAST:
        return (struct strata_formula){t->stages, busiest, busiest,
                                       .ahead = t->sends + t->handed - busiest};
    case STRATA_REDUCE:
        return (struct strata_formula){t->stages, ranks > 1, ranks > 1, busiest,
                                       .copied = 1 + (ordered && t->left)};
    case STRATA_SCATTER:
    case STRATA_SCATTERV:
        return (struct strata_formula){t->stages, busiest, ranks - 1, .copied = 1,
                                       .ahead = (double)t->blocks};
    default: /* gather */
        return (struct strata_formula){t->stages, ranks > 1, (double)t->largest, .copied = 1};
    }
}

/* False: it has no plan, either. */
static bool count(const struct strata_problem *problem, struct strata_mst_scheme *mst,
                  struct strata_mst_counts *tree)
{
    bool rooted = strata_collective_rooted(problem->collective);
    if (strata_mst_open(mst) != STRATA_OK) {
        return false;
    }
    *tree = strata_mst_count(mst, rooted ? problem->root : 0, problem->flat->ranks);
    strata_mst_close(mst);
    return true;
}

static struct strata_formula formula_of(const struct strata_problem *problem,
                                        const struct strata_mst_scheme *mst,
                                        const struct strata_mst_counts *tree)
{
    bool rooted = strata_collective_rooted(problem->collective);
    return (rooted ? one_pass : there_and_back)(problem, tree, mst->rule == STRATA_MST_LINE);
}

struct strata_formula strata_mst_formula(const struct strata_problem *problem,
                                         struct strata_mst_scheme *mst)
{
    struct strata_mst_counts tree;
    if (!count(problem, mst, &tree)) {
        return (struct strata_formula){INFINITY, INFINITY, INFINITY, INFINITY, .copied = INFINITY};
    }
    return formula_of(problem, mst, &tree);
}

/* The messages up through the busiest rank: a result from each child, of which most have come while
 * it waits for the last; or all blocks once. Down the longest way: all blocks, or parts. */
static struct strata_cost path_cost(const struct strata_problem *problem, struct strata_formula f,
                                    const struct strata_mst_counts *tree,
                                    const struct strata_machine *machine)
{
    const struct strata_collective_info *info = &strata_collective_info[problem->collective];
    double busiest = fmax(tree->sends, tree->others_send), up = fmax(tree->stages, busiest);
    double others = problem->flat->ranks - 1, all = info->ranked ? others + 1 : 1;
    double messages = 0, blocks = 0;
    if (info->root == 'o' && info->ranked) {
        return strata_path_cost(f, f.messages, f.blocks, problem, machine);
    }
    if (info->root != 'i') {
        messages += up;
        blocks += strata_collective_reduces(problem->collective) ? all * up : others;
    }
    if (info->root != 'o') {
        bool parts = info->output == STRATA_ONE;
        messages += tree->path;
        blocks += parts ? others : all * tree->path;
        f.ahead -= parts ? 0 : all * (tree->path - busiest);
    }
    return strata_path_cost(f, messages, blocks, problem, machine);
}

/* A tree over `members` nodes, or members of a node, of `unit` ranks each. */
struct level {
    int members, unit;
};

/* The same path through such a tree. Down an allgather's go all blocks, whatever the level. */
static struct strata_formula path_of_level(const struct strata_problem *problem,
                                           const struct strata_mst_scheme *mst, struct level level)
{
    const struct strata_collective_info *info = &strata_collective_info[problem->collective];
    struct strata_mst_scheme scheme = *mst;
    struct strata_mst_counts t = {0};
    if (mst->rule == STRATA_MST_LINE) {
        scheme.torus.size[0] = level.members;
    } else {
        scheme.torus = strata_torus_balanced(level.members, mst->torus.ndims);
    }
    if (strata_mst_open(&scheme) == STRATA_OK) {
        t = strata_mst_count(&scheme, 0, level.members);
        strata_mst_close(&scheme);
    }
    double busiest = fmax(t.sends, t.others_send), up = fmax(t.stages, busiest);
    double others = (double)level.unit * (level.members - 1);
    double all = info->ranked ? problem->flat->ranks : 1;
    bool reduces = strata_collective_reduces(problem->collective),
         parts = info->output == STRATA_ONE;
    struct strata_formula f = {.rounds = 0};
    if (info->root != 'i') {
        f.rounds += t.stages;
        f.messages += up;
        f.blocks += reduces ? all * up : others;
    }
    if (info->root != 'o') {
        f.rounds += t.stages;
        f.messages += t.path;
        f.blocks += parts ? others : all * t.path;
        f.ahead = parts ? (double)(t.blocks * level.unit) : all * (t.sends + t.handed - t.path);
    }
    return f;
}

static struct strata_cost cost_in_rows(const struct strata_problem *problem,
                                       const struct strata_mst_scheme *mst,
                                       const struct strata_machine *machine)
{
    int row = problem->topology->row;
    struct strata_mst_scheme scheme = *mst;
    struct strata_formula work = strata_mst_formula(problem, &scheme);
    struct strata_formula between =
        path_of_level(problem, mst, (struct level){problem->topology->nodes, row});
    struct strata_formula inside = path_of_level(problem, mst, (struct level){row, 1});
    inside.after = inside.ahead;
    struct strata_cost total = strata_rows_cost(&between, &inside, problem->block_bytes, machine);
    strata_formula_work(&total, &work, problem->block_bytes, machine);
    return total;
}

struct strata_cost strata_mst_cost(const struct strata_problem *problem,
                                   struct strata_mst_scheme *mst,
                                   const struct strata_machine *machine)
{
    struct strata_mst_counts tree;
    const struct strata_topology *t = problem->topology;
    struct strata_machine along =
        strata_machine_along(machine, &mst->torus, t->nodes < t->ranks ? t->largest : 1);
    along.ways = mst->rule == STRATA_MST_LINE ? 1 : along.ways; /* first along one axis */
    if (strata_in_rows(problem, machine)) {
        return cost_in_rows(problem, mst, &along);
    }
    if (!count(problem, mst, &tree)) {
        return (struct strata_cost){.time_start = INFINITY};
    }
    return path_cost(problem, formula_of(problem, mst, &tree), &tree, &along);
}
