/* Reductions from left to right in one node: everybody copies its operands into its slot; the
 * leader of a share takes it out of all slots in the order of ranks and combines it with what came
 * before, and puts the result into its slot in place of its own operands, which nobody else reads.
 * Those who need the whole result copy the shares out from there.
 *
 * What comes of it is ((x0 o x1) o x2) o ..., so results depend on the ranks' data alone. As an
 * operand is written over where it is combined, and others' slots are only read, each is copied to
 * private memory first: to two places in turn, the last of which is the result's.
 *
 * Paper: none; shares with leaders are those of DPML (Bayatpour et al., SC 2017).
 * Rounds: none. Volume: inside a node no message. Scratch: a pass in each place of each slot; a
 *         leader has a vector, of a reduce two.
 * Restrictions: one node of several ranks; operands without gaps, of at most 64 bytes. */
#include "core/price/lines.h"
#include "hier/node_segments.h"
#include "hier/registry.h"

enum { LEADERS, SEGMENT };

static struct strata_segments_shape shape_of(const struct strata_problem *problem)
{
    int largest = problem->topology->largest, leaders = problem->parameter[LEADERS];
    return (struct strata_segments_shape){.lanes = leaders < largest ? leaders : largest,
                                          .most = strata_segments_bytes(problem, SEGMENT),
                                          .work =
                                              1 + strata_collective_rooted(problem->collective)};
}

static const char *applicable(const struct strata_problem *problem)
{
    struct strata_segments_shape shape = shape_of(problem);
    return strata_segments_refusal(problem, &shape);
}

static bool gets(const struct strata_problem *problem)
{
    return problem->collective == STRATA_ALLREDUCE || problem->rank == problem->root;
}

/* Whether another member gets the result. */
static bool mates_get(const struct strata_problem *problem)
{
    return problem->collective == STRATA_ALLREDUCE || problem->rank != problem->root;
}

/* A share of all members, to `result`. */
static void fold(const struct strata_segments *s, int lane, struct strata_vector result)
{
    const struct strata_vector spare = {STRATA_WORK, 0};
    struct strata_box left = strata_segments_slot(s, 0, lane, 1);
    for (int member = 1; member < s->members; member++) {
        bool last = (s->members - 1 - member) % 2 == 0;
        struct strata_box into = strata_segments_in(s, last ? result : spare, lane, 1);
        strata_segments_copy(s, strata_segments_slot(s, member, lane, 1), into);
        strata_segments_reduce(s, left, into);
        left = into;
    }
}

static void lead(const struct strata_segments *s)
{
    struct strata_vector result = {STRATA_OUTPUT, 0};
    if (!gets(s->problem)) {
        result = (struct strata_vector){STRATA_WORK, 1};
    }
    strata_build_await(s->b, STRATA_ALL_MEMBERS, STRATA_SIGNAL_ARRIVED);
    for (int lane = 0; lane < s->lanes; lane++) {
        if (strata_segments_lead(s, lane)) {
            strata_build_phase(s->b, "share %d from left to right", lane);
            fold(s, lane, result);
            if (mates_get(s->problem)) {
                strata_segments_copy(s, strata_segments_in(s, result, lane, 1),
                                     strata_segments_slot(s, s->me, lane, 1));
            }
        }
    }
    strata_build_signal(s->b, STRATA_SIGNAL_RELEASED);
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    struct strata_segments_shape shape = shape_of(problem);
    struct strata_segments s;
    strata_segments_begin(&s, problem, &shape, b);
    strata_segments_hand_in(&s);
    if (strata_segments_leads(&s)) {
        lead(&s);
    }
    if (gets(problem)) {
        strata_segments_copy_out(&s, STRATA_SIGNAL_RELEASED);
    }
    strata_segments_end(&s);
}

static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    struct strata_segments_shape shape = shape_of(problem);
    int passes = strata_segments_passes(problem, shape.most);
    int members = problem->topology->largest;
    double pass = problem->block_bytes / passes, share = pass / shape.lanes;
    struct strata_machine leading = strata_machine_contended(machine, shape.lanes);
    struct strata_cost total = {0};
    strata_cost_copy(&total, pass, 1, machine);
    strata_cost_sweep(&total, members - 1, machine);
    strata_cost_slot(&total, pass, machine);
    strata_cost_copy(&total, (members - 1) * share, members - 1, &leading);
    strata_cost_reduce(&total, (members - 1) * share, &leading);
    if (problem->collective == STRATA_ALLREDUCE || shape.lanes > 1) {
        strata_cost_copy(&total, share, 1, machine);
        strata_segments_copy_out_cost(&total, problem, shape.lanes, pass, machine);
    }
    strata_cost_scale(&total, passes);
    return total;
}

const struct strata_algorithm strata_node_fold = {
    .name = "node_fold",
    .collectives = 1u << STRATA_ALLREDUCE | 1u << STRATA_REDUCE,
    .level = STRATA_NODE_AWARE,
    .keeps_order = true,
    .left_fold = true,
    .summary = "operands in shared memory; a leader for each share combines it from left to right",
    .paper = "none; shares as in DPML, SC 2017",
    .restrictions = "one node of several ranks; operands without gaps, of at most 64 bytes",
    .rounds_text = "none",
    .volume_text = "inside a node no message",
    .scratch_text = "a pass in each place of each slot; a leader has a vector, of a reduce two",
    .parameters = {{.name = "leaders",
                    .least = 1,
                    .most = 65536,
                    .choices = {1, 2, 3, 4, 8, 16, 64},
                    .meaning = "shares, each with a leader"},
                   STRATA_SEGMENT_PARAMETER},
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
