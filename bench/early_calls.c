/* What trials cost and gain (docs/decisions/trial.md). Makes calls of one kind after another, each
 * kind on a new communicator: the early ones, among which trials take place, and then late ones in
 * turn with MPI's own. Prints for each collective and length the microseconds of an early call and
 * of a late one, the median of the ratios of MPI's own to a late one, and what served the late
 * ones, as CSV.
 *
 *   early_calls [EARLY [BYTES...]]
 *
 * Defaults: 200 early calls; 8, 4 KiB and 64 KiB of a block, or vector. */
#include "bench/calls.h"

enum { ATTACHED = 4 }; /* after so many calls in which all ranks wait for all */
enum { SIZES = 8, LONGEST = 1 << 20, BATCHES = 21, BATCH = 20 };
static const struct collective collectives[] = {
    COLLECTIVE(alltoallv), COLLECTIVE(alltoall), COLLECTIVE(allgather),
    COLLECTIVE(allreduce), COLLECTIVE(bcast),    COLLECTIVE(gather),
    COLLECTIVE(reduce),    COLLECTIVE(scatter),  COLLECTIVE(reduce_scatter_block)};
enum { COLLECTIVES = sizeof collectives / sizeof collectives[0] };

/* Blocks of these are for each rank. */
static bool has_blocks(const struct collective *c)
{
    return c->call == call_alltoallv || c->call == call_alltoall || c->call == call_allgather ||
           c->call == call_gather || c->call == call_scatter ||
           c->call == call_reduce_scatter_block;
}

struct kind {
    const struct collective *collective;
    struct part part;
};

static void ours(const void *argument)
{
    const struct kind *k = argument;
    k->collective->call(&k->part);
}

static void mpis(const void *argument)
{
    const struct kind *k = argument;
    k->collective->mpi(&k->part);
}

static void measure(const struct kind *k, int early, int rank, size_t bytes)
{
    double late[BATCHES], ratio[BATCHES];
    for (int i = 0; i < ATTACHED; i++) {
        strata_barrier(k->part.comm);
    }
    const double first = measure_batch(ours, k, early);
    for (int i = 0; i < BATCHES; i++) {
        late[i] = measure_batch(ours, k, BATCH);
        ratio[i] = measure_batch(mpis, k, BATCH) / late[i];
    }
    struct strata_report report = {.size = sizeof report};
    strata_comm_report(k->part.comm, &report);
    if (rank == 0) {
        printf("%s,%zu,%.2f,%.2f,%.3f,\"%s\"\n", k->collective->name, bytes, 1e6 * first,
               1e6 * measure_median(late, BATCHES), measure_median(ratio, BATCHES),
               report.algorithm);
    }
}

int main(int argc, char **argv)
{
    size_t sizes[SIZES] = {8, 4096, 65536};
    int rank, ranks, count = 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int early = argc > 1 ? atoi(argv[1]) : 200;
    if (argc > 2) {
        count = argc - 2 < SIZES ? argc - 2 : SIZES;
    }
    for (int i = 0; i < count && argc > 2; i++) {
        sizes[i] = strtoul(argv[i + 2], NULL, 10);
        sizes[i] = sizes[i] < LONGEST ? sizes[i] : LONGEST;
    }
    if (rank == 0) {
        printf("collective,bytes,early_us,late_us,mpi/late,late_by\n");
    }
    for (int i = 0; i < COLLECTIVES; i++) {
        for (int s = 0; s < count; s++) {
            struct kind k = {.collective = &collectives[i]};
            const size_t factor = has_blocks(k.collective) ? (size_t)ranks : 1;
            MPI_Comm comm; /* is not freed: the next one would know what its trials found */
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
            part_make(&k.part, comm, ranks, factor * sizes[s]);
            part_size(&k.part, factor * sizes[s]);
            measure(&k, early > 0 ? early : 1, rank, sizes[s]);
            part_free(&k.part);
        }
    }
    MPI_Finalize();
    return 0;
}
