#include "hier/node_segments.h"

#include <assert.h>
#include <math.h>

#include "core/cost/algorithm_cost.h"
#include "core/cost/formula_cost.h"
#include "core/cost/lines.h"
#include "core/cost/links.h"
#include "core/plan/embed.h"
#include "core/plan/formats.h"

/* Flat algorithms cut a share into at most as many segments as there are nodes, or into a few. */
enum { MOST_PASSES = 1 << 20, LEAST_SHARE = 8 };

/* The work blocks of an exchange are at most so many times its segments. */
enum { MOST_WORK = 32 };

_Static_assert(STRATA_SLOT_OPERAND <= STRATA_CACHE_LINE, "a pass has room for one more");

size_t strata_segments_capacity(size_t slot)
{
    size_t head = STRATA_SHARED_HEAD + STRATA_CACHE_LINE;
    return slot > head ? slot - head : 0;
}

/* The most bytes that passes through slots of that size may have on average: some are longer by
 * less than an operand. */
static size_t longest_mean(size_t slot, size_t most)
{
    size_t room = strata_segments_capacity(slot);
    return most > 0 && most < room ? most : room;
}

int strata_segments_passes(const struct strata_problem *problem, size_t most)
{
    size_t mean = longest_mean(problem->capacity.slot, most), vector = problem->most_bytes;
    size_t passes = mean == 0 ? 0 : vector > 0 ? (vector - 1) / mean + 1 : 1;
    return passes <= MOST_PASSES ? (int)passes : 0;
}

size_t strata_segments_slice(const struct strata_problem *problem)
{
    return strata_segments_capacity(problem->capacity.slot) / (size_t)problem->topology->ranks;
}

enum strata_ring_kind strata_segments_ring(const struct strata_problem *problem, size_t most)
{
    size_t small = longest_mean(problem->capacity.small, most);
    size_t middle = longest_mean(problem->capacity.middle, most);
    return small > 0 && problem->most_bytes <= small     ? STRATA_SMALL_RING
           : middle > 0 && problem->most_bytes <= middle ? STRATA_MIDDLE_RING
                                                         : STRATA_LARGE_RING;
}

/* Whether the order of ranks counts. */
static bool ordered(const struct strata_problem *problem)
{
    enum strata_result result = strata_collective_info[problem->collective].result;
    return result != STRATA_COPIED && (result != STRATA_REDUCED || !problem->commutative);
}

static const char *between_refusal(const struct strata_problem *problem,
                                   const struct strata_segments_shape *shape)
{
    struct strata_between between;
    if (ordered(problem) && !strata_topology_in_order(problem->topology)) {
        return "the order of ranks counts, and the ranks of a node do not follow each other";
    }
    strata_between_of(&between, problem, shape->collective, shape->between, shape->variant);
    return strata_between_refusal(&between);
}

static int passes_of(const struct strata_problem *problem,
                     const struct strata_segments_shape *shape)
{
    return shape->once ? 1 : strata_segments_passes(problem, shape->most);
}

/* A 64-bit number, because products of it may exceed an int. */
static int64_t most_share(const struct strata_topology *t)
{
    return t->nodes > LEAST_SHARE ? t->nodes : LEAST_SHARE;
}

const char *strata_segments_refusal(const struct strata_problem *problem,
                                    const struct strata_segments_shape *shape)
{
    const struct strata_topology *t = problem->topology;
    int passes = passes_of(problem, shape);
    if (t->nodes > 1 && !shape->between) {
        return "there are several nodes";
    }
    if (t->nodes == t->ranks) {
        return t->ranks == 1 ? "there is one rank" : "every rank has a node of its own";
    }
    if (problem->bulky) {
        return "the operands are too long for slots";
    }
    if (shape->once ? problem->capacity.slot < STRATA_SHARED_HEAD
                    : longest_mean(problem->capacity.slot, shape->most) == 0) {
        return "no segment fits in a slot of the node's shared memory";
    }
    int64_t vectors = shape->work + (t->nodes > 1 ? MOST_WORK : 0);
    vectors = vectors > t->largest ? vectors : t->largest;
    if (passes == 0 || passes * most_share(t) * shape->lanes * vectors > INT32_MAX) {
        return "the vector has too many segments";
    }
    return t->nodes > 1 ? between_refusal(problem, shape) : NULL;
}

/* The number of vectors that hold the work blocks of the exchange. */
static int exchange_work(const struct strata_segments *s)
{
    const struct strata_blocks *blocks = s->exchange ? &s->exchange->blocks : NULL;
    return blocks && blocks->work > 0
               ? (blocks->work_first + blocks->work + blocks->count - 1) / blocks->count
               : 0;
}

void strata_segments_begin(struct strata_segments *s, const struct strata_problem *problem,
                           const struct strata_segments_shape *shape, struct strata_builder *b)
{
    const struct strata_topology *t = problem->topology;
    *s =
        (struct strata_segments){.problem = problem,
                                 .b = b,
                                 .lanes = shape->lanes,
                                 .share = 1,
                                 .passes = passes_of(problem, shape),
                                 .members = strata_topology_node_size(t, t->node_of[problem->rank]),
                                 .me = t->local_of[problem->rank]};
    if (t->nodes > 1) {
        strata_between_of(&s->between, problem, shape->collective, shape->between, shape->variant);
        s->exchange = strata_between_plan(&s->between, b);
        s->share = s->exchange ? s->exchange->blocks.count : 1;
    }
    if (strata_segments_leads(s)) {
        s->own = shape->work;
        s->work = s->own + exchange_work(s);
    }
    assert((s->work - s->own) * s->share <= MOST_WORK * most_share(t)); /* as none was refused */
    int slot = s->lanes * s->share, vector = slot * s->passes;
    strata_build_limits(b, (struct strata_limits){.passes = s->passes});
    enum strata_ring_kind ring = strata_segments_ring(problem, shape->most);
    strata_build_blocks(b, (struct strata_blocks){.count = vector,
                                                  .slot = slot,
                                                  .ring = (uint8_t)ring,
                                                  .work = s->work * vector,
                                                  .once = shape->once});
    strata_build_passes(b);
}

void strata_segments_end(struct strata_segments *s)
{
    strata_build_end(s->b);
    strata_plan_destroy(s->exchange);
}

bool strata_segments_lead(const struct strata_segments *s, int lane)
{
    int node = s->problem->topology->node_of[s->problem->rank];
    return strata_between_leader(s->problem, node, lane) == s->me;
}

bool strata_segments_leads(const struct strata_segments *s)
{
    int lane = 0;
    while (lane < s->lanes && !strata_segments_lead(s, lane)) {
        lane++;
    }
    return lane < s->lanes;
}

/* Segments first .. first+count-1 of a pass. */
static struct strata_box segments_in(const struct strata_segments *s, struct strata_vector vector,
                                     int first, int count)
{
    int whole = s->lanes * s->share * s->passes;
    int space = vector.store == STRATA_WORK   ? s->work * whole
                : vector.store == STRATA_SLOT ? s->members * whole
                                              : whole;
    return strata_box_in(vector.store,
                         strata_box_range(space, vector.number * whole + first, count));
}

struct strata_box strata_segments_in(const struct strata_segments *s, struct strata_vector vector,
                                     int first, int count)
{
    return segments_in(s, vector, first * s->share, count * s->share);
}

struct strata_box strata_segments_slot(const struct strata_segments *s, int member, int first,
                                       int count)
{
    int whole = s->lanes * s->share * s->passes;
    struct strata_box shares =
        strata_box_range(s->members * whole, member * whole + first * s->share, count * s->share);
    return strata_box_in(STRATA_SLOT, shares);
}

static void move(const struct strata_segments *s, struct strata_step step, struct strata_box from,
                 struct strata_box into)
{
    step.from = strata_build_set(s->b, from);
    step.set = strata_build_set(s->b, into);
    step.set_step = s->lanes * s->share;
    strata_build_step(s->b, step);
}

void strata_segments_copy(const struct strata_segments *s, struct strata_box from,
                          struct strata_box into)
{
    move(s, (struct strata_step){.op = STRATA_STEP_COPY, .workshare = 1}, from, into);
}

void strata_segments_reduce(const struct strata_segments *s, struct strata_box from,
                            struct strata_box into)
{
    move(s, (struct strata_step){.op = STRATA_STEP_REDUCE}, from, into);
}

void strata_segments_fold(const struct strata_segments *s, struct strata_box from,
                          struct strata_box into)
{
    move(s, (struct strata_step){.op = STRATA_STEP_FOLD}, from, into);
}

void strata_segments_hand_in(const struct strata_segments *s)
{
    struct strata_vector input = {STRATA_INPUT, 0};
    strata_build_phase(s->b, "my operands");
    strata_segments_copy(s, strata_segments_in(s, input, 0, s->lanes),
                         strata_segments_slot(s, s->me, 0, s->lanes));
    strata_build_signal(s->b, STRATA_SIGNAL_ARRIVED);
}

/* Where all members lead, all flags are read side by side; else only leaders signal more than their
 * arrival. */
void strata_segments_copy_out(const struct strata_segments *s, enum strata_signal signal)
{
    int node = s->problem->topology->node_of[s->problem->rank];
    bool all_lead = s->lanes >= s->members;
    struct strata_vector output = {STRATA_OUTPUT, 0};
    strata_build_phase(s->b, "copy out");
    if (all_lead) {
        strata_build_await(s->b, STRATA_ALL_MEMBERS, signal);
    }
    for (int lane = 0; lane < s->lanes; lane++) {
        int leader = strata_between_leader(s->problem, node, lane);
        if (leader != s->me) {
            if (!all_lead) {
                strata_build_await(s->b, leader, signal);
            }
            strata_segments_copy(s, strata_segments_slot(s, leader, lane, 1),
                                 strata_segments_in(s, output, lane, 1));
        }
    }
}

void strata_segments_combine(const struct strata_segments *s, int lane, struct strata_vector into)
{
    struct strata_box box = strata_segments_in(s, into, lane, 1);
    strata_segments_copy(s, strata_segments_slot(s, 0, lane, 1), box);
    for (int member = 1; member < s->members; member++) {
        strata_segments_fold(s, strata_segments_slot(s, member, lane, 1), box);
    }
}

void strata_segments_combine_with_own(const struct strata_segments *s, int lane,
                                      struct strata_vector into)
{
    struct strata_vector input = {STRATA_INPUT, 0};
    struct strata_box box = strata_segments_in(s, into, lane, 1);
    strata_segments_copy(s, strata_segments_in(s, input, lane, 1), box);
    if (s->me == 1) {
        strata_segments_reduce(s, strata_segments_slot(s, 0, lane, 1), box);
    }
    for (int member = s->me == 1 ? 2 : 1; member < s->members; member++) {
        strata_segments_fold(s, strata_segments_slot(s, member, lane, 1), box);
    }
}

/* --- between the nodes --------------------------------------------------------------------- */

struct exchange {
    const struct strata_segments *s;
    struct strata_vector input, output;
    int lane;
};

static int leader_of(const void *self, int node)
{
    const struct exchange *e = self;
    const struct strata_problem *problem = e->s->problem;
    return strata_topology_rank(problem->topology, node,
                                strata_between_leader(problem, node, e->lane));
}

/* A block of the exchange is a segment of the share. */
static struct strata_box share_of(const void *self, struct strata_run run, int *taken)
{
    const struct exchange *e = self;
    const struct strata_segments *s = e->s;
    struct strata_vector vector = run.store == STRATA_INPUT ? e->input : e->output;
    int first = run.first;
    *taken = run.count;
    if (run.store == STRATA_WORK) {
        int number = s->exchange->blocks.work_first + run.first, left;
        vector = (struct strata_vector){STRATA_WORK, s->own + number / s->share};
        first = number % s->share;
        left = s->share - first;
        *taken = run.count < left ? run.count : left;
    }
    return segments_in(s, vector, e->lane * s->share + first, *taken);
}

void strata_segments_exchange(const struct strata_segments *s, int lane, struct strata_vector input,
                              struct strata_vector output)
{
    struct exchange e = {s, input, output, lane};
    struct strata_embedding embedding = {
        .self = &e, .rank = leader_of, .box = share_of, .set_step = s->lanes * s->share};
    if (s->exchange) {
        strata_build_embedded(s->b, s->exchange, &embedding);
    }
}

/* --- costs --------------------------------------------------------------------------------- */

void strata_segments_combine_cost(struct strata_cost *total, const struct strata_problem *problem,
                                  double bytes, const struct strata_machine *machine)
{
    strata_cost_copy(total, bytes, 1, machine);
    strata_cost_reduce(total, (problem->topology->largest - 1) * bytes, machine);
}

void strata_segments_copy_out_cost(struct strata_cost *total, const struct strata_problem *problem,
                                   int lanes, double bytes, const struct strata_machine *machine)
{
    bool all_lead = lanes >= problem->topology->largest;
    int waits = all_lead ? 0 : lanes; /* of the last one, which does not lead */
    strata_cost_copy(total, bytes, lanes, machine);
    if (all_lead) {
        strata_cost_sweep(total, lanes - 1, machine);
        strata_cost_slot(total, bytes, machine);
    }
    for (int wait = 0; wait < waits; wait++) {
        strata_cost_signal(total, 1, machine);
        strata_cost_slot(total, bytes, machine);
    }
}

void strata_segments_exchange_cost(struct strata_cost *total, const struct strata_problem *problem,
                                   const struct strata_segments_shape *shape, double bytes,
                                   const struct strata_machine *machine)
{
    int passes = passes_of(problem, shape);
    struct strata_between between;
    if (problem->topology->nodes == 1) {
        return;
    }
    strata_between_of(&between, problem, shape->collective, shape->between, shape->variant);
    between.problem.block_bytes = bytes;
    between.nodes.largest = shape->lanes; /* ranks of a node that send at a time */
    struct strata_cost once = strata_algorithm_cost(between.algorithm, &between.problem, machine);
    /* Where ranks wait only for ranks nearer to the root, a pass begins before the last one
     * ends. */
    if (strata_collective_rooted(problem->collective) &&
        strata_algorithm_outward(between.algorithm, &between.problem)) {
        struct strata_formula formula = between.algorithm->formula(&between.problem);
        /* No rank waits for the last one, and a rank combines vectors that came by messages. */
        formula.rounds = fmin(formula.rounds, formula.messages);
        formula.blocks = fmax(formula.blocks, formula.reduced);
        formula.after = formula.ahead = 0;
        struct strata_machine contended = strata_machine_contended(machine, shape->lanes);
        strata_machine_route_mean(&contended, between.algorithm, &between.problem);
        struct strata_cost next = strata_formula_cost(&formula, bytes, &contended);
        strata_cost_scale(&next, passes - 1);
        strata_cost_add(total, &once);
        strata_cost_add(total, &next);
    } else {
        strata_cost_scale(&once, passes);
        strata_cost_add(total, &once);
    }
}
