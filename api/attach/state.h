/* What one communicator knows; kept as its attribute. */
#ifndef STRATA_API_ATTACH_STATE_H
#define STRATA_API_ATTACH_STATE_H

#include <mpi.h>

#include "api/attach/call_statistics.h"
#include "api/attach/group.h"
#include "api/attach/served.h"
#include "api/process/process.h"
#include "api/types/datatype.h"
#include "include/strata.h"

struct strata_state;

/* Calls whose result was to lie once in each node. */
struct strata_shared_results {
    uint64_t once;   /* calls whose result lies once in each node */
    uint64_t copies; /* calls after which each rank has a result of its own */
    char why[160];   /* the reason of the last such call */
    bool never;      /* ranks of some node cannot have the same memory */
    /* gives the results up where the communicator goes; NULL: there are none */
    void (*leave)(const struct strata_state *state);
};

struct strata_sequence;

struct strata_state {
    MPI_Comm comm;
    int rank, ranks;
    bool inter;                        /* an intercommunicator */
    struct strata_state *next, **link; /* in the process's list */
    enum strata_standing standing;
    int64_t seen;      /* direct calls; equal on all ranks */
    bool refused;      /* on this rank after it was counted: the next call is that one once more */
    int64_t attach_at; /* agreed at the first call; 0 before */
    struct strata_group *group; /* while attached */
    char why[160];              /* MPI's own is used: for what reason */
    int attach_error;           /* MPI's, of attaching in this call: this rank is out of step */
    struct strata_bound_calls *calls; /* the group's remembered calls; without a group, none */
    unsigned native;                  /* bit 1 << collective: native MPI serves all calls of it */
    struct strata_selection_entry *last; /* what the last call ran; NULL: native MPI */
    struct strata_selection_entry *held; /* the last one that may be held by no bound call */
    const char *last_why;                /* why native MPI ran it, where that is not for good */
    bool last_forced;                    /* by strata_comm_force */
    struct strata_selection_entry begun; /* a copy of what the last nonblocking call runs */
    const void *recorded;                /* the entry that `begun` is a copy of; NULL: it is gone */

    struct strata_sequence *sequence; /* of calls that do not block; NULL: they are MPI's own */
    bool beside; /* some were plans, beside which MPI's own must not wait: api/process/agree.h */

    bool asks_bits, same_bits; /* whether strata_comm_same_bits was called, and with what */
    bool missed_bits;          /* MPI's own served the last call, which was to have the same bits */
    unsigned forced;           /* bit 1 << collective: strata_comm_force has chosen for it */
    struct strata_choice choice[STRATA_COLLECTIVE_COUNT]; /* what it has chosen */
    unsigned choices; /* how often a choice or same_bits changed */

    struct strata_call_statistics statistics[STRATA_CALL_STATISTICS];

    int64_t shadows; /* calls that STRATA_SHADOW counted; equal on all ranks */
    struct strata_served served;
    struct strata_shared_results results; /* strata_allgather_shared, strata_bcast_shared */
    struct strata_explained_communicator *explained; /* NULL: no call was */
    struct strata_traffic_count count;
};

/* The state that this thread found last, by its communicator's handle. */
struct strata_found_state {
    MPI_Comm comm;
    unsigned changes; /* of the process, when the state was found; 0: there is none */
    struct strata_state *state;
};
extern STRATA_EACH_THREAD struct strata_found_state strata_found_state;

/* Whether it is this communicator's. Of a state that is gone there was a change. */
static inline bool strata_state_is_found(MPI_Comm comm, unsigned changes)
{
    return strata_found_state.comm == comm && strata_found_state.changes == changes;
}

/* That state; NULL: to be looked for. */
static inline struct strata_state *strata_state_found(MPI_Comm comm, unsigned changes)
{
    return strata_state_is_found(comm, changes) ? strata_found_state.state : NULL;
}

/* Why a communicator can have no plans and choices of its own; NULL: it can. */
const char *strata_communicator_wrong(MPI_Comm comm);
/* A new communicator's, in memory of the caller's. */
void strata_state_init(struct strata_state *state, MPI_Comm comm);
/* For programs that do not know of Strata, where the state was not found last: whether MPI's own is
 * to serve this call, without a look at its arguments. It serves a communicator's first call, which
 * leaves a mark and no state: so many communicators that are used once cost nothing. All ranks
 * decide alike. With STRATA_SAME_BITS=1, as rank 0 of MPI_COMM_WORLD has said, it serves none. */
bool strata_native_first(struct strata_process *process, MPI_Comm comm);
/* After that call, which ended with this error: leaves the mark, unless it was refused on this rank
 * for its arguments. */
void strata_native_first_done(struct strata_process *process, MPI_Comm comm, int error);
/* The communicator's state, made at its first call; NULL without memory. */
struct strata_state *strata_state_find(struct strata_process *process, MPI_Comm comm);
/* The same, but NULL when there is none yet. */
struct strata_state *strata_state_peek(const struct strata_process *process, MPI_Comm comm);

int strata_state_deleted(MPI_Comm comm, int key, void *value, void *extra);
void strata_states_finish(struct strata_process *process);

/* Says why MPI's own served the last call: for the communicator's reason, or for the call's; and
 * what that call missed. */
void strata_state_why(const struct strata_state *state, const char *call, char *text, size_t size);

/* Leaves all calls to MPI's own from now on; false. */
bool strata_fall_back(struct strata_state *state, const char *why);
/* Called once in every call; true when the communicator is attached. Collective over it until it
 * stands as native or attached. `now`: without waiting for STRATA_ATTACH_AFTER calls. */
bool strata_attach(struct strata_process *process, struct strata_state *state, bool now);

/* Instead of it, by a rank that has no memory for a state: nobody is attached in this call. Not for
 * intercommunicators, about which nothing is agreed. */
void strata_attach_decline(struct strata_process *process, MPI_Comm comm);

#endif
