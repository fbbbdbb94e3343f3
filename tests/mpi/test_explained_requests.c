/* What STRATA_EXPLAIN records of nonblocking calls: their number, by form, and what served them.
 * The calls of many freed communicators are added up in one record.
 *
 * run: 2 STRATA_EXPLAIN=calls STRATA_ALLREDUCE=recursive_doubling STRATA_BARRIER=native
 * */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "api/call/expected.h"
#include "api/life/life.h"
#include "api/process/process.h"
#include "include/strata.h"
#include "tests/mpi/require.h"

enum { BEGUN = 3, STARTED = 4, COUNT = 8, PAIRS = 12 };

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

/* Communicators come in pairs; their ranks' processes free the first of a pair first. */
static void use_and_free(int *in, int *out)
{
    for (int i = 0; i < PAIRS; i++) {
        MPI_Comm pair[2];
        for (int c = 0; c < 2; c++) {
            MPI_Comm_dup(MPI_COMM_WORLD, &pair[c]);
            succeed(strata_comm_attach(pair[c], NULL));
            succeed(strata_allreduce(in, out, COUNT << (8 * c), MPI_INT, MPI_SUM, pair[c]));
        }
        MPI_Comm_free(&pair[0]);
        MPI_Comm_free(&pair[1]);
    }
}

/* How many communicators lie in the record of freed ones. */
static int freed(void)
{
    int count = 0;
    for (const struct strata_explained_communicator *k = strata_process()->explain.communicators; k;
         k = k->next) {
        count += strcmp(k->name, "freed") == 0 ? (int)k->count : 0;
    }
    return count;
}

int main(int argc, char **argv)
{
    static int in[COUNT << 8] = {1}, out[COUNT << 8];
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    succeed(strata_allreduce(in, out, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    begin_and_end(in, out);
    REQUIRE_CMP(calls(STRATA_ALLREDUCE, STRATA_BLOCKING, true), ==, 1);
    REQUIRE_CMP(calls(STRATA_ALLREDUCE, STRATA_NONBLOCKING, true), ==, BEGUN);
    REQUIRE_CMP(calls(STRATA_ALLREDUCE, STRATA_PERSISTENT, true), ==, STARTED);
    REQUIRE_CMP(calls(STRATA_BARRIER, STRATA_NONBLOCKING, false), ==, 1);
    use_and_free(in, out);
    REQUIRE_CMP(calls(STRATA_ALLREDUCE, STRATA_BLOCKING, true), ==, 1 + 2 * PAIRS);
    REQUIRE_CMP(freed(), ==, 2 * PAIRS - 16); /* so many keep records of their own */
    MPI_Finalize();
    if (rank == 0) {
        printf("explained requests: ok\n");
    }
    return 0;
}
