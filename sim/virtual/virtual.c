/* Creates worlds of virtual ranks. sim/virtual/virtual_run.c runs them. */
#include "sim/virtual/virtual.h"

#include <stdint.h>
#include <string.h>

#include "core/base/memory.h"
#include "sim/virtual/virtual_peers.h"
#include "sim/virtual/virtual_world.h"

enum { GARBAGE = 0xA5 };

static size_t node_bytes(const struct strata_virtual *w, int node)
{
    return strata_node_memory_bytes(strata_topology_node_size(w->topology, node), &w->sizes);
}

static void *node_base(const struct strata_virtual *w, int node)
{
    uintptr_t at = (uintptr_t)w->memory[node];
    size_t gap = (STRATA_LINE - at % STRATA_LINE) % STRATA_LINE;
    return (unsigned char *)w->memory[node] + gap;
}

/* Fills all memory but the flags with garbage, so that no rank may rely on it. */
static void reset_node(struct strata_virtual *w, int node)
{
    const struct strata_topology *t = w->topology;
    int members = strata_topology_node_size(t, node);
    unsigned char *base = node_base(w, node);
    memset(base, GARBAGE, node_bytes(w, node));
    for (int local = 0; local < members; local++) {
        struct strata_node_memory *memory = &w->node_memory[strata_topology_rank(t, node, local)];
        strata_node_memory_init(memory, base, members, local, &w->sizes);
        memory->peers = &strata_virtual_peers;
    }
}

void strata_virtual_reset(struct strata_virtual *w)
{
    for (int node = 0; node < w->topology->nodes; node++) {
        reset_node(w, node);
    }
    strata_mailboxes_clear(w->mail);
}

static int allocate(struct strata_virtual *w)
{
    const struct strata_topology *t = w->topology;
    w->memory = strata_allocate((size_t)t->nodes, sizeof *w->memory);
    w->node_memory = strata_allocate((size_t)t->ranks, sizeof *w->node_memory);
    w->rank = strata_allocate((size_t)t->ranks, sizeof *w->rank);
    if (!w->memory || !w->node_memory || !w->rank) {
        return STRATA_ERR_MEMORY;
    }
    for (int node = 0; node < t->nodes; node++) {
        w->memory[node] = strata_allocate(node_bytes(w, node) + STRATA_LINE, 1);
        if (!w->memory[node]) {
            return STRATA_ERR_MEMORY;
        }
    }
    return strata_mailboxes_create(t->ranks, w->options.rendezvous, w->options.schedule == 0,
                                   w->options.seed, &w->mail);
}

int strata_virtual_create(const struct strata_topology *topology, size_t slot_bytes,
                          size_t landing_bytes, const struct strata_virtual_options *options,
                          struct strata_virtual **world)
{
    struct strata_virtual *w = strata_allocate(1, sizeof *w);
    if (!w) {
        return STRATA_ERR_MEMORY;
    }
    *w = (struct strata_virtual){
        .topology = topology,
        .options = *options,
        .sizes = {.slot = {slot_bytes, STRATA_SMALL_SLOT, STRATA_MIDDLE_SLOT},
                  .landing = landing_bytes},
        .random = options->seed};
    int status = allocate(w);
    if (status != STRATA_OK) {
        strata_virtual_destroy(w);
        return status;
    }
    strata_virtual_reset(w);
    *world = w;
    return STRATA_OK;
}

void strata_virtual_destroy(struct strata_virtual *w)
{
    if (!w) {
        return;
    }
    for (int node = 0; w->memory && node < w->topology->nodes; node++) {
        strata_release(w->memory[node]);
    }
    strata_mailboxes_destroy(w->mail);
    strata_release(w->memory);
    strata_release(w->node_memory);
    strata_release(w->rank);
    strata_release(w);
}
