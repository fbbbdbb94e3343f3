/* Requests without attention. Without a thread, a rank in MPI's own call holds others up; a thread
 * progresses the requests that the rank left. Requests of both kinds are waited for together. A
 * wait that stands still prints a message. STRATA_WAIT=yield is the wait of ranks that share cores:
 * there a thread begins only with "always".
 *
 * run: 4 STRATA_ALLREDUCE=recursive_doubling STRATA_PROGRESS=calls
 * run: 4 STRATA_ALLREDUCE=recursive_doubling STRATA_PROGRESS=thread STRATA_WAIT=yield
 * run: 4 STRATA_ALLREDUCE=recursive_doubling STRATA_PROGRESS=always -- thread
 * run: 2 STRATA_STALL=1 -- stall
 * timeout: 60 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/strata.h"
#include "tests/mpi/require.h"

enum { CALLS = 200, GO = 1, DONE = 2 };

static int rank, ranks;
static const int one = 1;

static void go(int from, int to)
{
    int word = 0;
    if (rank == from) {
        MPI_Send(&word, 1, MPI_INT, to, GO, MPI_COMM_WORLD);
    } else if (rank == to) {
        MPI_Recv(&word, 1, MPI_INT, from, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* Rank 0 begins first, so its message of the second round is not sent yet when it has begun. Rank 2
 * waits for that message and cannot send before. Returns whether rank 0 has rank 2's message within
 * `seconds`. */
static bool comes(double seconds, struct strata_request **request, int *sum)
{
    int word = 0;
    int flag = 0;
    MPI_Request receive = MPI_REQUEST_NULL;
    *sum = 0;
    if (rank == 0) {
        succeed(strata_iallreduce(&one, sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, request));
        MPI_Irecv(&word, 1, MPI_INT, 2, DONE, MPI_COMM_WORLD, &receive);
    }
    for (int r = 1; r < ranks; r++) {
        go(0, r);
    }
    if (rank == 0) {
        double end = MPI_Wtime() + seconds;
        while (!flag && MPI_Wtime() < end) {
            MPI_Test(&receive, &flag, MPI_STATUS_IGNORE);
            usleep(200);
        }
    } else {
        succeed(strata_iallreduce(&one, sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, request));
        succeed(strata_wait(request, MPI_STATUS_IGNORE));
        if (rank == 2) {
            MPI_Send(&word, 1, MPI_INT, 0, DONE, MPI_COMM_WORLD);
        }
    }
    if (rank == 0 && !flag) { /* both at once */
        MPI_Status statuses[1], status;
        statuses[0].MPI_SOURCE = MPI_ANY_SOURCE;
        succeed(strata_waitall_with(1, &receive, statuses, 1, request, &status));
        REQUIRE_CMP(statuses[0].MPI_SOURCE, ==, 2);
        REQUIRE_CMP(receive, ==, MPI_REQUEST_NULL);
        REQUIRE(!*request);
    } else if (rank == 0) {
        succeed(strata_wait(request, MPI_STATUS_IGNORE));
    }
    REQUIRE_CMP(*sum, ==, ranks);
    return flag;
}

static void calls_alone_move(void)
{
    struct strata_request *request = NULL;
    int sum;
    bool came = comes(0.3, &request, &sum);
    REQUIRE(rank != 0 || !came);
}

/* The thread sleeps while no request is open, and wakes again. */
static void thread_moves(void)
{
    for (int i = 0; i < CALLS; i++) {
        struct strata_request *request = NULL;
        int sum;
        bool came = comes(30, &request, &sum);
        REQUIRE(rank != 0 || came);
        if (i % 50 == 0) {
            usleep(2000);
        }
    }
}

/* The thread works beside the program's own thread, which begins, tests and waits meanwhile. */
static void thread_among_calls(void)
{
    struct strata_request *requests[8] = {NULL};
    int in[8], out[8];
    for (int i = 0; i < CALLS; i++) {
        int flag = 0;
        for (int k = 0; k < 8; k++) {
            in[k] = rank + i + k;
            succeed(strata_iallreduce(&in[k], &out[k], 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD,
                                      &requests[k]));
        }
        succeed(strata_test(&requests[i % 8], &flag, MPI_STATUS_IGNORE));
        succeed(strata_waitall(8, requests, MPI_STATUSES_IGNORE));
        for (int k = 0; k < 8; k++) {
            REQUIRE_CMP(out[k], ==, ranks - 1 + i + k);
        }
    }
}

static void wait_for_request(void)
{
    struct strata_request *request = NULL;
    int sum;
    succeed(strata_iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
    succeed(strata_wait(&request, MPI_STATUS_IGNORE));
}

static void wait_in_call(void)
{
    int sum;
    succeed(strata_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
}

static void wait_for_mpis(void)
{
    int word = 0;
    MPI_Request request;
    if (rank == 0) {
        MPI_Irecv(&word, 1, MPI_INT, 1, GO, MPI_COMM_WORLD, &request);
        succeed(
            strata_waitall_with(1, &request, MPI_STATUSES_IGNORE, 0, NULL, MPI_STATUSES_IGNORE));
    }
    if (rank == 1) {
        MPI_Send(&word, 1, MPI_INT, 0, GO, MPI_COMM_WORLD);
    }
}

/* Both ranks get a descriptor of one file without a name. */
static int shared_file(void)
{
    char name[] = "/tmp/strata_progress_XXXXXX";
    int file = rank == 0 ? mkstemp(name) : -1;
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (rank != 0) {
        file = open(name, O_RDONLY);
    }
    REQUIRE_CMP(file, >=, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        unlink(name);
    }
    return file;
}

static void read_from_start(int file, char *text, size_t size)
{
    ssize_t bytes = pread(file, text, size - 1, 0);
    REQUIRE_CMP(bytes, >=, 0);
    text[bytes] = '\0';
}

/* Expects one line on rank 0's standard error while rank 1 keeps it waiting. */
static void expect_said(void (*wait)(void), const char *who, const char *whom)
{
    int file = shared_file(), usual = dup(STDERR_FILENO);
    char said[1024] = "";
    if (rank == 1) {
        while (!strchr(said, '\n')) {
            usleep(10000);
            read_from_start(file, said, sizeof said);
        }
    } else {
        REQUIRE_CMP(dup2(file, STDERR_FILENO), >=, 0);
    }
    wait();
    dup2(usual, STDERR_FILENO);
    close(usual);
    if (rank == 0) {
        read_from_start(file, said, sizeof said);
        fprintf(stderr, "%s", said);
        REQUIRE(strstr(said, "strata: rank 0 of MPI_COMM_WORLD has waited "));
        REQUIRE(strstr(said, who));
        REQUIRE(strstr(said, whom));
        REQUIRE_CMP(strchr(said, '\n'), ==, strrchr(said, '\n')); /* once */
    }
    close(file);
}

static void stall_is_said(void)
{
    const char *const message = ": it waits for a message of rank 1 (";
    expect_said(wait_for_request, "for iallreduce (", message);
    succeed(strata_comm_force(MPI_COMM_WORLD, "allreduce", "recursive_doubling"));
    expect_said(wait_in_call, "in MPI: for", "other ranks"); /* they agree on the new plan */
    expect_said(wait_in_call, "in allreduce (recursive_doubling) on a communicator of 2 ranks",
                message);
    succeed(strata_comm_force(MPI_COMM_WORLD, "allreduce", "node_allreduce"));
    wait_in_call();
    expect_said(wait_in_call, "in allreduce (node_allreduce", "rank 1, in the node's memory");
    expect_said(wait_for_mpis, "in MPI: for requests", "");
}

static void wrong_arguments(void)
{
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    REQUIRE_CMP(strata_waitall_with(-1, NULL, MPI_STATUSES_IGNORE, 0, NULL, MPI_STATUSES_IGNORE),
                ==, MPI_ERR_ARG);
    REQUIRE_CMP(strata_waitall_with(0, NULL, MPI_STATUSES_IGNORE, 1, NULL, MPI_STATUSES_IGNORE), ==,
                MPI_ERR_ARG);
    succeed(strata_waitall_with(0, NULL, MPI_STATUSES_IGNORE, 0, NULL, MPI_STATUSES_IGNORE));
}

int main(int argc, char **argv)
{
    int level;
    const char *part = argc > 1 ? argv[1] : "";
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    REQUIRE_CMP(level, ==, MPI_THREAD_MULTIPLE);
    succeed(strata_comm_attach(MPI_COMM_WORLD, NULL));
    if (strcmp(part, "thread") == 0) {
        thread_moves();
        thread_among_calls();
    } else if (strcmp(part, "stall") == 0) {
        stall_is_said();
    } else {
        calls_alone_move();
        wrong_arguments();
    }
    MPI_Finalize();
    return 0;
}
