/* With MPI_THREAD_FUNNELED the main thread leaves a call when the rank's other threads have ended
 * it. So it may free the members at once, though those have still to return.
 *
 * run: 1
 * run: 1 STRATA_WAIT=sleep
 * timeout: 60 */
#include <pthread.h>

#include "strata.h"
#include "tests/mpi/require.h"

enum { THREADS = 4, TIMES = 50, CALLS = 5 };

static void *call(void *argument)
{
    for (int i = 0; i < CALLS; i++) {
        succeed(strata_barrier(*(MPI_Comm *)argument));
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    REQUIRE_CMP(level, >=, MPI_THREAD_FUNNELED);
    for (int i = 0; i < TIMES; i++) {
        struct strata_members *members;
        MPI_Comm handle[THREADS];
        pthread_t other[THREADS];
        succeed(strata_members_create(MPI_COMM_WORLD, THREADS, &members));
        for (int t = 0; t < THREADS; t++) {
            succeed(strata_members_comm(members, t, &handle[t]));
            REQUIRE_CMP(t == 0 || !pthread_create(&other[t], NULL, call, &handle[t]), ==, 1);
        }
        call(&handle[0]);
        succeed(strata_members_free(&members));
        for (int t = 1; t < THREADS; t++) {
            pthread_join(other[t], NULL);
        }
    }
    MPI_Finalize();
    return 0;
}
