/* A thread marks its rank as out of step while another one, which may call MPI, comes to the lock
 * of requests. Neither waits for the other for ever.
 *
 * run: 1 -- serialized
 * run: 1 -- funneled
 * timeout: 20 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "api/attach/sequence.h"
#include "api/attach/state.h"
#include "api/life/life.h"
#include "api/process/by_mpi.h"
#include "strata.h"
#include "tests/mpi/require.h"

static atomic_bool has_turn, over;

/* Moves requests, some time after the turn to call MPI has come. */
static int move_late(void *none)
{
    (void)none;
    atomic_store(&has_turn, true);
    usleep(100000); /* the other thread waits by then */
    strata_requests_lock();
    strata_requests_unlock();
    return 0;
}

static void *step_out(void *sequence)
{
    while (!atomic_load(&has_turn)) {
    }
    strata_sequence_step_out(sequence);
    atomic_store(&over, true);
    return NULL;
}

int main(int argc, char **argv)
{
    const bool funneled = argc > 1 && strcmp(argv[1], "funneled") == 0;
    int level;
    pthread_t other;
    struct strata_members *members;
    MPI_Comm handle;
    MPI_Init_thread(&argc, &argv, funneled ? MPI_THREAD_FUNNELED : MPI_THREAD_SERIALIZED, &level);
    succeed(strata_members_create(MPI_COMM_WORLD, 2, &members));
    succeed(strata_members_comm(members, 1, &handle));
    struct strata_sequence *sequence = strata_state_peek(strata_process(), handle)->sequence;
    REQUIRE(sequence && strata_mpi_guarded());
    pthread_create(&other, NULL, step_out, sequence);
    (void)strata_by_mpi(move_late, NULL);
    while (!atomic_load(&over)) {
        if (strata_mpi_runs_errands()) {
            strata_mpi_run_errands();
        }
    }
    pthread_join(other, NULL);
    REQUIRE(strata_sequence_broken(sequence));
    succeed(strata_members_free(&members));
    MPI_Finalize();
    return 0;
}
