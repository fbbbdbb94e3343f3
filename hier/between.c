#include "hier/between.h"

#include "core/plan/embed.h"
#include "core/plan/plan_sizes.h"
#include "hier/tuning.h"
#include "internode/algorithms.h"

const struct strata_algorithm *strata_between_at(unsigned collectives, int number)
{
    const struct strata_algorithm *const *algorithm = strata_internode_algorithms;
    while (*algorithm && (!((*algorithm)->collectives & collectives) || (*algorithm)->left_fold ||
                          --number > 0)) {
        algorithm++;
    }
    return *algorithm;
}

/* The variant gives the value of the first open parameter; the others have their first value. */
static void choose_variant(struct strata_between *n, int variant)
{
    for (int i = 0; i < STRATA_PARAMETERS; i++) {
        const struct strata_parameter *p = &n->algorithm->parameters[i];
        n->problem.parameter[i] = p->automatic;
        if (p->name && !p->automatic) {
            n->problem.parameter[i] = strata_parameter_choice(p, variant - 1);
            n->missing = n->missing || n->problem.parameter[i] == 0;
            variant = 1;
        }
    }
    n->missing = n->missing || variant > 1;
}

void strata_between_of(struct strata_between *n, const struct strata_problem *problem,
                       enum strata_collective collective, const struct strata_algorithm *algorithm,
                       int variant)
{
    const struct strata_topology *t = problem->topology;
    n->algorithm = algorithm;
    n->nodes = *problem->flat; /* of fewer ranks it is the beginning of this one */
    n->nodes.ranks = n->nodes.nodes = t->nodes;
    n->problem = *problem;
    n->problem.collective = collective;
    n->problem.once = false; /* each node has its own */
    n->problem.topology = n->problem.flat = &n->nodes;
    n->problem.torus = NULL;
    n->problem.rank = t->node_of[problem->rank];
    n->problem.root = t->node_of[problem->root];
    n->missing = false;
    choose_variant(n, variant);
}

const char *strata_between_refusal(const struct strata_between *n)
{
    return !(n->algorithm->collectives >> n->problem.collective & 1)
               ? "what is to run between the nodes does not do this collective"
           : n->missing ? "what is to run between the nodes has no such variant"
                        : strata_algorithm_refusal(n->algorithm, &n->problem);
}

struct strata_plan *strata_between_plan(const struct strata_between *n, struct strata_builder *b)
{
    struct strata_diagnostic message;
    struct strata_plan *plan = NULL;
    if (strata_algorithm_plan(n->algorithm, &n->problem, &plan, &message) != STRATA_OK) {
        strata_build_no_memory(b);
        return NULL;
    }
    return plan;
}

struct exchange {
    const struct strata_problem *problem;
    struct strata_plan *plan;
    const struct strata_between_stores *stores;
};

static int leader_of(const void *self, int node)
{
    const struct strata_problem *problem = ((const struct exchange *)self)->problem;
    return strata_topology_rank(problem->topology, node, strata_between_leader(problem, node, 0));
}

/* Blocks of neighbouring nodes have neighbouring positions. */
static struct strata_box blocks_of(const void *self, struct strata_run run, int *taken)
{
    const struct exchange *e = self;
    const struct strata_topology *t = e->problem->topology;
    enum strata_store store = run.store == STRATA_INPUT    ? e->stores->input
                              : run.store == STRATA_OUTPUT ? e->stores->output
                                                           : e->stores->work;
    int node = run.first;
    *taken = run.count;
    if (run.store == STRATA_WORK) {
        node = (e->plan->blocks.work_first + run.first) % t->nodes;
        *taken = run.count < t->nodes - node ? run.count : t->nodes - node;
    }
    int first = t->first[node], count = t->first[node + *taken] - first;
    return strata_between_box(e->problem, store, first, count);
}

struct strata_box strata_between_box(const struct strata_problem *problem, enum strata_store store,
                                     int first, int count)
{
    const struct strata_topology *t = problem->topology;
    int node = t->node_of[problem->rank], space = t->ranks;
    if (store == STRATA_SLOT) {
        first += strata_between_leader(problem, node, 0) * t->ranks;
        space *= strata_topology_node_size(t, node);
    }
    return strata_box_in(store, strata_box_range(space, first, count));
}

void strata_between_copy(const struct strata_problem *problem, enum strata_store from,
                         enum strata_store into, struct strata_builder *b)
{
    const struct strata_topology *t = problem->topology;
    int node = t->node_of[problem->rank], first = t->first[node];
    int count = strata_topology_node_size(t, node);
    strata_build_copy(b, strata_build_set(b, strata_between_box(problem, from, first, count)),
                      strata_build_set(b, strata_between_box(problem, into, first, count)));
}

void strata_between_build(const struct strata_between *n, const struct strata_problem *problem,
                          const struct strata_between_stores *stores, struct strata_builder *b)
{
    struct exchange e = {.problem = problem, .stores = stores, .plan = strata_between_plan(n, b)};
    struct strata_embedding embedding = {.self = &e, .rank = leader_of, .box = blocks_of};
    if (e.plan) {
        strata_build_embedded(b, e.plan, &embedding);
    }
    strata_plan_destroy(e.plan);
}

const char *strata_between_node_refusal(const struct strata_problem *problem)
{
    const struct strata_topology *t = problem->topology;
    return t->nodes < t->ranks ? NULL
           : t->ranks == 1     ? "there is one rank"
                               : "every rank has a node of its own";
}

const char *strata_between_shared_refusal(const struct strata_problem *problem)
{
    const struct strata_topology *t = problem->topology;
    const struct strata_capacity *room = &problem->capacity;
    size_t most = problem->most_bytes, others = (size_t)(t->ranks - t->smallest);
    const char *refusal = strata_between_node_refusal(problem);
    if (refusal) {
        return refusal;
    }
    if (room->slot < STRATA_SHARED_HEAD || most > room->slot - STRATA_SHARED_HEAD) {
        return "the longest block does not fit in a slot of the node's shared memory";
    }
    if (others > 0 && most > room->landing / others) {
        return "the blocks of the other nodes do not fit in the node's shared memory";
    }
    return NULL;
}

/* A slot's room behind its head. */
static size_t room_of(size_t slot)
{
    return slot > STRATA_SHARED_HEAD ? slot - STRATA_SHARED_HEAD : 0;
}

size_t strata_between_slice(const struct strata_problem *problem)
{
    const struct strata_topology *t = problem->topology;
    size_t slot = room_of(problem->capacity.slot);
    size_t others = (size_t)(t->ranks - t->smallest);
    size_t landing = others > 0 ? problem->capacity.landing / others : slot;
    return strata_between_sends_lengths(problem) ? 0 : slot < landing ? slot : landing;
}

const char *strata_between_once_refusal(const struct strata_problem *problem)
{
    const char *refusal = strata_between_node_refusal(problem);
    return refusal ? refusal
           : problem->capacity.slot < STRATA_SHARED_HEAD
               ? "the node has no shared memory for signals"
               : NULL;
}

static size_t exposing_bytes(const struct strata_problem *problem)
{
    return STRATA_LINE + strata_exposed_table_bytes(problem->topology->largest);
}

static bool exposes_in(const struct strata_problem *problem, size_t slot)
{
    return problem->capacity.single_copy &&
           exposing_bytes(problem) <= room_of(slot) / STRATA_SLOT_EXPOSED;
}

static size_t threshold_in(const struct strata_problem *problem, size_t slot)
{
    size_t given = problem->capacity.threshold;
    size_t room = room_of(slot) - (exposes_in(problem, slot) ? exposing_bytes(problem) : 0);
    size_t most = room < given ? room : given;
    return most / sizeof(uint64_t) * sizeof(uint64_t);
}

enum strata_ring_kind strata_between_lengths_ring(const struct strata_problem *problem)
{
    size_t middle = problem->capacity.middle, slot = problem->capacity.slot;
    bool holds = threshold_in(problem, middle) >= threshold_in(problem, slot) &&
                 exposes_in(problem, middle) >= exposes_in(problem, slot);
    return problem->topology->nodes == 1 && middle > 0 && holds ? STRATA_MIDDLE_RING
                                                                : STRATA_LARGE_RING;
}

static size_t told_slot(const struct strata_problem *problem)
{
    bool middle = strata_between_lengths_ring(problem) == STRATA_MIDDLE_RING;
    return middle ? problem->capacity.middle : problem->capacity.slot;
}

bool strata_between_exposes(const struct strata_problem *problem)
{
    return exposes_in(problem, told_slot(problem));
}

size_t strata_between_threshold(const struct strata_problem *problem)
{
    return threshold_in(problem, told_slot(problem));
}

/* In one node blocks above the threshold are exposed and read. A gather's root reads all of them,
 * beside its own block. In a scatter each other rank reads one, and waits for its turn, while the
 * root copies its own. */
static struct strata_cost exposed_cost(const struct strata_problem *problem,
                                       const struct strata_machine *machine)
{
    bool gathers = strata_collective_info[problem->collective].root == 'o';
    double others = problem->topology->ranks - 1, bytes = problem->block_bytes;
    double peers = gathers ? others : 1, readers = gathers ? 1 : others;
    struct strata_machine near = strata_machine_mapped(machine);
    struct strata_cost cost = {0};
    strata_cost_signal(&cost, peers, machine);
    strata_cost_fetch_in_turn(&cost, peers * bytes, peers, readers,
                              problem->mapped ? &near : machine);
    if (gathers) {
        strata_cost_fetch_own(&cost, bytes, machine);
    }
    return cost;
}

static bool exposes_all(const struct strata_problem *problem)
{
    return problem->topology->nodes == 1 && strata_between_exposes(problem) &&
           problem->block_bytes > (double)strata_between_threshold(problem);
}

/* Whether slots say all that others have to know of lengths (api/call/plans.c). */
static bool said(const struct strata_problem *problem)
{
    return problem->topology->nodes == 1 && strata_between_exposes(problem);
}

struct strata_cost strata_between_lengths_cost(const struct strata_problem *problem,
                                               strata_between_cost *cost,
                                               const struct strata_machine *machine)
{
    bool told = strata_between_sends_lengths(problem), exposes = told && exposes_all(problem);
    struct strata_cost total = cost(problem, exposes ? 0 : problem->block_bytes, machine);
    struct strata_cost more = {0};
    if (told && !said(problem)) {
        more = cost(problem, sizeof(uint64_t), machine);
        strata_cost_add(&total, &more);
    }
    if (exposes) {
        more = exposed_cost(problem, machine);
        strata_cost_add(&total, &more);
    }
    return total;
}

void strata_between_divide(const struct strata_problem *problem, struct strata_builder *b)
{
    size_t threshold = strata_between_threshold(problem);
    strata_build_limits(b, (struct strata_limits){threshold, threshold, 1});
    strata_build_exchange(
        b, (struct strata_exchange){.staged = true, .exposes = strata_between_exposes(problem)});
}

const char *strata_between_threshold_refusal(const struct strata_problem *problem)
{
    size_t threshold = strata_between_threshold(problem);
    return threshold == 0 ? "not even lengths fit in a slot, or are below STRATA_THRESHOLD"
           : problem->most_bytes > threshold
               ? "the longest block does not fit in a slot of the node's shared memory"
               : NULL;
}

int strata_between_leader(const struct strata_problem *problem, int node, int lane)
{
    const struct strata_topology *t = problem->topology;
    bool rooted = strata_collective_rooted(problem->collective);
    bool home = rooted && node == t->node_of[problem->root];
    int first = t->turn_of[home ? problem->root : strata_topology_rank(t, node, 0)];
    return strata_lane_leader(t, node, first + lane);
}
