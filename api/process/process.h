/* What the process holds for all communicators: the configuration, attribute keys, the lists of
 * live states, groups, arenas, datatypes and settings; and how errors leave the library. A thread
 * calls no MPI function while it holds the lock: MPI may hold a lock of its own around our delete
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
#include "core/cost/machine_file.h"
#include "hier/tuned.h"

/* What all ranks of MPI_COMM_WORLD know about a setting before any of them reads its own. */
enum strata_said { STRATA_SAID_NOTHING, STRATA_SAID_NO, STRATA_SAID_YES };

/* Why hosts have less memory for their ranks than the budget allows, as far as ranks have told each
 * other. */
struct strata_shm_limit {
    uint64_t shared, free; /* bytes of the whole of a /dev/shm that was too small, and its free
                              bytes; 0: none was too small */
    bool apart;            /* ranks of a host could not map the same memory */
};

struct strata_process {
    pthread_mutex_t lock;   /* guards the lists and their counts */
    pthread_mutex_t making; /* held to make a new datatype, or to use `alone`; delete callbacks
                               never take it */
    _Atomic bool ready;     /* set once, by strata_process; threads read it without the lock */
    bool finished;          /* MPI_Finalize has begun, and everything here is gone */
    bool multiple;          /* MPI_THREAD_MULTIPLE was granted */
    bool hides_errors;      /* the MPI does: strata_mpi_hides_errors */
    atomic_int threads;     /* threads of the program that have called Strata: programs call from
                               several threads, whatever level was granted */
    bool preloaded; /* the program does not know of Strata: everything must look as under MPI
                       alone */
    enum strata_said same_bits; /* STRATA_SAME_BITS of rank 0 of MPI_COMM_WORLD, told in MPI_Init */
    int complaints;             /* wrong settings */
    char complaint[640];        /* the first wrong setting, until it is reported */
    bool told_settings; /* this rank has said that rank 0's settings count where its own differ */
    int world_rank, world_size;
    MPI_Comm alone; /* private, of this process only; MPI_COMM_NULL until one is needed */
    struct strata_config config; /* this process's own; groups adopt rank 0's */
    struct strata_config *filed; /* of files, once this process has read them; locked */
    /* locked: what STRATA_MACHINE's value found last, if this process looked for it */
    struct strata_machine_found machine;
    char machine_text[256];
    struct strata_tuned tuned; /* locked: the same of STRATA_TUNED */
    char tuned_text[256];
    int comm_key, type_key; /* attribute keys */

    atomic_uint changes; /* changes of states, choices and datatypes: strata_changes_now */

    struct strata_members *members; /* threads as members: api/attach/members.h */
    struct strata_state *states;
    struct strata_group *groups;
    int ngroups;
    unsigned groups_made; /* gives each group its number */
    struct strata_arena_entry *arenas;
    struct strata_shm_limit limit; /* why arenas are smaller than the budget */
    struct strata_datatype *datatypes;
    struct strata_settings *settings;

    struct strata_host_parameters host;  /* figures measured once in a process */
    struct strata_message_times network; /* the same of messages between nodes */
    struct strata_hardware *hardware;    /* of this host; NULL: not yet looked at */
    _Atomic int world_here; /* processes of MPI_COMM_WORLD on this machine; 0: it is not attached
                               yet */
    atomic_bool mpi_yields; /* a rank in a group of mine has found that MPI's idle ranks yield */
    bool complained_hosts;  /* a complaint about hosts was printed; once in a process */

    struct strata_explain explain;
    /* nanoseconds that rivals' calls in trials took more than the choices would have */
    _Atomic int64_t trials_cost;

    /* api/attach/members.h leaves these here: the number of the thread whose handle it is, or -1;
     * and the communicator of the handle's ranks, which MPI is asked about, or else comm itself.
     * NULL while threads have no handles */
    int (*number_of)(MPI_Comm comm);
    MPI_Comm (*ranks_of)(MPI_Comm comm);

    /* api/request/open_requests.h leaves these functions here; NULL in a program that links no
     * request */
    void (*move_requests)(void); /* moves requests that plans serve */
    void (*end_beside)(void);    /* ends the thread that moves them */
};

/* Whatever is remembered by the handle of a communicator or datatype, or by a choice of
 * strata_comm_force, holds as long as this count is the same: MPI reuses handles. The count goes up
 * when any thread deletes a state or a datatype of ours, or when a choice changes. */
static inline unsigned strata_changes_now(const struct strata_process *process)
{
    /* pairs with the release in strata_changed: a thread that has a reused handle has the new
     * count, too */
    return atomic_load_explicit(&process->changes, memory_order_acquire);
}

static inline void strata_changed(struct strata_process *process)
{
    atomic_fetch_add_explicit(&process->changes, 1, memory_order_release);
}

/* The lock around a look at a state that another thread, which frees the communicator, may
 * delete. */
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

/* Whether another thread may call meanwhile. Locks guard everything that it would meet, so the
 * order does not matter. */
static inline bool strata_several_threads(const struct strata_process *process)
{
    return process->multiple || atomic_load_explicit(&process->threads, memory_order_relaxed) > 1;
}

/* The process's one struct, set up or not, gone or not. strata_process (api/life/life.h) tells
 * which. It is hidden, so that its members are found by one instruction. */
extern struct strata_process strata_process_here __attribute__((visibility("hidden")));

/* Writes "strata: sentence" to standard error. */
void strata_warn(const char *sentence);

/* Ends all ranks of MPI_COMM_WORLD, after a pause in which the last message can be printed. */
_Noreturn void strata_end_job(void);

/* Prints one line "strata: alltoallv, rank 3: text" and hands the MPI error code (or class) to the
 * error handler of comm; MPI_COMM_NULL: to MPI's default handler for calls without a communicator.
 * A preloaded Strata prints the line only if the program ends. Returns the code as MPI knows why:
 * MPI_ERR_OTHER becomes MPIX_ERR_PROC_FAILED or MPIX_ERR_REVOKED where a rank of comm has failed or
 * comm was revoked, if this thread may call MPI. */
int strata_raise(MPI_Comm comm, int code, const char *call, const char *text);

/* Whether this code means that MPI refused the call's arguments on this rank, before another rank
 * heard of the call. Then it is as if the call had not been made, and the others wait for a right
 * one. */
bool strata_refused(int code);

/* Before a call of MPI's own that counts only if MPI does not refuse it. True: MPI would hide the
 * call's error behind an error handler of the program's, so the communicator is quiet for the
 * call. */
bool strata_hear(MPI_Comm comm);
/* After that call, with its error: calls the handler. Returns what MPI would have returned. */
int strata_heard(MPI_Comm comm, int error);

static inline bool strata_hears(const struct strata_process *process, MPI_Comm comm)
{
    return process->hides_errors && strata_hear(comm);
}

/* Makes a private communicator of the same ranks with MPI_Comm_create, for MPI_Comm_dup would run
 * the program's attribute callbacks. MPI_COMM_NULL on failure. Collective; returns MPI's code. */
int strata_private_communicator(MPI_Comm comm, MPI_Comm *made);
/* Makes one of `size` ranks of comm, in that order. Collective over these; returns MPI's code. */
int strata_communicator_of(MPI_Comm comm, int size, const int *ranks, MPI_Comm *made);
/* Frees one of both, on this rank; accepts MPI_COMM_NULL. Where MPI knows that a rank of it has
 * failed, or it was revoked, it stays, without its state: others may still send its last messages,
 * which MPI would take to a later communicator that has its number. */
void strata_private_communicator_free(MPI_Comm *comm);

/* The MPI error class of one of Strata's errors. */
int strata_error_class(int error);

#endif
