/* Early calls of a kind are made by the choice, by MPI's own and by other plans in turn, and timed.
 * One of these serves all later calls where it took clearly less, and none where none did. All
 * calls give the right data. The clock is the test's: a call takes as long as the test says.
 *
 * run: 3,5 STRATA_TRIAL=all STRATA_MACHINE=cluster STRATA_TOPO=node:2 STRATA_WAIT=yield
 * run: 3 STRATA_TRIAL=reductions STRATA_MACHINE=cluster STRATA_TOPO=node:2 STRATA_WAIT=yield
 * run: 3 STRATA_TRIAL=agreed STRATA_MACHINE=cluster STRATA_TOPO=node:2 STRATA_WAIT=yield
 * run: 3 STRATA_TRIAL=all STRATA_MACHINE=cluster:overhead=3e-6,signal=1.2e-6 STRATA_WAIT=yield -- later
 * timeout: 120 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/mpi/attached.h"
#include "tests/mpi/numbers.h"

enum {
    BYTES = 2000,
    FEWER = 1000,
    LONG = 10000,
    CALLS = 200,
    MOST_CALLS = 10000,
    RANKS = 5,
    ROUNDINGS = 20,
    LAGS = 12
};

/* By costs MPI's own takes over 7 times as long as a plan, so plans make 28 calls first. */
enum { PLANS_FIRST = 28 };

/* The call whose sizes are known, and which the first choice makes. */
enum { FIRST = 2 };

static int rank, ranks;
static bool later;
static enum trial { AGREED, ALL, REDUCTIONS } trial; /* as STRATA_TRIAL says */
static unsigned char *in, *out;
static int counts[RANKS], displacements[RANKS];

/* The clock. Each look at it moves it; the first one after a call of MPI's own, or of another plan
 * than the first, by another step. */
static bool clock_is_ours;
static double now, by_plan, by_native, by_other;
static MPI_Comm timed = MPI_COMM_NULL; /* where other plans take another time */
static char first_plan[96];
static int natives; /* calls of MPI's own since the test began */
static bool after_native;

static bool is_other(void)
{
    return timed != MPI_COMM_NULL && first_plan[0] &&
           strcmp(report_of(timed).algorithm, first_plan) != 0;
}

double PMPI_Wtime(void)
{
    now += after_native ? by_native : is_other() ? by_other : by_plan;
    after_native = false;
    return clock_is_ours ? now : MPI_Wtime();
}

/* Finds the function of MPI that the one of this name here hides. */
static void *hidden(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    natives++;
    after_native = true;
    REQUIRE(found);
    return found;
}

#define HIDE(Name, parameters, ...)                                                                \
    int PMPI_##Name parameters                                                                     \
    {                                                                                              \
        int(*theirs) parameters;                                                                   \
        *(void **)(&theirs) = hidden("PMPI_" #Name);                                               \
        return theirs(__VA_ARGS__);                                                                \
    }

HIDE(Ialltoallv,
     (const void *from, const int n[], const int d[], MPI_Datatype t, void *to, const int m[],
      const int e[], MPI_Datatype u, MPI_Comm c, MPI_Request *request),
     from, n, d, t, to, m, e, u, c, request)

/* MPI refuses a call before it begins. */
static bool refuses;

int PMPI_Iallgather(const void *from, int n, MPI_Datatype t, void *to, int m, MPI_Datatype u,
                    MPI_Comm c, MPI_Request *request)
{
    int (*theirs)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm,
                  MPI_Request *);
    if (refuses) {
        refuses = false;
        return MPI_ERR_TYPE;
    }
    *(void **)(&theirs) = hidden("PMPI_Iallgather");
    return theirs(from, n, t, to, m, u, c, request);
}

int PMPI_Igather(const void *from, int n, MPI_Datatype t, void *to, int m, MPI_Datatype u, int root,
                 MPI_Comm c, MPI_Request *request)
{
    int (*theirs)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm,
                  MPI_Request *);
    if (refuses) {
        refuses = false;
        return MPI_ERR_TYPE;
    }
    *(void **)(&theirs) = hidden("PMPI_Igather");
    return theirs(from, n, t, to, m, u, root, c, request);
}

/* An MPI that adds up in another order on each rank. */
int PMPI_Iallreduce(const void *from, void *to, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c,
                    MPI_Request *request)
{
    double all[RANKS][8], *sum = to;
    if (t != MPI_DOUBLE || op != MPI_SUM) {
        after_native = op == MPI_SUM; /* the ranks' agreements have other operators */
        natives += after_native;
        return MPI_Iallreduce(from, to, n, t, op, c, request);
    }
    for (int i = 0; i < n; i++) { /* all orders give the same sum of whole numbers only */
        REQUIRE_CMP(sum[i] == floor(sum[i]), ==, true);
    }
    MPI_Allgather(to, n, t, all, 8, t, c);
    for (int i = 0; i < n; i++) {
        sum[i] = all[rank][i];
        for (int r = 1; r < ranks; r++) {
            sum[i] += all[(rank + r) % ranks][i];
        }
    }
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

static void allgather(MPI_Comm comm, int call)
{
    fill_bytes(in, BYTES, call, rank, 0);
    int error = strata_allgather(in, BYTES, MPI_BYTE, out, BYTES, MPI_BYTE, comm);
    if (error != MPI_SUCCESS) {
        error = strata_allgather(in, BYTES, MPI_BYTE, out, BYTES, MPI_BYTE, comm);
    }
    succeed(error);
    for (int r = 0; r < ranks; r++) {
        REQUIRE_FILLED(out + (size_t)r * BYTES, BYTES, call, r, 0);
    }
}

static void alltoallv(MPI_Comm comm, int call)
{
    for (int r = 0; r < ranks; r++) {
        fill_bytes(in + (size_t)r * BYTES, BYTES, call, rank, r);
    }
    succeed(strata_alltoallv(in, counts, displacements, MPI_BYTE, out, counts, displacements,
                             MPI_BYTE, comm));
    for (int r = 0; r < ranks; r++) {
        REQUIRE_FILLED(out + (size_t)r * BYTES, BYTES, call, r, rank);
    }
}

static void gather_at(MPI_Comm comm, int call, int bytes, int root)
{
    fill_bytes(in, (size_t)bytes, call, rank, 0);
    int error = strata_gather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, root, comm);
    if (error != MPI_SUCCESS) {
        error = strata_gather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, root, comm);
    }
    succeed(error);
    for (int r = 0; r < ranks && rank == root; r++) {
        REQUIRE_FILLED(out + (size_t)r * (size_t)bytes, (size_t)bytes, call, r, 0);
    }
}

static void gather(MPI_Comm comm, int call)
{
    gather_at(comm, call, BYTES, 0);
}

/* Calls of one kind end while the ranks tell each other their times. */
static void gather_more(MPI_Comm comm, int call)
{
    gather_at(comm, call, call < 8 ? FEWER : BYTES, 0);
}

/* Each root has a trial of its own; they tell each other times one after the other. */
static void gather_in_turn(MPI_Comm comm, int call)
{
    gather_at(comm, call, BYTES, call % ranks);
}

/* Short gathers have one plan that may serve calls on crossed communicators. */
static void gather_long(MPI_Comm comm, int call)
{
    gather_at(comm, call, LONG, 0);
}

static void allreduce(MPI_Comm comm, int call)
{
    int mine[2], sum[2];
    fill_numbers(mine, 2, call, rank, 0);
    succeed(strata_allreduce(mine, sum, 2, MPI_INT, MPI_SUM, comm));
    REQUIRE_CMP(sum[0], ==, sum_of_numbers(call, 0, ranks, 0, 0));
}

typedef void make_call(MPI_Comm comm, int call);

static const struct collective {
    make_call *call;
    int kinds;        /* of calls, by root */
    enum trial tried; /* the least STRATA_TRIAL that tries it */
} collectives[] = {{allgather, 1, ALL},       {alltoallv, 1, AGREED}, {gather, 1, ALL},
                   {gather_long, 1, ALL},     {gather_more, 1, ALL},  {gather_in_turn, RANKS, ALL},
                   {allreduce, 1, REDUCTIONS}};

/* Communicators that are in use. One that takes over an idle state knows what its trials found. */
static MPI_Comm used[4 * sizeof collectives / sizeof collectives[0] + ROUNDINGS + LAGS + 5];
static int nused;

/* Makes calls that take so long, and returns how many of them MPI's own served. */
static int count_native(const struct collective *c, double plan, double native)
{
    MPI_Comm comm = used[nused++] = new_communicator();
    const int kinds = c->kinds < ranks ? c->kinds : ranks;
    by_plan = plan;
    by_native = native;
    clock_is_ours = true;
    natives = 0;
    for (int call = 0; call < CALLS * c->kinds; call++) {
        c->call(comm, call);
        REQUIRE(!later || call >= PLANS_FIRST * kinds || natives == 0);
    }
    clock_is_ours = false;
    struct strata_report report = report_of(comm);
    REQUIRE_CMP((int)report.calls_native, ==, natives);
    if (natives > CALLS * c->kinds / 2) {
        REQUIRE(strcmp(report.algorithm, "native") == 0);
        REQUIRE(strstr(report.why, "timed beside"));
    }
    return natives;
}

static void test_collective(const struct collective *c)
{
    const bool tried = trial >= c->tried;
    const int most = CALLS * c->kinds;
    int slow = count_native(c, 1e-4, 1); /* the survey ends the trial */
    int alike = count_native(c, 1e-4, 1e-4);
    int fast = count_native(c, 1e-4, 5e-5);
    REQUIRE_CMP(slow > 0, ==, tried);
    REQUIRE_CMP(slow, <, most / 10);
    REQUIRE_CMP(alike, <, most / 5);
    REQUIRE_CMP(alike > slow, ==, tried);
    REQUIRE_CMP(fast > most / 2, ==, tried);
}

/* Another plan takes half the time. It serves later calls if it is tried. */
static void test_other_plan(const struct collective *c)
{
    const bool tried = trial >= c->tried;
    MPI_Comm comm = used[nused++] = new_communicator();
    by_plan = by_native = 1e-4;
    by_other = 5e-5;
    first_plan[0] = '\0';
    clock_is_ours = true;
    for (int call = 0; call < CALLS; call++) {
        c->call(comm, call);
        if (call == FIRST) {
            snprintf(first_plan, sizeof first_plan, "%s", report_of(comm).algorithm);
            timed = comm;
        }
    }
    timed = MPI_COMM_NULL;
    clock_is_ours = false;
    struct strata_report report = report_of(comm);
    REQUIRE_CMP(strcmp(report.algorithm, first_plan) != 0, ==, tried);
    REQUIRE_CMP(strncmp(report.why, "timed beside ", 13) == 0, ==, tried);
    REQUIRE_CMP(strstr(report.why, first_plan) != NULL, ==, tried);
}

/* Makes calls until another algorithm serves them, because it was faster. */
static void wait_for_other(MPI_Comm comm, const char *algorithm)
{
    int call = 0;
    while (strcmp(report_of(comm).algorithm, algorithm) == 0 ||
           !strstr(report_of(comm).why, " of the time")) {
        REQUIRE_CMP(call, <, MOST_CALLS);
        allgather(comm, call++);
    }
}

/* What is the fastest changes: another plan, the first one again, MPI's own, and plans again. */
static void test_changes(void)
{
    MPI_Comm comm = timed = used[nused++] = new_communicator();
    by_plan = by_native = by_other = 1e-4;
    clock_is_ours = true;
    for (int call = 0; call < CALLS; call++) {
        allgather(comm, call);
    }
    snprintf(first_plan, sizeof first_plan, "%s", report_of(comm).algorithm);
    REQUIRE(!strstr(report_of(comm).why, "timed"));
    by_other = 5e-5;
    wait_for_other(comm, first_plan);
    char other[96];
    snprintf(other, sizeof other, "%s", report_of(comm).algorithm);
    REQUIRE(strcmp(other, "native") != 0);
    by_other = by_native = 2e-4;
    wait_for_other(comm, other);
    REQUIRE(strcmp(report_of(comm).algorithm, first_plan) == 0);
    by_native = 2e-5;
    wait_for_other(comm, first_plan);
    REQUIRE(strcmp(report_of(comm).algorithm, "native") == 0);
    by_native = 2e-4;
    wait_for_other(comm, "native");
    REQUIRE(strcmp(report_of(comm).algorithm, first_plan) == 0);
    timed = MPI_COMM_NULL;
    clock_is_ours = false;
}

/* MPI's own takes TIMES as long as the choice. So the trial costs a hundred calls of it, and begins
 * again after a hundred times as many, whatever is the fastest by then. */
static void test_spread(void)
{
    enum { TIMES = 36, RIVAL_CALLS = 3, AGAIN = 100 * RIVAL_CALLS * (TIMES - 1), SURVEY = 100 };
    MPI_Comm comm = used[nused++] = new_communicator();
    by_plan = by_other = 1e-4;
    by_native = TIMES * by_plan;
    clock_is_ours = true;
    natives = 0;
    for (int call = 0; call < SURVEY; call++) {
        allgather(comm, call);
    }
    REQUIRE_CMP(natives, ==, RIVAL_CALLS);
    by_native = 2e-5;
    for (int call = SURVEY; call < AGAIN; call++) {
        allgather(comm, call);
    }
    REQUIRE_CMP(natives, ==, RIVAL_CALLS);
    for (int call = AGAIN; call < AGAIN + 2 * SURVEY; call++) {
        allgather(comm, call);
    }
    REQUIRE_CMP(natives, >, SURVEY);
    clock_is_ours = false;
}

/* MPI's own takes as long as may be after the survey, by a sum that MPI rounds. */
static void test_rounding(int number)
{
    MPI_Comm comm = used[nused++] = new_communicator();
    by_plan = 1e-4 * (1 + number_of(number, 0, rank, 0) * 1e-5);
    by_native = 1.5e-4 * (1 + number_of(number, 0, (rank + 1) % ranks, 0) * 1e-5);
    clock_is_ours = true;
    for (int call = 0; call < CALLS; call++) {
        allgather(comm, call);
    }
    clock_is_ours = false;
}

/* The root's call is refused, again and again, and repeated. No other rank knows. */
static void test_refused(void)
{
    MPI_Comm comm = used[nused++] = new_communicator();
    by_plan = by_native = 1e-4;
    clock_is_ours = true;
    for (int call = 0; call < CALLS; call++) {
        refuses = rank == 0 && call % 2 == 0;
        gather(comm, call);
    }
    refuses = clock_is_ours = false;
}

/* Calls of an allgather are refused and repeated while the ranks tell each other the times of a
 * gather, which begin so many calls later. The allgather's trial ends with MPI's own. */
static void test_refused_while_telling(int lag)
{
    MPI_Comm comm = used[nused++] = new_communicator();
    by_plan = 1e-4;
    by_native = 5e-5;
    clock_is_ours = true;
    for (int call = 0; call < CALLS; call++) {
        refuses = rank == 0;
        allgather(comm, call);
        refuses = false;
        if (call >= lag) {
            gather(comm, call);
        }
    }
    clock_is_ours = false;
}

/* One rank waits for a request before its bcast on another communicator. The others' parts of the
 * request have to move while they wait in that bcast, also where MPI's own makes it. */
static void test_request(void)
{
    MPI_Comm calls = used[nused++] = new_communicator();
    MPI_Comm requests = used[nused++] = new_communicator();
    const struct timespec pause = {.tv_nsec = 1000 * 1000};
    int from = 0, to[RANKS];
    succeed(strata_comm_force(requests, "allgather", "bruck:radix=2"));
    by_plan = by_native = 1e-4;
    clock_is_ours = true;
    for (int call = 0; call < CALLS; call++) {
        struct strata_request *request;
        if (rank > 1) {
            nanosleep(&pause, NULL);
        }
        succeed(strata_iallgather(&from, 1, MPI_INT, to, 1, MPI_INT, requests, &request));
        if (rank == 1) {
            succeed(strata_wait(&request, MPI_STATUS_IGNORE));
            fill_bytes(in, BYTES, call, 1, 0);
        }
        succeed(strata_bcast(in, BYTES, MPI_BYTE, 1, calls));
        REQUIRE_FILLED(in, BYTES, call, 1, 0);
        if (rank != 1) {
            succeed(strata_wait(&request, MPI_STATUS_IGNORE));
        }
    }
    clock_is_ours = false;
    REQUIRE_CMP((int)report_of(calls).calls_native, >, 0);
}

int main(int argc, char **argv)
{
    later = argc > 1 && strcmp(argv[1], "later") == 0;
    trial = strcmp(getenv("STRATA_TRIAL"), "agreed") == 0 ? AGREED
            : strcmp(getenv("STRATA_TRIAL"), "all") == 0  ? ALL
                                                          : REDUCTIONS;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    in = malloc((size_t)ranks * LONG);
    out = malloc((size_t)ranks * LONG);
    REQUIRE(in);
    REQUIRE(out);
    for (int r = 0; r < ranks; r++) {
        counts[r] = BYTES;
        displacements[r] = r * BYTES;
    }
    for (size_t i = 0; i < sizeof collectives / sizeof collectives[0]; i++) {
        if (!later || collectives[i].call != gather_long) { /* of which MPI's own is likely */
            test_collective(&collectives[i]);
        }
    }
    for (int i = 0; trial >= ALL && i < ROUNDINGS; i++) {
        test_rounding(i);
    }
    for (size_t i = 0; !later && i < sizeof collectives / sizeof collectives[0]; i++) {
        if (collectives[i].call != gather && collectives[i].call != gather_more &&
            collectives[i].kinds == 1) {
            test_other_plan(&collectives[i]);
        }
    }
    if (trial == REDUCTIONS) { /* one run has the long tests */
        test_changes();
        test_spread();
    }
    if (trial >= ALL) {
        test_refused();
        for (int lag = 0; lag < LAGS; lag++) {
            test_refused_while_telling(lag);
        }
        test_request();
    }
    while (nused > 0) {
        MPI_Comm_free(&used[--nused]);
    }
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
