/* Reductions with a leader for each share (DPML): each member copies its operands into its slot.
 * The leader of a share combines it, reduces it with the leaders of that share on other nodes by
 * any flat reduction, and puts the result into its slot in place of its own operands, which no
 * other member reads. Members that need the whole result copy the shares out from there. That the
 * reduction between nodes may be any flat one is ours.
 *
 * With one leader there is one share, and only that leader works while the others wait. With as
 * many leaders as members all of them work, and all of a node's ranks drive its network. */
#include "core/cost/lines.h"
#include "hier/node_segments.h"
#include "hier/registry.h"
#include "internode/titles.h"

enum { LEADERS, BETWEEN, SEGMENT };

static const struct strata_algorithm *between_at(int number)
{
    return strata_between_at(1u << STRATA_ALLREDUCE | 1u << STRATA_REDUCE, number);
}

static bool across(const struct strata_problem *problem)
{
    return problem->topology->nodes > 1;
}

static struct strata_segments_shape shape_of(const struct strata_problem *problem)
{
    int largest = problem->topology->largest, leaders = problem->parameter[LEADERS];
    return (struct strata_segments_shape){.lanes = leaders < largest ? leaders : largest,
                                          .most = strata_segments_bytes(problem, SEGMENT),
                                          .collective = problem->collective,
                                          .between = between_at(problem->parameter[BETWEEN]),
                                          .variant = 1,
                                          .work = across(problem) +
                                                  strata_collective_rooted(problem->collective)};
}

static const char *applicable(const struct strata_problem *problem)
{
    struct strata_segments_shape shape = shape_of(problem);
    return strata_segments_refusal(problem, &shape);
}

/* Whether this rank gets the result, and whether another of its node does. */
static bool gets(const struct strata_problem *problem)
{
    return problem->collective == STRATA_ALLREDUCE || problem->rank == problem->root;
}

static bool peers_get(const struct strata_segments *s)
{
    const int *node_of = s->problem->topology->node_of;
    int rank = s->problem->rank, root = s->problem->root;
    return s->problem->collective == STRATA_ALLREDUCE
               ? s->members > 1
               : rank != root && node_of[rank] == node_of[root];
}

/* Reduces a leader's share: that of its node, then that of all nodes. Leaves it where the result
 * belongs, and in the leader's slot for the members that need it. */
static void reduce_share(const struct strata_segments *s, int lane)
{
    const struct strata_problem *problem = s->problem;
    struct strata_vector combined = {STRATA_WORK, 0}, result = {STRATA_OUTPUT, 0};
    if (!gets(problem)) {
        result = (struct strata_vector){STRATA_WORK, across(problem)};
    }
    strata_build_phase(s->b, "combine share %d", lane);
    strata_segments_combine(s, lane, across(problem) ? combined : result);
    strata_segments_exchange(s, lane, combined, result);
    if (peers_get(s)) {
        strata_segments_copy(s, strata_segments_in(s, result, lane, 1),
                             strata_segments_slot(s, s->me, lane, 1));
    }
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    struct strata_segments_shape shape = shape_of(problem);
    enum strata_signal combined = across(problem) ? STRATA_SIGNAL_DONE : STRATA_SIGNAL_RELEASED;
    struct strata_segments s;
    strata_segments_begin(&s, problem, &shape, b);
    strata_segments_hand_in(&s);
    if (strata_segments_leads(&s)) {
        strata_build_await(b, STRATA_ALL_MEMBERS, STRATA_SIGNAL_ARRIVED);
        for (int lane = 0; lane < s.lanes; lane++) {
            if (strata_segments_lead(&s, lane)) {
                reduce_share(&s, lane);
            }
        }
        strata_build_signal(b, combined);
    }
    if (gets(problem)) {
        strata_segments_copy_out(&s, combined);
    }
    strata_segments_end(&s);
}

/* The cost of a leader, with several lanes where a node has fewer ranks than lanes. Then it copies
 * the others' shares out. From combining to the copy into its slot only leaders work. Meanwhile
 * the other members need no core. */
static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    struct strata_segments_shape shape = shape_of(problem);
    int passes = strata_segments_passes(problem, shape.most);
    int members = problem->topology->largest;
    double pass = problem->block_bytes / passes, share = pass / shape.lanes;
    bool out = problem->collective == STRATA_ALLREDUCE || shape.lanes > 1;
    struct strata_machine leading = strata_machine_contended(machine, shape.lanes);
    struct strata_cost total = {0};
    strata_cost_copy(&total, pass, 1, machine);
    strata_cost_sweep(&total, members - 1, machine);
    strata_cost_slot(&total, pass, machine);
    strata_segments_combine_cost(&total, problem, share, &leading);
    if (out) {
        strata_cost_copy(&total, share, 1, &leading);
        strata_segments_copy_out_cost(&total, problem, shape.lanes, pass, machine);
    }
    strata_cost_scale(&total, passes);
    strata_segments_exchange_cost(&total, problem, &shape, share, machine);
    return total;
}

const struct strata_algorithm strata_dpml = {
    .name = "dpml",
    .collectives = 1u << STRATA_ALLREDUCE | 1u << STRATA_REDUCE,
    .level = STRATA_NODE_AWARE,
    .outward = true,
    .keeps_order = true,
    .left_fold = true,
    .summary = "operands in shared memory; a leader for each share, which node leaders reduce",
    .paper = "Bayatpour et al., multi-leader reductions (DPML), SC 2017",
    .title = STRATA_TITLE_DPML,
    .restrictions = "nodes have several ranks; operands without gaps, of at most 64 bytes; ordered "
                    "only where a node's ranks follow each other",
    .rounds_text = "those of the reduction between the nodes, on each lane",
    .volume_text = "that of the reduction between the nodes; inside a node no message",
    .scratch_text = "a pass in each place of each slot; a leader one or two vectors, and the "
                    "scratch of the reduction between the nodes",
    .parameters = {{.name = "leaders",
                    .outward = 1,
                    .least = 1,
                    .most = 65536,
                    .choices = {1, 2, 3, 4, 8, 16, 64},
                    .meaning = "shares, each with a leader"},
                   {.name = "between",
                    .least = 1,
                    .meaning = "the reduction between nodes",
                    .algorithm = between_at},
                   STRATA_SEGMENT_PARAMETER},
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
