/* The arenas of this process. An arena is shared memory of processes of one physical host. */
#ifndef STRATA_API_ATTACH_ARENAS_H
#define STRATA_API_ATTACH_ARENAS_H

#include <mpi.h>
#include <stdbool.h>

#include "intranode/arena.h"

struct strata_process;

struct strata_arena_entry {
    struct strata_arena_entry *next;
    struct strata_arena *arena;
    MPI_Comm host; /* private communicator of the arena's processes */
    size_t bytes;
    bool near; /* all its processes may say near whom pages lie (strata_pages_advisable) */
};

/* How much memory a new arena may have. */
struct strata_arena_quota {
    size_t budget; /* STRATA_BUDGET, for all arenas of a host together */
    bool whole;    /* the arena is for all ranks of MPI_COMM_WORLD, and no other thread may want
                      one now */
};

/* Finds an arena that all processes of `host` have, or makes one. A new arena keeps `host`: its
 * entry's `host` says so. Collective over `host`; the outcome is the same on all its processes.
 * Nothing happens unless all of them bring status STRATA_OK. STRATA_ERR_CAPACITY: the budget or the
 * system's shared memory is used up. */
int strata_arenas_agree(struct strata_process *process, MPI_Comm host, int status,
                        struct strata_arena_quota quota, struct strata_arena_entry **entry);

/* Destroys all arenas, at MPI_Finalize. Collective over each arena's processes. */
void strata_arenas_finish(struct strata_process *process);

#endif
