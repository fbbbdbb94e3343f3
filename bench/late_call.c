/* One call of 8-byte blocks again and again, in which the last rank waits for nobody: it comes when
 * the others have been in the call for long. Under a tool that counts instructions its calls, which
 * all go through the function `late_call`, cost what is Strata's own (docs/performance.md, "What a
 * call costs").
 *
 *   late_call allgather|alltoallv|allreduce|barrier strata|mpi */
#include <mpi.h>
#include <strata.h>
#include <string.h>
#include <time.h>

#include "bench/measure.h"

enum { FIRST = 10, CALLS = 110, BYTES = 8 }; /* the first ones set up, and are not counted */

static char *in, *out;
static int *counts, *displs;

static int allgather(bool mpi, MPI_Comm comm)
{
    return mpi ? PMPI_Allgather(in, BYTES, MPI_BYTE, out, BYTES, MPI_BYTE, comm)
               : strata_allgather(in, BYTES, MPI_BYTE, out, BYTES, MPI_BYTE, comm);
}

static int alltoallv(bool mpi, MPI_Comm comm)
{
    return mpi ? PMPI_Alltoallv(in, counts, displs, MPI_BYTE, out, counts, displs, MPI_BYTE, comm)
               : strata_alltoallv(in, counts, displs, MPI_BYTE, out, counts, displs, MPI_BYTE,
                                  comm);
}

static int allreduce(bool mpi, MPI_Comm comm)
{
    return mpi ? PMPI_Allreduce(in, out, BYTES, MPI_BYTE, MPI_BOR, comm)
               : strata_allreduce(in, out, BYTES, MPI_BYTE, MPI_BOR, comm);
}

static int barrier(bool mpi, MPI_Comm comm)
{
    return mpi ? PMPI_Barrier(comm) : strata_barrier(comm);
}

typedef int one_call(bool mpi, MPI_Comm comm);

static const struct {
    const char *name;
    one_call *call;
} known[] = {{"allgather", allgather},
             {"alltoallv", alltoallv},
             {"allreduce", allreduce},
             {"barrier", barrier}};

static one_call *find(const char *name)
{
    one_call *call = NULL;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        call = strcmp(known[i].name, name) == 0 ? known[i].call : call;
    }
    return call;
}

int late_call(one_call *call, bool mpi);

/* Not static, so that it keeps its name. */
__attribute__((noinline)) int late_call(one_call *call, bool mpi)
{
    return call(mpi, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
    one_call *call = argc == 3 ? find(argv[1]) : NULL;
    bool mpi = argc == 3 && strcmp(argv[2], "mpi") == 0;
    int rank, ranks;
    if (!call || (!mpi && strcmp(argv[2], "strata") != 0)) {
        fprintf(stderr, "usage: late_call allgather|alltoallv|allreduce|barrier strata|mpi\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    in = measure_need((size_t)ranks * BYTES);
    out = measure_need((size_t)ranks * BYTES);
    counts = measure_need((size_t)ranks * sizeof *counts);
    displs = measure_need((size_t)ranks * sizeof *displs);
    for (int i = 0; i < ranks; i++) {
        counts[i] = BYTES;
        displs[i] = BYTES * i;
    }
    for (int i = 0; i < CALLS; i++) {
        if (rank == ranks - 1) {
            nanosleep(&pause, NULL);
        }
        if (i < FIRST) {
            call(mpi, MPI_COMM_WORLD);
        } else {
            late_call(call, mpi);
        }
    }
    free(in);
    free(out);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
