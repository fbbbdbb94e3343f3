/* Compares a result that lies once in a node with a result on each rank, for an allgather and a
 * bcast. strata_allgather_shared and strata_bcast_shared, with a release, share one result.
 * Strata's and MPI's own calls write into each rank's memory. Prints microseconds of a call,
 * medians.
 *
 *   mpirun -n 2 build/openmpi/bench/shared_results */
#include "bench/measure.h"
#include "strata.h"

enum { BATCHES = 11, LONGEST = 1 << 24 };

static unsigned char *mine, *own; /* this rank's block, or the root's data; the whole result */
static int ranks;

struct call {
    void (*run)(int bytes);
    int bytes;
};

static void gather_once(int bytes)
{
    const void *result;
    strata_allgather_shared(mine, bytes / ranks, MPI_BYTE, &result, bytes / ranks, MPI_BYTE,
                            MPI_COMM_WORLD);
    strata_shared_release(result);
}

static void gather_ours(int bytes)
{
    strata_allgather(mine, bytes / ranks, MPI_BYTE, own, bytes / ranks, MPI_BYTE, MPI_COMM_WORLD);
}

static void gather_mpis(int bytes)
{
    PMPI_Allgather(mine, bytes / ranks, MPI_BYTE, own, bytes / ranks, MPI_BYTE, MPI_COMM_WORLD);
}

static void bcast_once(int bytes)
{
    const void *result;
    strata_bcast_shared(mine, bytes, MPI_BYTE, &result, 0, MPI_COMM_WORLD);
    strata_shared_release(result);
}

static void bcast_ours(int bytes)
{
    strata_bcast(own, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void bcast_mpis(int bytes)
{
    PMPI_Bcast(own, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static const struct way {
    const char *name;
    void (*run)(int bytes);
} ways[] = {
    {"allgather, once in the node", gather_once},
    {"allgather, Strata's", gather_ours},
    {"allgather, MPI's own", gather_mpis},
    {"bcast, once in the node", bcast_once},
    {"bcast, Strata's", bcast_ours},
    {"bcast, MPI's own", bcast_mpis},
};

static void run(const void *argument)
{
    const struct call *c = argument;
    c->run(c->bytes);
}

static double median_of(const struct way *way, int bytes)
{
    const struct call call = {way->run, bytes};
    double seconds[BATCHES];
    int calls = measure_calls_for(run, &call, 0.005);
    for (int i = 0; i < BATCHES; i++) {
        seconds[i] = measure_batch(run, &call, calls);
    }
    return 1e6 * measure_median(seconds, BATCHES);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {65536, 262144, 1 << 20, 1 << 22, LONGEST};
    enum { SIZES = sizeof sizes / sizeof *sizes, WAYS = sizeof ways / sizeof *ways };
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    mine = measure_need(LONGEST);
    own = measure_need(LONGEST);
    memset(mine, 1, LONGEST);
    memset(own, 1, LONGEST);
    for (int w = -1; w < WAYS; w++) {
        if (rank == 0) {
            printf("%-32s", w < 0 ? "us, by bytes of the result" : ways[w].name);
        }
        for (int i = 0; i < SIZES; i++) {
            double us = w < 0 ? sizes[i] : median_of(&ways[w], sizes[i]);
            if (rank == 0) {
                printf(w < 0 ? "%10.0f" : "%10.1f", us);
            }
        }
        if (rank == 0) {
            printf("\n");
            fflush(stdout);
        }
    }
    free(own);
    free(mine);
    MPI_Finalize();
    return 0;
}
