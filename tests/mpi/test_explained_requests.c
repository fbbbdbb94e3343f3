/* What STRATA_EXPLAIN records of nonblocking calls: their number, by form, and what served them.
 *
 * run: 2 STRATA_EXPLAIN=calls STRATA_ALLREDUCE=recursive_doubling STRATA_BARRIER=native
 * */
#include <mpi.h>
#include <stdio.h>

#include "api/call/expected.h"
#include "api/life/life.h"
#include "api/process/process.h"
#include "include/strata.h"
#include "tests/mpi/require.h"

enum { BEGUN = 3, STARTED = 4, COUNT = 8 };

static uint64_t calls(enum strata_collective collective, enum strata_expected_form form, bool plan)
{
    uint64_t count = 0;
    for (const struct strata_explained_communicator *k = strata_process()->explain.communicators; k;
         k = k->next) {
        for (const struct strata_explained *e = k->calls; e; e = e->next) {
            bool same = e->collective == collective && e->form == (int)form && e->plan == plan;
            count += same ? e->calls : 0;
        }
    }
    return count;
}

static void begin_and_end(int *in, int *out)
{
    struct strata_request *request;
    for (int i = 0; i < BEGUN; i++) {
        succeed(strata_iallreduce(in, out, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
        succeed(strata_wait(&request, MPI_STATUS_IGNORE));
    }
    succeed(strata_ibarrier(MPI_COMM_WORLD, &request));
    succeed(strata_wait(&request, MPI_STATUS_IGNORE));
    succeed(strata_allreduce_init(in, out, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                                  &request));
    for (int i = 0; i < STARTED; i++) {
        succeed(strata_start(&request));
        succeed(strata_wait(&request, MPI_STATUS_IGNORE));
    }
    succeed(strata_request_free(&request));
}

int main(int argc, char **argv)
{
    int in[COUNT] = {1}, out[COUNT] = {0}, rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    succeed(strata_allreduce(in, out, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    begin_and_end(in, out);
    REQUIRE_CMP(calls(STRATA_ALLREDUCE, STRATA_BLOCKING, true), ==, 1);
    REQUIRE_CMP(calls(STRATA_ALLREDUCE, STRATA_NONBLOCKING, true), ==, BEGUN);
    REQUIRE_CMP(calls(STRATA_ALLREDUCE, STRATA_PERSISTENT, true), ==, STARTED);
    REQUIRE_CMP(calls(STRATA_BARRIER, STRATA_NONBLOCKING, false), ==, 1);
    MPI_Finalize();
    if (rank == 0) {
        printf("explained requests: ok\n");
    }
    return 0;
}
