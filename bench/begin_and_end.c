/* Measures the preload library's cost at the beginning and the end of a program. The program calls
 * MPI_Init, eight collectives a hundred times, and MPI_Finalize. It prints rank 0's milliseconds
 *   - in MPI_Init;
 *   - in the second collective call, which sets MPI_COMM_WORLD up in the library;
 *   - in MPI_Finalize, and the part of it before an attribute of MPI_COMM_SELF was deleted that the
 *     program sets first. MPI deletes attributes in reverse order, and Strata ends in its own
 *     attribute's deletion. So this part is Strata's (docs/preload.md). */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { TIMES = 100 };

static double second; /* the time of the second call */
static double gone;   /* when the attribute was deleted */

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int leave(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm;
    (void)key;
    (void)value;
    (void)extra;
    gone = milliseconds();
    return MPI_SUCCESS;
}

static void compute(int ranks)
{
    int from[64] = {0}, to[64];
    MPI_Barrier(MPI_COMM_WORLD);
    second = -milliseconds();
    MPI_Barrier(MPI_COMM_WORLD);
    second += milliseconds();
    for (int i = 0; i < TIMES; i++) {
        MPI_Bcast(to, 4, MPI_INT, i % ranks, MPI_COMM_WORLD);
        MPI_Allreduce(from, to, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Reduce(from, to, 4, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Allgather(from, 1, MPI_INT, to, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Alltoall(from, 1, MPI_INT, to, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Gather(from, 1, MPI_INT, to, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Scan(from, to, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, ranks, key;
    double begin = milliseconds();
    MPI_Init(&argc, &argv);
    double began = milliseconds();
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, leave, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > 64) {
        fprintf(stderr, "begin_and_end: %d ranks, but at most 64\n", ranks);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    compute(ranks);
    MPI_Barrier(MPI_COMM_WORLD);
    double end = milliseconds();
    MPI_Finalize();
    if (rank == 0) {
        printf("MPI_Init %.2f ms, second call %.3f, MPI_Finalize %.2f, of these %.3f before MPI's "
               "own\n",
               began - begin, second, milliseconds() - end, gone - end);
    }
    return 0;
}
