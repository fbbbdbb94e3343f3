/* One rank has no memory for its record of a communicator. MPI's own then serves that call on all
 * ranks. No rank waits for that rank, then or later. Once there is memory, all ranks are attached.
 * run: 1,3
 * run: 3 STRATA_ATTACH_AFTER=3
 * timeout: 60
 */
#include <stdbool.h>

#include "core/base/memory.h"
#include "include/strata.h"
#include "tests/mpi/require.h"

/* A use of a communicator. Returns whether it worked on this rank. */
typedef bool call(MPI_Comm comm);

static bool sum(MPI_Comm comm)
{
    int rank, ranks, out = -1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    succeed(strata_allreduce(&rank, &out, 1, MPI_INT, MPI_SUM, comm));
    REQUIRE_CMP(out, ==, ranks * (ranks - 1) / 2);
    return true;
}

static bool make_chain(MPI_Comm comm)
{
    struct strata_chain *chain = NULL;
    bool made = strata_chain_create(comm, &chain) == MPI_SUCCESS;
    REQUIRE_CMP(made, ==, chain != NULL);
    strata_chain_free(&chain);
    return made;
}

static bool describe(MPI_Comm comm)
{
    FILE *nowhere = fopen("/dev/null", "w");
    REQUIRE(nowhere);
    bool described = strata_comm_describe(comm, nowhere) == MPI_SUCCESS;
    fclose(nowhere);
    return described;
}

static bool force(MPI_Comm comm)
{
    return strata_comm_force(comm, "allreduce", "recursive_doubling") == MPI_SUCCESS;
}

static bool share(MPI_Comm comm)
{
    static const int one = 1;
    const void *result = NULL;
    const bool shared =
        strata_allgather_shared(&one, 1, MPI_INT, &result, 1, MPI_INT, comm) == MPI_SUCCESS;
    REQUIRE_CMP(shared, ==, result != NULL);
    if (shared) {
        succeed(strata_shared_release(result));
    }
    return shared;
}

static bool attach(MPI_Comm comm)
{
    return strata_comm_attach(comm, "allreduce:bytes=4") == MPI_SUCCESS;
}

static bool in_vain(call *what, MPI_Comm comm)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    strata_memory_fail_after(rank == ranks - 1 ? 1 : -1);
    bool worked = what(comm);
    strata_memory_fail_after(-1);
    return worked;
}

static int count(MPI_Comm comm, bool here)
{
    int ranks = here;
    MPI_Allreduce(MPI_IN_PLACE, &ranks, 1, MPI_INT, MPI_SUM, comm);
    return ranks;
}

static int standing(MPI_Comm comm)
{
    struct strata_report report = {.size = sizeof report};
    succeed(strata_comm_report(comm, &report));
    return report.standing;
}

/* The uses in any order, each on a communicator of its own: twice without memory, then with it. */
static void try(MPI_Comm parent, call *first, call *second)
{
    MPI_Comm comm;
    MPI_Comm_dup(parent, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    in_vain(first, comm);
    in_vain(second, comm);
    REQUIRE_CMP(count(comm, standing(comm) == STRATA_STANDING_ATTACHED), ==, 0);
    for (int i = 0; i < 4; i++) { /* more than STRATA_ATTACH_AFTER */
        const int attached = count(comm, standing(comm) == STRATA_STANDING_ATTACHED);
        REQUIRE(attached == 0 || attached == count(comm, true));
        sum(comm);
    }
    REQUIRE_CMP(standing(comm), ==, STRATA_STANDING_ATTACHED);
    REQUIRE(make_chain(comm));
    REQUIRE(describe(comm));
    REQUIRE(force(comm));
    REQUIRE(sum(comm));
    MPI_Comm_free(&comm);
}

/* A shortage of shared state fails on all ranks; a shortage of a rank's own state fails on that
 * rank. */
static void test_results(void)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const int all = count(comm, true);
    REQUIRE_CMP(count(comm, in_vain(force, comm)), ==, 0);
    REQUIRE_CMP(count(comm, in_vain(make_chain, comm)), ==, 0);
    REQUIRE_CMP(count(comm, in_vain(share, comm)), ==, 0);
    REQUIRE_CMP(count(comm, in_vain(attach, comm)), ==, 0);
    REQUIRE_CMP(count(comm, in_vain(describe, comm)), ==, all - 1);
    REQUIRE_CMP(count(comm, in_vain(sum, comm)), ==, all);
    REQUIRE(share(comm));
    REQUIRE(attach(comm));
    MPI_Comm_free(&comm);
}

static int class_of(int error)
{
    int class = MPI_SUCCESS;
    MPI_Error_class(error, &class);
    return class;
}

/* Where no rank has memory, a wrong call is refused for what is wrong, and no request begins. */
static void test_errors(void)
{
    MPI_Comm comm;
    struct strata_request *request = NULL;
    int one = 1, all = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    strata_memory_fail_after(1);
    REQUIRE_CMP(class_of(strata_allreduce(&one, &all, -1, MPI_INT, MPI_SUM, comm)), ==,
                MPI_ERR_COUNT);
    REQUIRE_CMP(class_of(strata_iallreduce(&one, &all, 1, MPI_INT, MPI_SUM, comm, &request)), ==,
                MPI_ERR_NO_MEM);
    strata_memory_fail_after(-1);
    REQUIRE(!request);
    REQUIRE(sum(comm));
    MPI_Comm_free(&comm);
}

/* Between the first rank and the others nothing is agreed. */
static void test_intercommunicator(void)
{
    int rank, ranks;
    MPI_Comm half, inter;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks < 2) {
        return;
    }
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 0, &inter);
    for (int i = 0; i < 2; i++) {
        strata_memory_fail_after(rank == ranks - 1 ? 1 : -1);
        succeed(strata_barrier(inter));
        strata_memory_fail_after(-1);
    }
    succeed(strata_barrier(inter));
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    static call *const calls[] = {sum, make_chain, describe, force};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
            try(MPI_COMM_WORLD, calls[i], calls[k]);
        }
    }
    test_results();
    test_errors();
    test_intercommunicator();
    if (rank == 0) {
        printf("ok\n");
    }
    MPI_Finalize();
    return 0;
}
