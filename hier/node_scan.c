/* Scan and exscan through the node: each member copies its operands into its slot. It combines the
 * operands of its node's ranks up to itself in a scan, and before itself in an exscan.
 *
 * Meanwhile the nodes' leaders combine all operands of their node and run an exscan between the
 * nodes. Its result is the combination of all ranks of earlier nodes. It goes through the leader's
 * slot, as soon as all members have read the operands there, and each member combines it with its
 * own result. The scan over nodes is ours.
 *
 * The native scan sends short vectors ahead along the ranks, so the first ranks wait for none. For
 * long vectors in one node it combines two vectors on each rank, where here a rank combines as many
 * as come before it. The sizes in hier/tuning.c leave both to it. */
#include "core/cost/lines.h"
#include "hier/node_segments.h"
#include "hier/registry.h"
#include "internode/titles.h"

enum { BETWEEN, SEGMENT };

/* A leader's work vectors: the combination of its node, and that of earlier nodes. */
static const struct strata_vector whole = {STRATA_WORK, 0}, earlier = {STRATA_WORK, 1};
enum { VECTORS = 2 };

static const struct strata_algorithm *between_at(int number)
{
    return strata_between_at(1u << STRATA_EXSCAN, number);
}

static struct strata_segments_shape shape_of(const struct strata_problem *problem)
{
    return (struct strata_segments_shape){.lanes = 1,
                                          .most = strata_segments_bytes(problem, SEGMENT),
                                          .collective = STRATA_EXSCAN,
                                          .between = between_at(problem->parameter[BETWEEN]),
                                          .variant = 1,
                                          .work = problem->topology->nodes > 1 ? VECTORS : 0};
}

static const char *applicable(const struct strata_problem *problem)
{
    struct strata_segments_shape shape = shape_of(problem);
    return strata_segments_refusal(problem, &shape);
}

static int node_of(const struct strata_segments *s)
{
    return s->problem->topology->node_of[s->problem->rank];
}

/* Whether my node's operands count in another's results. */
static bool before_others(const struct strata_segments *s)
{
    return node_of(s) < s->problem->topology->nodes - 1;
}

/* Members of my node that count in my result. */
static int counted(const struct strata_segments *s)
{
    return s->me + (s->problem->collective == STRATA_SCAN);
}

static struct strata_box operands(const struct strata_segments *s, int member)
{
    struct strata_vector input = {STRATA_INPUT, 0};
    return member == s->me ? strata_segments_in(s, input, 0, 1)
                           : strata_segments_slot(s, member, 0, 1);
}

/* Combines the operands of members 0 .. count-1. */
static void combine(const struct strata_segments *s, int count, struct strata_vector vector)
{
    struct strata_box into = strata_segments_in(s, vector, 0, 1);
    strata_segments_copy(s, operands(s, count - 1), into);
    for (int member = count - 2; member >= 0; member--) {
        strata_segments_reduce(s, operands(s, member), into);
    }
}

/* Copies my operands to my slot, if any member reads them there. A member that combines the result
 * of earlier nodes afterwards awaits all members first, and so does a leader that needs all
 * operands. */
static void share_operands(const struct strata_segments *s)
{
    bool read = s->me < s->members - 1 || (s->me > 0 && before_others(s));
    strata_build_phase(s->b, "my operands");
    if (read) {
        strata_segments_copy(s, operands(s, s->me), strata_segments_slot(s, s->me, 0, 1));
    }
    if (read || node_of(s) > 0) {
        strata_build_signal(s->b, STRATA_SIGNAL_ARRIVED);
    }
    if (node_of(s) > 0 || (s->me == 0 && s->members > 1 && before_others(s))) {
        strata_build_await(s->b, STRATA_ALL_MEMBERS, STRATA_SIGNAL_ARRIVED);
        return;
    }
    for (int member = 0; member < s->me; member++) {
        strata_build_await(s->b, member, STRATA_SIGNAL_ARRIVED);
    }
}

/* Combines the result of earlier nodes, which lies at `from`, with mine from the left. */
static void combine_earlier(const struct strata_segments *s, struct strata_box from)
{
    struct strata_box mine = strata_segments_in(s, (struct strata_vector){STRATA_OUTPUT, 0}, 0, 1);
    if (counted(s) > 0) {
        strata_segments_reduce(s, from, mine);
    } else {
        strata_segments_copy(s, from, mine);
    }
}

/* The leader's slot holds its operands until all have read them. */
static void take_earlier(const struct strata_segments *s)
{
    struct strata_box slot = strata_segments_slot(s, 0, 0, 1);
    strata_build_phase(s->b, "earlier nodes'");
    strata_build_signal(s->b, STRATA_SIGNAL_RELEASED);
    if (s->me > 0) {
        strata_build_await(s->b, 0, STRATA_SIGNAL_DONE);
        combine_earlier(s, slot);
        return;
    }
    struct strata_box mine = strata_segments_in(s, earlier, 0, 1);
    if (s->members > 1) {
        strata_build_await(s->b, STRATA_ALL_MEMBERS, STRATA_SIGNAL_RELEASED);
        strata_segments_copy(s, mine, slot);
        strata_build_signal(s->b, STRATA_SIGNAL_DONE);
    }
    combine_earlier(s, mine);
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    struct strata_segments_shape shape = shape_of(problem);
    struct strata_vector output = {STRATA_OUTPUT, 0};
    struct strata_segments s;
    strata_segments_begin(&s, problem, &shape, b);
    share_operands(&s);
    if (s.me == 0 && problem->topology->nodes > 1) {
        strata_build_phase(b, "my node's");
        if (before_others(&s)) {
            combine(&s, s.members, whole);
        }
        strata_segments_exchange(&s, 0, whole, earlier);
    }
    if (counted(&s) > 0) {
        strata_build_phase(b, "up to me");
        combine(&s, counted(&s), output);
    }
    if (node_of(&s) > 0) {
        take_earlier(&s);
    }
    strata_segments_end(&s);
}

static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    struct strata_segments_shape shape = shape_of(problem);
    int passes = strata_segments_passes(problem, shape.most),
        others = problem->topology->largest - 1;
    double pass = problem->block_bytes / passes;
    struct strata_cost total = {0};
    strata_cost_copy(&total, pass, 1, machine);
    strata_cost_sweep(&total, others, machine);
    strata_cost_slot(&total, pass, machine);
    strata_segments_combine_cost(&total, problem, pass, machine);
    if (problem->topology->nodes > 1) {
        strata_segments_combine_cost(&total, problem, pass, machine);
        strata_cost_sweep(&total, others, machine);
        strata_cost_copy(&total, pass, 1, machine);
        strata_cost_signal(&total, 1, machine);
        strata_cost_slot(&total, pass, machine);
        strata_cost_reduce(&total, pass, machine);
    }
    strata_cost_scale(&total, passes);
    strata_segments_exchange_cost(&total, problem, &shape, pass, machine);
    return total;
}

const struct strata_algorithm strata_node_scan = {
    .name = "node_scan",
    .collectives = 1u << STRATA_SCAN | 1u << STRATA_EXSCAN,
    .level = STRATA_NODE_AWARE,
    .keeps_order = true,
    .summary =
        "operands in shared memory, combined up to each rank; an exscan between node leaders",
    .paper = "Graham and Shipman, shared memory collectives, EuroPVM/MPI 2008",
    .title = STRATA_TITLE_GRAHAM,
    .restrictions =
        "nodes have several ranks, which follow each other; operands without gaps, of at "
        "most 64 bytes",
    .rounds_text = "those of the exscan between the nodes",
    .volume_text = "that of the exscan between the nodes; inside a node no message",
    .scratch_text =
        "a segment in each place of each slot; a leader two vectors, and the scratch of the exscan",
    .parameters = {{.name = "between",
                    .least = 1,
                    .meaning = "the exscan between nodes",
                    .algorithm = between_at},
                   STRATA_SEGMENT_PARAMETER},
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
