/* A program that knows nothing of Strata. One rank passes a collective one buffer for its sent and
 * its received data. The program gets the same answer as from MPI alone. Where MPI accepts the
 * call, the ranks go on together; otherwise the rank then makes the right call. Prints "all
 * right". */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "tests/preload/expect.h"

enum { BLOCK = 4, MOST = 8, CALLS = 3, COUNTS = 2 };

static int rank, ranks;
static int from[MOST * BLOCK], memory[MOST * BLOCK], counts[MOST], displs[MOST], bytes[MOST];
static MPI_Datatype types[MOST];

/* Parameters of a call from one buffer to another. `own` counts what is sent of a gather, or
 * received of a scatter. */
#define ARGUMENTS (const int *send, int *recv, int own, int n, MPI_Comm comm)
typedef int call ARGUMENTS;
#define CALL(Name, ...)                                                                            \
    static int by_us_##Name ARGUMENTS                                                              \
    {                                                                                              \
        (void)own, (void)n;                                                                        \
        return MPI_##Name(__VA_ARGS__, comm);                                                      \
    }                                                                                              \
    static int by_mpi_##Name ARGUMENTS                                                             \
    {                                                                                              \
        (void)own, (void)n;                                                                        \
        return PMPI_##Name(__VA_ARGS__, comm);                                                     \
    }
CALL(Allgather, send + own, n, MPI_INT, recv, n, MPI_INT)
CALL(Allgatherv, send + own, BLOCK, MPI_INT, recv, counts, displs, MPI_INT)
CALL(Alltoall, send, n, MPI_INT, recv, n, MPI_INT)
CALL(Alltoallv, send, counts, displs, MPI_INT, recv, counts, displs, MPI_INT)
CALL(Alltoallw, send, counts, bytes, types, recv, counts, bytes, types)
CALL(Gather, send + own, n, MPI_INT, recv, n, MPI_INT, 1)
CALL(Gatherv, send + own, BLOCK, MPI_INT, recv, counts, displs, MPI_INT, 1)
CALL(Scatter, send, n, MPI_INT, recv + own, n, MPI_INT, 1)
CALL(Scatterv, send, counts, displs, MPI_INT, recv + own, BLOCK, MPI_INT, 1)
CALL(Reduce, send, recv, n, MPI_INT, MPI_SUM, 1)
CALL(Allreduce, send, recv, n, MPI_INT, MPI_SUM)
CALL(Reduce_scatter, send, recv, counts, MPI_INT, MPI_SUM)
CALL(Reduce_scatter_block, send, recv, n, MPI_INT, MPI_SUM)
CALL(Scan, send, recv, n, MPI_INT, MPI_SUM)
CALL(Exscan, send, recv, n, MPI_INT, MPI_SUM)

#define ROW(Name)                                                                                  \
    {                                                                                              \
#Name, by_us_##Name, by_mpi_##Name                                                         \
    }
static const struct {
    const char *name;
    call *by_us, *by_mpi;
} collectives[] = {ROW(Allgather),
                   ROW(Allgatherv),
                   ROW(Alltoall),
                   ROW(Alltoallv),
                   ROW(Alltoallw),
                   ROW(Gather),
                   ROW(Gatherv),
                   ROW(Scatter),
                   ROW(Scatterv),
                   ROW(Reduce),
                   ROW(Allreduce),
                   ROW(Reduce_scatter),
                   ROW(Reduce_scatter_block),
                   ROW(Scan),
                   ROW(Exscan)};

static void fill(void)
{
    for (int i = 0; i < MOST * BLOCK; i++) {
        from[i] = memory[i] = 1000 * rank + i;
    }
}

/* Returns the code of the call on rank 1, and leaves its result in the memory of a right call's. */
static int call_wrongly(call *by, int own, int n, MPI_Comm comm)
{
    int error = MPI_SUCCESS, class = MPI_SUCCESS;
    fill();
    if (rank == 1) {
        error = by(memory, memory, own, n, comm);
        MPI_Error_class(error, &class);
    }
    if (rank != 1 || error != MPI_SUCCESS) {
        fill();
        wrong += by(from, memory, own, n, comm) != MPI_SUCCESS;
    }
    return class;
}

static void compare(int collective, int own, int n, MPI_Comm ours, MPI_Comm theirs)
{
    const char *name = collectives[collective].name;
    int result[MOST * BLOCK], exchanged = strncmp(name, "Alltoall", 8) == 0;
    int expected = call_wrongly(collectives[collective].by_mpi, own, n, theirs);
    memcpy(result, memory, sizeof result);
    int said = call_wrongly(collectives[collective].by_us, own, n, ours);
    /* MPI does not define the result of blocks that are exchanged in one buffer. */
    int differs = !exchanged && memcmp(result, memory, sizeof result) != 0;
    if (said != expected || differs) {
        printf("rank %d: wrong: %s of %d says %d, but MPI's own %d%s\n", rank, name, n, said,
               expected, differs ? ", and another result" : "");
        wrong++;
    }
}

int main(int argc, char **argv)
{
    MPI_Comm ours, theirs;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_dup(MPI_COMM_WORLD, &ours);
    MPI_Comm_dup(MPI_COMM_WORLD, &theirs);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* Open MPI raises some there */
    MPI_Comm_set_errhandler(ours, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(theirs, MPI_ERRORS_RETURN);
    for (int r = 0; r < ranks; r++) {
        counts[r] = BLOCK;
        displs[r] = r * BLOCK;
        bytes[r] = displs[r] * (int)sizeof(int);
        types[r] = MPI_INT;
    }
    for (int i = 0; i < CALLS; i++) {
        for (size_t c = 0; c < sizeof collectives / sizeof *collectives; c++) {
            compare((int)c, rank * BLOCK, BLOCK, ours, theirs);
            if (!strchr("vw", collectives[c].name[strlen(collectives[c].name) - 1]) &&
                strcmp(collectives[c].name, "Reduce_scatter") != 0) {
                compare((int)c, rank * (i % 2), i % 2, ours, theirs);
            }
        }
        compare(0, 0, BLOCK, ours, theirs); /* an allgather's own block where the first one goes */
    }
    say_all_right(MPI_COMM_WORLD);
    MPI_Finalize();
    return wrong > 0;
}
