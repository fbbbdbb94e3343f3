/* Which line of a table of timed choices serves a call, where blocks have different lengths: lines
 * of uneven blocks serve calls whose ranks have agreed that theirs are, and no others. Lines for
 * teams serve as the rank with the most threads says, though rank 0 has none. Each result is
 * looked at.
 *
 * run: 8 STRATA_TOPO=node:4 STRATA_MACHINE=cluster:cores=8 STRATA_TRIAL=off
 * sanitized: 8
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/call/sizes.h"
#include "sim/patterns/patterns.h"
#include "tests/mpi/attached.h"
#include "tests/mpi/numbers.h"

enum { RANKS = 8, ROOM = RANKS * 4096, TOLD = STRATA_SIZES_OLD + STRATA_SIZES_LATER };

/* Costs would choose none of these here. */
static const char table[] = "host = n\ndate = d\nmpi = m\ncommand = by hand\n"
                            "alltoallv 4x2 64 = sloav\nalltoallv 4x2 256 = sloav\n"
                            "alltoallv 4x2 64 uneven = two_phase\n"
                            "alltoallv 4x2 8 sparse = pairwise\n"
                            "allgatherv 4x2 64 = ring\nallgatherv 4x2 128 uneven = bruck\n"
                            "gatherv 4x2 64 = binomial\ngatherv 4x2 128 uneven = linear_rooted\n"
                            "scatterv 4x2 64 = binomial\nscatterv 4x2 128 uneven = linear_rooted\n"
                            "reduce_scatter 4x2 512 = ring\n"
                            "reduce_scatter 4x2 1K uneven = recursive_halving\n"
                            "barrier 4x2x1 0 = native\nbarrier 4x2x3 0 = dissemination\nend\n";

static int rank;
static unsigned char sent[ROOM], received[ROOM];
static double numbers[ROOM], sums[ROOM];

static const struct kind {
    enum strata_pattern pattern;
    long longest;
} even = {STRATA_PATTERN_FIXED, 64}, power = {STRATA_PATTERN_POWER_LAW, 4096},
  hot = {STRATA_PATTERN_HOT_RECEIVER, 1024}, sparse = {STRATA_PATTERN_SPARSE, 64};

static int length(const struct kind *kind, int from, int to)
{
    const struct strata_pattern_shape shape = {kind->longest, RANKS, 1};
    return (int)strata_pattern_length(kind->pattern, &shape, from, to);
}

/* The lengths of a rank's blocks to all, or from all, or of all ranks' own blocks; with places. */
struct blocks {
    int bytes[RANKS], place[RANKS];
};
enum side { TO, FROM, OWN };

static struct blocks blocks_of(const struct kind *kind, enum side side)
{
    struct blocks b;
    for (int i = 0, at = 0; i < RANKS; i++) {
        b.bytes[i] = length(kind, side == TO ? rank : i, side == FROM ? rank : i);
        b.place[i] = at;
        at += b.bytes[i];
    }
    return b;
}

static void alltoallv(MPI_Comm comm, const struct kind *kind, int call)
{
    const struct blocks to = blocks_of(kind, TO), from = blocks_of(kind, FROM);
    for (int i = 0; i < RANKS; i++) {
        fill_bytes(sent + to.place[i], (size_t)to.bytes[i], call, rank, i);
    }
    succeed(strata_alltoallv(sent, to.bytes, to.place, MPI_BYTE, received, from.bytes, from.place,
                             MPI_BYTE, comm));
    for (int i = 0; i < RANKS; i++) {
        REQUIRE_FILLED(received + from.place[i], (size_t)from.bytes[i], call, i, rank);
    }
}

static void must_hold_all(const struct blocks *of, int call)
{
    for (int i = 0; i < RANKS; i++) {
        REQUIRE_FILLED(received + of->place[i], (size_t)of->bytes[i], call, i, 0);
    }
}

static void allgatherv(MPI_Comm comm, const struct kind *kind, int call)
{
    const struct blocks of = blocks_of(kind, OWN);
    fill_bytes(sent, (size_t)of.bytes[rank], call, rank, 0);
    succeed(strata_allgatherv(sent, of.bytes[rank], MPI_BYTE, received, of.bytes, of.place,
                              MPI_BYTE, comm));
    must_hold_all(&of, call);
}

static void gatherv(MPI_Comm comm, const struct kind *kind, int call)
{
    const struct blocks of = blocks_of(kind, OWN);
    fill_bytes(sent, (size_t)of.bytes[rank], call, rank, 0);
    succeed(strata_gatherv(sent, of.bytes[rank], MPI_BYTE, received, of.bytes, of.place, MPI_BYTE,
                           0, comm));
    if (rank == 0) {
        must_hold_all(&of, call);
    }
}

static void scatterv(MPI_Comm comm, const struct kind *kind, int call)
{
    const struct blocks of = blocks_of(kind, OWN);
    for (int i = 0; i < RANKS; i++) {
        fill_bytes(sent + of.place[i], (size_t)of.bytes[i], call, i, 0);
    }
    succeed(strata_scatterv(sent, of.bytes, of.place, MPI_BYTE, received, of.bytes[rank], MPI_BYTE,
                            0, comm));
    REQUIRE_FILLED(received, (size_t)of.bytes[rank], call, rank, 0);
}

/* Lengths are numbers of elements. */
static void reduce_scatter(MPI_Comm comm, const struct kind *kind, int call)
{
    const struct blocks of = blocks_of(kind, OWN);
    const int all = of.place[RANKS - 1] + of.bytes[RANKS - 1];
    for (int i = 0; i < all; i++) {
        numbers[i] = call + i + rank;
    }
    succeed(strata_reduce_scatter(numbers, sums, of.bytes, MPI_DOUBLE, MPI_SUM, comm));
    for (int i = 0; i < of.bytes[rank]; i++) {
        REQUIRE_CMP(sums[i], ==, RANKS * (call + of.place[rank] + i) + RANKS * (RANKS - 1) / 2);
    }
}

typedef void one_call(MPI_Comm comm, const struct kind *kind, int call);

/* Makes so many calls, and looks which algorithm served the last one. */
static void must_serve(MPI_Comm comm, one_call *make, const struct kind *kind, int calls,
                       const char *algorithm)
{
    for (int call = 0; call < calls; call++) {
        make(comm, kind, call);
    }
    const struct strata_report report = report_of(comm);
    const size_t name = strcspn(report.algorithm, ":");
    if (name != strlen(algorithm) || strncmp(report.algorithm, algorithm, name) != 0) {
        fprintf(stderr, "%s and not %s: %s\n", report.algorithm, algorithm, report.why);
        REQUIRE(false);
    }
    REQUIRE_TEXT(report.why, "the table of STRATA_TUNED says so");
}

/* The first call of another kind goes by what is known of those before. */
static void test_agreed(MPI_Comm comm)
{
    must_serve(comm, alltoallv, &power, 1, "sloav"); /* nothing is known yet */
    must_serve(comm, alltoallv, &power, 1, "two_phase");
    must_serve(comm, alltoallv, &power, 9, "two_phase");
    must_serve(comm, alltoallv, &even, 1, "two_phase");
    must_serve(comm, alltoallv, &even, 1, "sloav");
    must_serve(comm, alltoallv, &even, 9, "sloav");
    must_serve(comm, alltoallv, &sparse, STRATA_SPARSE_CALLS + 1, "pairwise");
}

/* All ranks know the lengths. */
static void test_known(MPI_Comm comm)
{
    must_serve(comm, allgatherv, &even, 1, "ring");
    must_serve(comm, allgatherv, &hot, 1, "bruck");
    must_serve(comm, allgatherv, &even, 1, "ring");
    must_serve(comm, reduce_scatter, &even, 1, "ring");
    must_serve(comm, reduce_scatter, &hot, 1, "recursive_halving");
    must_serve(comm, reduce_scatter, &even, 1, "ring");
}

/* The root tells the lengths now and then. */
static void test_told(MPI_Comm comm, one_call *make)
{
    must_serve(comm, make, &even, STRATA_SIZES_LATER + 1, "binomial");
    must_serve(comm, make, &hot, TOLD + 1, "linear_rooted");
    must_serve(comm, make, &even, TOLD + 1, "binomial");
}

static void barrier(MPI_Comm comm, const struct kind *kind, int call)
{
    (void)kind, (void)call;
    succeed(strata_barrier(comm));
}

/* Rank 0 alone reads the file, and removes it when it was read. */
static void write_table(char *path)
{
    const int file = rank == 0 ? mkstemp(path) : -1;
    REQUIRE(rank != 0 || write(file, table, strlen(table)) == (ssize_t)strlen(table));
    REQUIRE(rank != 0 || close(file) == 0);
    succeed(MPI_Bcast(path, (int)strlen(path), MPI_CHAR, 0, MPI_COMM_WORLD));
    REQUIRE(setenv("STRATA_TUNED", path, 1) == 0);
    REQUIRE(setenv("STRATA_THREADS", rank == RANKS - 1 ? "3" : "1", 1) == 0);
}

int main(int argc, char **argv)
{
    char path[] = "/tmp/strata.tuned.XXXXXX";
    succeed(MPI_Init(&argc, &argv));
    succeed(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    write_table(path);
    MPI_Comm comm = new_communicator();
    REQUIRE(rank != 0 || unlink(path) == 0);
    test_agreed(comm);
    test_known(comm);
    test_told(comm, gatherv);
    test_told(comm, scatterv);
    must_serve(comm, barrier, NULL, 1, "dissemination");
    succeed(MPI_Comm_free(&comm));
    succeed(MPI_Finalize());
    return EXIT_SUCCESS;
}
