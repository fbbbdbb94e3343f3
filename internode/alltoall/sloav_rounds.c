/* Rounds by digits: SLOAV's table and its rounds (internode/alltoall/sloav.c), cut into messages
 * as the caller wants, on lanes between nodes or flat over all ranks. */
#include "internode/alltoall/sloav_rounds.h"

#include "core/cost/links.h"
#include "core/cost/round_cost.h"
#include "core/plan/limits.h"
#include "core/plan/plan_sizes.h"
#include "internode/parts/digits.h"

/* Messages that are posted together: the digit's values first .. end-1. Begins with all zero. */
struct group {
    int position;
    int64_t step; /* radix^position */
    int first, end;
};

/* The first group, or the one after this; false after the last. */
static bool next_group(const struct strata_sloav *d, struct group *g)
{
    if (g->step == 0) {
        *g = (struct group){.step = 1, .end = 1};
    }
    g->first = g->end;
    if (g->first >= d->radix || g->first * g->step >= d->nodes) {
        g->position++;
        g->step *= d->radix;
        g->first = 1;
    }
    int64_t values = (d->nodes - 1) / g->step + 1; /* with 0 */
    int64_t end = values < d->radix ? values : d->radix;
    g->end = (int)(d->batch > 0 && end > g->first + d->batch ? g->first + d->batch : end);
    return g->step < d->nodes;
}

static int64_t group_items(const struct strata_sloav *d, const struct group *g)
{
    int64_t items = 0;
    for (int value = g->first; value < g->end; value++) {
        items += strata_digit_count(d->nodes, d->radix, g->step, value);
    }
    return items;
}

void strata_sloav_volume(const struct strata_sloav *sloav, struct strata_exchange *exchange,
                         struct strata_stage *stage)
{
    struct group g = {0};
    *stage = (struct strata_stage){0, 0};
    exchange->lane_items = exchange->lane_messages = 0;
    while (next_group(sloav, &g)) {
        int messages = g.end - g.first;
        int64_t items = group_items(sloav, &g);
        exchange->lane_items += items;
        exchange->lane_messages += messages;
        stage->items = items > stage->items ? items : stage->items;
        stage->messages = messages > stage->messages ? messages : stage->messages;
    }
}

/* The rank that leads `lane` on the node `distance` further on. */
static int leader_at(const struct strata_sloav_lanes *s, int lane, int64_t distance)
{
    const struct strata_topology *t = s->topology;
    int64_t nodes = t->nodes;
    int node = (int)((t->node_of[s->rank] + distance % nodes + nodes) % nodes);
    return strata_topology_rank(t, node, strata_lane_leader(t, node, lane));
}

/* Appends send or recv for every value of the group and every lane that I lead. */
typedef void append_message(struct strata_builder *b, int peer, int lane, int set,
                            enum strata_how part);

static void one_direction(struct strata_builder *b, const struct strata_sloav_lanes *s,
                          const struct group *g, enum strata_how part, append_message *append)
{
    const struct strata_topology *t = s->topology;
    int members = strata_topology_node_size(t, t->node_of[s->rank]);
    int sign = append == strata_build_send ? 1 : -1;
    for (int value = g->first; value < g->end; value++) {
        int set =
            strata_build_set(b, strata_box_digit(t->nodes, s->sloav.radix, g->position, value));
        for (int lane = t->turn_of[s->rank]; lane < s->lanes; lane += members) {
            append(b, leader_at(s, lane, sign * value * g->step), lane, set, part);
        }
    }
}

static void exchange_part(struct strata_builder *b, const struct strata_sloav_lanes *s,
                          const struct group *g, enum strata_how part)
{
    one_direction(b, s, g, part, strata_build_recv);
    one_direction(b, s, g, part, strata_build_send);
    strata_build_wait(b, 0);
}

void strata_sloav_rounds(struct strata_builder *b, const struct strata_sloav_lanes *s)
{
    const struct strata_topology *t = s->topology;
    int members = strata_topology_node_size(t, t->node_of[s->rank]);
    for (int lane = t->turn_of[s->rank]; lane < s->lanes; lane += members) {
        strata_build_index(b, lane);
    }
    struct group g = {0};
    while (next_group(&s->sloav, &g)) {
        if (g.first == 1) {
            strata_build_phase(b, "digit %d: %lld node%s on", g.position, (long long)g.step,
                               g.step == 1 ? "" : "s");
        }
        if (s->sloav.two_phase) {
            exchange_part(b, s, &g, STRATA_LENGTHS);
            exchange_part(b, s, &g, STRATA_DATA);
        } else {
            exchange_part(b, s, &g, STRATA_WHOLE);
        }
    }
}

/* A group's messages, with `bytes` bytes together. The machine becomes what they see of it. */
static void cost_group(struct strata_cost *total, const struct strata_sloav *sloav,
                       const struct group *g, int led, double bytes, struct strata_machine *machine)
{
    int messages = g->end - g->first;
    struct strata_flat_round round = strata_onward(g->first * g->step, g->step, messages, 1);
    if (sloav->placed) {
        strata_cost_round(total, sloav->placed, &round, bytes, machine);
    } else {
        strata_machine_route_nodes(machine, sloav->nodes, &round);
        strata_cost_stage(total, (double)led * messages, bytes, machine);
    }
}

struct strata_cost strata_sloav_cost(const struct strata_sloav *sloav, int led, double bytes,
                                     double pieces, const struct strata_machine *machine)
{
    struct strata_cost total = {0};
    struct strata_machine routed = *machine;
    struct group g = {0};
    while (next_group(sloav, &g)) {
        double heads = 0;
        double items = led * (double)group_items(sloav, &g);
        for (int value = g.first; value < g.end; value++) {
            int64_t count = strata_digit_count(sloav->nodes, sloav->radix, g.step, value);
            heads += led * strata_message_bytes((double)count, 0);
        }
        if (sloav->two_phase) {
            cost_group(&total, sloav, &g, led, heads, &routed);
            heads = 0;
        }
        cost_group(&total, sloav, &g, led, heads + items * bytes, &routed);
        strata_cost_copy(&total, items * bytes, items * pieces, machine);
    }
    return total;
}

/* The exchange and the limits of a flat plan; returns the limits' error. */
static int find_limits(const struct strata_problem *problem, const struct strata_sloav *sloav,
                       struct strata_exchange *exchange, struct strata_limits *limits)
{
    struct strata_stage stage;
    *exchange = (struct strata_exchange){.lanes = 1, .staged = false};
    *limits = (struct strata_limits){0, 1, 1};
    strata_sloav_volume(sloav, exchange, &stage);
    return strata_limits_find(problem->topology, exchange, stage.messages, stage.items,
                              &problem->capacity, limits);
}

const char *strata_sloav_refusal(const struct strata_problem *problem,
                                 const struct strata_sloav *sloav)
{
    struct strata_exchange exchange;
    struct strata_limits limits;
    return find_limits(problem, sloav, &exchange, &limits)
               ? "not even blocks of 8 bytes fit in the staging budget"
               : NULL;
}

void strata_sloav_build(const struct strata_problem *problem, const struct strata_sloav *sloav,
                        struct strata_builder *b)
{
    struct strata_sloav_lanes rounds = {problem->flat, problem->rank, 1, *sloav};
    struct strata_exchange exchange;
    struct strata_limits limits;
    find_limits(problem, sloav, &exchange, &limits);
    strata_build_exchange(b, exchange);
    strata_build_limits(b, limits);

    int all = strata_build_set(b, strata_box_all(problem->flat->ranks));
    strata_build_phase(b, "direct blocks");
    strata_build_direct(b, all, 0);
    strata_build_passes(b);
    strata_sloav_rounds(b, &rounds);
    strata_build_phase(b, "copy out");
    strata_build_copy_out(b, 0, 0, all);
    strata_build_end(b);
    strata_build_wait_direct(b, 0);
}

struct strata_cost strata_sloav_plan_cost(const struct strata_problem *problem,
                                          const struct strata_sloav *sloav,
                                          const struct strata_machine *machine)
{
    struct strata_exchange exchange;
    struct strata_limits limits;
    int ranks = problem->flat->ranks;
    find_limits(problem, sloav, &exchange, &limits);
    struct strata_sloav placed = *sloav;
    placed.placed = problem->topology;
    double staged = problem->block_bytes <= (double)limits.threshold ? problem->block_bytes : 0;
    struct strata_cost total = strata_sloav_cost(&placed, 1, staged / limits.passes, 1, machine);
    strata_cost_copy(&total, ranks * staged / limits.passes, ranks, machine);
    strata_cost_scale(&total, limits.passes);
    if (problem->block_bytes > (double)limits.threshold) {
        struct strata_flat_round direct = strata_onward(1, 1, ranks - 1, ranks - 1);
        strata_cost_round(&total, problem->topology, &direct, problem->block_bytes, machine);
        strata_cost_copy(&total, problem->block_bytes, 1, machine);
    }
    return total;
}
