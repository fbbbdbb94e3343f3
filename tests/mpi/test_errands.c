/* With MPI_THREAD_FUNNELED an errand wakes the main thread from each of its sleeps, which last for
 * ever here: on its own bell, and on that of a flag.
 *
 * run: 1
 * timeout: 60 */
#include <linux/futex.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "api/process/by_mpi.h"
#include "strata.h"
#include "tests/mpi/require.h"

enum { THREADS = 4, ERRANDS = 5000 };

static pthread_t main_thread;
static int ran, left; /* errands that ran, also of those for which nobody waited */

static int run(void *argument)
{
    REQUIRE(pthread_equal(pthread_self(), main_thread));
    ran++;
    return *(const int *)argument;
}

static int run_left(void *none)
{
    (void)none;
    left++;
    return 0;
}

static void *send_errands(void *none)
{
    (void)none;
    for (int i = 0; i < ERRANDS; i++) {
        REQUIRE_CMP(strata_by_mpi(run, &i), ==, i);
        if (i % 16 == 0) {
            strata_by_mpi_later(run_left, NULL);
        }
    }
    return NULL;
}

/* As a thread sleeps until a flag is published, which does not happen. */
static void sleep_on_flag(struct strata_bell *bell, const struct strata_wait_wanted *wanted)
{
    atomic_fetch_add(&bell->sleepers, 1);
    const uint32_t rung = atomic_load(&bell->rung);
    atomic_thread_fence(memory_order_seq_cst);
    if (wanted->lie_down(bell)) {
        syscall(SYS_futex, &bell->rung, FUTEX_WAIT, rung, NULL, NULL, 0);
    }
    atomic_fetch_sub(&bell->sleepers, 1);
    wanted->get_up();
}

/* Each sleep on another bell, as calls of several communicators do. */
static void sleep_and_run(int errands, int later)
{
    struct strata_wait_parameters forever = strata_wait_grouped;
    struct strata_bell flags[2] = {{0}};
    forever.message_yields = 0;
    forever.nap_least = forever.nap_most = 3600u * 1000000u; /* us */
    for (int i = 0; ran < errands || left < later; i++) {
        struct strata_waiter waiter = {
            .crowded = true, .parameters = &forever, .wanted = strata_mpi_wanted()};
        REQUIRE(waiter.wanted);
        if (i % 3 < 2) {
            sleep_on_flag(&flags[i % 3], waiter.wanted);
        } else {
            strata_wait_between_tests(&waiter);
        }
        strata_mpi_run_errands();
    }
}

int main(int argc, char **argv)
{
    int level;
    pthread_t other[THREADS];
    struct strata_members *members;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    REQUIRE_CMP(level, >=, MPI_THREAD_FUNNELED);
    main_thread = pthread_self();
    succeed(strata_members_create(MPI_COMM_WORLD, THREADS, &members));
    for (int t = 0; t < THREADS; t++) {
        REQUIRE_CMP(pthread_create(&other[t], NULL, send_errands, NULL), ==, 0);
    }
    sleep_and_run(THREADS * ERRANDS, THREADS * ((ERRANDS + 15) / 16));
    for (int t = 0; t < THREADS; t++) {
        pthread_join(other[t], NULL);
    }
    succeed(strata_members_free(&members));
    MPI_Finalize();
    return 0;
}
