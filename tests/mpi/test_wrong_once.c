/* A call that is wrong on one rank, where MPI refuses it for its arguments, and that the rank then
 * repeats rightly. The ranks go on together, whichever call of the communicator it was. By Strata's
 * name for each collective; with PRELOADED by MPI's name, as tests/preload runs it. With "handled"
 * errors go to a handler of the program's: once each, with the class that a returned one has, and
 * the call returns what MPI's own returns.
 *
 * run: 2
 * run: 2 handled
 * run: 3 STRATA_TOPO=node:2 STRATA_ATTACH_AFTER=3
 * timeout: 60
 */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "tests/mpi/require.h"

#ifdef PRELOADED
#define CALL(Name, name) MPI_##Name
#define RETURNS          returned_by_mpi
#else
#include "include/strata.h"
#define CALL(Name, name) strata_##name
#define RETURNS          true /* what Strata itself finds */
#endif

/* Gathervs exchange sizes every 64 calls, then every 128, and look 16 calls later. */
enum { CALLS = 6, MOST_RANKS = 8, BLOCK = 3, MANY = 140 };
enum wrong { NEGATIVE, NO_TYPE, NO_ROOT, UNCOMMITTED, WRONGS };

static int rank, ranks;
static MPI_Datatype uncommitted;
static MPI_Errhandler errors = MPI_ERRORS_RETURN;
static bool handles;
static bool returned_by_mpi; /* MPI returns a handled error, too */
static bool known_to_mpi;    /* MPI gives the handler the communicator's handle */
static int handled, handled_class;
static MPI_Comm handled_on;

static void handle(MPI_Comm *comm, int *code, ...)
{
    handled++;
    handled_on = *comm;
    MPI_Error_class(*code, &handled_class);
}

/* The call on `comm` has raised an error of this class. */
static void check_wrong(int error, int class, MPI_Comm comm)
{
    int returned = MPI_SUCCESS;
    REQUIRE(error != MPI_SUCCESS ? RETURNS || !handles : handles && !returned_by_mpi);
    REQUIRE_CMP(handled, ==, handles);
    MPI_Error_class(error, &returned);
    REQUIRE(error == MPI_SUCCESS || returned == class);
    REQUIRE(!handles || (handled_class == class && (handled_on == comm || !known_to_mpi)));
    handled = 0;
}

static int broadcast(MPI_Comm comm, int *value, enum wrong wrong)
{
    return CALL(Bcast, bcast)(value, wrong == NEGATIVE ? -1 : 1,
                              wrong == NO_TYPE       ? MPI_DATATYPE_NULL
                              : wrong == UNCOMMITTED ? uncommitted
                                                     : MPI_INT,
                              wrong == NO_ROOT ? ranks : 0, comm);
}

static const int class_of[] = {[NEGATIVE] = MPI_ERR_COUNT,
                               [NO_TYPE] = MPI_ERR_TYPE,
                               [NO_ROOT] = MPI_ERR_ROOT,
                               [UNCOMMITTED] = MPI_ERR_TYPE};

/* Each kind of call in turn; one is wrong on one rank before it is right. */
static void call(MPI_Comm comm, int number, enum wrong wrong)
{
    int value = number, sum = 0;
    if (wrong != WRONGS) {
        check_wrong(broadcast(comm, &value, wrong), class_of[wrong], comm);
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
    MPI_Comm_set_errhandler(comm, errors);
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

/* A call that may attach the communicator. */
static void test_allreduce(int at, int by)
{
    MPI_Comm comm = copy_world();
    for (int i = 0; i < CALLS; i++) {
        int sum = 0;
        if (i == at && rank == by) {
            check_wrong(CALL(Allreduce, allreduce)(&rank, &sum, 1, MPI_INT, MPI_OP_NULL, comm),
                        MPI_ERR_OP, comm);
        }
        succeed(CALL(Allreduce, allreduce)(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
        REQUIRE_CMP(sum, ==, ranks * (ranks - 1) / 2);
    }
    MPI_Comm_free(&comm);
}

static int gather(MPI_Comm comm, MPI_Datatype type, int count)
{
    static int all[MOST_RANKS * BLOCK];
    int counts[MOST_RANKS], displs[MOST_RANKS], mine[BLOCK] = {rank, rank, rank};
    for (int r = 0; r < ranks; r++) {
        counts[r] = r ? count : BLOCK;
        displs[r] = r * BLOCK;
    }
    int error = CALL(Gatherv, gatherv)(mine, BLOCK, type, all, counts, displs, MPI_INT, 0, comm);
    REQUIRE(error != MPI_SUCCESS || handled || rank > 0 || all[BLOCK * ranks - 1] == ranks - 1);
    return error;
}

/* The counts of all ranks stay equal after it. If they did not, one rank would wait for sizes while
 * the others wait in the barrier. */
static void test_counts(int by)
{
    MPI_Comm comm = copy_world();
    for (int i = 0; i < CALLS; i++) {
        call(comm, i, WRONGS); /* attaches it */
    }
    for (int i = 0; i < MANY; i++) {
        if (i % 3 == 2 && rank == by) {
            check_wrong(gather(comm, uncommitted, BLOCK), MPI_ERR_TYPE, comm);
        }
        if (i % 10 == 7 && rank == 0) {
            check_wrong(gather(comm, MPI_INT, -1), MPI_ERR_COUNT, comm);
        }
        succeed(gather(comm, MPI_INT, BLOCK));
        PMPI_Barrier(comm);
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
    MPI_Comm_set_errhandler(inter, errors);
    for (int i = 0; i < CALLS; i++) {
        if (rank == 0 && i < 2) {
            int error = CALL(Allreduce, allreduce)(&value, &sum, 1, MPI_INT, MPI_OP_NULL, inter);
            REQUIRE_CMP(error != MPI_SUCCESS, ==, !handles || returned_by_mpi);
            REQUIRE_CMP(handled, ==, handles);
            handled = 0;
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
            check_wrong(strata_iallreduce(&value, &sum, -1, MPI_INT, MPI_SUM, comm, &r),
                        MPI_ERR_COUNT, comm);
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

/* Finds what MPI alone returns. */
static void begin_handling(void)
{
    MPI_Comm alone;
    MPI_Comm_create_errhandler(handle, &errors);
    MPI_Comm_dup(MPI_COMM_SELF, &alone);
    MPI_Comm_set_errhandler(alone, errors);
    returned_by_mpi = PMPI_Bcast(&rank, -1, MPI_INT, 0, alone) != MPI_SUCCESS;
    REQUIRE_CMP(handled, ==, 1);
    known_to_mpi = handled_on == alone;
    handled = 0;
    MPI_Comm_free(&alone);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Type_contiguous(1, MPI_INT, &uncommitted);
    handles = argc > 1 && !strcmp(argv[1], "handled");
    if (handles) {
        begin_handling();
    }
    for (enum wrong wrong = 0; wrong < WRONGS; wrong++) {
        for (int at = 0; at < CALLS - 1; at++) {
            test_bcast(wrong, at, at % ranks);
        }
    }
    for (int at = 0; at < CALLS - 1; at++) {
        test_allreduce(at, at % ranks);
    }
    test_counts(0); /* MPI's own refuses the root's calls, which Strata passes on at once */
    test_counts(ranks - 1);
    test_inter();
#ifndef PRELOADED
    test_requests(ranks - 1);
    test_persistent(0);
#endif
    if (handles) {
        MPI_Errhandler_free(&errors);
    }
    MPI_Type_free(&uncommitted);
    MPI_Finalize();
    if (rank == 0) {
        printf("all right\n");
    }
    return 0;
}
