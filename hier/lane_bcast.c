/* Broadcast of short vectors in one round: the root puts the vector into its slot, from where L
 * ranks of its node, the root among them, send it to a leader of each other node. Leaders put it
 * into their slots, and each member copies it out.
 *
 * In each round of a tree between nodes a message travels its whole way. Here as many messages
 * leave the root's node as there are other nodes, but each rank sends few of them. So this is for
 * vectors so short that the bandwidth of the node's link does not count. The lanes are the paper's;
 * that they send to different nodes in one round is ours. */
#include <math.h>

#include "core/plan/plan_sizes.h"
#include "hier/node_segments.h"
#include "hier/registry.h"

enum { LEADERS };

/* No more than the root's node has, or than there are other nodes; equal for all roots. */
static int lanes_of(const struct strata_problem *problem)
{
    const struct strata_topology *t = problem->topology;
    int lanes = problem->parameter[LEADERS];
    lanes = lanes < t->smallest ? lanes : t->smallest;
    return lanes < t->nodes - 1 ? lanes : t->nodes - 1;
}

static const char *applicable(const struct strata_problem *problem)
{
    const char *refusal = strata_between_node_refusal(problem);
    if (refusal || problem->topology->nodes == 1) {
        return refusal ? refusal : "there is one node";
    }
    return strata_segments_passes(problem, 0) == 1
               ? NULL
               : "the vector does not fit in a slot of the node's shared memory";
}

struct shape {
    const struct strata_problem *problem;
    struct strata_builder *b;
    const struct strata_topology *topology;
    int node, members, me, leader; /* my node, its members, my number among them, and the first
                                      member there that has the vector */
    int vector, slot;              /* sets: mine; the leader's */
};

static void put(const struct shape *s)
{
    strata_build_copy(s->b, s->vector, s->slot);
    strata_build_signal(s->b, STRATA_SIGNAL_ARRIVED);
}

/* From where the vector lies, to the nodes of my lane; the root from its own memory. */
static void send_on(const struct shape *s)
{
    int lanes = lanes_of(s->problem), nodes = s->topology->nodes;
    int turn = s->topology->turn_of[s->problem->rank];
    int lane = (turn - s->topology->turn_of[s->problem->root] + s->members) % s->members;
    for (int distance = lane + 1; lane < lanes && distance < nodes; distance += lanes) {
        int node = (s->node + distance) % nodes;
        int peer =
            strata_topology_rank(s->topology, node, strata_between_leader(s->problem, node, 0));
        strata_build_send_blocks(s->b, peer, lane == 0 ? s->vector : s->slot, STRATA_AS_FITS);
    }
    if (lane < lanes) {
        strata_build_wait(s->b, 0);
    }
}

static void receive(const struct shape *s)
{
    const struct strata_topology *t = s->topology;
    int home = t->node_of[s->problem->root], lanes = lanes_of(s->problem);
    int distance = (s->node - home + t->nodes) % t->nodes;
    int sender = strata_between_leader(s->problem, home, (distance - 1) % lanes);
    strata_build_recv_blocks(s->b, strata_topology_rank(t, home, sender), s->vector,
                             STRATA_AS_FITS);
    strata_build_wait(s->b, 0);
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    const struct strata_topology *t = problem->topology;
    struct shape s = {.problem = problem, .b = b, .topology = t};
    bool home;
    s.node = t->node_of[problem->rank];
    s.members = strata_topology_node_size(t, s.node);
    s.me = t->local_of[problem->rank];
    s.leader = strata_between_leader(problem, s.node, 0);
    home = s.node == t->node_of[problem->root];
    strata_build_blocks(
        b, (struct strata_blocks){
               .count = 1, .slot = 1, .ring = (uint8_t)strata_segments_ring(problem, 0)});
    s.vector = strata_build_item(b, STRATA_OUTPUT, 1, 0);
    s.slot = strata_build_item(b, STRATA_SLOT, s.members, s.leader);
    strata_build_phase(b, home ? "from the root's slot" : "from the root's node");
    if (s.me == s.leader && !home) {
        receive(&s);
    }
    if (s.me == s.leader && s.members > 1) {
        put(&s);
    } else if (s.me != s.leader) {
        strata_build_await(b, s.leader, STRATA_SIGNAL_ARRIVED);
    }
    if (home) {
        send_on(&s);
    }
    if (s.me != s.leader) {
        strata_build_copy(b, s.slot, s.vector);
    }
}

/* Until the last rank of the last node that is sent it has copied it out. */
static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    int lanes = lanes_of(problem);
    double messages = ceil((problem->topology->nodes - 1.0) / lanes), bytes = problem->block_bytes;
    struct strata_machine contended = strata_machine_contended(machine, lanes);
    struct strata_cost total = {0};
    strata_cost_copy(&total, 3 * bytes, 3, machine);
    strata_cost_signal(&total, 1 + (lanes > 1), machine);
    strata_cost_lines(&total, (1 + (lanes > 1)) * strata_plain_slot_lines(bytes), machine);
    strata_cost_stage(&total, messages, messages * bytes, &contended);
    return total;
}

const struct strata_algorithm strata_lane_bcast = {
    .name = "lane_bcast",
    .collectives = 1u << STRATA_BCAST,
    .level = STRATA_NODE_AWARE,
    .outward = true,
    .summary = "ranks of the root's node share the messages to all other nodes' leaders",
    .paper = "Traff and Hunold, multi-lane collectives, CLUSTER 2020",
    .title = "Decomposing MPI Collectives for Exploiting Multi-lane Communication",
    .restrictions = "several nodes, and nodes of several ranks; the vector fits in a slot",
    .rounds_text = "1, of ceil((N-1) / L) messages a rank for L leaders on each of N nodes",
    .volume_text = "the root's node sends N-1 vectors; inside a node no message; each rank copies "
                   "the vector once",
    .scratch_text = "a vector in each place of the leader's slot",
    .parameters = {{.name = "leaders",
                    .outward = 1,
                    .outward_in_rows = true,
                    .least = 1,
                    .most = 65536,
                    .choices = {1, 2, 3, 4, 8, 16, 32, 64},
                    .meaning = "ranks of the root's node that send"}},
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
