#include "core/cost/links.h"

#include <math.h>
#include <stdint.h>

enum { AXES = 3 };

/* Messages over the busiest link of each axis and way, of all that are under way together. */
struct links {
    int64_t size[AXES];
    double messages[AXES][2];
};

/* No torus has more nodes on an axis, and products of all axes fit. */
static int64_t size_of(double axis)
{
    return (int64_t)fmin(fmax(axis, 1), 1 << 20);
}

static struct links links_of(const struct strata_machine *machine)
{
    return (struct links){
        .size = {size_of(machine->torus_x), size_of(machine->torus_y), size_of(machine->torus_z)}};
}

static double most_of(const struct links *l)
{
    double most = 0;
    for (int axis = 0; axis < AXES; axis++) {
        most = fmax(most, fmax(l->messages[axis][0], l->messages[axis][1]));
    }
    return ceil(most);
}

/* Links that a message takes on an axis to a node `on` further on, and whether it goes around; of
 * fewer `lines` than the axis has the ends are not joined. */
static int64_t hops_on(int64_t size, int64_t lines, int64_t on, bool *around)
{
    int64_t hops = on % size;
    *around = lines >= size && hops > size - hops;
    return *around ? size - hops : hops < lines ? hops : lines - 1;
}

/* Each node, or of every `apart` ones one, sends `messages` messages `offset` nodes further on, in
 * rings of `ring` nodes. Those that come to the end of an axis go on in the next line: one link
 * further on the next axis. */
static void add(struct links *l, int64_t offset, int64_t ring, int apart, double messages)
{
    int64_t on = offset % ring, line = 1;
    const bool back = on > ring - on;
    on = back ? ring - on : on;
    for (int axis = 0; axis < AXES; axis++) {
        int64_t most[2] = {0, 0}, lines = (ring + line - 1) / line;
        for (int further = 0; further <= (on % line > 0); further++) {
            bool around;
            int64_t hops = hops_on(l->size[axis], lines, on / line + further, &around);
            most[around] = hops > most[around] ? hops : most[around];
        }
        l->messages[axis][back] += messages * ceil((double)most[0] / apart);
        l->messages[axis][!back] += messages * ceil((double)most[1] / apart);
        line *= l->size[axis];
    }
}

/* Whose messages they are: those of rows of `row` ranks on each node, or of all ranks of a node
 * that send to one other. Where they swing, half of the ranks send backwards: half of each row, or
 * every other node. */
struct senders {
    int64_t row, nodes; /* 0 nodes: as many as rows */
    double of_node;
    bool swings;
};

static struct senders senders_of(const struct strata_topology *t, enum strata_peers peers)
{
    const bool alone = t->nodes == t->ranks, dealt = t->dealt && !alone;
    return (struct senders){.row = alone || dealt ? 1 : t->largest,
                            .nodes = dealt ? t->nodes : 0,
                            .of_node = t->largest,
                            .swings = peers == STRATA_SWINGING};
}

/* Ranks send `distance` ranks further on, in rings of `ring` ranks. In rows some of them come to a
 * node further on than the others. */
static void add_ranks(struct links *l, const struct senders *s, int64_t distance, int64_t ring)
{
    const int64_t row = s->row, nodes = s->nodes > 0 ? s->nodes : (ring + row - 1) / row;
    const int64_t on = (distance % ring + ring) % ring, beyond = on % row;
    const double each = (s->swings && row > 1 ? 0.5 : 1) * s->of_node / (double)row;
    const int apart = s->swings && row == 1 ? 2 : 1;
    add(l, on / row, nodes, apart, each * (double)(row - beyond));
    add(l, on / row + 1, nodes, apart, each * (double)beyond);
}

static struct links links_of_round(const struct strata_machine *machine,
                                   const struct strata_topology *t,
                                   const struct strata_flat_round *round)
{
    struct links l = links_of(machine);
    const struct senders senders = senders_of(t, round->peers);
    for (int64_t i = 0; i < (int64_t)round->messages; i++) {
        int64_t distance = round->first + i * round->step, ring = t->ranks;
        if (round->peers == STRATA_ALONG) {
            ring = (int64_t)round->size[distance] * round->stride[distance];
            distance = round->stride[distance];
        }
        add_ranks(&l, &senders, distance, ring);
        if (senders.swings) {
            add_ranks(&l, &senders, -distance, ring);
        }
    }
    return l;
}

void strata_machine_route(struct strata_machine *machine, const struct strata_topology *t,
                          const struct strata_flat_round *round, double leaving)
{
    if (strata_machine_has_torus(machine) && leaving > 0) {
        struct links l = links_of_round(machine, t, round);
        machine->crossing = fmax(most_of(&l), 1) / leaving;
    }
}

void strata_machine_route_nodes(struct strata_machine *machine, int nodes,
                                const struct strata_flat_round *round)
{
    const struct strata_topology t = {.ranks = nodes, .nodes = nodes, .largest = 1, .row = 1};
    strata_machine_route(machine, &t, round, round->messages);
}

void strata_machine_route_mean(struct strata_machine *machine,
                               const struct strata_algorithm *algorithm,
                               const struct strata_problem *problem)
{
    const struct strata_topology *t = problem->topology;
    struct strata_flat_round round = {STRATA_ONWARD};
    double crossings = 0, blocks = 0;
    if (!strata_machine_has_torus(machine) || !algorithm->round) {
        return;
    }
    for (int i = 0; algorithm->round(problem, i, &round); i++) {
        double sent = round.blocks * fmax(round.times, 1);
        strata_machine_route(machine, t, &round, round.messages * t->largest);
        crossings += sent * machine->crossing;
        blocks += sent;
        round = (struct strata_flat_round){STRATA_ONWARD};
    }
    machine->crossing = blocks > 0 ? crossings / blocks : 0;
}

/* A node sends to one `on` nodes further on, by the first axis on which the two differ. */
static void leave(struct links *l, int64_t on, int64_t nodes)
{
    int64_t line = 1;
    const bool back = on > nodes - on;
    on = back ? nodes - on : on;
    for (int axis = 0; axis < AXES; axis++) {
        bool around;
        if (hops_on(l->size[axis], (nodes + line - 1) / line, on / line, &around) > 0) {
            l->messages[axis][back != around]++;
            return;
        }
        line *= l->size[axis];
    }
}

void strata_machine_route_tree(struct strata_machine *machine, const struct strata_topology *t,
                               int radix)
{
    const int64_t row = t->row > 0 ? t->row : 1;
    double crossings = 0, messages = 0;
    if (!strata_machine_has_torus(machine)) {
        return;
    }
    for (int64_t weight = 1; weight < t->ranks; weight *= radix) {
        struct links l = links_of(machine);
        for (int64_t to = weight; to < t->ranks && to < radix * weight; to += weight) {
            leave(&l, to / row, t->nodes);
            messages += to >= row;
        }
        crossings += most_of(&l);
    }
    machine->crossing = messages > 0 ? crossings / messages : 0;
}

struct strata_machine strata_machine_along(const struct strata_machine *machine,
                                           const struct strata_torus *torus, int row)
{
    struct strata_machine along = *machine;
    const struct links l = links_of(machine);
    bool used[AXES] = {false};
    double stride = 1;
    for (int i = torus->ndims - 1; i >= 0; i--) {
        int axis = 0;
        double line = (double)l.size[0];
        while (axis < AXES - 1 && stride / row >= line) {
            line *= (double)l.size[++axis];
        }
        used[axis] = used[axis] || (torus->size[i] > 1 && stride * torus->size[i] > row);
        stride *= torus->size[i];
    }
    along.ways = 2.0 * (used[0] + used[1] + used[2]);
    return along;
}
