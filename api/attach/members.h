/* Threads as members of collectives. Each thread of a rank has a handle: a communicator of its own,
 * by which it makes calls, with a state and a group of its own, in which it is one endpoint of
 * many. The endpoints that call together are a part. Members are one part, numbered rank by rank,
 * and in a rank thread by thread, until they are split by colours and keys. */
#ifndef STRATA_API_ATTACH_MEMBERS_H
#define STRATA_API_ATTACH_MEMBERS_H

#include <pthread.h>

#include "api/attach/state.h"
#include "api/process/by_mpi.h"
#include "core/base/seldom.h"
#include "include/strata.h"

/* The most endpoints of a rank: MPI has room for so many pairs of them. */
#define STRATA_MOST_THREADS 64

/* Who made the last call by a handle, with MPI_THREAD_FUNNELED. */
enum strata_waits { STRATA_WAITS_AS_NOBODY, STRATA_WAITS_AS_MAIN, STRATA_WAITS_AS_OTHER };

struct strata_thread {
    MPI_Comm comm; /* its handle: of this process alone */
    struct strata_members *members;
    int index;                        /* among the rank's */
    struct strata_members_part *part; /* NULL: in none, and what follows is not there either */
    int number;                       /* among the part's endpoints */
    struct strata_state *state;
    struct strata_group *group;
    enum strata_waits waits; /* for whom its group's waiter is */
    atomic_bool taken;       /* a call is under way, below MPI_THREAD_MULTIPLE */
    char apart[128];         /* its thread writes what follows in each call */
    _Atomic uint64_t ended;  /* calls that have ended; the main thread looks at those of others */
    _Atomic uint64_t gone;   /* calls after which it looks at nothing of the members any more */
    char behind[128];
};

/* What the rank's threads bring to an agreement, which one of them makes for all. */
struct strata_meeting {
    pthread_mutex_t lock;
    int come;                /* threads that have come; under the lock */
    _Atomic uint64_t round;  /* agreements that are over */
    unsigned char *words[2]; /* of this round, and of the last one, which others may still read */
    int error;               /* of the last one */
    struct strata_thread_bell bell; /* rings when one is over */
};

/* Who has joined in this round of joining. */
struct strata_joining {
    pthread_mutex_t lock;
    int next;                       /* the index of the next one */
    pthread_t *who;                 /* [next] those that have joined */
    atomic_bool main_came;          /* the main thread is one of them */
    _Atomic uint64_t rounds;        /* that are over */
    _Atomic uint64_t without_main;  /* the last of these in which the main thread did not join,
                                      counted from 1 */
    struct strata_thread_bell bell; /* rings when the main thread has come, or a round is over */
};

/* The endpoints of one colour, as a rank knows them that has some of them. */
struct strata_members_part {
    struct strata_members *members;
    int number;                 /* among all parts, the same on all ranks */
    int threads, total;         /* the rank's endpoints, all endpoints */
    int most;                   /* the most endpoints of one rank */
    struct strata_thread **all; /* [threads] the rank's */
    int ranks;                  /* that have endpoints */
    int *on;                    /* [ranks] their numbers among all ranks */
    int ncomms;
    MPI_Comm *comms; /* [ncomms] private, of these ranks: struct strata_endpoints has the rest */
    struct strata_endpoint *at; /* [total] */
    struct strata_meeting meeting;
};

struct strata_members {
    struct strata_members *next, **link; /* in the process's list */
    int threads;                         /* the rank's */
    int *first_of;                       /* [ranks + 1] threads of the ranks before each one */
    bool split;                          /* by colours: a thread's number tells its part */
    int level;                           /* what MPI_Init_thread granted */
    pthread_t main;
    MPI_Comm comm;              /* private, of all ranks, for what they do together */
    MPI_Comm handled;           /* of this process alone; has the handles' error handler */
    struct strata_group *base;  /* of the ranks; one of its users */
    struct strata_thread **all; /* [threads] */
    int nparts;
    struct strata_members_part *parts; /* [nparts] those in which this rank has threads */
    struct strata_joining joining;
};

/* What members are made of. */
struct strata_members_order {
    struct strata_group *base; /* of the ranks; the members are one more user of it */
    MPI_Comm over;             /* private, of the same ranks, in whose order this is a call */
    MPI_Comm like;             /* has the error handler */
    int threads;
    const struct strata_members *of; /* of the same threads: each part of these is split, or
                                        stays, by itself; or NULL */
    const int *colours, *keys;       /* [threads], or NULL: no part is split */
};

/* Makes members. Collective over the ranks. On failure, the same on all ranks, there are none, and
 * `message` says why. */
int strata_members_make(struct strata_process *process, const struct strata_members_order *order,
                        struct strata_members **members, struct strata_diagnostic *message);
/* Every rank gets the worst status of all ranks of comm. */
int strata_members_worst(int status, MPI_Comm comm);
/* api/attach/members_parts.c: parts the threads, and tells each its part and its number there. The
 * parts have one communicator each. Collective over the ranks; fails on all or none. */
int strata_members_divide(struct strata_members *members, const struct strata_members_order *order);
/* Ends the part's own, but for its threads, and its communicators unless messages are `left`. */
void strata_members_part_fini(struct strata_members_part *part, bool left);
/* api/attach/members_setup.c: the collective part, over the ranks of a part. */
int strata_members_set_up(struct strata_members_part *part);
/* Ends them; no thread is in a call. Local. Accepts NULL. */
void strata_members_end(struct strata_process *process, struct strata_members *members);
/* Ends all, in MPI_Finalize. */
void strata_all_members_end(struct strata_process *process);

/* The thread that has this handle; NULL: it is no thread's. Calls no MPI. */
struct strata_thread *strata_thread_find(MPI_Comm comm);

/* Adds members to the process's list, by which threads are found; takes them out again. */
void strata_members_link(struct strata_process *process, struct strata_members *members);
void strata_members_unlink(struct strata_process *process, struct strata_members *members);
/* The thread's handle is gone, and so is its state. */
void strata_thread_lose(struct strata_process *process, struct strata_thread *thread);

/* As strata_agree, among all endpoints of a part: each endpoint's thread calls it. */
int strata_members_agree(struct strata_thread *thread, void *words, int count, MPI_Datatype type,
                         MPI_Op op);

/* How the calling thread waits in a call by its handle. */
struct strata_waiter *strata_thread_waiter(struct strata_thread *thread);
/* Begins a call by a thread's handle, where threads may not call MPI as they like. False: another
 * one is in a call by this handle. */
bool strata_thread_enter(struct strata_thread *thread);
/* Whether the calling thread has entered. Calls that it makes then are a part of that one. */
bool strata_thread_entered(const struct strata_thread *thread);
/* Ends it. The main thread waits here for the rank's other threads, and runs their errands. */
void strata_thread_leave(struct strata_thread *thread);
/* Whether the rank's threads have all begun, or ended, their calls up to that number of their
 * sequences. */
bool strata_thread_all_began(const struct strata_thread *thread, uint64_t number);
bool strata_thread_all_ended(const struct strata_thread *thread, uint64_t number);

#endif
