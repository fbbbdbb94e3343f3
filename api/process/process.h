/* What the process holds for all communicators: configuration, attribute keys, the lists of live
 * states, groups, arenas, datatypes and settings; and how errors leave the library. No MPI
 * function is called while the lock is held: MPI may hold a lock of its own around our delete
 * callbacks. */
#ifndef STRATA_API_PROCESS_PROCESS_H
#define STRATA_API_PROCESS_PROCESS_H

#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "api/process/explained.h"
#include "api/process/host_parameters.h"
#include "core/base/config.h"
#include "core/base/each_thread.h"
#include "core/base/error.h"

/* What all ranks of MPI_COMM_WORLD know of a setting before any of them reads its own. */
enum strata_said { STRATA_SAID_NOTHING, STRATA_SAID_NO, STRATA_SAID_YES };

/* Why hosts have less memory for their ranks than the budget allows, as far as ranks have told
 * each other. */
struct strata_shm_limit {
    uint64_t shared, free; /* bytes of a /dev/shm that was too small; 0: none was */
    bool apart;            /* ranks of a host could not map the same memory */
};

struct strata_process {
    pthread_mutex_t lock;   /* guards the lists and their counts */
    pthread_mutex_t making; /* one new datatype, or `alone`, at a time; delete callbacks never
                               take it */
    _Atomic bool ready;     /* set once, by strata_process; threads look at it without the lock */
    bool finished;          /* MPI_Finalize has begun and everything here is gone */
    bool multiple;          /* MPI_THREAD_MULTIPLE was granted */
    atomic_int threads; /* of the program that have come here: programs call from several at once,
                           whatever was granted */
    bool preloaded; /* under a program that does not know of Strata: all looks as MPI alone would */
    enum strata_said same_bits; /* by its rank 0, in MPI_Init */
    int complaints;             /* about settings that are wrong */
    char complaint[640];        /* the first of them, where rank 0 has not said it and nobody yet */
    bool told_settings;         /* that rank 0's count, where this rank's differ */
    int world_rank, world_size;
    MPI_Comm alone; /* private, of this process only; MPI_COMM_NULL until an operator is checked */
    struct strata_config config; /* this process's own; groups adopt their rank 0's */
    int comm_key, type_key;      /* attribute keys */

    atomic_uint changes; /* of states, their choices and datatypes: strata_changes_now */

    struct strata_state *states;
    struct strata_group *groups;
    int ngroups;
    unsigned groups_made; /* numbers them */
    struct strata_arena_entry *arenas;
    struct strata_shm_limit limit; /* what has limited them */
    struct strata_datatype *datatypes;
    struct strata_settings *settings;

    struct strata_host_parameters host; /* what was measured, once in a process */
    _Atomic int world_here; /* of MPI_COMM_WORLD on this machine; 0: until it is attached */
    atomic_bool mpi_yields; /* MPI's idle ranks do, as one of a group of mine has found */
    bool complained_hosts;  /* said once in a process */

    struct strata_explain explain;

    /* api/request/open_requests.h, which leaves them here; NULL in a program that links no request
     * */
    void (*move_requests)(void); /* moves requests that plans serve */
    void (*end_beside)(void);    /* ends the thread that moves them */
};

/* What is remembered by handles of communicators and datatypes, which are used again, and by what
 * strata_comm_force said, holds as long as this count is the same: it goes up when a state or a
 * datatype of ours is deleted, by whatever thread, or a choice is changed. */
static inline unsigned strata_changes_now(const struct strata_process *process)
{
    /* pairs with the release in strata_changed: whoever has a handle that is used again has the
     * new count, too */
    return atomic_load_explicit(&process->changes, memory_order_acquire);
}

static inline void strata_changed(struct strata_process *process)
{
    atomic_fetch_add_explicit(&process->changes, 1, memory_order_release);
}

/* Around a look at what a thread may delete meanwhile, which frees a communicator: its state. */
static inline void strata_states_lock(struct strata_process *process)
{
    pthread_mutex_lock(&process->lock);
}

static inline void strata_states_unlock(struct strata_process *process)
{
    pthread_mutex_unlock(&process->lock);
}

/* Counts this thread, once. */
void strata_thread_comes(struct strata_process *process);

/* Whether another thread may call meanwhile. What it would meet is guarded by locks, so the order
 * does not matter. */
static inline bool strata_several_threads(const struct strata_process *process)
{
    return process->multiple || atomic_load_explicit(&process->threads, memory_order_relaxed) > 1;
}

/* The one process, set up or not, gone or not: strata_process (api/life/life.h) tells. */
extern struct strata_process strata_process_here;

/* Writes "strata: sentence" to standard error. */
void strata_warn(const char *sentence);

/* Ends all ranks of MPI_COMM_WORLD, when what was said has had the time to be read. */
void strata_end_job(void);

/* Logs one line "strata: alltoallv, rank 3: text" and hands the MPI error code (or class) to the
 * error handler of comm; MPI_COMM_NULL means MPI's default for calls without a communicator. Where
 * Strata was preloaded it says so only if the program ends. Returns code. */
int strata_raise(MPI_Comm comm, int code, const char *call, const char *text);

/* Whether that is why a call was refused on this rank: its arguments, which MPI looks at before
 * another rank hears of it. So it is as if it had not been made; the others wait for a right one.
 */
bool strata_refused(int code);

/* A communicator of the same ranks, by MPI_Comm_create: MPI_Comm_dup would run the program's
 * attribute callbacks. MPI_COMM_NULL on failure. Collective; returns MPI's code. */
int strata_private_communicator(MPI_Comm comm, MPI_Comm *made);

/* The MPI class of one of our errors. */
int strata_error_class(int error);

#endif
