/* Everything that Strata knows about one communicator; kept as its attribute. */
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

/* Calls whose result should lie once in each node. */
struct strata_shared_results {
    uint64_t once;   /* calls whose result lies once in each node */
    uint64_t copies; /* calls after which each rank has a result of its own */
    char why[160];   /* the reason of the last such call */
    bool never;      /* ranks of some node cannot have the same memory */
    /* gives the results up when the communicator goes; NULL: there are no results */
    void (*leave)(const struct strata_state *state);
};

struct strata_sequence;

struct strata_state {
    MPI_Comm comm;
    int rank, ranks;
    bool inter;                        /* an intercommunicator */
    struct strata_thread *thread;      /* the thread whose handle it is; NULL: it is of ranks */
    struct strata_state *next, **link; /* in the process's list */
    enum strata_standing standing;
    int64_t seen;      /* calls that count for STRATA_ATTACH_AFTER; the same on all ranks */
    bool refused;      /* MPI refused the last counted call on this rank: the next call is that
                          one again */
    int64_t attach_at; /* agreed at the first call; 0 before */
    struct strata_group *group; /* while attached */
    char why[160];              /* why MPI's own serves the calls */
    int attach_error;           /* MPI's error, if attaching failed in this call and this rank is
                                   out of step; not raised yet */
    struct strata_bound_calls *calls; /* the group's remembered calls; without a group, none */
    unsigned native;                  /* bit 1 << collective: native MPI serves all calls of it */
    struct strata_selection_entry *last; /* the entry that the last call ran; NULL: native MPI */
    struct strata_selection_entry *held; /* the last entry that perhaps no bound call holds */
    const char *last_why; /* why native MPI served the last call, where that may change */
    bool last_forced;     /* strata_comm_force has chosen the algorithm of the last call */
    struct strata_selection_entry begun; /* a copy of the entry that the last nonblocking call
                                            runs */
    const void *recorded; /* the entry of which `begun` is a copy; NULL: that entry is gone */

    struct strata_sequence *sequence; /* for nonblocking and persistent calls; NULL: MPI's own
                                         serves them */
    bool beside; /* plans served some nonblocking calls, so MPI's own collectives must not wait
                    beside them: api/process/agree.h */

    bool asks_bits, same_bits; /* strata_comm_same_bits was called; the last value it was given */
    bool missed_bits; /* MPI's own served the last call, though it was asked for the same bits */
    unsigned forced;  /* bit 1 << collective: strata_comm_force has chosen for it */
    struct strata_choice choice[STRATA_COLLECTIVE_COUNT]; /* the forced choices */
    unsigned choices; /* how often a choice or same_bits changed */

    struct strata_call_statistics statistics[STRATA_CALL_STATISTICS];

    int64_t shadows; /* calls that STRATA_SHADOW counted; the same on all ranks */
    struct strata_served served;
    struct strata_shared_results results; /* strata_allgather_shared, strata_bcast_shared */
    struct strata_explained_communicator *explained; /* NULL: no call was explained */
    struct strata_traffic_count count;
};

/* The state that this thread found last, and its communicator's handle. */
struct strata_found_state {
    MPI_Comm comm;
    unsigned changes; /* the process's count of changes when the state was found; 0: none was
                         found */
    struct strata_state *state;
};
extern STRATA_EACH_THREAD struct strata_found_state strata_found_state;

/* Whether the state found last is this communicator's. When a state goes, the count of changes goes
 * up. */
static inline bool strata_state_is_found(MPI_Comm comm, unsigned changes)
{
    return strata_found_state.comm == comm && strata_found_state.changes == changes;
}

/* The state found last; NULL: the communicator's state must be looked up. */
static inline struct strata_state *strata_state_found(MPI_Comm comm, unsigned changes)
{
    return strata_state_is_found(comm, changes) ? strata_found_state.state : NULL;
}

/* Why a communicator can have neither plans nor choices of its own; NULL: it can. */
const char *strata_communicator_wrong(MPI_Comm comm);
/* Initialises a new communicator's state in the caller's memory. */
void strata_state_init(struct strata_state *state, MPI_Comm comm);
/* For preloaded programs, where the state was not the one found last: whether MPI's own serves this
 * call, without a look at its arguments. MPI's own serves a communicator's first call, which leaves
 * a mark and no state, so that many communicators that are used once cost nothing. All ranks decide
 * alike. With STRATA_SAME_BITS=1 on rank 0 of MPI_COMM_WORLD, MPI's own serves no call. */
bool strata_native_first(struct strata_process *process, MPI_Comm comm);
/* After that call, which ended with this error: leaves the mark, unless MPI refused the call's
 * arguments on this rank. */
void strata_native_first_done(struct strata_process *process, MPI_Comm comm, int error);
/* The communicator's state, which its first call makes; NULL without memory. */
struct strata_state *strata_state_find(struct strata_process *process, MPI_Comm comm);
/* Makes the state of a thread's handle, which is attached from the start; NULL without memory. */
struct strata_state *strata_state_of_thread(struct strata_process *process,
                                            struct strata_thread *thread);
/* The communicator's state; NULL when there is none yet. */
struct strata_state *strata_state_peek(const struct strata_process *process, MPI_Comm comm);

int strata_state_deleted(MPI_Comm comm, int key, void *value, void *extra);
void strata_states_finish(struct strata_process *process);

/* Writes why MPI's own served the last call, for a reason of the communicator or of the call, and
 * what the call missed. */
void strata_state_why(const struct strata_state *state, const char *call, char *text, size_t size);

/* Whether a call of the collective may attach its communicator. Attaching makes all ranks wait for
 * all. In a preloaded program it is left to a call in which all ranks wait for all anyway, for each
 * rank may make calls on several communicators in its own order. If the same bits are asked for, it
 * cannot be left. */
bool strata_may_attach(const struct strata_process *process, enum strata_collective collective);

/* Leaves all calls to MPI's own from now on; returns false. */
bool strata_fall_back(struct strata_state *state, const char *why);
/* Called once in every call; true when the communicator is attached. Collective over it until its
 * standing is native or attached. `now`: does not wait for STRATA_ATTACH_AFTER calls. */
bool strata_attach(struct strata_process *process, struct strata_state *state, bool now);

/* The error with which attaching has just failed, or none. No later call returns it. */
static inline int strata_attach_error(struct strata_state *state)
{
    const int error = state->attach_error;
    state->attach_error = MPI_SUCCESS;
    return error;
}

/* Raises it, as MPI's own would fail, in which the others wait. */
static inline int strata_attach_failure(struct strata_state *state)
{
    const int error = strata_attach_error(state);
    return error == MPI_SUCCESS ? error : strata_raise(state->comm, error, "attach", state->why);
}

/* Attaches for a call that tells of an error in its own way. */
static inline bool strata_attach_now(struct strata_process *process, struct strata_state *state)
{
    const bool attached = strata_attach(process, state, true);
    (void)strata_attach_error(state);
    return attached;
}

/* Replaces strata_attach on a rank that has no memory for a state: no rank attaches in this call.
 * Not for intercommunicators, whose ranks agree on nothing. */
void strata_attach_decline(struct strata_process *process, MPI_Comm comm);

#endif
