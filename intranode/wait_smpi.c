/* Simulated clusters: a further look lets no time pass, so a waiting rank blocks in MPI. The
 * transport blocks for messages, and flags are messages too. */
#include "core/engine/simulated_work.h"
#include "intranode/signals_smpi.h"
#include "intranode/wait.h"

const struct strata_wait_parameters strata_wait_grouped; /* of no use: no rank naps */

const char *const strata_wait_words[STRATA_WAIT_WAYS] = {"spin", "yield", "sleep"};

STRATA_EACH_THREAD struct strata_wait_tally *strata_wait_tally; /* no waits are measured */

enum strata_wait_way strata_wait_told(const char *word)
{
    (void)word;
    return STRATA_WAIT_SPIN;
}

struct strata_waiter strata_waiter_of(enum strata_wait_way way)
{
    (void)way;
    return (struct strata_waiter){0};
}

struct strata_waiter strata_waiter_of_thread(enum strata_wait_way way)
{
    return strata_waiter_of(way);
}

void strata_wait_wake(struct strata_ring *ring, uint64_t stamp)
{
    (void)ring;
    (void)stamp;
}

/* MPI_Test itself lets simulated time go on. */
void strata_wait_between_tests(struct strata_waiter *waiter)
{
    (void)waiter;
}

void strata_wait_for_ring(struct strata_waiter *waiter, struct strata_thread_bell *bell, bool moves)
{
    (void)waiter;
    (void)bell;
    (void)moves;
}

void strata_wait_rung(struct strata_bell *bell)
{
    (void)bell;
}

int strata_wait_run(struct strata_waiter *waiter, struct strata_execution *x)
{
    int status;
    (void)waiter;
    strata_signals_begin(x);
    while ((status = strata_engine_advance(x)) == STRATA_PENDING) {
        if (x->pending_member >= 0) {
            strata_signals_await(x);
        }
    }
    strata_charge_pay();
    return status;
}

int strata_wait_call(struct strata_waiter *waiter, struct strata_execution *x)
{
    int status = strata_engine_start(x);
    if (status != STRATA_OK) {
        x->abandoned = true; /* as strata_engine_begin */
        return status;
    }
    return strata_wait_run(waiter, x);
}
