/* The memory that many persistent requests take on rank 0. First the requests are made, used and
 * freed one after another, in rounds. Then many are open at once: made, started, completed and
 * freed. They are allreduces, alltoallvs, broadcasts and barriers of short vectors, by turns. The
 * program checks their results.
 *
 *   many_requests [MADE [OPEN [ROUNDS]]]    10000, 1000, 4 */
#include <malloc.h>
#include <mpi.h>
#include <strata.h>
#include <unistd.h>

#include "bench/measure.h"

enum { NUMBERS = 4, KINDS = 4 };

static int rank, ranks;

struct call {
    struct strata_request *request;
    int in[NUMBERS], out[NUMBERS];
    int *sent, *came; /* [ranks] */
};

static int *counts, *displs, *numbers;

static void require(bool holds)
{
    if (!holds) {
        fprintf(stderr, "many_requests: rank %d: a call failed, or brought other numbers\n", rank);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void describe(struct call *c, int number)
{
    const MPI_Comm comm = MPI_COMM_WORLD;
    int error = MPI_SUCCESS;
    switch (number % KINDS) {
    case 0:
        error = strata_allreduce_init(c->in, c->out, NUMBERS, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL,
                                      &c->request);
        break;
    case 1:
        error = strata_alltoallv_init(c->sent, counts, displs, MPI_INT, c->came, counts, displs,
                                      MPI_INT, comm, MPI_INFO_NULL, &c->request);
        break;
    case 2:
        error = strata_bcast_init(c->out, NUMBERS, MPI_INT, number % ranks, comm, MPI_INFO_NULL,
                                  &c->request);
        break;
    default:
        error = strata_barrier_init(comm, MPI_INFO_NULL, &c->request);
    }
    require(error == MPI_SUCCESS);
}

static void fill(struct call *c, int number)
{
    for (int i = 0; i < NUMBERS; i++) {
        c->in[i] = number + i;
        c->out[i] = rank == number % ranks ? number + i : -1;
    }
    for (int peer = 0; peer < ranks; peer++) {
        c->sent[peer] = number + 7 * rank + peer;
        c->came[peer] = -1;
    }
}

static void look(const struct call *c, int number)
{
    for (int i = 0; i < NUMBERS; i++) {
        require(number % KINDS != 0 || c->out[i] == ranks * (number + i));
        require(number % KINDS != 2 || c->out[i] == number + i);
    }
    for (int peer = 0; peer < ranks; peer++) {
        require(number % KINDS != 1 || c->came[peer] == number + 7 * peer + rank);
    }
}

static void make_and_free(struct call *c, int made)
{
    for (int i = 0; i < made; i++) {
        fill(c, i);
        describe(c, i);
        require(strata_start(&c->request) == MPI_SUCCESS);
        require(strata_wait(&c->request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
        look(c, i);
        require(strata_request_free(&c->request) == MPI_SUCCESS);
    }
}

/* The KiB that malloc has handed out. */
static double allocated(void)
{
    return (double)mallinfo2().uordblks / 1024;
}

static double resident(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*d %ld", &pages) != 1) {
        pages = 0;
    }
    if (file) {
        fclose(file);
    }
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1024;
}

static void print(const char *what)
{
    struct strata_report report = {.size = sizeof report};
    strata_comm_report(MPI_COMM_WORLD, &report);
    if (rank == 0) {
        printf("%-28s %10.0f %10.0f %14d %8d\n", what, allocated(), resident(),
               report.private_communicators, report.arenas);
    }
}

static void open_at_once(struct call *calls, struct strata_request **requests, int open)
{
    for (int i = 0; i < open; i++) {
        fill(&calls[i], i);
        describe(&calls[i], i);
        requests[i] = calls[i].request;
    }
    print("described");
    require(strata_startall(open, requests) == MPI_SUCCESS);
    print("open");
    require(strata_waitall(open, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    for (int i = 0; i < open; i++) {
        look(&calls[i], i);
        require(strata_request_free(&requests[i]) == MPI_SUCCESS);
    }
    print("freed");
}

static int number_of(int argc, char **argv, int at, int usual)
{
    return argc > at ? (int)strtol(argv[at], NULL, 10) : usual;
}

static struct call *need_calls(int count)
{
    const size_t each = 2 * (size_t)ranks;
    struct call *calls = measure_need((size_t)count * sizeof *calls);
    numbers = measure_need((size_t)count * each * sizeof *numbers);
    for (int i = 0; i < count; i++) {
        calls[i].sent = numbers + (size_t)i * each;
        calls[i].came = calls[i].sent + ranks;
    }
    counts = measure_need(each * sizeof *counts);
    displs = counts + ranks;
    for (int i = 0; i < ranks; i++) {
        counts[i] = 1;
        displs[i] = i;
    }
    return calls;
}

int main(int argc, char **argv)
{
    const int made = number_of(argc, argv, 1, 10000), open = number_of(argc, argv, 2, 1000),
              rounds = number_of(argc, argv, 3, 4);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    struct call *calls = need_calls(open + 1);
    struct strata_request **requests = measure_need((size_t)open * sizeof(struct strata_request *));
    make_and_free(calls, KINDS * ranks); /* attaches the communicator and makes the plans */
    if (rank == 0) {
        printf("%-28s %10s %10s %14s %8s\n", "", "malloc KiB", "all KiB", "communicators",
               "arenas");
    }
    print("before");
    for (int i = 0; i < rounds; i++) {
        make_and_free(calls, made);
        print("made, used and freed");
    }
    for (int i = 0; i < rounds; i++) {
        open_at_once(calls, requests, open);
    }
    free(requests);
    free(calls);
    free(numbers);
    free(counts);
    MPI_Finalize();
    return 0;
}
