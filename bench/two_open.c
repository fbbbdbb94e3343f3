/* Two persistent alltoallvs on one communicator. The first way starts both and then waits for both.
 * The second way starts and waits for one after the other; it is measured twice, which shows the
 * noise. Batches of all take turns. The first way's gain is the gain of two calls that use the node
 * memory at once (docs/requests-design.md).
 *
 *   two_open [BYTES [SECONDS [BATCHES]]]   of a block, 1024; of a batch, 0.1; 20 */
#include "bench/measure.h"
#include "include/strata.h"

enum { CALLS = 2, MOST_BATCHES = 100 };

static struct strata_request *request[CALLS];

static void together(const void *argument)
{
    (void)argument;
    strata_startall(CALLS, request);
    strata_waitall(CALLS, request, MPI_STATUSES_IGNORE);
}

static void in_turn(const void *argument)
{
    (void)argument;
    for (int i = 0; i < CALLS; i++) {
        strata_start(&request[i]);
        strata_wait(&request[i], MPI_STATUS_IGNORE);
    }
}

static void describe(int ranks, int bytes)
{
    int *counts = measure_need((size_t)ranks * sizeof *counts);
    int *displs = measure_need((size_t)ranks * sizeof *displs);
    for (int i = 0; i < ranks; i++) {
        counts[i] = bytes;
        displs[i] = i * bytes;
    }
    for (int i = 0; i < CALLS; i++) {
        void *send = measure_need((size_t)ranks * (size_t)bytes);
        void *recv = measure_need((size_t)ranks * (size_t)bytes);
        strata_alltoallv_init(send, counts, displs, MPI_BYTE, recv, counts, displs, MPI_BYTE,
                              MPI_COMM_WORLD, MPI_INFO_NULL, &request[i]);
    }
    free(counts);
    free(displs);
}

static void compare(double seconds, int batches)
{
    static measure_call *const ways[] = {together, in_turn, in_turn};
    double time[3][MOST_BATCHES];
    int calls = measure_calls_for(in_turn, NULL, seconds);
    for (int b = 0; b < batches; b++) {
        for (int way = 0; way < 3; way++) {
            int next = (b + way) % 3;
            time[next][b] = measure_batch(ways[next], NULL, calls) * 1e6;
        }
    }
    double both = measure_median(time[0], batches), turn = measure_median(time[1], batches);
    double same = measure_median(time[2], batches);
    struct strata_report report = {.size = sizeof report};
    strata_comm_report(MPI_COMM_WORLD, &report);
    printf("begun together %.2f us, one after the other %.2f us: %.3f; the same twice %.3f (%s)\n",
           both, turn, turn / both, turn / same, report.algorithm);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    int bytes = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 1024;
    double seconds = argc > 2 ? strtod(argv[2], NULL) : 0.1;
    int batches = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 20;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank > 0 && !freopen("/dev/null", "w", stdout)) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    describe(ranks, bytes);
    compare(seconds, batches < MOST_BATCHES ? batches : MOST_BATCHES);
    for (int i = 0; i < CALLS; i++) {
        strata_request_free(&request[i]);
    }
    return MPI_Finalize();
}
