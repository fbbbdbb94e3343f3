/* What a late thread costs: the time from its part's being ready to the end of an alltoallv on this
 * rank. Once all parts make one persistent call, which begins when the last is ready. Once each
 * part leaves when it is ready (strata_alltoallv_parts_init): the main thread waits in the call,
 * and another thread sleeps and contributes the last part. Both take turns. Prints medians of the
 * slowest rank, in microseconds, as CSV.
 *
 *   parts [PARTS [BATCHES [LATE]]]
 *
 * PARTS are those of a rank, LATE microseconds are those of the late thread. Defaults: 4, 21,
 * 5000. */
#include <pthread.h>

#include "bench/measure.h"
#include "include/strata.h"

enum { MOST_BATCHES = 99, MOST_PARTS = 64, SIZES = 5 };
static const int sizes[SIZES] = {64, 4096, 65536, 1 << 20, 4 << 20}; /* bytes of a rank's block */

static int rank, ranks, parts, late;
static struct strata_request *whole, *by_parts;
static char *in, *out;
static int *counts, *displs, *block_counts, *block_displs;
static double ready;

static void describe(int bytes)
{
    for (int r = 0; r < ranks; r++) {
        block_counts[r] = bytes / parts * parts;
        block_displs[r] = r * block_counts[r];
        for (int p = 0; p < parts; p++) {
            counts[p * ranks + r] = bytes / parts;
            displs[p * ranks + r] = block_displs[r] + p * (bytes / parts);
        }
    }
    strata_alltoallv_init(in, block_counts, block_displs, MPI_BYTE, out, block_counts, block_displs,
                          MPI_BYTE, MPI_COMM_WORLD, MPI_INFO_NULL, &whole);
    strata_alltoallv_parts_init(parts, in, counts, displs, MPI_BYTE, out, block_counts,
                                block_displs, MPI_BYTE, MPI_COMM_WORLD, MPI_INFO_NULL, &by_parts);
}

static void *come_late(void *argument)
{
    measure_sleep_until(MPI_Wtime() + late * 1e-6);
    ready = MPI_Wtime();
    if (argument) {
        strata_part_ready(by_parts, parts - 1);
    }
    return NULL;
}

static double take_parts(void)
{
    pthread_t thread;
    strata_start(&by_parts);
    for (int p = 0; p < parts - 1; p++) {
        strata_part_ready(by_parts, p);
    }
    pthread_create(&thread, NULL, come_late, &by_parts);
    strata_wait(&by_parts, MPI_STATUS_IGNORE);
    const double end = MPI_Wtime();
    pthread_join(thread, NULL);
    return end - ready;
}

/* The threads meet, and the main thread makes the call. */
static double take_whole(void)
{
    come_late(NULL);
    strata_start(&whole);
    strata_wait(&whole, MPI_STATUS_IGNORE);
    return MPI_Wtime() - ready;
}

static double slowest(double (*take)(void))
{
    MPI_Barrier(MPI_COMM_WORLD);
    double mine = take(), most = 0;
    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most * 1e6;
}

static void compare(int bytes, int batches)
{
    double time[2][MOST_BATCHES];
    describe(bytes);
    (void)slowest(take_whole); /* the first starts set up */
    (void)slowest(take_parts);
    for (int b = 0; b < batches; b++) {
        time[0][b] = slowest(take_whole);
        time[1][b] = slowest(take_parts);
    }
    if (rank == 0) {
        printf("%d,%.1f,%.1f\n", bytes, measure_median(time[0], batches),
               measure_median(time[1], batches));
    }
    strata_request_free(&whole);
    strata_request_free(&by_parts);
}

int main(int argc, char **argv)
{
    int level;
    const int asked = argc > 2 ? atoi(argv[2]) : 21;
    const int batches = asked < 1 ? 1 : asked < MOST_BATCHES ? asked : MOST_BATCHES;
    parts = argc > 1 ? atoi(argv[1]) : 4;
    parts = parts < 1 ? 1 : parts < MOST_PARTS ? parts : MOST_PARTS;
    late = argc > 3 ? atoi(argv[3]) : 5000;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    in = measure_need((size_t)ranks * sizes[SIZES - 1]);
    out = measure_need((size_t)ranks * sizes[SIZES - 1]);
    counts = measure_need((size_t)(ranks * parts) * sizeof *counts);
    displs = measure_need((size_t)(ranks * parts) * sizeof *displs);
    block_counts = measure_need((size_t)ranks * sizeof *block_counts);
    block_displs = measure_need((size_t)ranks * sizeof *block_displs);
    if (rank == 0) {
        printf("bytes of a block,all parts at once (us),each part when it is ready (us)\n");
    }
    for (int s = 0; s < SIZES; s++) {
        compare(sizes[s], batches);
    }
    free(in);
    free(out);
    free(counts);
    free(displs);
    free(block_counts);
    free(block_displs);
    MPI_Finalize();
    return 0;
}
