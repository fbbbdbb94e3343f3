/* A world of virtual ranks from inside. Private to sim/. */
#ifndef STRATA_SIM_VIRTUAL_VIRTUAL_WORLD_H
#define STRATA_SIM_VIRTUAL_VIRTUAL_WORLD_H

#include "core/engine/engine.h"
#include "sim/virtual/mailboxes.h"
#include "sim/virtual/virtual.h"

/* One rank: where it is in its sequence of calls. */
struct strata_virtual_rank {
    int call;          /* the current call, or the next one */
    bool running;      /* it has begun that call */
    bool broken;       /* one of its messages failed: it goes no further */
    bool asleep;       /* the schedule passes it over while any other rank can move */
    uint64_t stuck_at; /* the world's `moves` when it last could not move */
    unsigned char *scratch;
    size_t scratch_bytes; /* a guard follows */
    struct strata_execution x;
    struct strata_tape *tape; /* the tape of its last call's plan; NULL: none */
};

struct strata_virtual {
    const struct strata_topology *topology;
    struct strata_virtual_options options;
    struct strata_mailboxes *mail;
    void **memory; /* [nodes] as allocated */
    struct strata_node_memory_sizes sizes;
    struct strata_node_memory *node_memory; /* [ranks] */
    struct strata_virtual_rank *rank;       /* [ranks] */
    uint64_t random;                        /* state of the schedule's random numbers */
    uint64_t moves;                         /* grows when a rank makes progress */
    uint64_t picks;
    int error; /* the first of a run */
};

/* sim/virtual/virtual.c: node memory and mailboxes as new, also after a run that failed
 * half-way. */
void strata_virtual_reset(struct strata_virtual *w);

#endif
