/* The arenas of this process: shared memory, each of some processes of its physical host. */
#ifndef STRATA_API_ATTACH_ARENAS_H
#define STRATA_API_ATTACH_ARENAS_H

#include <mpi.h>
#include <stdbool.h>

#include "intranode/arena.h"

struct strata_process;

struct strata_arena_entry {
    struct strata_arena_entry *next;
    struct strata_arena *arena;
    MPI_Comm host; /* its processes; private */
    size_t bytes;
};

/* How much memory a new arena may have. */
struct strata_arena_quota {
    size_t budget; /* STRATA_BUDGET, all arenas of a host together */
    bool whole;    /* it is for all ranks of MPI_COMM_WORLD, and no other thread may want one now */
};

/* An arena that all processes of host have, or a new one, which then keeps host (its entry's host
 * says so). Collective over host, and alike on all of it. Nothing is done unless all bring status
 * STRATA_OK. STRATA_ERR_CAPACITY: the budget or the system's shared memory is used up. */
int strata_arenas_agree(struct strata_process *process, MPI_Comm host, int status,
                        struct strata_arena_quota quota, struct strata_arena_entry **entry);

/* At finalize; collective over each arena's processes. */
void strata_arenas_finish(struct strata_process *process);

#endif
