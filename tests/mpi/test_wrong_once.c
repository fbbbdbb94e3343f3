/* A call that is wrong on one rank, where MPI refuses it for its arguments, and that the rank then
 * repeats rightly. The ranks go on together, whichever call of the communicator it was. By Strata's
 * name for each collective; with PRELOADED by MPI's name, as tests/preload runs it.
 *
 * run: 2
 * run: 3 STRATA_TOPO=node:2 STRATA_ATTACH_AFTER=3
 * timeout: 60
 */
#include <stddef.h>

#include "tests/mpi/require.h"

#ifdef PRELOADED
#define CALL(Name, name) MPI_##Name
#else
#include "include/strata.h"
#define CALL(Name, name) strata_##name
#endif

/* Gathervs exchange sizes every 64 calls. */
enum { CALLS = 6, MOST_RANKS = 8, BLOCK = 3, MANY = 140 };
enum wrong { NEGATIVE, NO_TYPE, NO_ROOT, UNCOMMITTED, WRONGS };

static int rank, ranks;
static MPI_Datatype uncommitted;

static int broadcast(MPI_Comm comm, int *value, enum wrong wrong)
{
    return CALL(Bcast, bcast)(value, wrong == NEGATIVE ? -1 : 1,
                              wrong == NO_TYPE       ? MPI_DATATYPE_NULL
                              : wrong == UNCOMMITTED ? uncommitted
                                                     : MPI_INT,
                              wrong == NO_ROOT ? ranks : 0, comm);
}

/* Each kind of call in turn; one is wrong on one rank before it is right. */
static void call(MPI_Comm comm, int number, enum wrong wrong)
{
    int value = number, sum = 0;
    if (wrong != WRONGS) {
        REQUIRE_CMP(broadcast(comm, &value, wrong), !=, MPI_SUCCESS);
    }
    value = rank == 0 ? number : -1;
    succeed(broadcast(comm, &value, WRONGS));
    REQUIRE_CMP(value, ==, number);
    succeed(CALL(Allreduce, allreduce)(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
    REQUIRE_CMP(sum, ==, ranks * (ranks - 1) / 2);
}

static MPI_Comm copy_world(void)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return comm;
}

static void test_bcast(enum wrong wrong, int at, int by)
{
    MPI_Comm comm = copy_world();
    for (int i = 0; i < CALLS; i++) {
        call(comm, i, i == at && rank == by ? wrong : WRONGS);
    }
    MPI_Comm_free(&comm);
}

static int gather(MPI_Comm comm, MPI_Datatype type)
{
    static int all[MOST_RANKS * BLOCK];
    int counts[MOST_RANKS], displs[MOST_RANKS], mine[BLOCK] = {rank, rank, rank};
    for (int r = 0; r < ranks; r++) {
        counts[r] = BLOCK;
        displs[r] = r * BLOCK;
    }
    int error = CALL(Gatherv, gatherv)(mine, BLOCK, type, all, counts, displs, MPI_INT, 0, comm);
    REQUIRE(error != MPI_SUCCESS || rank > 0 || all[BLOCK * ranks - 1] == ranks - 1);
    return error;
}

/* The counts of all ranks stay equal after it. */
static void test_counts(void)
{
    MPI_Comm comm = copy_world();
    for (int i = 0; i < MANY; i++) {
        if (i % 10 == 5 && rank == ranks - 1) {
            REQUIRE_CMP(gather(comm, uncommitted), !=, MPI_SUCCESS);
        }
        succeed(gather(comm, MPI_INT));
    }
    MPI_Comm_free(&comm);
}

/* Between groups nothing is agreed. */
static void test_inter(void)
{
    MPI_Comm half, inter;
    int value = rank, sum = 0, others = rank % 2 ? (ranks + 1) / 2 : ranks / 2;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &inter);
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    for (int i = 0; i < CALLS; i++) {
        if (rank == 0 && i < 2) {
            REQUIRE_CMP(CALL(Allreduce, allreduce)(&value, &sum, 1, MPI_INT, MPI_OP_NULL, inter),
                        !=, MPI_SUCCESS);
        }
        value = 1;
        succeed(CALL(Allreduce, allreduce)(&value, &sum, 1, MPI_INT, MPI_SUM, inter));
        REQUIRE_CMP(sum, ==, others);
    }
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

#ifndef PRELOADED
/* Nonblocking calls: their numbers, and the counts of describing a persistent one. */
static void test_requests(int by)
{
    MPI_Comm comm = copy_world();
    int value = 1, sum = 0;
    for (int i = 0; i < CALLS; i++) {
        struct strata_request *r = NULL;
        if (i < 3 && rank == by) {
            REQUIRE_CMP(strata_iallreduce(&value, &sum, -1, MPI_INT, MPI_SUM, comm, &r), !=,
                        MPI_SUCCESS);
        }
        succeed(strata_iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm, &r));
        succeed(strata_wait(&r, MPI_STATUS_IGNORE));
        REQUIRE_CMP(sum, ==, ranks);
        call(comm, i, WRONGS);
    }
    MPI_Comm_free(&comm);
}

/* A call that is wrong on one rank is an error on all where they are attached, otherwise on that
 * rank. */
static void test_persistent(int by)
{
    MPI_Comm comm = copy_world();
    int value = 1, sum = 0;
    for (int i = 0; i < CALLS; i++) {
        struct strata_request *r = NULL;
        int error = strata_allreduce_init(&value, &sum, i == 0 && rank == by ? -1 : 1, MPI_INT,
                                          MPI_SUM, comm, MPI_INFO_NULL, &r);
        if (error != MPI_SUCCESS) {
            error =
                strata_allreduce_init(&value, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &r);
        }
        succeed(error);
        succeed(strata_start(&r));
        succeed(strata_wait(&r, MPI_STATUS_IGNORE));
        REQUIRE_CMP(sum, ==, ranks);
        succeed(strata_request_free(&r));
        call(comm, i, WRONGS);
    }
    MPI_Comm_free(&comm);
}
#endif

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Type_contiguous(1, MPI_INT, &uncommitted);
    for (enum wrong wrong = 0; wrong < WRONGS; wrong++) {
        for (int at = 0; at < CALLS - 1; at++) {
            test_bcast(wrong, at, at % ranks);
        }
    }
    test_counts();
    test_inter();
#ifndef PRELOADED
    test_requests(ranks - 1);
    test_persistent(0);
#endif
    MPI_Type_free(&uncommitted);
    MPI_Finalize();
    if (rank == 0) {
        printf("all right\n");
    }
    return 0;
}
