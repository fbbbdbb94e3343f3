/* Broadcast through the node: leaders, the root among them, run any flat broadcast between the
 * nodes. Each leader copies segment after segment into its slot, and the other members of its node
 * copy them out.
 *
 * A leader waits for no member until its ring comes round to the same slot again: by then all
 * members must have left it. So a leader fills one slot while the members read another. This credit
 * of the ring is ours. In one node the native broadcast sends short vectors ahead over many calls,
 * and its root waits for no rank. The sizes in hier/tuning.c leave those to it.
 *
 * Where the result is to lie once in a node (node_bcast_once), the leader's slot is the result, of
 * any length: leaders exchange there, and the other members only wait for it. */
#include "core/cost/lines.h"
#include "core/engine/node_memory.h"
#include "core/plan/plan_sizes.h"
#include "hier/node_segments.h"
#include "hier/registry.h"
#include "internode/titles.h"

enum { BETWEEN, VARIANT, SEGMENT };

static const struct strata_algorithm *between_at(int number)
{
    return strata_between_at(1u << STRATA_BCAST, number);
}

static struct strata_segments_shape shape_of(const struct strata_problem *problem)
{
    return (struct strata_segments_shape){.lanes = 1,
                                          .most = strata_segments_bytes(problem, SEGMENT),
                                          .collective = STRATA_BCAST,
                                          .between = between_at(problem->parameter[BETWEEN]),
                                          .variant = problem->parameter[VARIANT]};
}

static const char *applicable(const struct strata_problem *problem)
{
    struct strata_segments_shape shape = shape_of(problem);
    return strata_segments_refusal(problem, &shape);
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    const struct strata_topology *t = problem->topology;
    struct strata_segments_shape shape = shape_of(problem);
    struct strata_vector vector = {.store = STRATA_OUTPUT};
    int leader = strata_between_leader(problem, t->node_of[problem->rank], 0);
    struct strata_segments s;
    strata_segments_begin(&s, problem, &shape, b);
    struct strata_box slot = strata_segments_slot(&s, leader, 0, 1);
    struct strata_box mine = strata_segments_in(&s, vector, 0, 1);
    if (leader == s.me) {
        strata_segments_exchange(&s, 0, vector, vector);
        if (s.members > 1) {
            strata_build_phase(b, "to my slot");
            strata_segments_copy(&s, mine, slot);
            strata_build_signal(b, STRATA_SIGNAL_ARRIVED);
        }
    } else {
        strata_build_phase(b, "from the leader's");
        strata_build_await(b, leader, STRATA_SIGNAL_ARRIVED);
        strata_segments_copy(&s, slot, mine);
    }
    strata_segments_end(&s);
}

static struct strata_segments_shape shape_once(const struct strata_problem *problem)
{
    return (struct strata_segments_shape){.lanes = 1,
                                          .collective = STRATA_BCAST,
                                          .between = between_at(problem->parameter[BETWEEN]),
                                          .variant = problem->parameter[VARIANT],
                                          .once = true};
}

static const char *applicable_once(const struct strata_problem *problem)
{
    struct strata_segments_shape shape = shape_once(problem);
    return strata_segments_refusal(problem, &shape);
}

/* The root's own buffer and the result may be one: then nothing is copied there. */
static void build_once(const struct strata_problem *problem, struct strata_builder *b)
{
    const struct strata_topology *t = problem->topology;
    struct strata_segments_shape shape = shape_once(problem);
    int leader = strata_between_leader(problem, t->node_of[problem->rank], 0);
    struct strata_vector result = {STRATA_SLOT, leader};
    struct strata_segments s;
    strata_segments_begin(&s, problem, &shape, b);
    if (problem->rank == problem->root) {
        strata_build_phase(b, "to the result");
        strata_segments_copy(&s,
                             strata_segments_in(&s, (struct strata_vector){STRATA_OUTPUT, 0}, 0, 1),
                             strata_segments_in(&s, result, 0, 1));
    }
    if (leader == s.me) {
        strata_segments_exchange(&s, 0, result, result);
    }
    if (s.members > 1) {
        strata_build_phase(b, "all of it");
        if (leader == s.me) {
            strata_build_signal(b, STRATA_SIGNAL_ARRIVED);
        } else {
            strata_build_await(b, leader, STRATA_SIGNAL_ARRIVED);
        }
    }
    strata_segments_end(&s);
}

static struct strata_cost cost_once(const struct strata_problem *problem,
                                    const struct strata_machine *machine)
{
    struct strata_segments_shape shape = shape_once(problem);
    struct strata_cost total = {0};
    strata_segments_exchange_cost(&total, problem, &shape, problem->block_bytes, machine);
    strata_cost_signal(&total, 1, machine);
    return total;
}

/* The cost of a reader. The last segment comes when its leader has copied all segments, and knows
 * that the members have left the slots to fill again. While the leader copies the first segment it
 * has its core for itself. A slot that others have just read takes it twice as long. Meanwhile the
 * others read, which takes longer where many of them share a core. */
static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    struct strata_segments_shape shape = shape_of(problem);
    int passes = strata_segments_passes(problem, shape.most);
    int places = (int)strata_ring_depth(strata_segments_ring(problem, shape.most));
    int again = passes > places ? passes - places : 0;
    double pass = problem->block_bytes / passes;
    struct strata_machine alone = strata_machine_contended(machine, 1);
    struct strata_cost total = {0}, filling = {0}, reading = {0};
    strata_cost_copy(&filling, pass * (passes + again), passes + again, &alone);
    strata_cost_copy(&reading, pass * passes, passes, machine);
    bool fills = strata_cost_time(&filling) > strata_cost_time(&reading);
    strata_segments_exchange_cost(&total, problem, &shape, pass, machine);
    strata_cost_copy(&total, pass, 1, &alone);
    strata_cost_add(&total, fills ? &filling : &reading);
    strata_cost_signal(&total, passes + again, machine);
    strata_cost_lines(&total, passes * strata_plain_slot_lines(pass), machine);
    strata_cost_readers(&total, problem->topology->largest - 1, machine);
    return total;
}

const struct strata_algorithm strata_node_bcast = {
    .name = "node_bcast",
    .collectives = 1u << STRATA_BCAST,
    .level = STRATA_NODE_AWARE,
    .outward = true,
    .goes_ahead = true,
    .summary = "a flat broadcast between node leaders, whose slots the others copy out",
    .paper = "Graham and Shipman, shared memory collectives, EuroPVM/MPI 2008",
    .title = STRATA_TITLE_GRAHAM,
    .restrictions = "nodes have several ranks",
    .rounds_text = "those of the broadcast between the nodes",
    .volume_text = "that of the broadcast between the nodes; inside a node no message; each rank "
                   "copies the vector once",
    .scratch_text = "a segment in each place of the leader's slot, and the scratch of the "
                    "broadcast between the nodes",
    .parameters = {{.name = "between",
                    .least = 1,
                    .meaning = "the broadcast between nodes",
                    .algorithm = between_at},
                   STRATA_VARIANT_PARAMETER,
                   STRATA_SEGMENT_PARAMETER},
    .applicable = applicable,
    .cost = cost,
    .build = build,
};

const struct strata_algorithm strata_node_bcast_once = {
    .name = "node_bcast_once",
    .collectives = 1u << STRATA_BCAST,
    .level = STRATA_NODE_AWARE,
    .outward = true,
    .once = true,
    .summary = "a flat broadcast between node leaders, into one result for each node",
    .paper = "Graham and Shipman, shared memory collectives, EuroPVM/MPI 2008",
    .title = STRATA_TITLE_GRAHAM,
    .restrictions = "strata_bcast_shared only; nodes have several ranks",
    .rounds_text = "those of the broadcast between the nodes",
    .volume_text = "that of the broadcast between the nodes; inside a node no message, and no copy "
                   "but the root's",
    .scratch_text = "that of the broadcast between the nodes",
    .parameters = {{.name = "between",
                    .least = 1,
                    .meaning = "the broadcast between nodes",
                    .algorithm = between_at},
                   STRATA_VARIANT_PARAMETER},
    .applicable = applicable_once,
    .cost = cost_once,
    .build = build_once,
};
