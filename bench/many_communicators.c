/* The node memory that many communicators of the same ranks take, and the time to attach each.
 *   mpirun -n RANKS many_communicators [COMMUNICATORS]     50 unless given
 * The program attaches each communicator and makes calls on it. It prints a line after the first,
 * second, tenth and last one: the bytes of all regions, the bytes of the last region, the free part
 * of the arena, the number of communicators that plans serve, and the mean time to attach those
 * after the first. */
#include <stdio.h>
#include <stdlib.h>
#include <strata.h>

enum { CALLS = 3, BYTES = 8192 };

struct sums {
    int communicators, planned;
    /* Bytes of all regions, and seconds to attach all communicators after the first. */
    double regions, seconds;
};

static void call(MPI_Comm comm)
{
    static unsigned char buffer[BYTES];
    double mine = 1, sum;
    for (int i = 0; i < CALLS; i++) {
        strata_allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
        strata_bcast(buffer, BYTES, MPI_BYTE, 0, comm);
        strata_barrier(comm);
    }
}

static double attach(MPI_Comm comm)
{
    MPI_Barrier(comm);
    double begin = MPI_Wtime();

    strata_comm_attach(comm, NULL);
    return MPI_Wtime() - begin;
}

static void add(struct sums *sums, MPI_Comm comm, double seconds, int most)
{
    struct strata_report report = {.size = sizeof report};
    strata_comm_report(comm, &report);
    sums->communicators++;
    sums->planned += report.calls > 0;
    sums->regions += (double)report.node_memory_bytes;
    sums->seconds += sums->communicators > 1 ? seconds : 0;
    int n = sums->communicators, rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && (n <= 2 || n == 10 || n == most)) {
        printf("%2d communicators: %.2f MiB, the last %.0f KiB, free %.1f MiB; %d by plans; "
               "attached in %.2f ms\n",
               n, sums->regions / (1 << 20), (double)report.node_memory_bytes / 1024,
               (double)report.arena_spare / (1 << 20), sums->planned,
               1e3 * (n > 1 ? sums->seconds / (n - 1) : seconds));
    }
}

int main(int argc, char **argv)
{
    struct sums sums = {0};
    int most = argc > 1 ? atoi(argv[1]) : 50;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < most; i++) { /* all communicators live until MPI_Finalize */
        MPI_Comm comm = MPI_COMM_WORLD;
        if (i > 0) {
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        }
        double seconds = attach(comm);
        call(comm);
        add(&sums, comm, seconds, most);
    }
    MPI_Finalize();
    return 0;
}
