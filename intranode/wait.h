/* The one place that decides how to wait: for a member's flag, or for messages.
 *
 * On a flag: spin, and progress MPI (somebody's rendezvous may depend on this rank). Where the host
 * is crowded: yield a few times, then sleep in the kernel on the flag's bell, with a time-out,
 * after which MPI makes progress between sleeps. On messages: test and yield; short sleeps where
 * that takes very long, or where yields hand over nothing; never a blocking MPI_Wait. */
#ifndef STRATA_INTRANODE_WAIT_H
#define STRATA_INTRANODE_WAIT_H

#include "core/base/each_thread.h"
#include "intranode/still.h"

/* How long each way of waiting is tried before the next one; an attempt is one look by the engine.
 */
struct strata_wait_figures {
    unsigned polls;                   /* looks at a flag in one attempt, by a member with a core */
    unsigned spins;                   /* such attempts before it yields between attempts */
    unsigned flag_yields;             /* crowded: yields before a member sleeps on another's bell */
    unsigned long_yield;              /* us, near the scheduler's tick; after a longer one ... */
    unsigned spare_least, spare_most; /* ... so many waits have none; twice as many next time */
    unsigned message_looks;           /* crowded: tests for messages between two yields */
    unsigned message_yields;          /* crowded: yields before a rank naps between tests */
    unsigned bell_first;              /* us; the first sleep on the bell, with no progress before */
    unsigned bell_least, bell_most;   /* us; a further one doubles from the one to the other */
    unsigned nap_least, nap_most;     /* us; a nap between tests, which no message ends */
};

/* Where a yield hands the core to any member, and where it does not (struct strata_placement says
 * which): docs/waiting.md has the measurements. */
extern const struct strata_wait_figures strata_wait_usual, strata_wait_grouped;

/* A rank that has a core spins. Where ranks share cores it yields, if that lets any other of its
 * host run, or else sleeps. */
enum strata_wait_way { STRATA_WAIT_SPIN, STRATA_WAIT_YIELD, STRATA_WAIT_SLEEP, STRATA_WAIT_WAYS };

/* "spin", "yield", "sleep". */
extern const char *const strata_wait_words[STRATA_WAIT_WAYS];

/* The way of that word; STRATA_WAIT_WAYS: of no other, as of "auto". */
enum strata_wait_way strata_wait_told(const char *word);

/* What an execution's time went to, for measurements: by what was waited for, and by what was done
 * meanwhile. `work` is what moved something. */
enum strata_wait_for { STRATA_WAIT_MEMBER, STRATA_WAIT_LEADER, STRATA_WAIT_MESSAGES };
enum strata_wait_part {
    STRATA_WAIT_WORK,
    STRATA_WAIT_TEST, /* the engine found nothing new */
    STRATA_WAIT_LOOK, /* at a flag, many times */
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
    struct strata_wait_sum woken; /* from a bell that rang until the sleeper runs */
    double last;                  /* when a sum last grew */
};

/* Where this thread's waits are added up; NULL: nothing is measured. A thread's own, for several
 * may be in calls at once. */
extern STRATA_EACH_THREAD struct strata_wait_tally *strata_wait_tally;

struct strata_waiter {
    bool crowded;
    unsigned attempt;       /* since something last moved */
    unsigned yielded;       /* of these, for a flag */
    unsigned spared, spare; /* waits yet without yields, and how many they were at first */
    const struct strata_wait_figures *figures; /* NULL: the usual ones */
    const struct strata_node_memory *mates;    /* where broken ones say so; may be NULL */
    void (*beside)(void); /* moves what else is under way in the process; may be NULL */
    /* Called now and then while an execution stands still, with the attempts since it last moved;
     * NULL: nobody asks. */
    void (*still)(const struct strata_execution *x, unsigned attempt);
    bool (*ends)(void); /* whether to wait no longer, asked between attempts; may be NULL */
};

enum { STRATA_WAIT_STILL = 64 }; /* attempts between two such calls */

struct strata_waiter strata_waiter_of(enum strata_wait_way way);

/* Run an execution to its end: advance, and wait whenever it is pending. The first has been
 * started; the second is. Return its status: STRATA_PENDING where waiter->ends said so. */
int strata_wait_run(struct strata_waiter *waiter, struct strata_execution *x);
int strata_wait_call(struct strata_waiter *waiter, struct strata_execution *x);

/* Between two tests for messages: waits a little, longer each time. Before the first, set attempt
 * to 0. */
void strata_wait_between_tests(struct strata_waiter *waiter);

/* A ring's wake hook where members may sleep (crowded hosts): rings the bells of what I
 * published. The sequentially consistent fence pairs with the sleeper's, or a wake-up could be
 * lost. */
void strata_wait_wake(struct strata_ring *ring, uint64_t moment);

#endif
