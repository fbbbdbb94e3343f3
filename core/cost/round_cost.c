#include "core/cost/round_cost.h"

#include <math.h>

#include "core/cost/links.h"

/* A node's messages to other nodes, and inside itself; and the most of its ranks that send one of a
 * kind at the same time. */
struct spread {
    double leaving, staying, senders, staying_senders;
};

static void add_message(struct spread *s, const struct strata_topology *t, int leaving)
{
    s->leaving += leaving;
    s->staying += t->largest - leaving;
    s->senders = fmax(s->senders, leaving);
    s->staying_senders = fmax(s->staying_senders, t->largest - leaving);
}

/* Of a row that is whole lines of the axis none leaves; of one that is a part of a line, those at
 * its end. */
static int leaving_along(const struct strata_topology *t, int size, int stride)
{
    return t->row > 0 && t->row % (stride * size) == 0 ? 0 : strata_topology_leaving(t, stride);
}

static int leaving(const struct strata_topology *t, const struct strata_flat_round *round,
                   int64_t distance)
{
    switch (round->peers) {
    case STRATA_CROSSWISE:
        return strata_topology_leaving_crosswise(t, distance);
    case STRATA_SWINGING:
        return strata_topology_leaving_swinging(t, distance);
    case STRATA_ALONG:
        return leaving_along(t, round->size[distance], round->stride[distance]);
    default:
        return strata_topology_leaving(t, distance);
    }
}

static struct spread spread_of(const struct strata_topology *t,
                               const struct strata_flat_round *round)
{
    struct spread s = {0};
    for (int64_t i = 0; i < (int64_t)round->messages; i++) {
        add_message(&s, t, leaving(t, round, round->first + i * round->step));
    }
    return s;
}

static void cost_once(struct strata_cost *cost, const struct strata_topology *t,
                      const struct strata_flat_round *round, double bytes,
                      const struct strata_machine *machine)
{
    double all = round->blocks * bytes;
    if (!strata_cost_tells_nodes(t, machine)) {
        struct strata_machine contended = strata_machine_contended(machine, t->largest);
        strata_machine_route(&contended, t, round, round->messages * t->largest);
        strata_cost_stage(cost, round->messages, all, &contended);
        return;
    }
    struct spread s = spread_of(t, round);
    struct strata_machine contended = strata_machine_contended(machine, s.senders);
    strata_machine_route(&contended, t, round, s.leaving);
    double each = round->messages > 0 ? all / round->messages : 0;
    double far = s.senders > 0 ? s.leaving / s.senders : 0;
    double near = s.staying_senders > 0 ? s.staying / s.staying_senders : 0;
    double beside = fmin(near, round->messages - far);
    struct strata_posted posted = {far, far * each, beside, beside * each};
    struct strata_cost one = {0}, other = {0};
    strata_cost_posted(&one, &posted, &contended);
    strata_cost_stage_node(&other, near, near * each, machine);
    one.time_wire += fmax(strata_cost_time(&other) - strata_cost_time(&one), 0);
    strata_cost_add(cost, &one);
    /* MPI's own puts blocks side by side, and rotates all once at the end. */
    double packed = machine->native ? round->packed / 2 : round->packed;
    strata_cost_copy(cost, packed * bytes, machine->native ? 0 : round->pieces, machine);
}

void strata_cost_round(struct strata_cost *cost, const struct strata_topology *t,
                       const struct strata_flat_round *round, double bytes,
                       const struct strata_machine *machine)
{
    struct strata_cost once = {0};
    cost_once(&once, t, round, bytes, machine);
    if (round->times > 0) {
        strata_cost_scale(&once, round->times);
    }
    strata_cost_add(cost, &once);
}

/* The part of all ranks but one to which a rank sends. */
static double full_part(const struct strata_problem *problem)
{
    return problem->degree > 0 ? (double)problem->degree / (problem->flat->ranks - 1) : 1;
}

double strata_full_block(const struct strata_problem *problem)
{
    return problem->block_bytes / full_part(problem);
}

void strata_cost_few(struct strata_cost *cost, const struct strata_problem *problem,
                     const struct strata_machine *machine)
{
    const double part = full_part(problem);
    const struct strata_flat_round round = strata_onward(1, 1, 1, 1);
    struct strata_cost one = {0};
    strata_cost_round(&one, problem->topology, &round, strata_full_block(problem), machine);
    strata_cost_scale(&one, 1 - part);
    strata_cost_scale(cost, part);
    strata_cost_add(cost, &one);
}

struct strata_cost strata_native_cost(const struct strata_topology *topology, double block_bytes,
                                      const struct strata_machine *machine)
{
    struct strata_cost cost = {0};
    struct strata_machine native = strata_machine_native(machine);
    if (!strata_cost_tells_nodes(topology, machine) && !strata_machine_has_torus(machine)) {
        double near = topology->largest - 1, far = topology->ranks - topology->largest;
        struct strata_machine contended = strata_machine_contended(&native, topology->largest);
        strata_cost_stage(&cost, far, far * block_bytes, &contended);
        strata_cost_stage_node(&cost, near, near * block_bytes, &native);
        strata_cost_copy(&cost, block_bytes, 1, &native);
        return cost;
    }
    bool limited = machine->native_window >= 1 && machine->native_window < topology->ranks;
    int window = limited ? (int)machine->native_window : topology->ranks;
    for (int first = 1; first < topology->ranks; first += window) {
        double messages = fmin(window, topology->ranks - first);
        struct strata_flat_round round = strata_onward(first, 1, messages, messages);
        strata_cost_round(&cost, topology, &round, block_bytes, &native);
    }
    strata_cost_copy(&cost, block_bytes, 1, &native);
    return cost;
}
