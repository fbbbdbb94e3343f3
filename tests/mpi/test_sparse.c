/* Alltoallvs in which ranks send to few others. After enough of them in a row one message for each
 * pair of ranks that has bytes serves them; among other calls, and after others, it does not. Each
 * result is looked at.
 *
 * run: 8 STRATA_TOPO=node:4 STRATA_MACHINE=cluster:cores=8 STRATA_TRIAL=off
 * sanitized: 8
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "api/attach/call_statistics.h"
#include "api/request/request.h"
#include "tests/mpi/fresh.h"

enum { BYTES = 40, RANKS = 8, ROOM = RANKS * BYTES };

static int rank;
static MPI_Comm comm; /* which begins knowing nothing */

/* Of a sparse call the block for the next rank alone has bytes. */
static int bytes_of(bool sparse, int from, int to)
{
    return !sparse || to == (from + 1) % RANKS ? BYTES : 0;
}

struct call {
    unsigned char out[ROOM], in[ROOM], right[ROOM];
    int sent[RANKS], come[RANKS], place[RANKS];
};

static void fill(struct call *c, bool sparse, int number)
{
    for (int i = 0; i < RANKS; i++) {
        c->sent[i] = bytes_of(sparse, rank, i);
        c->come[i] = bytes_of(sparse, i, rank);
        c->place[i] = i * BYTES;
        memset(c->out + c->place[i], 1 + (number + rank * RANKS + i) % 255, BYTES);
        memset(c->in + c->place[i], 0, BYTES);
        memset(c->right + c->place[i], c->come[i] ? 1 + (number + i * RANKS + rank) % 255 : 0,
               BYTES);
    }
}

/* Whether blocks go from rank to rank. */
static bool is_flat(const char *algorithm)
{
    return strncmp(algorithm, "linear", strlen("linear")) == 0 ||
           strncmp(algorithm, "pairwise", strlen("pairwise")) == 0;
}

static bool was_flat(void)
{
    struct strata_report report = {.size = sizeof report};
    succeed(strata_comm_report(comm, &report));
    return is_flat(report.algorithm);
}

static bool serve(bool sparse)
{
    static struct call c;
    static int number;
    fill(&c, sparse, number++);
    succeed(
        strata_alltoallv(c.out, c.sent, c.place, MPI_BYTE, c.in, c.come, c.place, MPI_BYTE, comm));
    REQUIRE_BYTES(c.in, c.right, ROOM);
    return was_flat();
}

/* The calls of so many that went from rank to rank; every `other`-th call is not sparse. */
static int serve_all(int calls, int other)
{
    int flat = 0;
    for (int i = 1; i <= calls; i++) {
        flat += serve(other == 0 || i % other != 0);
    }
    return flat;
}

static void test_switching(void)
{
    REQUIRE_CMP(serve_all(20, 1), ==, 0);
    REQUIRE_CMP(serve_all(STRATA_SPARSE_CALLS, 0), ==, 0);
    REQUIRE_CMP(serve_all(STRATA_SIZES_OLD, 0), ==, STRATA_SIZES_OLD);
    REQUIRE_CMP(serve_all(STRATA_SPARSE_AGAIN, 0), ==, 0); /* the ranks look again */
    REQUIRE_CMP(serve_all(STRATA_SIZES_OLD, 0), ==, STRATA_SIZES_OLD);
    REQUIRE(!serve(false)); /* and now it is another exchange */
    REQUIRE_CMP(serve_all(20, 1), ==, 0);
    REQUIRE_CMP(serve_all(2 * STRATA_SPARSE_CALLS, 0), ==, 0);
    REQUIRE(serve(true));
}

/* Calls that begin with so many sparse ones out of `cycle`. Returns those of the others that went
 * from rank to rank. */
static int serve_cycles(int calls, int cycle, int sparse)
{
    int slow = 0;
    for (int i = 0; i < calls; i++) {
        const bool few = i % cycle < sparse;
        slow += serve(few) && !few;
    }
    return slow;
}

/* Each time that an exchange was taken for sparse and was not, it takes twice as many calls. */
static void test_cycle(int cycle, int sparse)
{
    REQUIRE_CMP(serve_cycles(700, cycle, sparse), <=, 3 * STRATA_SIZES_OLD);
}

static void test_cycle_16(void)
{
    test_cycle(16, 9);
}

/* The ranks look again after as many calls as a cycle has. */
static void test_cycle_65(void)
{
    test_cycle(STRATA_SIZES_OLD + 1, 9);
}

/* One sparse call among others tells nothing of the next one. */
static void test_mixed(void)
{
    REQUIRE_CMP(serve_all(200, 2), ==, 0);
    REQUIRE_CMP(serve_all(210, STRATA_SPARSE_CALLS), ==, 0);
}

/* All ranks know the blocks of a persistent call. */
static void test_persistent(void)
{
    static struct call c;
    for (int sparse = 0; sparse <= 1; sparse++) {
        struct strata_request *request = NULL;
        fill(&c, sparse, sparse);
        succeed(strata_alltoallv_init(c.out, c.sent, c.place, MPI_BYTE, c.in, c.come, c.place,
                                      MPI_BYTE, comm, MPI_INFO_NULL, &request));
        REQUIRE_CMP(is_flat(request->bound.call.entry->algorithm), ==, sparse);
        succeed(strata_start(&request));
        succeed(strata_wait(&request, MPI_STATUS_IGNORE));
        REQUIRE_BYTES(c.in, c.right, ROOM);
        succeed(strata_request_free(&request));
    }
}

int main(int argc, char **argv)
{
    void (*const tests[])(void) = {test_switching, test_mixed, test_cycle_16, test_cycle_65,
                                   test_persistent};
    succeed(MPI_Init(&argc, &argv));
    succeed(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    run_fresh(tests, sizeof tests / sizeof *tests, RANKS, "alltoallv", &comm);
    succeed(MPI_Finalize());
    return EXIT_SUCCESS;
}
