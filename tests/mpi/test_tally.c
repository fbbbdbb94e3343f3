/* The parts of a call's time: the sums of intranode/wait.h, over whole calls. To measure by hand:
 *
 *     mpirun -n 16 mpi_test_tally measure allgather 1
 *
 * or alltoallv, alltoall; the number is the bytes of a block. A call that MPI's own collective
 * serves is not in the sums. So trials are off, and the machine is a given one: measured on a busy
 * host, its prices may prefer MPI's own.
 *
 * run: 2 STRATA_TOPO=node:1 STRATA_TRIAL=off STRATA_MACHINE=cluster
 * run: 4 STRATA_TOPO=node:2 STRATA_TRIAL=off STRATA_MACHINE=cluster
 * timeout: 60
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/attach/state.h"
#include "api/life/life.h"
#include "api/process/process.h"
#include "include/strata.h"
#include "tests/mpi/require.h"

enum { REASONS = STRATA_WAIT_MESSAGES + 1 };

static const char *const reasons[REASONS] = {"a member", "the leader", "messages"};
static const char *const parts[STRATA_WAIT_PARTS] = {
    "worked", "tested, nothing new", "looked", "made progress", "yielded", "slept", "napped"};

static int rank, ranks;

struct buffers {
    char *in, *out;
    int *counts, *displs;
    int bytes;
};

static struct buffers make(int bytes)
{
    struct buffers b = {malloc((size_t)ranks * bytes), malloc((size_t)ranks * bytes),
                        malloc(ranks * sizeof(int)), malloc(ranks * sizeof(int)), bytes};
    REQUIRE(b.in);
    REQUIRE(b.out);
    REQUIRE(b.counts);
    REQUIRE(b.displs);
    memset(b.in, rank, (size_t)ranks * bytes);
    for (int i = 0; i < ranks; i++) {
        b.counts[i] = bytes;
        b.displs[i] = i * bytes;
    }
    return b;
}

static void discard(struct buffers *b)
{
    free(b->in);
    free(b->out);
    free(b->counts);
    free(b->displs);
}

static void call(const char *collective, const struct buffers *b)
{
    if (strcmp(collective, "allgather") == 0) {
        strata_allgather(b->in, b->bytes, MPI_BYTE, b->out, b->bytes, MPI_BYTE, MPI_COMM_WORLD);
    } else if (strcmp(collective, "alltoall") == 0) {
        strata_alltoall(b->in, b->bytes, MPI_BYTE, b->out, b->bytes, MPI_BYTE, MPI_COMM_WORLD);
    } else {
        REQUIRE_TEXT(collective, "alltoallv");
        strata_alltoallv(b->in, b->counts, b->displs, MPI_BYTE, b->out, b->counts, b->displs,
                         MPI_BYTE, MPI_COMM_WORLD);
    }
}

static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Returns the seconds of so many calls, which the tally divides. */
static double run(const char *collective, int bytes, int calls, struct strata_wait_tally *tally,
                  bool *leads)
{
    struct buffers b = make(bytes);
    struct strata_process *process = strata_process();
    for (int i = 0; i < 20; i++) {
        call(collective, &b);
    }
    struct strata_group *group = strata_state_peek(process, MPI_COMM_WORLD)->group;
    *leads = group->topology->local_of[rank] == 0;
    *tally = (struct strata_wait_tally){0};
    strata_wait_tally = tally;
    double total = 0;
    for (int i = 0; i < calls; i++) {
        double begin = tally->last = seconds();
        call(collective, &b);
        total += seconds() - begin;
    }
    strata_wait_tally = NULL;
    discard(&b);
    return total;
}

static double divided(const struct strata_wait_tally *t)
{
    double sum = 0;
    for (int reason = 0; reason < REASONS; reason++) {
        for (int part = 0; part < STRATA_WAIT_PARTS; part++) {
            sum += t->sum[reason][part].seconds;
        }
    }
    return sum;
}

/* The parts make up the whole time, except for the time behind the last part. */
static void test_sums(void)
{
    static const char *const collectives[] = {"alltoallv", "alltoall", "allgather"};
    struct strata_wait_tally t;
    bool leads;
    for (int i = 0; i < 3; i++) {
        double total = run(collectives[i], 8, 50, &t, &leads);
        REQUIRE_CMP(divided(&t), <=, total);
        REQUIRE_CMP(divided(&t), >, 0);
        REQUIRE_CMP(t.woken.times, <=,
                    t.sum[STRATA_WAIT_MEMBER][STRATA_WAIT_SLEPT].times +
                        t.sum[STRATA_WAIT_LEADER][STRATA_WAIT_SLEPT].times);
        REQUIRE_CMP(t.woken.seconds, >=, 0);
        REQUIRE_CMP(t.woken.seconds, <=, total);
    }
}

/* Prints on rank 0 the mean for a call, over the ranks for which `counted` holds. */
static void report(const char *who, bool counted, const struct strata_wait_tally *t, int calls,
                   double total)
{
    enum { ROWS = REASONS * STRATA_WAIT_PARTS, WORDS = 2 };
    struct strata_wait_tally mine = counted ? *t : (struct strata_wait_tally){0};
    double each[ROWS + 1][WORDS], sum[ROWS + 1][WORDS];
    double own[2] = {counted, counted ? total : 0}, both[2];
    for (int i = 0; i <= ROWS; i++) {
        struct strata_wait_sum s =
            i == ROWS ? mine.woken : mine.sum[i / STRATA_WAIT_PARTS][i % STRATA_WAIT_PARTS];
        each[i][0] = (double)s.times;
        each[i][1] = s.seconds;
    }
    MPI_Reduce(each, sum, WORDS * (ROWS + 1), MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(own, both, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank > 0 || both[0] == 0) {
        return;
    }
    double per = both[0] * calls;
    printf("%.0f %s: %.1f us a call\n", both[0], who, 1e6 * both[1] / per);
    for (int i = 0; i <= ROWS; i++) {
        if (sum[i][0] > 0 && i < ROWS) {
            printf("  %-10s  %-20s %8.2f us, %6.2f times\n", reasons[i / STRATA_WAIT_PARTS],
                   parts[i % STRATA_WAIT_PARTS], 1e6 * sum[i][1] / per, sum[i][0] / per);
        } else if (sum[i][0] > 0) {
            printf("  woken %.2f times, %.1f us after the bell\n", sum[i][0] / per,
                   1e6 * sum[i][1] / sum[i][0]);
        }
    }
}

static void measure(const char *collective, int bytes)
{
    enum { CALLS = 2000 };
    struct strata_wait_tally t;
    bool leads;
    double total = run(collective, bytes, CALLS, &t, &leads);
    report("leaders", leads, &t, CALLS, total);
    report("others", !leads, &t, CALLS, total);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc == 4 && strcmp(argv[1], "measure") == 0) {
        measure(argv[2], atoi(argv[3]));
    } else {
        test_sums();
    }
    MPI_Finalize();
    if (rank == 0) {
        printf("tally: %d ranks: ok\n", ranks);
    }
    return 0;
}
