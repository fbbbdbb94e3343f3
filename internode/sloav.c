/* SLOAV: alltoallv in a logarithmic number of rounds.
 *
 * Item k of a node's table starts as its message for the node at distance k. In the round of digit
 * position x and value z every item whose x-th digit in base r is z moves z * r^x nodes on, all in
 * one message with their lengths in front; after the last position each item has moved k. The table
 * says where an item lies, so nothing is rotated and nothing is copied on arrival.
 *
 * Paper: Xu et al., "SLOAVx: Scalable LOgarithmic AlltoallV Algorithm for Hierarchical Multicore
 *        Systems", CCGrid 2013, section III; radix r after Bruck et al., 1997.
 * Rounds: sum over positions x of min(r-1, floor((N-1)/r^x)); ceil(log2 N) at r = 2. The rounds of
 *         one position are posted together.
 * Volume: each item once for each non-zero digit of its distance.
 * Scratch: what a rank receives, at its worst size, and the messages of one position.
 * Restrictions: blocks above the threshold go rank to rank. */
#include "internode/sloav.h"

#include "core/limits.h"
#include "internode/algorithms.h"
#include "internode/digits.h"

void strata_sloav_volume(int nodes, int radix, struct strata_exchange *exchange,
                         struct strata_stage *stage)
{
    *stage = (struct strata_stage){0, 0};
    exchange->lane_items = exchange->lane_messages = 0;
    for (int64_t step = 1; step < nodes; step *= radix) {
        struct strata_stage now = {0, 0};
        for (int64_t value = 1; value < radix && value * step < nodes; value++) {
            now.items += strata_digit_count(nodes, radix, step, value);
            now.messages++;
        }
        exchange->lane_items += now.items;
        exchange->lane_messages += now.messages;
        stage->items = now.items > stage->items ? now.items : stage->items;
        stage->messages = now.messages > stage->messages ? now.messages : stage->messages;
    }
}

/* The rank that leads `lane` on the node `distance` further on. */
static int leader_at(const struct strata_sloav *s, int lane, int64_t distance)
{
    const struct strata_topology *t = s->topology;
    int64_t nodes = t->nodes;
    int node = (int)((t->node_of[s->rank] + distance % nodes + nodes) % nodes);
    return strata_topology_rank(t, node, strata_lane_leader(t, node, lane));
}

/* Appends send or recv for every value of the digit and every lane that I lead. */
typedef void append_message(struct strata_builder *b, int peer, int lane, int set);

static void one_direction(struct strata_builder *b, const struct strata_sloav *s, int position,
                          int64_t step, append_message *append)
{
    const struct strata_topology *t = s->topology;
    int members = strata_topology_node_size(t, t->node_of[s->rank]);
    int sign = append == strata_build_send ? 1 : -1;
    for (int value = 1; value < s->radix && value * step < t->nodes; value++) {
        int set = strata_build_set(b, strata_box_digit(t->nodes, s->radix, position, value));
        for (int lane = t->local_of[s->rank]; lane < s->lanes; lane += members) {
            append(b, leader_at(s, lane, sign * value * step), lane, set);
        }
    }
}

void strata_sloav_rounds(struct strata_builder *b, const struct strata_sloav *s)
{
    const struct strata_topology *t = s->topology;
    int members = strata_topology_node_size(t, t->node_of[s->rank]);
    for (int lane = t->local_of[s->rank]; lane < s->lanes; lane += members) {
        strata_build_index(b, lane);
    }
    int position = 0;
    for (int64_t step = 1; step < t->nodes; step *= s->radix, position++) {
        strata_build_phase(b, "digit %d: %lld node%s on", position, (long long)step,
                           step == 1 ? "" : "s");
        one_direction(b, s, position, step, strata_build_recv);
        one_direction(b, s, position, step, strata_build_send);
        strata_build_wait(b, 0);
    }
}

struct strata_cost strata_sloav_cost(int nodes, int radix, int led, double bytes, double pieces,
                                     const struct strata_machine *machine)
{
    struct strata_cost total = {0};
    for (int64_t step = 1; step < nodes; step *= radix) {
        double messages = 0, volume = 0, items = 0;
        for (int64_t value = 1; value < radix && value * step < nodes; value++) {
            double count = (double)strata_digit_count(nodes, radix, step, value);
            items += led * count;
            volume += led * strata_message_bytes(count, bytes);
            messages += led;
        }
        strata_cost_stage(&total, messages, volume, machine);
        strata_cost_copy(&total, items * bytes, items * pieces, machine);
    }
    return total;
}

static const char *applicable(const struct strata_problem *problem)
{
    struct strata_exchange exchange = {.lanes = 1};
    struct strata_stage stage;
    struct strata_limits limits;
    strata_sloav_volume(problem->flat->nodes, problem->parameter[0], &exchange, &stage);
    return strata_limits_find(problem->topology, &exchange, stage.messages, stage.items,
                              &problem->capacity, &limits)
               ? "not even blocks of 8 bytes fit in the staging budget"
               : NULL;
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    const struct strata_topology *t = problem->flat;
    struct strata_sloav rounds = {t, problem->rank, 1, problem->parameter[0]};
    struct strata_exchange exchange = {.lanes = 1, .staged = false};
    struct strata_stage stage;
    struct strata_limits limits = {0, 1, 1};
    strata_sloav_volume(t->nodes, rounds.radix, &exchange, &stage);
    strata_limits_find(problem->topology, &exchange, stage.messages, stage.items,
                       &problem->capacity, &limits);
    strata_build_exchange(b, exchange);
    strata_build_limits(b, limits);

    int all = strata_build_set(b, strata_box_all(t->ranks));
    strata_build_phase(b, "direct blocks");
    strata_build_direct(b, all, 0);
    strata_build_passes(b);
    strata_sloav_rounds(b, &rounds);
    strata_build_phase(b, "copy out");
    strata_build_copy_out(b, 0, 0, all);
    strata_build_end(b);
    strata_build_wait_direct(b, 0);
}

static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    struct strata_exchange exchange = {.lanes = 1};
    struct strata_stage stage;
    struct strata_limits limits = {0, 1, 1};
    int ranks = problem->flat->ranks;
    strata_sloav_volume(ranks, problem->parameter[0], &exchange, &stage);
    strata_limits_find(problem->topology, &exchange, stage.messages, stage.items,
                       &problem->capacity, &limits);
    struct strata_machine shared = strata_machine_shared(machine, problem->topology->largest);
    double staged = problem->block_bytes <= (double)limits.threshold ? problem->block_bytes : 0;
    struct strata_cost total =
        strata_sloav_cost(ranks, problem->parameter[0], 1, staged / limits.passes, 1, &shared);
    strata_cost_copy(&total, ranks * staged / limits.passes, ranks, machine);
    strata_cost_scale(&total, limits.passes);
    if (problem->block_bytes > (double)limits.threshold) {
        strata_cost_stage(&total, ranks - 1, (ranks - 1) * problem->block_bytes, &shared);
        strata_cost_copy(&total, problem->block_bytes, 1, machine);
    }
    return total;
}

const struct strata_algorithm strata_sloav = {
    .name = "sloav",
    .collectives = 1u << STRATA_ALLTOALL | 1u << STRATA_ALLTOALLV,
    .level = STRATA_FLAT,
    .summary = "log-round exchange between all ranks, lengths in the message, nothing rotated",
    .paper = "Xu et al., SLOAVx, CCGrid 2013, section III",
    .restrictions = "blocks above the threshold go rank to rank; 8-byte slices must fit",
    .parameters =
        {{"radix", 0, 2, 1024, {2, 3, 4, 8, 16}, "base of the digits; more: fewer hops", {NULL}}},
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
