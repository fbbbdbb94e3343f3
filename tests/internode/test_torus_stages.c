/* Trees and buckets on tori against the paper. Stages are counted from the plans of all ranks and
 * compared with the paper's recurrence on sizes, which stands here a second time. Directions, links
 * and volumes are also read from the plans. `--page` prints docs/torus-stages.md.
 *
 * sanitized: long
 * timeout: 300 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "internode/algorithms.h"
#include "internode/torus/mst_balanced.h"
#include "internode/torus/mst_counts.h"
#include "sim/trace/formula_count.h"
#include "tests/assert_cmp.h"

enum { ONE_WAY = 1, BOTH_WAYS = 2, PAPER = 1, BALANCED = 2, DIMS = STRATA_TORUS_DIMS };

/* --- the paper, once more
 * ---------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}

/* Sorts the sizes above 1, the longest first. Returns their number. */
static int sorted(const int *size, int count, int *out)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (size[i] > 1) {
            out[kept++] = size[i];
        }
    }
    qsort(out, (size_t)kept, sizeof *out, by_size);
    return kept;
}

/* The paper's D / c, rounded down, but at least 1. */
static int cut(int planes, int counter)
{
    return planes <= 1 ? 0 : planes / counter > 0 ? planes / counter : 1;
}

/* The stages of a box of these sizes: one, and then the stages of the part that takes most. Part i
 * of axis a has D on the axes after a, the rest on the axes before it, and D / (ways * N + 2 - i)
 * on a. */
static int recurrence(const int *given, int count, int ways)
{
    int size[DIMS], left[DIMS], slab[2][DIMS] = {{0}}, most = 0;
    int n = sorted(given, count, size), counter = ways * n + 1;
    if (n == 0) {
        return 0;
    }
    memcpy(left, size, sizeof left);
    for (int turn = 0; turn < ways; turn++) {
        for (int axis = 0; axis < n; axis++) {
            slab[turn][axis] = cut(left[axis], counter--);
            left[axis] -= slab[turn][axis];
        }
    }
    for (int axis = 0; axis < n; axis++) {
        for (int turn = 0; turn < ways; turn++) {
            int part[DIMS];
            for (int other = 0; other < n; other++) {
                part[other] = other > axis ? size[other] : left[other];
            }
            part[axis] = slab[turn][axis];
            int stages = part[axis] > 0 ? recurrence(part, n, ways) : 0;
            most = stages > most ? stages : most;
        }
    }
    int stages = recurrence(left, n, ways);
    return 1 + (stages > most ? stages : most);
}

/* The least x with base^x >= ranks. */
static int log_up(int base, int64_t ranks)
{
    int x = 0;
    for (int64_t reach = 1; reach < ranks; reach *= base) {
        x++;
    }
    return x;
}

/* --- plans of all ranks
 * ------------------------------------------------------------------------ */

struct message {
    int from, to, stage; /* stages are counted from 1 */
};

struct tree {
    struct strata_torus torus;
    int ranks, root, axes; /* axes: those longer than 1 */
    double rounds;
    struct message *message; /* [ranks - 1] */
    int count;
};

static struct strata_plan *plan_of(const struct strata_algorithm *algorithm,
                                   const struct strata_problem *problem)
{
    struct strata_plan *plan = NULL;
    struct strata_diagnostic message = {""};
    if (strata_algorithm_plan(algorithm, problem, &plan, &message) != STRATA_OK) {
        fail_msg("%s", message.text);
    }
    return plan;
}

static int ranks_of(const struct strata_torus *torus)
{
    int ranks = 1;
    for (int axis = 0; axis < torus->ndims; axis++) {
        ranks *= torus->size[axis];
    }
    return ranks;
}

/* Reads a rank's sends from the stage on in which it has the data. Records the stages of its
 * receivers. */
static void read_sends(const struct strata_plan *plan, struct tree *tree, int *informed)
{
    int stage = informed[plan->rank];
    bool sent = true;
    for (int i = 0; i < plan->nsteps; i++) {
        const struct strata_step *step = &plan->steps[i];
        if (step->op == STRATA_STEP_SEND_BLOCKS) {
            stage += sent;
            sent = false;
            informed[step->peer] = stage;
            tree->message[tree->count++] = (struct message){plan->rank, step->peer, stage};
        } else if (step->op == STRATA_STEP_WAIT) {
            sent = true;
        }
    }
}

/* Reads messages in the order in which their senders have the data, and counts the rounds. */
static void read_plans(struct strata_plan **plans, struct tree *tree)
{
    struct strata_formula counted;
    int *informed = calloc((size_t)tree->ranks, sizeof *informed);
    assert_int_equal(
        strata_formula_count((const struct strata_plan *const *)plans, tree->ranks, &counted),
        STRATA_OK);
    tree->rounds = counted.rounds;
    read_sends(plans[tree->root], tree, informed);
    for (int i = 0; i < tree->count; i++) {
        read_sends(plans[tree->message[i].to], tree, informed);
    }
    assert_int_equal(tree->count, tree->ranks - 1);
    free(informed);
}

/* The tree of a bcast, with the algorithm's parameters. */
static struct tree tree_of(const struct strata_algorithm *algorithm,
                           const struct strata_torus *torus, int root, const int *parameter)
{
    struct tree tree = {.torus = *torus, .ranks = ranks_of(torus), .root = root};
    struct strata_topology *flat = NULL;
    struct strata_plan **plans = calloc((size_t)tree.ranks, sizeof *plans);
    tree.message = calloc((size_t)tree.ranks, sizeof *tree.message);
    assert_int_equal(strata_topology_flat(tree.ranks, &flat), STRATA_OK);
    struct strata_problem problem = {
        .collective = STRATA_BCAST, .topology = flat, .flat = flat, .root = root, .torus = torus};
    memcpy(problem.parameter, parameter, sizeof problem.parameter);
    for (problem.rank = 0; problem.rank < tree.ranks; problem.rank++) {
        plans[problem.rank] = plan_of(algorithm, &problem);
    }
    for (int axis = 0; axis < torus->ndims; axis++) {
        tree.axes += torus->size[axis] > 1;
    }
    read_plans(plans, &tree);
    for (int rank = 0; rank < tree.ranks; rank++) {
        strata_plan_destroy(plans[rank]);
    }
    free(plans);
    strata_topology_destroy(flat);
    return tree;
}

static struct tree torus_tree(const struct strata_torus *torus, int root, int ways, int rule)
{
    const int parameter[STRATA_PARAMETERS] = {ways, rule, torus->ndims};
    return tree_of(&strata_mst_torus, torus, root, parameter);
}

/* The tree on a line of all ranks, in as many parts as both ways give. */
static struct tree line_tree(const struct strata_torus *torus, int root)
{
    const int parameter[STRATA_PARAMETERS] = {2 * torus->ndims + 1};
    return tree_of(&strata_mst, torus, root, parameter);
}

/* --- directions and links
 * ---------------------------------------------------------------------- */

static int coordinate(const struct strata_torus *torus, int rank, int axis)
{
    for (int i = torus->ndims - 1; i > axis; i--) {
        rank /= torus->size[i];
    }
    return rank % torus->size[axis];
}

/* The displacement from one rank to another along an axis, the shorter way; on a mesh the only
 * way. */
static int displacement(const struct strata_torus *torus, int from, int to, int axis)
{
    int size = torus->size[axis];
    int way = coordinate(torus, to, axis) - coordinate(torus, from, axis);
    if (torus->mesh) {
        return way;
    }
    way = (way + size) % size;
    return 2 * way > size ? way - size : way;
}

/* The directions in which a message may leave: bit 2 * axis up, bit 2 * axis + 1 down. Half round a
 * ring both bits may be set. */
static unsigned directions(const struct tree *tree, const struct message *message)
{
    unsigned ways = 0;
    for (int axis = 0; axis < tree->torus.ndims; axis++) {
        int way = displacement(&tree->torus, message->from, message->to, axis);
        bool half = !tree->torus.mesh && 2 * way == tree->torus.size[axis];
        ways |= (way > 0 ? 1u : 0u) << (2 * axis) | (way < 0 || half ? 2u : 0u) << (2 * axis);
    }
    return ways;
}

/* Whether the remaining messages can leave in different directions. */
static bool can_leave(const unsigned *ways, int count, unsigned used)
{
    if (count == 0) {
        return true;
    }
    for (unsigned way = 1; way < 1u << (2 * DIMS); way <<= 1) {
        if ((ways[0] & way & ~used) && can_leave(ways + 1, count - 1, used | way)) {
            return true;
        }
    }
    return false;
}

static bool along_one_axis(const struct tree *tree, const struct message *message)
{
    int axes = 0;
    for (int axis = 0; axis < tree->torus.ndims; axis++) {
        axes += displacement(&tree->torus, message->from, message->to, axis) != 0;
    }
    return axes == 1;
}

/* The number of groups of messages that a rank sends at once but cannot send in different
 * directions. With `straight` each message must travel along one axis. */
static int entangled(const struct tree *tree, bool straight)
{
    int wrong = 0, end;
    for (int begin = 0; begin < tree->count; begin = end) {
        const struct message *first = &tree->message[begin];
        unsigned ways[2 * DIMS + 1];
        bool good = true;
        for (end = begin; end < tree->count && tree->message[end].from == first->from &&
                          tree->message[end].stage == first->stage;
             end++) {
            ASSERT_CMP(end - begin, <=, 2 * DIMS);
            ways[end - begin] = directions(tree, &tree->message[end]);
            good = good && (!straight || along_one_axis(tree, &tree->message[end]));
        }
        wrong += !good || !can_leave(ways, end - begin, 0);
    }
    return wrong;
}

/* Adds a message to the links of its route, along the axes in their order. */
static void follow(const struct tree *tree, const struct message *message, int *links)
{
    int at = message->from, stride = tree->ranks;
    for (int axis = 0; axis < tree->torus.ndims; axis++) {
        int size = tree->torus.size[axis];
        int way = displacement(&tree->torus, message->from, message->to, axis);
        stride /= size;
        for (; way != 0; way += way > 0 ? -1 : 1) {
            int here = at / stride % size, next = (here + (way > 0 ? 1 : size - 1)) % size;
            links[2 * DIMS * at + 2 * axis + (way < 0)]++;
            at += (next - here) * stride;
        }
    }
    assert_int_equal(at, message->to);
}

/* The most messages of a stage that share a link. */
static int busiest_link(const struct tree *tree)
{
    size_t count = (size_t)tree->ranks * 2 * DIMS;
    int *links = calloc(count, sizeof *links), most = 0;
    for (int stage = 1; stage <= (int)tree->rounds; stage++) {
        memset(links, 0, count * sizeof *links);
        for (int i = 0; i < tree->count; i++) {
            if (tree->message[i].stage == stage) {
                follow(tree, &tree->message[i], links);
            }
        }
        for (size_t i = 0; i < count; i++) {
            most = links[i] > most ? links[i] : most;
        }
    }
    free(links);
    return most;
}

/* --- trees
 * ------------------------------------------------------------------------------------- */

static struct strata_torus shape_of(const char *text)
{
    struct strata_torus torus;
    int ranks = 1;
    for (const char *at = text; *at; at += strspn(at, "x")) {
        char *end;
        ranks *= (int)strtol(at, &end, 10);
        at = end;
    }
    assert_int_equal(strata_torus_parse(text, ranks, &torus, NULL), STRATA_OK);
    return torus;
}

typedef void visit(const struct strata_torus *torus);

/* Visits all shapes up to 12x12 and 6x6x6, axes of 1 included, and others: odd, prime, long, of
 * four axes. */
static void each_shape(visit *look)
{
    static const char *const others[] = {
        "1",      "2",       "27",      "64",      "101",     "31x2",     "17x13",
        "1x29",   "16x16",   "25x25",   "13x1x7",  "7x7x7",   "8x8x8",    "11x5x3",
        "2x16x9", "2x2x2x2", "3x3x3x3", "4x3x5x2", "1x4x1x4", "5x1x3x11", "4x4x4x4"};
    for (int a = 1; a <= 12; a++) {
        for (int b = 1; b <= 12; b++) {
            look(&(struct strata_torus){2, {a, b}, false});
        }
    }
    for (int i = 0; i < 216; i++) {
        look(&(struct strata_torus){3, {1 + i / 36, 1 + i / 6 % 6, 1 + i % 6}, false});
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct strata_torus torus = shape_of(others[i]);
        look(&torus);
    }
}

/* A root that differs from shape to shape. */
static int some_root(const struct strata_torus *torus)
{
    static unsigned turn = 7;
    turn = turn * 1103515245u + 12345u;
    return (int)((turn >> 16) % (unsigned)ranks_of(torus));
}

static void fail_shape(const struct strata_torus *torus, const char *what, double said, double is)
{
    const int *size = torus->size;
    fail_msg("%dx%dx%dx%d (%d axes%s): %s should be %g, is %g", size[0], size[1], size[2], size[3],
             torus->ndims, torus->mesh ? ", mesh" : "", what, said, is);
}

static void require(const struct tree *tree, const char *what, bool holds, double said, double is)
{
    if (!holds) {
        fail_shape(&tree->torus, what, said, is);
    }
}

static void look_at_paper(const struct strata_torus *torus)
{
    for (int ways = ONE_WAY; ways <= BOTH_WAYS; ways++) {
        struct tree tree = torus_tree(torus, some_root(torus), ways, PAPER);
        int stages = recurrence(torus->size, torus->ndims, ways);
        int least = log_up(ways * tree.axes + 1, tree.ranks);
        int most = log_up(2, tree.ranks) + tree.axes;
        require(&tree, "stages", tree.rounds == stages, stages, tree.rounds);
        require(&tree, "stages at least", stages >= least, least, stages);
        require(&tree, "stages at most", stages <= most, most, stages);
        int wrong = entangled(&tree, true);
        require(&tree, "sends in the same direction", wrong == 0, 0, wrong);
        int link = busiest_link(&tree);
        require(&tree, "messages on a link", link <= 1, 1, link);
        free(tree.message);
    }
}

static void paper_rule_takes_the_stages_of_the_paper(void **state)
{
    (void)state;
    each_shape(look_at_paper);
}

static void look_at_balanced(const struct strata_torus *torus)
{
    for (int ways = ONE_WAY; ways <= BOTH_WAYS; ways++) {
        struct tree tree = torus_tree(torus, some_root(torus), ways, BALANCED);
        int paper = recurrence(torus->size, torus->ndims, ways);
        int least = log_up(ways * tree.axes + 1, tree.ranks);
        require(&tree, "stages at least", tree.rounds >= least, least, tree.rounds);
        require(&tree, "stages, no more than the paper's", tree.rounds <= paper, paper,
                tree.rounds);
        int wrong = entangled(&tree, ways == ONE_WAY);
        require(&tree, "sends that leave in the same direction", wrong == 0, 0, wrong);
        free(tree.message);
    }
}

static void balanced_rule_is_never_worse(void **state)
{
    (void)state;
    each_shape(look_at_balanced);
}

/* The line in 2N+1 parts is always at the bound. */
static void stages_of_some_shapes(void **state)
{
    (void)state;
    static const struct {
        const char *torus;
        int paper, balanced, bound;
    } known[] = {{"5x5", 3, 3, 2},    {"7x7", 4, 3, 3},   {"8x8", 4, 3, 3},
                 {"16x16", 5, 4, 4},  {"7x7x7", 5, 4, 3}, {"8x8x8", 5, 4, 4},
                 {"16x8x8", 6, 5, 4}, {"27", 3, 3, 3},    {"4x4x4x4", 5, 5, 3}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct strata_torus shape = shape_of(known[i].torus), *torus = &shape;
        struct tree paper = torus_tree(torus, 3, BOTH_WAYS, PAPER);
        struct tree balanced = torus_tree(torus, 3, BOTH_WAYS, BALANCED);
        struct tree line = line_tree(torus, 3);
        require(&paper, "paper", paper.rounds == known[i].paper, known[i].paper, paper.rounds);
        require(&paper, "balanced", balanced.rounds == known[i].balanced, known[i].balanced,
                balanced.rounds);
        require(&paper, "line", line.rounds == known[i].bound, known[i].bound, line.rounds);
        free(paper.message);
        free(balanced.message);
        free(line.message);
    }
}

/* On a mesh no message goes round, and the root may stand in a corner. */
static void look_at_mesh(const struct strata_torus *torus)
{
    struct strata_torus mesh = *torus;
    mesh.mesh = true;
    for (int i = 0; i < 3; i++) {
        int root = i == 0 ? 0 : i == 1 ? ranks_of(torus) - 1 : some_root(torus);
        for (int rule = PAPER; rule <= BALANCED; rule++) {
            struct tree tree = torus_tree(&mesh, root, BOTH_WAYS, rule);
            int most = log_up(2, tree.ranks) + tree.axes, wrong = entangled(&tree, rule == PAPER);
            require(&tree, "stages at most", tree.rounds <= most, most, tree.rounds);
            require(&tree, "sends in the same direction", wrong == 0, 0, wrong);
            free(tree.message);
        }
        struct tree tree = torus_tree(&mesh, root, ONE_WAY, PAPER);
        int stages = recurrence(torus->size, torus->ndims, ONE_WAY);
        require(&tree, "stages", tree.rounds == stages, stages, tree.rounds);
        require(&tree, "messages on a link", busiest_link(&tree) <= 1, 1, busiest_link(&tree));
        free(tree.message);
    }
}

static void meshes_have_roots_anywhere(void **state)
{
    (void)state;
    each_shape(look_at_mesh);
}

/* The side of the root on which a part of `whole` lies: 2 * axis, and 1 more below the root. Fails
 * where that is not on exactly one axis. */
static unsigned side_of(const struct strata_torus *torus, const struct strata_region *whole,
                        const struct strata_region *part)
{
    unsigned side = 0;
    int off = 0;
    for (int axis = 0; axis < torus->ndims; axis++) {
        int size = torus->size[axis];
        int begin = (part->first[axis] - whole->first[axis] + size) % size;
        bool above = begin > whole->at[axis], below = begin + part->size[axis] <= whole->at[axis];
        ASSERT_CMP(begin + part->size[axis], <=, whole->size[axis]);
        side = above || below ? (unsigned)(2 * axis + below) : side;
        off += above || below;
    }
    assert_int_equal(off, 1);
    return side;
}

/* The parts of the balanced rule make up the whole. They lie on sides of their own, and the root's
 * line enters them. So messages that first follow that line share no link. */
static void look_at_parts(const struct strata_mst_scheme *scheme, const struct strata_region *whole)
{
    struct strata_mst_split split;
    unsigned used = 0;
    strata_mst_divide(scheme, whole, &split);
    int64_t count = strata_region_count(&split.rest);
    assert_int_equal(strata_region_root(&scheme->torus, &split.rest),
                     strata_region_root(&scheme->torus, whole));
    for (int i = 0; i < split.count; i++) {
        int root = strata_region_root(&scheme->torus, &split.part[i]);
        unsigned side = side_of(&scheme->torus, whole, &split.part[i]);
        assert_false(used >> side & 1);
        used |= 1u << side;
        count += strata_region_count(&split.part[i]);
        assert_true(strata_region_has(&scheme->torus, whole, root));
        assert_true(strata_region_has(&scheme->torus, &split.part[i], root));
        look_at_parts(scheme, &split.part[i]);
    }
    assert_int_equal(count, strata_region_count(whole));
    if (split.count > 0) {
        look_at_parts(scheme, &split.rest);
    }
}

static void look_at_sides(const struct strata_torus *torus)
{
    struct strata_mst_scheme scheme = {
        .torus = *torus, .rule = STRATA_MST_BALANCED, .ways = BOTH_WAYS};
    for (int mesh = 0; mesh < 2; mesh++) {
        scheme.torus.mesh = mesh;
        assert_int_equal(strata_mst_open(&scheme), STRATA_OK);
        struct strata_region whole = strata_mst_whole(&scheme, some_root(torus));
        look_at_parts(&scheme, &whole);
        strata_mst_close(&scheme);
    }
}

static void balanced_parts_lie_on_sides_of_their_own(void **state)
{
    (void)state;
    each_shape(look_at_sides);
}

/* --- buckets
 * ----------------------------------------------------------------------------------- */

/* The messages of a rank in an allgather. */
struct traffic {
    int steps;
    int64_t blocks, busiest; /* of all messages; of the longest message of each step, added up */
    int longest;             /* blocks on the busiest axis, in all steps */
};

/* The axis of a message to the next rank up on it. Fails for any other message. */
static int axis_up(const struct strata_torus *torus, int from, int to)
{
    int found = 0, count = 0;
    for (int axis = 0; axis < torus->ndims; axis++) {
        int size = torus->size[axis];
        int way = (coordinate(torus, to, axis) - coordinate(torus, from, axis) + size) % size;
        found = way == 1 ? axis : found;
        count += way != 0 ? 1 + 2 * (way > 1) : 0;
    }
    assert_int_equal(count, 1);
    return found;
}

static struct traffic traffic_of(const struct strata_plan *plan, const struct strata_torus *torus)
{
    struct traffic traffic = {0};
    int64_t step = 0, along[DIMS] = {0};
    unsigned used = 0;
    struct strata_cursor cursor;
    const struct strata_step *at;
    strata_cursor_begin(&cursor, plan);
    for (; (at = strata_cursor_step(&cursor)); strata_cursor_advance(&cursor)) {
        if (at->op == STRATA_STEP_SEND_BLOCKS) {
            int axis = axis_up(torus, plan->rank, at->peer);
            int64_t blocks = strata_set_count(strata_cursor_set(&cursor));
            assert_false(used >> axis & 1);
            used |= 1u << axis;
            traffic.blocks += blocks;
            along[axis] += blocks;
            step = blocks > step ? blocks : step;
        } else if (at->op == STRATA_STEP_WAIT) {
            traffic.steps++;
            traffic.busiest += step;
            used = 0;
            step = 0;
        }
    }
    for (int axis = 0; axis < DIMS; axis++) {
        traffic.longest = along[axis] > traffic.longest ? (int)along[axis] : traffic.longest;
    }
    return traffic;
}

static struct traffic bucket_traffic(const struct strata_torus *torus, int rule)
{
    struct strata_topology *flat = NULL;
    int ranks = ranks_of(torus);
    assert_int_equal(strata_topology_flat(ranks, &flat), STRATA_OK);
    struct strata_problem problem = {.collective = STRATA_ALLGATHER,
                                     .topology = flat,
                                     .flat = flat,
                                     .torus = torus,
                                     .rank = some_root(torus),
                                     .parameter = {rule, torus->ndims}};
    struct strata_plan *plan = plan_of(&strata_bucket, &problem);
    struct traffic traffic = traffic_of(plan, torus);
    strata_plan_destroy(plan);
    strata_topology_destroy(flat);
    return traffic;
}

/* The paper's steps and messages. The busiest link carries at most (D-1)/D of all blocks, where D
 * is the longest axis. By the balanced rule it carries at most a quarter more than an equal share,
 * and one block a step. */
static void look_at_bucket(const struct strata_torus *torus)
{
    struct tree shape = {.torus = *torus, .ranks = ranks_of(torus)};
    struct traffic paper = bucket_traffic(torus, PAPER);
    struct traffic balanced = bucket_traffic(torus, BALANCED);
    int steps = 0, longest = 1, axes = 0;
    for (int axis = 0; axis < torus->ndims; axis++) {
        int size = torus->size[axis];
        steps += size - 1;
        axes += size > 1;
        longest = size > longest ? size : longest;
    }
    int64_t others = shape.ranks - 1, most = shape.ranks - shape.ranks / longest;
    int64_t share = axes > 0 ? 5 * others / (4 * axes) + steps : 0;
    require(&shape, "steps", paper.steps == steps, steps, paper.steps);
    require(&shape, "steps", balanced.steps == steps, steps, balanced.steps);
    require(&shape, "blocks", paper.blocks == others, (double)others, (double)paper.blocks);
    require(&shape, "blocks", balanced.blocks == others, (double)others, (double)balanced.blocks);
    require(&shape, "paper's link", paper.busiest <= most, (double)most, (double)paper.busiest);
    require(&shape, "balanced link", balanced.busiest <= share, (double)share,
            (double)balanced.busiest);
}

static void buckets_use_all_axes_at_once(void **state)
{
    (void)state;
    each_shape(look_at_bucket);
}

/* --- the page
 * ---------------------------------------------------------------------------------- */

static struct strata_mst_counts counts_of(const struct strata_torus *torus, int ways, int rule)
{
    struct strata_mst_scheme scheme = {
        .torus = *torus, .rule = (enum strata_mst_rule)rule, .ways = ways};
    assert_int_equal(strata_mst_open(&scheme), STRATA_OK);
    struct strata_mst_counts counts = strata_mst_count(&scheme, 0, 0);
    strata_mst_close(&scheme);
    return counts;
}

static void print_links(const struct strata_torus *torus, FILE *file)
{
    if (ranks_of(torus) > 1024) {
        fprintf(file, " | | | |\n");
        return;
    }
    struct tree trees[] = {torus_tree(torus, 0, BOTH_WAYS, PAPER),
                           torus_tree(torus, 0, BOTH_WAYS, BALANCED), line_tree(torus, 0)};
    for (int i = 0; i < 3; i++) {
        fprintf(file, " | %d", busiest_link(&trees[i]));
        free(trees[i].message);
    }
    fprintf(file, " |\n");
}

static void print_algorithm(const struct strata_torus *torus, FILE *file)
{
    int ranks = ranks_of(torus), axes = torus->ndims;
    for (int axis = 0; axis < axes; axis++) {
        fprintf(file, "%s%d", axis ? "x" : "| ", torus->size[axis]);
    }
    fprintf(file, " | %d", ranks);
    for (int ways = ONE_WAY; ways <= BOTH_WAYS; ways++) {
        fprintf(file, " | %d | %d | %d", counts_of(torus, ways, PAPER).stages,
                counts_of(torus, ways, BALANCED).stages, log_up(ways * axes + 1, ranks));
    }
    fprintf(file, " | %d", log_up(2, ranks));
    print_links(torus, file);
}

static const char head[] =
    "# Stages of trees on tori\n"
    "\n"
    "This page shows the stages that `mst_torus` takes on a torus of N axes and P ranks,\n"
    "beside the bounds. A rank sends one way along each axis (N messages at once) or both\n"
    "ways (2N). The parts follow the paper's rule (`internode/torus/mst_partition.c`) or\n"
    "Strata's balanced rule (`internode/torus/mst_balanced.c`). `mst`, which divides the line\n"
    "of all ranks, takes ceil(log_(2N+1) P) stages with parts=2N+1 everywhere.\n"
    "\n"
    "The last three columns show the cost of that on the links: the most messages of a stage\n"
    "that share a link, both ways, if messages go axis after axis in order (up to 1024\n"
    "ranks). With the balanced rule no messages share a link if they go along the axis of\n"
    "their part first. Where the paper's rule has 2, a small box has its root near one end,\n"
    "and both slabs on the other side of the root.\n"
    "\n"
    "The paper is Chan, van de Geijn, Gropp, Thakur, PPoPP 2006. The test\n"
    "`internode/torus_stages` fails where this page differs from the output of its program:\n"
    "`build/nompi/tests/internode_test_torus_stages --page > docs/torus-stages.md`.\n"
    "\n"
    "| torus | P | one way: paper | balanced | ceil(log_(N+1) P) | both ways: paper | balanced |"
    " ceil(log_(2N+1) P) | ceil(log2 P) | link: paper | balanced | line |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|---|\n";

static const char bucket_head[] =
    "\n"
    "# Blocks on the busiest link of an allgather\n"
    "\n"
    "`bucket` moves P-1 blocks from each rank, in a number of steps that is the sum of the\n"
    "axes less N. The table adds up the blocks of the longest message of each step. *Paper*\n"
    "is the paper's formula, (D-1)/D of P with D the longest axis. *Its rule here* is the\n"
    "paper's rule with the shortest axis last, as Strata has it. *Balanced* is Strata's\n"
    "balanced rule, and *share* an equal share of P-1.\n"
    "\n"
    "| torus | P | paper | its rule here | balanced | share |\n"
    "|---|---|---|---|---|---|\n";

static void print_busiest(const char *text, FILE *file)
{
    struct strata_torus torus = shape_of(text);
    int ranks = ranks_of(&torus), longest = 1;
    for (int axis = 0; axis < torus.ndims; axis++) {
        longest = torus.size[axis] > longest ? torus.size[axis] : longest;
    }
    fprintf(file, "| %s | %d | %d | %lld | %lld | %d |\n", text, ranks, ranks - ranks / longest,
            (long long)bucket_traffic(&torus, PAPER).busiest,
            (long long)bucket_traffic(&torus, BALANCED).busiest,
            (ranks - 1 + torus.ndims - 1) / torus.ndims);
}

static void print_page(FILE *file)
{
    static const char *const trees[] = {
        "9",        "27",       "64",       "1024",     "4x4",        "5x5",      "6x6",
        "7x7",      "8x8",      "9x9",      "10x10",    "12x12",      "13x11",    "16x8",
        "16x16",    "25x25",    "31x2",     "32x32",    "64x64",      "128x128",  "3x3x3",
        "4x4x4",    "5x5x5",    "6x6x6",    "7x7x7",    "8x8x4",      "8x8x8",    "16x8x8",
        "10x10x10", "12x12x12", "16x16x16", "20x20x20", "32x32x32",   "64x32x32", "2x2x2x2",
        "3x3x3x3",  "4x4x4x4",  "5x5x5x5",  "8x8x8x8",  "16x16x16x16"};
    static const char *const buckets[] = {"64",     "4x4",      "8x8",     "16x8",
                                          "31x2",   "32x32",    "4x4x4",   "8x8x8",
                                          "16x8x8", "16x16x16", "3x3x3x3", "8x8x8x8"};
    fputs(head, file);
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        struct strata_torus torus = shape_of(trees[i]);
        print_algorithm(&torus, file);
    }
    fputs(bucket_head, file);
    for (size_t i = 0; i < sizeof buckets / sizeof *buckets; i++) {
        print_busiest(buckets[i], file);
    }
}

static char *read_page(void)
{
    char *text = calloc(1 << 16, 1);
    FILE *file = fopen(TORUS_STAGES_PAGE, "r");
    if (!file) {
        fail_msg("cannot read " TORUS_STAGES_PAGE);
    }
    assert_non_null(text);
    ASSERT_CMP(fread(text, 1, (1 << 16) - 1, file), >, 0);
    fclose(file);
    return text;
}

static void the_page_is_up_to_date(void **state)
{
    (void)state;
    char *text = NULL, *page = read_page();
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    print_page(file);
    fclose(file);
    assert_string_equal(text, page);
    free(text);
    free(page);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paper_rule_takes_the_stages_of_the_paper),
        cmocka_unit_test(balanced_rule_is_never_worse),
        cmocka_unit_test(stages_of_some_shapes),
        cmocka_unit_test(meshes_have_roots_anywhere),
        cmocka_unit_test(balanced_parts_lie_on_sides_of_their_own),
        cmocka_unit_test(buckets_use_all_axes_at_once),
        cmocka_unit_test(the_page_is_up_to_date),
    };
    if (argc > 1 && strcmp(argv[1], "--page") == 0) {
        print_page(stdout);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
