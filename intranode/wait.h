/* The one place that decides how to wait: for a member's flag, for messages, or for another thread
 * of the process. For a flag: spin, and let MPI progress (another rank's rendezvous may depend on
 * this rank). Where the host is crowded: yield a few times, then sleep in the kernel on the flag's
 * bell, with a time-out, and let MPI progress between sleeps. For messages: test and yield, with
 * short sleeps where the wait is very long or yields hand over nothing; never a blocking MPI_Wait.
 * For a thread: as for a flag, on a bell of the process. */
#ifndef STRATA_INTRANODE_WAIT_H
#define STRATA_INTRANODE_WAIT_H

#include "core/base/each_thread.h"
#include "intranode/still.h"
#include "intranode/thread_bell.h"

/* How long each way of waiting is tried before the next one; an attempt is one look by the engine.
 */
struct strata_wait_parameters {
    unsigned polls;                   /* looks at a flag in one attempt, by a member with a core
                                         of its own */
    unsigned spins;                   /* such attempts before the member yields between them */
    unsigned flag_yields;             /* crowded: yields before a member sleeps on another
                                         member's bell */
    unsigned long_yield;              /* us, near the scheduler's tick; after a longer one ... */
    unsigned spare_least, spare_most; /* ... so many waits have none; twice as many next time */
    unsigned message_looks;           /* crowded: tests for messages between two yields */
    unsigned message_yields;          /* crowded: yields before a rank naps between tests */
    unsigned bell_first;              /* us; the first sleep on the bell, with no progress before */
    unsigned bell_least, bell_most;   /* us; a further one doubles from the one to the other */
    unsigned nap_least, nap_most;     /* us; a nap between tests, which no message ends */
};

/* The parameters for hosts where a yield hands the core to any member, and for those where it does
 * not (struct strata_placement says which). docs/waiting.md has the measurements. */
extern const struct strata_wait_parameters strata_wait_usual, strata_wait_grouped;

/* A rank with a core of its own spins. Where ranks share cores a rank yields, if that lets any
 * other rank of its host run, or else sleeps. */
enum strata_wait_way { STRATA_WAIT_SPIN, STRATA_WAIT_YIELD, STRATA_WAIT_SLEEP, STRATA_WAIT_WAYS };

/* "spin", "yield", "sleep". */
extern const char *const strata_wait_words[STRATA_WAIT_WAYS];

/* The way with that name; STRATA_WAIT_WAYS for any other word, such as "auto". */
enum strata_wait_way strata_wait_told(const char *word);

/* Where an execution's time went, for measurements: by what it waited for, and by what it did
 * meanwhile. `work` is time that made progress. */
enum strata_wait_for { STRATA_WAIT_MEMBER, STRATA_WAIT_LEADER, STRATA_WAIT_MESSAGES };
enum strata_wait_part {
    STRATA_WAIT_WORK,
    STRATA_WAIT_TEST, /* the engine found nothing new */
    STRATA_WAIT_LOOK, /* many looks at a flag */
    STRATA_WAIT_PROGRESS,
    STRATA_WAIT_YIELDED,
    STRATA_WAIT_SLEPT,
    STRATA_WAIT_NAPPED,
    STRATA_WAIT_PARTS
};
struct strata_wait_tally {
    struct strata_wait_sum {
        uint64_t times;
        double seconds;
    } sum[STRATA_WAIT_MESSAGES + 1][STRATA_WAIT_PARTS];
    struct strata_wait_sum woken; /* from the ring of a bell until the sleeper runs */
    double last;                  /* when a sum last grew */
};

/* Where this thread's waits are added up; NULL: they are not measured. Each thread has its own, for
 * several may be in calls at once. */
extern STRATA_EACH_THREAD struct strata_wait_tally *strata_wait_tally;

/* How a thread sleeps that others of its process may want, for work that they hand to it. */
struct strata_wait_wanted {
    struct strata_thread_bell *bell; /* on which it naps; others ring it */
    /* The thread is about to sleep, on the bell of a flag, which others then ring, too, or on its
     * own (NULL). Returns whether it may: false if it is wanted already. */
    bool (*lie_down)(struct strata_bell *flags);
    void (*get_up)(void); /* it is awake, or does not sleep */
};

struct strata_waiter {
    bool crowded;
    unsigned attempt;       /* since something last moved */
    unsigned yielded;       /* yields among these, for a flag */
    unsigned spared, spare; /* waits to come without yields, and their number at first */
    const struct strata_wait_parameters *parameters; /* NULL: the usual ones */
    const struct strata_node_memory *peers; /* the node's memory, where broken members say so;
                                                  may be NULL */
    void (*beside)(void); /* lets the process's other requests progress; may be NULL */
    const struct strata_wait_wanted *wanted; /* NULL: no thread wakes this one for work */
    uint32_t heard; /* of the bell on which it waits for another thread; 0: it does not listen */
    /* Called now and then while an execution makes no progress, with the attempts since its last;
     * may be NULL. */
    void (*still)(const struct strata_execution *x, unsigned attempt);
    bool (*ends)(void); /* whether to stop waiting, asked between attempts; may be NULL */
};

enum { STRATA_WAIT_STILL = 64 }; /* attempts between two calls of `still` */

struct strata_waiter strata_waiter_of(enum strata_wait_way way);

/* The same for one of several threads: before it sleeps it yields to the process's others. */
struct strata_waiter strata_waiter_of_thread(enum strata_wait_way way);

/* Run an execution to its end: advance it, and wait whenever it is pending. strata_wait_run takes a
 * started execution; strata_wait_call starts it. Return its status: STRATA_PENDING where
 * waiter->ends said so. */
int strata_wait_run(struct strata_waiter *waiter, struct strata_execution *x);
int strata_wait_call(struct strata_waiter *waiter, struct strata_execution *x);

/* Waits a little between two tests for messages, longer each time. Set attempt to 0 before the
 * first. */
void strata_wait_between_tests(struct strata_waiter *waiter);

/* Waits a little between two looks for what another thread of the process does before it rings the
 * bell. Set attempt to 0 before the first, and use no other bell meanwhile. `moves`: something else
 * may have to be looked after, so a sleep takes a millisecond at most. */
void strata_wait_for_ring(struct strata_waiter *waiter, struct strata_thread_bell *bell,
                          bool moves);

/* Wakes all members that sleep on a bell that was counted up. It may be gone. */
void strata_wait_rung(struct strata_bell *bell);

/* A ring's wake hook where members may sleep (crowded hosts): rings the bells of the members that
 * await this member's signal. Its sequentially consistent fence pairs with the sleeper's, or a
 * wake-up could be lost. */
void strata_wait_wake(struct strata_ring *ring, uint64_t stamp);

#endif
