/* Two ranks of a host exchange blocks again and again: bare, by starts of a persistent alltoallv,
 * and by a blocking alltoallv. The bare exchange uses one place of shared memory each way and
 * nothing else. No alltoallv with two copies can be faster: blocks of up to 56 bytes move as one
 * cache line each way.
 *
 *   line_exchange   microseconds of the slower rank, medians of batches in turn */
#include <mpi.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "bench/measure.h"
#include "strata.h"

enum { BATCHES = 41, CALLS = 2000, LENGTHS = 4, LONGEST = 4096, PLACES = 2, WAYS = 3 };

/* Short blocks lie in the cache line of the flag. */
struct place {
    _Alignas(64) _Atomic uint64_t flag;
    unsigned char near[56], far[LONGEST];
};

static struct place *mine, *others;
static unsigned char in[2 * LONGEST], out[2 * LONGEST];
static uint64_t stamp;
static int counts[2], places[2], bytes, other;
static struct strata_request *request;

/* A rank that arrives has seen the other's previous stamp. So the other has read the stamp before
 * that, and its place is free. */
static void exchange_bare(const void *argument)
{
    struct place *to = &mine[++stamp % PLACES], *from = &others[stamp % PLACES];
    const bool far = (size_t)bytes > sizeof to->near;
    (void)argument;
    memcpy(far ? to->far : to->near, out + places[other], (size_t)bytes);
    atomic_store_explicit(&to->flag, stamp, memory_order_release);
    memcpy(in + places[1 - other], out + places[1 - other], (size_t)bytes);
    while (atomic_load_explicit(&from->flag, memory_order_acquire) != stamp) {
    }
    memcpy(in + places[other], far ? from->far : from->near, (size_t)bytes);
}

static void start_and_wait(const void *argument)
{
    (void)argument;
    strata_start(&request);
    strata_wait(&request, MPI_STATUS_IGNORE);
}

static void block(const void *argument)
{
    (void)argument;
    strata_alltoallv(out, counts, places, MPI_BYTE, in, counts, places, MPI_BYTE, MPI_COMM_WORLD);
}

static void measure(int length, bool first)
{
    static measure_call *const ways[WAYS] = {exchange_bare, start_and_wait, block};
    double time[WAYS][BATCHES];
    bytes = counts[0] = counts[1] = places[1] = length;
    strata_alltoallv_init(out, counts, places, MPI_BYTE, in, counts, places, MPI_BYTE,
                          MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int i = -1; i < BATCHES; i++) { /* batch -1 is not counted */
        for (int way = 0; way < WAYS; way++) {
            time[way][i < 0 ? 0 : i] = 1e6 * measure_batch(ways[way], NULL, CALLS);
        }
    }
    strata_request_free(&request);
    for (int way = 0; way < WAYS; way++) {
        time[way][0] = measure_median(time[way], BATCHES);
    }
    if (other == 1) {
        printf(first ? "%8s %10s %10s %10s\n" : "", "bytes", "bare, us", "start, us", "blocks, us");
        printf("%8d %10.3f %10.3f %10.3f\n", length, time[0][0], time[1][0], time[2][0]);
    }
}

int main(int argc, char **argv)
{
    static const int lengths[LENGTHS] = {8, 64, 1024, 4096};
    int rank, ranks, unit;
    MPI_Aint size;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks != 2) {
        fprintf(stderr, "line_exchange: it is for 2 ranks\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    measure_need_shared_window("line_exchange");
    other = 1 - rank;
    MPI_Win_allocate_shared(PLACES * sizeof *mine, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mine,
                            &window);
    MPI_Win_shared_query(window, other, &size, &unit, &others);
    memset(mine, 0, PLACES * sizeof *mine);
    PMPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < LENGTHS; i++) {
        measure(lengths[i], i == 0);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
