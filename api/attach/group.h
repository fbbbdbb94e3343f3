/* What plans of one communicator need: a private communicator, topology, a region of the node's
 * memory, plans. No two communicators in use have the same: calls on two of them may come in
 * another order on each rank, or be in progress at once, whatever MPI_Init_thread granted. A later
 * one of the same ranks takes what is idle, and learns where its ranks are from what is in use. */
#ifndef STRATA_API_ATTACH_GROUP_H
#define STRATA_API_ATTACH_GROUP_H

#include <mpi.h>
#include <stdint.h>

#include "api/attach/bound_calls.h"
#include "api/attach/plan_table.h"
#include "core/base/config.h"
#include "core/cost/machine.h"
#include "core/engine/engine.h"
#include "hier/select.h"
#include "internode/mpi/transport_mpi.h"
#include "intranode/placement.h"
#include "intranode/readers.h"
#include "intranode/signals.h"
#include "intranode/wait.h"

struct strata_process;
struct strata_settings;
struct strata_arena_entry;
struct strata_sequence;

/* Private communicators that a process holds at most: MPICH has about 2000 in all, and they are
 * the program's. Communicators beyond that use MPI's own collectives. */
#define STRATA_MOST_GROUPS 64

/* What every rank tells the others about its place. */
struct strata_card {
    int32_t host;    /* smallest rank on its host */
    int32_t numa;    /* domain inside the host */
    uint64_t kernel; /* the placement's */
};

/* The region of an arena that a node's first member took. */
struct strata_taken {
    uint64_t offset;
    int64_t status;
};

/* What the root of gatherv, or of scatterv, tells the others of its blocks; they look later. */
struct strata_telling {
    MPI_Request request; /* MPI_REQUEST_NULL: nothing is being told */
    uint64_t bytes;
};

struct strata_group {
    struct strata_group *next, **link; /* in the process's list */
    int64_t id;                        /* equal on all its ranks; 0 while being made */
    int users;       /* its communicator, requests and chains; 0: idle, kept for the next one */
    int rank, ranks; /* each rank is an endpoint, of its number */
    int *world;      /* [ranks] their ranks in MPI_COMM_WORLD */
    bool spawned;    /* some are not in it: world is not to be used */
    struct strata_card *cards;  /* [ranks] */
    struct strata_taken *taken; /* [ranks] by rank, or by node */
    MPI_Comm comm;              /* private; returns errors */
    bool broken;                /* MPI refused a message, or this rank had no memory: it is out of
                                   step, and every call ends with an error */

    const struct strata_settings *settings; /* of its rank 0, but for what is each rank's own */
    struct strata_machine machine;          /* the settings', as crowded as the machines are */
    bool measured;                          /* figures of it were, on the spot */
    struct strata_torus torus;              /* ndims 0: none was given for so many ranks */

    struct strata_topology *topology, *flat;
    bool emulated; /* the topology is STRATA_TOPO's */
    struct strata_placement placement;
    int here;                      /* processes on my machine */
    enum strata_wait_way way;      /* how my host's ranks wait */
    bool mpi_yields;               /* MPI's idle ranks do, as one has found */
    struct strata_sharing sharing; /* of my host's cores */

    struct strata_arena_entry *arena; /* NULL: nothing fits, so blocks go rank to rank */
    uint64_t region;
    size_t region_bytes;
    struct strata_capacity capacity;
    struct strata_node_memory memory;
    struct strata_signal_carrier *carrier;
    struct strata_readers *readers; /* NULL: members do not read each other's memory */

    struct strata_transport_mpi transport;
    struct strata_waiter waiter;
    struct strata_team team;
    unsigned char *scratch;
    size_t scratch_bytes;
    struct strata_bound_calls calls; /* that block: api/call/bound_call.h */
    struct strata_plan_table plans;
    struct strata_telling telling[2];
    struct strata_sequence *sequence; /* of calls that do not block: api/attach/sequence.h */
};

/* A group state that knows who its ranks are, and nothing else; NULL without memory. Local. */
struct strata_group *strata_group_draft(MPI_Comm comm);
/* The oldest one of the same ranks that has memory, or that is idle, with one user more; NULL if
 * none. Local. */
struct strata_group *strata_group_alike(struct strata_process *process,
                                        const struct strata_group *draft, bool idle);
/* Collective over comm, with every rank's draft, and one of the same ranks, the same on all, from
 * which it learns where they are, or NULL. On failure, alike on all ranks, the draft is destroyed
 * and message says why. On success it has one user. */
int strata_group_complete(struct strata_process *process, MPI_Comm comm, struct strata_group *draft,
                          const struct strata_group *alike, struct strata_diagnostic *message);
/* Ends what is being told in calls that are over, for all ranks have begun it. */
void strata_group_end_telling(struct strata_group *group);
/* One user less; accepts NULL. Local, and calls no MPI function. */
void strata_group_drop(struct strata_process *process, struct strata_group *group);
/* This rank is out of step with the others; those of its node see it. Local. */
void strata_group_break(struct strata_group *group);
/* Of a region with memory as the group's capacity asks for. */
size_t strata_group_region_bytes(const struct strata_group *group);
/* Lays it out in such a region of the arena; nobody uses it before all ranks have. Local. */
void strata_group_furnish(const struct strata_group *group, uint64_t region,
                          struct strata_node_memory *memory);
/* The ranks of my node. */
static inline int strata_group_members(const struct strata_group *group)
{
    const struct strata_topology *t = group->topology;
    return strata_topology_node_size(t, t->node_of[group->rank]);
}
/* Frees the idle ones. Local. */
void strata_groups_sweep(struct strata_process *process);
/* How many are in use. */
int strata_groups_in_use(struct strata_process *process);
void strata_groups_finish(struct strata_process *process);
void strata_group_destroy(struct strata_group *group); /* not in the list; accepts NULL */

#endif
