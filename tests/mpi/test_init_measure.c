/* Persistent calls measure their algorithm when they are described. The program's buffers are not
 * even readable meanwhile. The choice follows the clocks of all ranks, which the test sets, and
 * gives right results. Reductions are measured where the user asked for it. A wrong word is an
 * error on all ranks. A rank without memory leaves no rank out of step, and no rank waits for one
 * that is out of step. Trials count nowhere.
 *
 * run: 2,3
 * run: 4 STRATA_TOPO=node:2
 * run: 2 STRATA_INIT_MEASURE=moves -- variable
 * timeout: 120 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "core/base/memory.h"
#include "tests/mpi/attached.h"

enum { MOST_RANKS = 8, COUNT = 5, ROOM = MOST_RANKS * COUNT, PAGE = 1 << 16, MOST_CHOICES = 8 };

static int rank, ranks;

/* The clock that the library reads. Each second look ends the batch of one candidate. The batch
 * takes a second on this rank, if the rank has a part in it and the candidate is not to win;
 * otherwise it takes no time. */
static struct {
    bool set, slow;
    int candidates, winner, looks;
    double now;
} shown;

double PMPI_Wtime(void)
{
    struct timespec time;
    if (shown.set) {
        int candidate = shown.looks / 2 % shown.candidates;
        shown.now += shown.looks++ % 2 && shown.slow && candidate != shown.winner ? 1 : 0;
        return shown.now;
    }
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static MPI_Info info_of(const char *word)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "strata_init_measure", word);
    return info;
}

/* Pages of their own: send, recv, and the expected recv. */
static int *send, *recv, *expected;
static int sent[MOST_RANKS], taken[MOST_RANKS], at[MOST_RANKS], each[MOST_RANKS];

static int *new_pages(void)
{
    void *pages = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE_CMP(pages, !=, MAP_FAILED);
    return pages;
}

static void lock_buffers(bool locked)
{
    int may = locked ? PROT_NONE : PROT_READ | PROT_WRITE;
    REQUIRE_CMP(mprotect(send, PAGE, may), ==, 0);
    REQUIRE_CMP(mprotect(recv, PAGE, may), ==, 0);
}

static void draw(int start)
{
    for (int i = 0; i < ranks; i++) {
        sent[i] = taken[i] = (rank + i) % COUNT;
        each[i] = i % COUNT;
        at[i] = i * COUNT;
    }
    for (int i = 0; i < ROOM; i++) {
        send[i] = 1000 * rank + 17 * start + i;
        recv[i] = expected[i] = rank == 0 ? 5 * start + i : -1;
    }
}

#define WAYS(Name, name, ...)                                                                      \
    do {                                                                                           \
        if (own) {                                                                                 \
            return MPI_##Name(__VA_ARGS__ MPI_COMM_WORLD);                                         \
        }                                                                                          \
        return strata_##name##_init(__VA_ARGS__ comm, info, request);                              \
    } while (0)

enum { CALLS = 9, REDUCTIONS = 7, BARRIER = 8 }; /* 7: reductions from here on, but the barrier */

static int make(int call, bool own, MPI_Comm comm, MPI_Info info, struct strata_request **request)
{
    int *out = own ? expected : recv;
    const int n = COUNT;
    MPI_Datatype t = MPI_INT;
    switch (call) {
    case 0:
        WAYS(Alltoallv, alltoallv, send, sent, at, t, out, taken, at, t, );
    case 1:
        WAYS(Alltoall, alltoall, MPI_IN_PLACE, 0, t, out, n, t, );
    case 2:
        WAYS(Allgather, allgather, send, n, t, out, n, t, );
    case 3:
        WAYS(Bcast, bcast, out, n, t, 0, );
    case 4:
        WAYS(Gatherv, gatherv, send, each[rank], t, out, each, at, t, 0, );
    case 5:
        WAYS(Scatterv, scatterv, send, each, at, t, out, each[rank], t, 0, );
    case 6:
        WAYS(Allgatherv, allgatherv, send, each[rank], t, out, each, at, t, );
    case 7:
        WAYS(Allreduce, allreduce, send, out, n, t, MPI_SUM, );
    default:
        WAYS(Barrier, barrier, );
    }
}

static bool measured(MPI_Comm comm)
{
    return strstr(report_of(comm).why, "measured: the fastest of") != NULL;
}

static void run(int call, MPI_Comm comm, struct strata_request **request)
{
    for (int start = 0; start < 3; start++) {
        draw(start);
        succeed(make(call, true, comm, MPI_INFO_NULL, NULL));
        succeed(strata_start(request));
        succeed(strata_wait(request, MPI_STATUS_IGNORE));
        REQUIRE_BYTES(recv, expected, ROOM * sizeof *recv);
    }
}

/* Describes a call; no code may read the program's buffers meanwhile. */
static void test_call(int call, const char *word, bool wanted)
{
    MPI_Comm comm = new_communicator();
    MPI_Info info = word ? info_of(word) : MPI_INFO_NULL;
    struct strata_request *request;
    draw(0);
    lock_buffers(true);
    succeed(make(call, false, comm, info, &request));
    lock_buffers(false);
    REQUIRE_CMP(report_of(comm).messages, ==, 0);
    run(call, comm, &request);
    REQUIRE_CMP(measured(comm), ==, wanted);
    succeed(strata_request_free(&request));
    if (word) {
        MPI_Info_free(&info);
    }
    MPI_Comm_free(&comm);
}

/* The fastest of so many candidates by the shown clock. */
static struct strata_report choose(int candidates, int winner, bool mine)
{
    MPI_Comm comm = new_communicator();
    MPI_Info info = info_of("moves");
    struct strata_request *request;
    struct strata_report report;
    draw(0);
    shown.candidates = candidates;
    shown.winner = winner;
    shown.slow = mine;
    shown.looks = 0;
    shown.set = candidates > 0;
    succeed(make(2, false, comm, info, &request));
    shown.set = false;
    run(2, comm, &request);
    report = report_of(comm);
    succeed(strata_request_free(&request));
    MPI_Info_free(&info);
    MPI_Comm_free(&comm);
    return report;
}

/* Each candidate is chosen where one rank's clock favours it; the last candidate is MPI's own. */
static void test_choice(void)
{
    char chosen[MOST_CHOICES][sizeof choose(0, 0, true).algorithm];
    const char *text = choose(0, 0, true).why;
    int candidates = 0;
    REQUIRE_CMP(sscanf(text, "measured: the fastest of %d", &candidates), ==, 1);
    REQUIRE_CMP(candidates, >, 1);
    REQUIRE_CMP(candidates, <=, MOST_CHOICES);
    for (int i = 0; i < candidates; i++) {
        struct strata_report report = choose(candidates, i, rank == ranks - 1);
        memcpy(chosen[i], report.algorithm, sizeof chosen[i]);
        for (int j = 0; j < i; j++) {
            REQUIRE(strcmp(chosen[j], chosen[i]) != 0);
        }
    }
    REQUIRE_TEXT(chosen[candidates - 1], "native");
}

static void fail_alike(int error, int class, const struct strata_request *request)
{
    int found = MPI_SUCCESS;
    MPI_Error_class(error, &found);
    REQUIRE_CMP(found, ==, class);
    REQUIRE(!request);
}

static void test_wrong_word(void)
{
    MPI_Comm comm = new_communicator();
    MPI_Info info = info_of(rank == 0 ? "some" : "moves");
    struct strata_request *request = NULL;
    draw(0);
    fail_alike(make(0, false, comm, info, &request), MPI_ERR_INFO_VALUE, request);
    MPI_Info_free(&info);
    MPI_Comm_free(&comm);
}

static void test_without_memory(int call)
{
    MPI_Comm comm = new_communicator();
    MPI_Info info = info_of("all");
    struct strata_request *request = NULL;
    long allowed = 0;
    int error = MPI_ERR_NO_MEM;
    draw(0);
    while (error != MPI_SUCCESS) {
        strata_memory_fail_after(rank == ranks - 1 ? allowed + 1 : -1);
        error = make(call, false, comm, info, &request);
        strata_memory_fail_after(-1);
        if (error != MPI_SUCCESS) {
            fail_alike(error, MPI_ERR_NO_MEM, request);
            succeed(strata_barrier(comm));
        }
        allowed++;
    }
    REQUIRE_CMP(allowed, >, 20);
    run(call, comm, &request);
    REQUIRE(measured(comm));
    succeed(strata_request_free(&request));
    MPI_Info_free(&info);
    MPI_Comm_free(&comm);
}

/* No trial counts as the program's call, nor its exposed blocks. */
static void test_traffic(void)
{
    enum { LONG = 1 << 18 };
    MPI_Comm comm = new_communicator();
    MPI_Info info = info_of("moves");
    struct strata_request *request;
    char *blocks = malloc((size_t)(ranks + 1) * LONG);

    REQUIRE(blocks);
    memset(blocks, rank, LONG);
    succeed(strata_allgather_init(blocks, LONG, MPI_CHAR, blocks + LONG, LONG, MPI_CHAR, comm, info,
                                  &request));
    struct strata_report r = report_of(comm);
    REQUIRE_CMP(r.messages + r.messages_node + r.bytes + r.bytes_node + r.copied, ==, 0);
    REQUIRE_CMP(r.lent_mapped + r.lent_read + r.lent_pieces + r.lent_asked, ==, 0);
    succeed(strata_start(&request));
    succeed(strata_wait(&request, MPI_STATUS_IGNORE));
    REQUIRE(measured(comm));
    REQUIRE_CMP(blocks[(size_t)ranks * LONG], ==, ranks - 1);
    succeed(strata_request_free(&request));
    MPI_Info_free(&info);
    MPI_Comm_free(&comm);
    free(blocks);
}

/* A rank that had no memory for a nonblocking call is out of step. No rank waits for it in a
 * measurement, or gets a request that it could not start. */
static void test_out_of_step(const char *word)
{
    MPI_Comm comm = new_communicator();
    MPI_Info info = info_of(word);
    struct strata_request *request = NULL;
    draw(0);
    if (rank == ranks - 1) {
        strata_memory_fail_after(1);
        fail_alike(strata_ibarrier(comm, &request), MPI_ERR_NO_MEM, request);
        strata_memory_fail_after(-1);
    }
    fail_alike(make(2, false, comm, info, &request), MPI_ERR_OTHER, request);
    fail_alike(make(7, false, comm, info, &request), MPI_ERR_OTHER, request);
    MPI_Info_free(&info);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    send = new_pages();
    recv = new_pages();
    expected = new_pages();
    if (argc > 1 && strcmp(argv[1], "variable") == 0) {
        test_call(0, NULL, true);
        test_call(0, "off", false);
        test_call(REDUCTIONS, NULL, false);
        test_call(REDUCTIONS, "all", true);
        MPI_Finalize();
        return 0;
    }
    for (int call = 0; call < CALLS; call++) {
        test_call(call, NULL, false);
        test_call(call, "moves", call != REDUCTIONS);
        test_call(call, "all", true);
    }
    test_choice();
    test_wrong_word();
    test_without_memory(0);
    test_without_memory(4);
    test_without_memory(REDUCTIONS);
    test_traffic();
    test_out_of_step("off");
    test_out_of_step("all");
    MPI_Finalize();
    return 0;
}
