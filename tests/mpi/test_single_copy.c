/* Long blocks are read from their owner's memory, each collective compared with MPI's own: memory
 * of strata_alloc, any other, derived types, and in place. With an argument the system denies
 * reading: on all ranks from some call on; on one rank; there for want of memory; or from the
 * start, where such plans do not serve at all. Or the system says that a local peer is gone. The
 * MPIs must not copy in this way themselves then, because they would end the program.
 * tests/single_copy.sh kills one rank.
 *
 * run: 2,3
 * run: 5 MPI_COPIES_TWICE -- late
 * run: 3 MPI_COPIES_TWICE -- one
 * run: 2 MPI_COPIES_TWICE -- start
 * run: 3 MPI_COPIES_TWICE -- memory
 * run: 3 MPI_COPIES_TWICE -- gone
 * run: 3 STRATA_SINGLE_COPY=0 -- off
 * timeout: 240 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include "include/strata.h"
#include "tests/mpi/deny.h"
#include "tests/mpi/require.h"

enum { MOST = 8, LONGEST = 30000, CALLS = 14, REDUCE = 10 };
enum { ALL = MOST * LONGEST, WHOLE = 9000 }; /* ranks; ints of a block */

static int rank, ranks;
static int *out, *in, *expected, *spare; /* of ALL ints, */
static int before;                       /* this many ints lie before these pointers */

/* The arguments of a call. */
struct layout {
    int count; /* elements of a block, or of a vector divided by the ranks */
    MPI_Datatype type;
    MPI_Aint extent; /* of the type */
    int counts[MOST], displs[MOST];
    int root;
    bool in_place;
};

/* Draws blocks of different lengths, in any order. */
static void lay_out(struct layout *l, int call)
{
    int at = 0;
    for (int r = ranks - 1; r >= 0; r--) {
        l->counts[r] = l->count - (r + call) % 3;
        l->counts[r] = l->counts[r] > 0 ? l->counts[r] : 0;
        l->displs[r] = at;
        at += l->counts[r];
    }
}

#define CALL(name, ...)          return ours ? strata_##name(__VA_ARGS__) : own_##name(__VA_ARGS__)
#define own_alltoall             MPI_Alltoall
#define own_alltoallv            MPI_Alltoallv
#define own_alltoallw            MPI_Alltoallw
#define own_allgather            MPI_Allgather
#define own_allgatherv           MPI_Allgatherv
#define own_bcast                MPI_Bcast
#define own_gather               MPI_Gather
#define own_gatherv              MPI_Gatherv
#define own_scatter              MPI_Scatter
#define own_scatterv             MPI_Scatterv
#define own_reduce               MPI_Reduce
#define own_allreduce            MPI_Allreduce
#define own_reduce_scatter       MPI_Reduce_scatter
#define own_reduce_scatter_block MPI_Reduce_scatter_block

/* Reduces by Strata or by MPI's own, ints side by side. */
static int reduce_one(int number, const struct layout *l, const void *from, int *to, bool ours)
{
    const MPI_Comm comm = MPI_COMM_WORLD;
    const int n = l->count, all = n * ranks;
    const void *send = l->in_place ? MPI_IN_PLACE : from;
    const void *root_sends = rank == l->root ? send : from;
    switch (number) {
    case REDUCE: /* MPICH 4.0.2 itself dies of a reduction in place */
        if (!ours && root_sends == MPI_IN_PLACE) {
            memcpy(spare, to, sizeof(int) * (size_t)all);
            root_sends = spare;
        }
        CALL(reduce, root_sends, to, all, MPI_INT, MPI_SUM, l->root, comm);
    case REDUCE + 1:
        CALL(allreduce, send, to, all, MPI_INT, MPI_BXOR, comm);
    case REDUCE + 2:
        CALL(reduce_scatter, send, to, l->counts, MPI_INT, MPI_SUM, comm);
    default:
        CALL(reduce_scatter_block, send, to, n, MPI_INT, MPI_MAX, comm);
    }
}

/* Makes the call of this number, by Strata or by MPI's own. */
static int call_one(int number, const struct layout *l, int *from, int *to, bool ours)
{
    const MPI_Comm comm = MPI_COMM_WORLD;
    const int n = l->count, all = n * ranks;
    const void *send = l->in_place ? MPI_IN_PLACE : from;
    bool root = rank == l->root;
    const void *root_sends = root && l->in_place ? MPI_IN_PLACE : from;
    void *root_gets = root && l->in_place ? MPI_IN_PLACE : (void *)to;
    MPI_Datatype types[MOST];
    int bytes[MOST], pair[MOST], first[MOST];
    for (int r = 0; r < ranks; r++) {
        types[r] = l->type;
        pair[r] = n > 2 ? n - (rank + r) % 3 : n; /* the block between the two ranks */
        first[r] = n * r;
        bytes[r] = (int)l->extent * n * r;
    }
    switch (number) {
    case 0:
        CALL(alltoall, send, n, l->type, to, n, l->type, comm);
    case 1:
        CALL(alltoallv, send, pair, first, l->type, to, pair, first, l->type, comm);
    case 2:
        CALL(alltoallw, send, pair, bytes, types, to, pair, bytes, types, comm);
    case 3:
        CALL(allgather, send, n, l->type, to, n, l->type, comm);
    case 4:
        CALL(allgatherv, send, l->counts[rank], l->type, to, l->counts, l->displs, l->type, comm);
    case 5:
        CALL(bcast, to, all, l->type, l->root, comm);
    case 6:
        CALL(gather, root_sends, n, l->type, to, n, l->type, l->root, comm);
    case 7:
        CALL(gatherv, root_sends, l->counts[rank], l->type, to, l->counts, l->displs, l->type,
             l->root, comm);
    case 8:
        CALL(scatter, from, n, l->type, root_gets, n, l->type, l->root, comm);
    case 9:
        CALL(scatterv, from, l->counts, l->displs, l->type, root_gets, l->counts[rank], l->type,
             l->root, comm);
    default:
        return reduce_one(number, l, from, to, ours);
    }
}

/* Copies numbers that are made once, because sanitizers check each store. */
static void fill(int *buffer, int seed)
{
    static int numbers[WHOLE + ALL + 31 * MOST + 101 * (50 + CALLS)];
    for (int i = sizeof numbers / sizeof *numbers; i-- > 0 && !numbers[0];) {
        numbers[i] = 7919 * (i - WHOLE);
    }
    memcpy(buffer - before, numbers + WHOLE - before + 31 * rank + 101 * seed, sizeof(int) * ALL);
}

static struct strata_report report_of(void)
{
    struct strata_report report = {.size = sizeof report};
    succeed(strata_comm_report(MPI_COMM_WORLD, &report));
    return report;
}

/* Whether a plan of single copies served the last call. */
static bool served(void)
{
    return strcmp(report_of().algorithm, "single_copy") == 0;
}

static void compare_one(int number, struct layout *l, bool by_plan)
{
    fill(out, number);
    fill(in, 50 + number);
    memcpy(expected - before, in - before, sizeof(int) * ALL);
    succeed(call_one(number, l, out, expected, false));
    succeed(call_one(number, l, out, in, true));
    if (memcmp(in - before, expected - before, sizeof(int) * ALL) != 0) {
        int at = -before;
        while (in[at] == expected[at]) {
            at++;
        }
        fprintf(stderr, "call %d, %d elements, root %d%s: int %d is %d, MPI's own has %d\n", number,
                l->count, l->root, l->in_place ? ", in place" : "", at, in[at], expected[at]);
        REQUIRE(false);
    }
    REQUIRE_CMP(served(), ==, by_plan);
}

/* Compares all collectives with this datatype, each twice in a row. */
static void compare_all(MPI_Datatype type, int most, bool by_plan)
{
    for (int number = 0; number < CALLS; number++) {
        for (int variant = 0; variant < 4; variant++) {
            struct layout l = {.count = variant == 3 ? number % 2 : most >> variant, .type = type};
            MPI_Aint low;
            MPI_Type_get_extent(type, &low, &l.extent);
            l.in_place = variant == 1 && (by_plan || number != REDUCE);
            l.root = (number + variant) % ranks;
            lay_out(&l, number);
            compare_one(number, &l, by_plan);
        }
    }
}

static void force_all(void)
{
    static const char *const names[CALLS] = {"alltoall",       "alltoallv",
                                             "alltoallw",      "allgather",
                                             "allgatherv",     "bcast",
                                             "gather",         "gatherv",
                                             "scatter",        "scatterv",
                                             "reduce",         "allreduce",
                                             "reduce_scatter", "reduce_scatter_block"};
    for (int i = 0; i < CALLS; i++) {
        succeed(strata_comm_force(MPI_COMM_WORLD, names[i], "single_copy"));
    }
}

/* Types of a few long pieces in WHOLE ints: rows of a matrix; the same rows upwards, which begin
 * before the buffer; pieces of several lengths without order; pieces of two types. */
static MPI_Datatype make_pieces(int which)
{
    static const int lengths[] = {4000, 4300}, places[] = {4600, 10};
    static const MPI_Aint begins[] = {18000, 0};
    const MPI_Datatype types[] = {MPI_INT, MPI_FLOAT};
    MPI_Datatype pieces, resized;
    switch (which) {
    case 0:
        MPI_Type_vector(2, 4200, 4500, MPI_INT, &pieces);
        break;
    case 1:
        MPI_Type_create_hvector(2, 4200, -18000, MPI_INT, &pieces);
        break;
    case 2:
        MPI_Type_indexed(2, lengths, places, MPI_INT, &pieces);
        break;
    default:
        MPI_Type_create_struct(2, lengths, begins, types, &pieces);
    }
    MPI_Type_create_resized(pieces, which == 1 ? -18000 : 0, sizeof(int) * WHOLE, &resized);
    MPI_Type_free(&pieces);
    MPI_Type_commit(&resized);
    return resized;
}

/* `refused`: this rank may not read any more. */
static void compare_pieces(bool by_plan, bool refused)
{
    int *at[] = {out, in, expected};
    for (int which = 0; which < 4; which++) {
        const struct strata_report first = report_of();
        MPI_Datatype type = make_pieces(which);
        before = which == 1 ? WHOLE / 2 : 0; /* the first piece is the last in memory */
        out = at[0] + before, in = at[1] + before, expected = at[2] + before;
        compare_all(type, ALL / WHOLE / ranks - 1, by_plan);
        MPI_Type_free(&type);
        out = at[0], in = at[1], expected = at[2], before = 0;
        const struct strata_report after = report_of();
        REQUIRE_CMP(after.lent_pieces > first.lent_pieces, ==, by_plan && !refused);
        REQUIRE(!refused || after.lent_asked > first.lent_asked);
    }
}

static void test_ways(bool by_plan, bool refused)
{
    MPI_Datatype gaps; /* one int of every two */
    MPI_Type_create_resized(MPI_INT, 0, 8, &gaps);
    MPI_Type_commit(&gaps);
    compare_all(MPI_INT, LONGEST, by_plan);
    compare_all(gaps, LONGEST / 2, by_plan);
    compare_pieces(by_plan, refused);
    MPI_Type_free(&gaps);
}

/* Memory of strata_alloc begins a cache line, whatever its length, and ends where it says. */
static void test_lines(void)
{
    unsigned char *given[3];
    const MPI_Aint bytes[3] = {0, rank + 1, 4096 + 72 * rank};
    for (int i = 0; i < 3; i++) {
        succeed(strata_alloc(bytes[i], MPI_COMM_WORLD, &given[i]));
        REQUIRE_CMP((uintptr_t)given[i] % 64, ==, 0);
        memset(given[i], rank + i, (size_t)bytes[i]);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* all have written */
    for (int i = 0; i < 3; i++) {
        for (MPI_Aint at = 0; at < bytes[i]; at++) {
            REQUIRE_CMP(given[i][at], ==, rank + i);
        }
        succeed(strata_free(given[i]));
    }
}

/* One side, or both, in memory that local peers have mapped; rank 0 may have none. */
static void test_mapped(bool by_plan)
{
    int *plain_out = out, *plain_in = in;
    int *mapped[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        MPI_Aint bytes = rank > 0 || i == 0 ? sizeof(int) * ALL : 0;
        succeed(strata_alloc(bytes, MPI_COMM_WORLD, &mapped[i]));
        REQUIRE(mapped[i]);
    }
    out = mapped[0];
    in = rank > 0 ? mapped[1] : plain_in;
    compare_all(MPI_INT, LONGEST, by_plan);
    MPI_Datatype rows = make_pieces(0);
    const struct strata_report first = report_of();
    compare_all(rows, ALL / WHOLE / ranks - 1, by_plan);
    REQUIRE_CMP(report_of().lent_mapped > first.lent_mapped, ==, by_plan);
    MPI_Type_free(&rows);
    in = plain_in;
    out = plain_out;
    succeed(strata_free(mapped[1]));
    succeed(strata_free(mapped[0]));
    compare_all(MPI_INT, LONGEST / 3, by_plan);
}

/* A communicator for wrong calls, where such a plan has served one call. */
static MPI_Comm make_communicator(const char *collective)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    succeed(strata_comm_force(comm, collective, "single_copy"));
    succeed(strata_allgather(out, LONGEST, MPI_INT, in, LONGEST, MPI_INT, comm));
    return comm;
}

/* One rank receives into memory that it may not write. That rank gets an error, and the others have
 * their blocks. */
static void test_read_only(void)
{
    const size_t bytes = sizeof(int) * LONGEST;
    MPI_Comm comm = make_communicator("bcast");
    void *closed = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    FILE *said = tmpfile();
    char text[200] = "";
    int class = MPI_SUCCESS, usual = dup(STDERR_FILENO);
    REQUIRE_CMP(closed, !=, MAP_FAILED);
    REQUIRE(said);
    REQUIRE_CMP(usual, >=, 0);
    dup2(fileno(said), STDERR_FILENO);
    int error = strata_bcast(rank == 1 ? closed : out, LONGEST, MPI_INT, 0, comm);
    dup2(usual, STDERR_FILENO);
    close(usual);
    rewind(said);
    REQUIRE_CMP(fgets(text, sizeof text, said) != NULL, ==, rank == 1);
    MPI_Error_class(error, &class);
    REQUIRE_CMP(class, ==, rank == 1 ? MPI_ERR_ARG : MPI_SUCCESS);
    REQUIRE(rank != 1 || strstr(text, "that it receives into"));
    fclose(said);
    munmap(closed, bytes);
    MPI_Comm_free(&comm);
}

/* A rank that fails in the middle leaves the call at once, and may overwrite its exposed data. So
 * no local peer may take its call for a good one. */
static void test_failing_peer(void)
{
    MPI_Comm comm = make_communicator("allgather");
    if (rank == 1) {
        deny_reading(ESRCH);
    }
    int error = strata_allgather(out, LONGEST, MPI_INT, in, LONGEST, MPI_INT, comm);
    MPI_Barrier(MPI_COMM_WORLD); /* until then all exposed data exist */
    REQUIRE_CMP(error, !=, MPI_SUCCESS);
    MPI_Comm_free(&comm);
}

static void test_alloc_errors(void)
{
    void *pointer = NULL;
    int class = MPI_SUCCESS;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_class(strata_alloc(rank == 0 ? -1 : 8, MPI_COMM_WORLD, &pointer), &class);
    REQUIRE_CMP(class, ==, MPI_ERR_ARG);
    REQUIRE(!pointer);
    const uint64_t whole = UINT64_MAX / (unsigned)ranks + 1; /* the sum of all is next to nothing */
    const MPI_Aint wrong[] = {(MPI_Aint)1 << 50, rank % 2 == 1 ? (MPI_Aint)1 << 50 : 8,
                              whole < INT64_MAX ? (MPI_Aint)whole : INT64_MAX};
    for (int i = 0; i < 3; i++) {
        MPI_Error_class(strata_alloc(wrong[i], MPI_COMM_WORLD, &pointer), &class);
        REQUIRE_CMP(class, ==, MPI_ERR_NO_MEM);
        REQUIRE(!pointer);
    }
}

static void test_all(const char *what)
{
    bool by_plan = strcmp(what, "start") != 0 && strcmp(what, "off") != 0;
    bool memory = strcmp(what, "memory") == 0;
    bool late = strcmp(what, "late") == 0, one = strcmp(what, "one") == 0 || memory;
    force_all();
    test_ways(by_plan, false);
    if (by_plan) {
        test_read_only();
    }
    if (late || (one && rank == 1)) {
        deny_reading(memory ? ENOMEM : EPERM);
    }
    if (late || one) {
        test_ways(by_plan, late || rank == 1);
    }
    test_mapped(by_plan);
    test_lines();
    test_alloc_errors();
}

static void killed(int number)
{
    (void)number;
    kill(getpid(), SIGKILL);
}

/* Rank 1 is killed in one of many calls, in which all ranks read from each other all the time. */
static void test_killed_peer(void)
{
    struct strata_report report = {.size = sizeof report};
    const struct itimerval soon = {.it_value = {.tv_usec = 200000}};
    succeed(strata_comm_force(MPI_COMM_WORLD, "allgather", "single_copy"));
    memset(out, 0, sizeof(int) * LONGEST);
    signal(SIGALRM, killed);
    for (int call = 0;; call++) {
        succeed(strata_allgather(out, LONGEST, MPI_INT, in, LONGEST, MPI_INT, MPI_COMM_WORLD));
        if (call == 0) {
            succeed(strata_comm_report(MPI_COMM_WORLD, &report));
            REQUIRE_TEXT(report.algorithm, "single_copy");
            REQUIRE(rank != 1 || setitimer(ITIMER_REAL, &soon, NULL) == 0);
        }
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    out = malloc(sizeof(int) * ALL);
    in = malloc(sizeof(int) * ALL);
    expected = malloc(sizeof(int) * ALL);
    spare = malloc(sizeof(int) * ALL);
    REQUIRE(out);
    REQUIRE(in);
    REQUIRE(expected);
    REQUIRE(spare);
    if (strcmp(what, "start") == 0) {
        deny_reading(EPERM);
    }
    if (strcmp(what, "killed") == 0) {
        test_killed_peer();
    } else if (strcmp(what, "gone") == 0) {
        test_failing_peer();
    } else {
        test_all(what);
    }
    free(spare);
    free(expected);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
