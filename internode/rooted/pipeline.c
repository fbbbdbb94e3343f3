/* A pipeline: the vector goes from rank to rank in segments, all links busy at once.
 *
 * Each rank passes segment i on while segment i+1 comes in. A bcast goes from the root to the rank
 * after it, and so on around. A reduction comes the same way back. Where the order of operands
 * counts, the reduction comes from both ends, rank 0 and rank P-1, to the root between them. */
#include <math.h>

#include "internode/algorithms.h"
#include "internode/parts/path.h"

/* A rank's place in it. Ranks are -1 where there is none. */
struct pipeline {
    struct strata_builder *b;
    int segments;
    int higher; /* the rank that sends me the vector, or the result of higher ranks */
    int lower;  /* the rank that sends me the result of lower ranks */
    int next;   /* the rank that I send to */
    /* Where things lie: a store, its size, its first block. */
    struct lies {
        enum strata_store store;
        int space, first;
    } input, result, from_lower;
};

static const char *applicable(const struct strata_problem *problem)
{
    (void)problem;
    return NULL;
}

static int hops(const struct strata_problem *problem)
{
    int last = problem->flat->ranks - 1, root = problem->root;
    bool around = problem->collective == STRATA_BCAST || problem->commutative;
    return around ? last : root > last - root ? root : last - root;
}

static int segment_set(const struct pipeline *c, struct lies at, int number)
{
    struct strata_box box = strata_box_item(at.space, at.first + number);
    return strata_build_set(c->b, strata_box_in(at.store, box));
}

/* A step on segment `number`, one further in each iteration of a repeat. */
static void step(const struct pipeline *c, enum strata_op op, int peer, int set)
{
    strata_build_step(c->b, (struct strata_step){
                                .op = op, .workshare = 1, .peer = peer, .set = set, .set_step = 1});
}

static void receive(const struct pipeline *c, int number)
{
    if (c->higher >= 0) {
        step(c, STRATA_STEP_RECV_BLOCKS, c->higher, segment_set(c, c->result, number));
    }
    if (c->lower >= 0) {
        step(c, STRATA_STEP_RECV_BLOCKS, c->lower, segment_set(c, c->from_lower, number));
    }
}

static void combine(const struct pipeline *c, struct lies from, int number)
{
    int into = segment_set(c, c->result, number);
    strata_build_step(c->b, (struct strata_step){.op = STRATA_STEP_REDUCE,
                                                 .set = into,
                                                 .set_step = 1,
                                                 .from = segment_set(c, from, number)});
}

/* Combines the segments that have come with mine: mine is on the left of the higher ranks'
 * result. */
static void complete(const struct pipeline *c, bool reduces, int number)
{
    strata_build_wait(c->b, 0);
    if (reduces && c->higher >= 0) {
        combine(c, c->input, number);
    }
    if (reduces && c->lower >= 0) {
        combine(c, c->from_lower, number);
    }
}

static void send(const struct pipeline *c, int number)
{
    if (c->next >= 0) {
        step(c, STRATA_STEP_SEND_BLOCKS, c->next, segment_set(c, c->result, number));
    }
}

static void build_end(const struct pipeline *c, bool reduces)
{
    strata_build_repeat(c->b, c->segments);
    receive(c, 0);
    send(c, 0);
    complete(c, reduces, 0);
    strata_build_end(c->b);
}

static void build_link(const struct pipeline *c, bool reduces)
{
    receive(c, 0);
    complete(c, reduces, 0);
    if (c->segments > 1) {
        strata_build_repeat(c->b, c->segments - 1);
        receive(c, 1);
        send(c, 0);
        complete(c, reduces, 1);
        strata_build_end(c->b);
    }
    send(c, c->segments - 1);
    strata_build_wait(c->b, 0);
}

static void build_links(const struct pipeline *c, bool reduces)
{
    bool receives = c->higher >= 0 || c->lower >= 0;
    if (receives && c->next >= 0) {
        build_link(c, reduces);
    } else if (receives || c->next >= 0) {
        build_end(c, reduces);
    }
}

/* The neighbours around the ring that begins at the root. */
static void find_ring(const struct strata_problem *problem, int *towards_root, int *away)
{
    int ranks = problem->flat->ranks, rank = problem->rank, root = problem->root;
    int after = rank + 1 < ranks ? rank + 1 : 0;
    *towards_root = rank == root ? -1 : rank > 0 ? rank - 1 : ranks - 1;
    *away = after == root ? -1 : after;
}

static void build_bcast(const struct strata_problem *problem, struct pipeline *c)
{
    strata_build_blocks(c->b, (struct strata_blocks){.count = c->segments});
    c->result = (struct lies){STRATA_OUTPUT, c->segments, 0};
    find_ring(problem, &c->higher, &c->next);
    build_links(c, false);
}

static void find_ordered(const struct strata_problem *problem, struct pipeline *c)
{
    int last = problem->flat->ranks - 1, rank = problem->rank, root = problem->root;
    c->higher = rank >= root && rank < last ? rank + 1 : -1;
    c->lower = rank <= root && rank > 0 ? rank - 1 : -1;
    c->next = rank > root ? rank - 1 : rank < root ? rank + 1 : -1;
}

static int whole(const struct pipeline *c, struct lies at)
{
    struct strata_box box = strata_box_range(at.space, at.first, c->segments);
    return strata_build_set(c->b, strata_box_in(at.store, box));
}

/* Whether the root receives into its output while its input is still needed. */
static bool output_early(const struct strata_problem *problem)
{
    int last = problem->flat->ranks - 1;
    return last > 0 && (problem->commutative || problem->root < last);
}

/* The result grows in the vector from higher ranks, else in a copy of my input. At the far end of
 * the pipeline it is my input. */
static void place_results(const struct strata_problem *problem, struct pipeline *c)
{
    int segments = c->segments;
    bool root = c->next < 0, work = !root && (c->higher >= 0 || c->lower >= 0);
    int blocks = segments * (work + (c->lower >= 0));
    strata_build_blocks(c->b, (struct strata_blocks){.count = segments,
                                                     .work = blocks,
                                                     .keeps_input = output_early(problem)});
    c->input = (struct lies){STRATA_INPUT, segments, 0};
    c->from_lower = (struct lies){STRATA_WORK, blocks, blocks - segments};
    c->result = root   ? (struct lies){STRATA_OUTPUT, segments, 0}
                : work ? (struct lies){STRATA_WORK, blocks, 0}
                       : c->input;
    if (c->higher < 0 && (root || work)) {
        strata_build_copy(c->b, whole(c, c->input), whole(c, c->result));
    }
}

static void build_reduce(const struct strata_problem *problem, struct pipeline *c)
{
    if (problem->commutative) {
        find_ring(problem, &c->next, &c->higher);
    } else {
        find_ordered(problem, c);
    }
    place_results(problem, c);
    build_links(c, true);
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    struct pipeline c = {
        .b = b, .segments = problem->parameter[0], .higher = -1, .lower = -1, .next = -1};
    if (problem->collective == STRATA_BCAST) {
        build_bcast(problem, &c);
    } else {
        build_reduce(problem, &c);
    }
}

/* In order: the ranks between rank 0 and the root copy their input, and so does a root without
 * higher ranks. */
static bool copies(const struct strata_problem *problem)
{
    int last = problem->flat->ranks - 1, root = problem->root;
    return last == 0 || (!problem->commutative && (root > 1 || root == last));
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    int last = problem->flat->ranks - 1, root = problem->root;
    bool reduces = problem->collective == STRATA_REDUCE;
    struct strata_formula f = {.copied = reduces && copies(problem)};
    if (last > 0) {
        bool both_ways = !problem->commutative && root > 0 && root < last;
        f.rounds = problem->parameter[0] + hops(problem) - 1;
        f.messages = problem->parameter[0];
        f.blocks = 1;
        f.reduced = !reduces ? 0 : both_ways ? 2 : 1;
    }
    return f;
}

/* Along rows the vector leaves each node but the last once. The first segment goes all the way, and
 * the others follow as fast as the slowest kind of link lets them. */
static struct strata_cost cost_in_rows(const struct strata_problem *problem,
                                       const struct strata_machine *machine)
{
    double segments = problem->parameter[0], behind = segments - 1;
    double far = fmin(problem->topology->nodes - 1, hops(problem)), near = hops(problem) - far;
    struct strata_cost total = {0};
    for (int slow = 0; slow < 2; slow++) {
        double here = far + (slow ? 0 : behind), there = near + (slow ? behind : 0);
        struct strata_formula between = {here, here, here / segments, .copied = 0};
        struct strata_formula inside = {there, there, there / segments, .copied = 0};
        struct strata_cost cost =
            strata_rows_cost(&between, &inside, problem->block_bytes, machine);
        total = strata_cost_time(&cost) > strata_cost_time(&total) ? cost : total;
    }
    return total;
}

/* A segment in each round, also in those in which the last rank waits for its first. A rank with
 * neighbours on both sides waits in each round until both are ready: the one that sends to it, and
 * the one that receives from it. */
static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    struct strata_formula f = formula(problem);
    struct strata_machine waiting = *machine;
    double vectors = f.rounds / problem->parameter[0];
    f.reduced *= vectors;
    if (hops(problem) > 1) {
        waiting.rendezvous *= 2;
    }
    if (strata_in_rows(problem, machine)) {
        struct strata_cost total = cost_in_rows(problem, &waiting);
        strata_formula_work(&total, &f, problem->block_bytes, machine);
        return total;
    }
    return strata_path_cost(f, f.rounds, vectors, problem, &waiting);
}

const struct strata_algorithm strata_pipeline = {
    .name = "pipeline",
    .collectives = 1u << STRATA_BCAST | 1u << STRATA_REDUCE,
    .level = STRATA_FLAT,
    .outward = true,
    .classic = true,
    .knows_nodes = true,
    .keeps_order = true,
    .summary = "from rank to rank in segments, all links busy at once",
    .paper = "Pjesivac-Grbovic et al., Cluster Computing 10(2), 2007",
    .title = "Performance Analysis of MPI Collective Operations",
    .restrictions = "none",
    .rounds_text = "S + h - 1 for S segments and h links: h = P-1, or for an ordered reduction the "
                   "longer of the two ways to the root",
    .volume_text = "1 vector",
    .scratch_text = "reduce: a vector, on the ordered way two",
    .parameters =
        {{"segments", 0, 1, 65536, {4, 16, 64, 256}, "parts the vector is cut into", {NULL}}},
    .applicable = applicable,
    .cost = cost,
    .build = build,
    .formula = formula,
};
