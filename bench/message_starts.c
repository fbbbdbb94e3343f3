/* A message to and from each other rank, again and again. MPI_Isend and MPI_Irecv begin it, or
 * MPI_Startall of MPI_Send_init and MPI_Recv_init.
 *
 *   message_starts   microseconds of the slowest rank, medians of batches */
#include <mpi.h>
#include <stdlib.h>

#include "bench/measure.h"

enum { BATCHES = 41, STARTS = 2000, LENGTHS = 4 };

static int rank, ranks, requests;
static char *in, *out;
static MPI_Request *request, *described;
static MPI_Status *status;

static void begin_each(const void *argument)
{
    const int bytes = *(const int *)argument;
    int used = 0;
    for (int distance = 1; distance < ranks; distance++) {
        int from = (rank + ranks - distance) % ranks, to = (rank + distance) % ranks;
        MPI_Irecv(in + (size_t)from * (size_t)bytes, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD,
                  &request[used++]);
        MPI_Isend(out + (size_t)to * (size_t)bytes, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD,
                  &request[used++]);
    }
    MPI_Waitall(requests, request, status);
}

static void start_all(const void *argument)
{
    (void)argument;
    MPI_Startall(requests, described);
    MPI_Waitall(requests, described, status);
}

static void describe(int bytes)
{
    int used = 0;
    for (int distance = 1; distance < ranks; distance++) {
        int from = (rank + ranks - distance) % ranks, to = (rank + distance) % ranks;
        MPI_Recv_init(in + (size_t)from * (size_t)bytes, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD,
                      &described[used++]);
        MPI_Send_init(out + (size_t)to * (size_t)bytes, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD,
                      &described[used++]);
    }
}

static void measure(int bytes)
{
    double each[BATCHES], started[BATCHES], ratio[BATCHES];
    describe(bytes);
    measure_batch(begin_each, &bytes, STARTS);
    measure_batch(start_all, &bytes, STARTS);
    for (int i = 0; i < BATCHES; i++) {
        each[i] = 1e6 * measure_batch(begin_each, &bytes, STARTS);
        started[i] = 1e6 * measure_batch(start_all, &bytes, STARTS);
        ratio[i] = each[i] / started[i];
    }
    for (int i = 0; i < requests; i++) {
        MPI_Request_free(&described[i]);
    }
    if (rank == 0) {
        printf("%8d %12.3f %12.3f %8.2f\n", bytes, measure_median(each, BATCHES),
               measure_median(started, BATCHES), measure_median(ratio, BATCHES));
    }
}

int main(int argc, char **argv)
{
    static const int lengths[LENGTHS] = {8, 64, 1024, 4096};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    requests = 2 * (ranks - 1);
    in = measure_need((size_t)ranks * (size_t)lengths[LENGTHS - 1]);
    out = measure_need((size_t)ranks * (size_t)lengths[LENGTHS - 1]);
    request = measure_need((size_t)requests * sizeof *request);
    described = measure_need((size_t)requests * sizeof *described);
    status = measure_need((size_t)requests * sizeof *status);
    if (rank == 0) {
        printf("%8s %12s %12s %8s\n", "bytes", "begun, us", "started, us", "ratio");
    }
    for (int i = 0; i < LENGTHS; i++) {
        measure(lengths[i]);
    }
    free(in);
    free(out);
    free(request);
    free(described);
    free(status);
    MPI_Finalize();
    return 0;
}
