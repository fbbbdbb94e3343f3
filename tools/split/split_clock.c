#include "tools/split/split_clock.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The links from one node to another along the axes; the first axis varies fastest. */
static int hops(const int *axes, int from, int to)
{
    int all = 0;
    for (int i = 0; i < TOOL_TORUS_AXES; i++) {
        const int far = abs(from % axes[i] - to % axes[i]);
        all += far < axes[i] - far ? far : axes[i] - far;
        from /= axes[i];
        to /= axes[i];
    }
    return all;
}

static double way(const void *self, int from, int to)
{
    const struct split_clock *c = self;
    const int node = from / c->clock.per_node, other = to / c->clock.per_node;
    if (node == other) {
        return c->machine.alpha_node;
    }
    return c->axes[0] ? hops(c->axes, node, other) * c->platform.hop : c->machine.alpha;
}

int split_clock_read(struct split_clock *c, const char *platform, int per_node,
                     struct strata_diagnostic *message)
{
    int error = tool_platform_find(platform, &c->platform, message);
    if (error == STRATA_OK && !c->platform.machine[0]) {
        error = strata_fail(message, STRATA_ERR_SYNTAX, "%s has no property \"machine\"", platform);
    } else if (error == STRATA_OK) {
        error = strata_machine_parse(c->platform.machine, &c->machine, message);
    }
    c->clock = (struct strata_virtual_clock){.way = way,
                                             .self = c,
                                             .per_node = per_node ? per_node : c->platform.cores,
                                             .overhead = c->machine.overhead,
                                             .byte = c->machine.beta,
                                             .byte_node = c->machine.beta_node,
                                             .compare = c->platform.compare,
                                             .visit = c->platform.visit,
                                             .copy = c->platform.copy,
                                             .copy_block = c->platform.copy_block};
    return error;
}

void split_clock_fit(struct split_clock *c, int ranks)
{
    const int nodes = (ranks - 1) / c->clock.per_node + 1;
    memcpy(c->axes, c->platform.torus, sizeof c->axes);
    while (c->axes[0] && (int64_t)c->axes[0] * c->axes[1] * c->axes[2] < nodes) {
        int shortest = 0;
        for (int i = 1; i < TOOL_TORUS_AXES; i++) {
            shortest = c->axes[i] <= c->axes[shortest] ? i : shortest;
        }
        c->axes[shortest] *= 2;
    }
}
