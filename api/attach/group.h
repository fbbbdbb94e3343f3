/* A group: everything that the plans of one communicator need, such as a private communicator, the
 * topology, a region of the node's memory, and the plans. Two communicators that are in use never
 * share a group: each rank may make calls on them in another order, or at the same time, whatever
 * MPI_Init_thread granted. A later communicator of the same ranks takes over an idle group, or
 * learns from a group in use where its ranks are. */
#ifndef STRATA_API_ATTACH_GROUP_H
#define STRATA_API_ATTACH_GROUP_H

#include <mpi.h>
#include <stdint.h>

#include "api/attach/bound_calls.h"
#include "api/attach/plan_table.h"
#include "api/process/helping.h"
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
struct strata_thread;

/* The most private communicators that a process holds. MPICH has about 2000 in all, and the program
 * needs them. Further communicators use MPI's own collectives. */
#define STRATA_MOST_GROUPS 64

/* What each rank tells the others about its place. */
struct strata_card {
    int32_t host; /* smallest rank on the same host */
    /* the placement's `place`, as colours */
    uint32_t package : 8, domain : 11, cache : 12;
    uint32_t adapter : 1; /* whether all of the place is near a network adapter */
    uint64_t kernel;      /* the placement's `kernel` */
};

/* The kernel's number of the domain; STRATA_SEVERAL. */
static inline int strata_card_domain(const struct strata_card *card)
{
    return card->domain == 0x7ff ? STRATA_SEVERAL : (int)card->domain;
}

/* The region of an arena that a node's first member took. */
struct strata_taken {
    uint64_t offset;
    int64_t status;
};

/* What ranks tell each other while no rank waits for all: the root of a gatherv or scatterv the
 * bytes of its blocks and of the longest one, all ranks the times of a trial (api/call/trial.h).
 * They look some calls later. */
enum { STRATA_TELL_GATHERV, STRATA_TELL_SCATTERV, STRATA_TELL_TRIAL, STRATA_TELLINGS };
enum { STRATA_TOLD_BYTES, STRATA_TOLD_LONGEST, STRATA_TOLD_NANOSECONDS, STRATA_TOLD_SIZES };

struct strata_telling {
    MPI_Request request; /* MPI_REQUEST_NULL: nothing is being told */
    uint64_t word[STRATA_TOLD_SIZES];
    double times[STRATA_TRIAL_FIGURES];
};

struct strata_group {
    struct strata_group *next, **link; /* in the process's list */
    int64_t id; /* the same on all its ranks; 0 while the group is being made */
    int users;  /* its communicator, requests and chains; 0: idle, kept for a later communicator */
    int rank, ranks; /* endpoints: each rank is the endpoint of the same number ... */
    struct strata_thread
        *thread;                /* ... unless each thread is one: api/attach/members.h; else NULL */
    int *world;                 /* [ranks] each endpoint's rank in MPI_COMM_WORLD */
    bool spawned;               /* some ranks are not in MPI_COMM_WORLD, so `world` is of no use */
    struct strata_card *cards;  /* [ranks] */
    struct strata_taken *taken; /* [ranks] indexed by rank or by node */
    MPI_Comm comm;              /* private; returns errors */
    MPI_Comm served; /* the program's communicator, for failed_mpi.h, which writes what it
                        remembers of one that is freed */
    bool broken;     /* MPI refused a message, or this rank had no memory: the rank is out of step,
                        and every call ends with an error */
    bool open;       /* this rank left a call of MPI's on `comm`, which is not freed then */

    const struct strata_settings *settings; /* rank 0's, except for settings that each rank
                                               decides for itself */
    struct strata_machine machine; /* the settings' machine, with cores shared as on the hosts */
    bool measured;                 /* `machine` holds figures that were measured on this host */
    char machine_file[256];        /* the file that `machine` comes from; "": it comes from none */
    struct strata_tuned_near *tuned; /* choices that were timed; NULL: none is of such nodes */
    int tuned_rows;
    unsigned tuned_uneven;     /* the collectives of which some are for uneven blocks */
    struct strata_torus torus; /* ndims 0: no torus was given for so many ranks */

    struct strata_topology *topology, *flat;
    bool emulated; /* `topology` comes from STRATA_TOPO */
    struct strata_placement placement;
    int here;                      /* processes on this rank's machine */
    enum strata_wait_way way;      /* how the ranks of this host wait */
    bool mpi_yields;               /* a rank has found that MPI's idle ranks yield their core */
    struct strata_sharing sharing; /* how the ranks of this host share its cores */

    struct strata_arena_entry *arena; /* NULL: there is no room for node memory, so blocks go
                                         from rank to rank */
    uint64_t region;
    size_t region_bytes;
    struct strata_capacity capacity;
    struct strata_node_memory memory;
    struct strata_signal_carrier *carrier;
    struct strata_readers *readers; /* NULL: members do not read each other's memory */

    const struct strata_transport *messages; /* moves the messages of `transport` */
    struct strata_transport_mpi transport;
    struct strata_waiter waiter;
    struct strata_workers workers; /* the threads that share this rank's copying */
    struct strata_helping helping; /* the team that a call may open */
    unsigned char *scratch;
    size_t scratch_bytes;
    struct strata_bound_calls calls; /* blocking calls: api/call/bound_call.h */
    struct strata_plan_table plans;
    struct strata_telling telling[STRATA_TELLINGS];
    struct strata_sequence *sequence; /* nonblocking and persistent calls: api/attach/sequence.h */
};

/* Makes a group that knows its ranks and nothing else; NULL without memory. Local. */
struct strata_group *strata_group_draft(MPI_Comm comm);
/* Finds the oldest group of the draft's ranks that has memory, or, with `idle`, that is idle; the
 * group gets one user more. NULL if there is none. Local. */
struct strata_group *strata_group_alike(struct strata_process *process,
                                        const struct strata_group *draft, bool idle);
/* Completes every rank's draft. Collective over comm. `alike` is a group of the same ranks, the
 * same on all ranks, from which the draft learns where its ranks are; or NULL. On success the
 * group has one user. On failure, the same on all ranks, the draft is destroyed and `message`
 * says why. */
int strata_group_complete(struct strata_process *process, MPI_Comm comm, struct strata_group *draft,
                          const struct strata_group *alike, struct strata_diagnostic *message);
/* Waits until everything is told that ranks have begun to tell. All of them have. */
void strata_group_end_telling(struct strata_group *group);
/* Whether a message is there that nobody has received; true where MPI does not say. */
bool strata_message_is_there(MPI_Comm comm);
/* Takes one user away; accepts NULL. Local, and calls no MPI function. */
void strata_group_drop(struct strata_process *process, struct strata_group *group);
/* Marks this rank as out of step with the others. The members of its node see the mark. Local. */
void strata_group_break(struct strata_group *group);
/* The bytes of a region that holds node memory of the group's capacity. */
size_t strata_group_region_bytes(const struct strata_group *group);
/* Takes a region of the arena for so many node memories of that capacity, near the members that
 * write them. Local. */
int strata_group_take(const struct strata_group *group, struct strata_arena_entry *arena,
                      int memories, uint64_t *region);
/* Lays the node memory out in such a region of the arena. No rank uses it before all ranks have
 * laid it out. Local. */
void strata_group_furnish(const struct strata_group *group, uint64_t region,
                          struct strata_node_memory *memory);
/* Lays the group's own node memory out there, and offers local peers to read this rank's memory. */
void strata_group_move_in(struct strata_group *group);
/* The number of nodes on this rank's host. */
int strata_group_nodes_here(const struct strata_group *group);
/* Takes node memory of a capacity, for all endpoints or for none. Returns an error on which all
 * have agreed. STRATA_ERR_CAPACITY: half as much may be there. */
typedef int strata_take_memory(void *context, const struct strata_capacity *capacity);
/* Divides a node's budget and takes node memory for it; where there is not so much, of half the
 * budget, a few times. `most` tells whether ranks share cores. Collective, and returns what `take`
 * does. */
int strata_group_find_memory(const struct strata_group *group, uint64_t budget,
                             struct strata_sharing most, strata_take_memory *take, void *context);
/* Goes on without node memory: not even small blocks fit, so no block is staged. Local. */
void strata_group_go_without(struct strata_group *group);
/* Finds out whether this endpoint can read its local peers' memory; all have moved in. Returns its
 * own status, STRATA_ERR_UNSUPPORTED where it cannot or the settings forbid it. Local. */
int strata_group_meet_readers(struct strata_group *group);
/* Says whether all endpoints can, and so do. */
void strata_group_read_peers(struct strata_group *group, bool all);
/* Sets how this rank waits and copies, when its memory and the team that a call may open are known.
 * Local. */
void strata_group_equip(struct strata_group *group);
/* Gives back this rank's share of a region of the arena, and the shares of members that have died;
 * memory is the first node memory there. Local. */
void strata_group_drop_region(const struct strata_group *group, struct strata_node_memory *memory,
                              uint64_t region);
/* As strata_agree, among the group's endpoints; each endpoint calls it. A rank that left it,
 * because the communicator was revoked, is out of step. */
int strata_group_agree(struct strata_group *group, void *words, int count, MPI_Datatype type,
                       MPI_Op op);
/* Completes a call of MPI's on the group's communicator; requests move meanwhile. `error` says
 * whether the call began. Where the rank leaves it, as above, *request is not null, and MPI may
 * still use the call's memory. Not for groups of threads. */
int strata_group_finish(struct strata_group *group, int error, MPI_Request *request);
/* The number of ranks on this rank's node. */
static inline int strata_group_members(const struct strata_group *group)
{
    const struct strata_topology *t = group->topology;
    return strata_topology_node_size(t, t->node_of[group->rank]);
}
/* Frees the idle groups. Local. */
void strata_groups_sweep(struct strata_process *process);
/* The number of groups in use. */
int strata_groups_in_use(struct strata_process *process);
void strata_groups_finish(struct strata_process *process);
void strata_group_destroy(struct strata_group *group); /* the group is not in the list; accepts
                                                          NULL */

#endif
