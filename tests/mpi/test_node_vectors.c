/* Vectors that go through the slots of nodes, on real ranks: bcasts, reductions, scans, scatters
 * and barriers in a row. Segments are so short that the ring is gone round many times. Vectors have
 * no element to thousands, from each root, in place or not, also with an operator that does not
 * commute. The root of a bcast or scatter waits for no rank before that, so calls overtake each
 * other.
 *
 * run: 1,3
 * long: 2,5
 * run: 4 STRATA_BUDGET=64K
 * run: 4 STRATA_TOPO=node:1
 * run: 5 STRATA_TOPO=node:2
 * run: 6 STRATA_TOPO=node:2,1,3
 * run: 6 "STRATA_TOPO=node:1 package:2:cyclic cache:2" -- levels
 * run: 7 "STRATA_TOPO=node:2 package:2" -- levels
 * run: 6 STRATA_TOPO=node:3:cyclic STRATA_BUDGET=64K -- by_nodes
 */
#include <complex.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "include/strata.h"
#include "tests/mpi/numbers.h"
#include "tests/mpi/require.h"

enum { MOST = 20000, CALLS = 24 };

static int rank, ranks;
static int *send, *recv;

/* x -> a x + b for each pair (a, b); the left operand is applied last. */
static void compose(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const unsigned *left = in;
    unsigned *right = inout;
    (void)type;
    for (int i = 0; i < 2 * *count; i += 2) {
        right[i + 1] = left[i] * right[i + 1] + left[i + 1];
        right[i] *= left[i];
    }
}

static void broadcast(int call, int count)
{
    int root = call % ranks;
    for (int i = 0; i < count; i++) {
        recv[i] = rank == root ? number_of(call, root, 0, i) : -1;
    }
    succeed(strata_bcast(recv, count, MPI_INT, root, MPI_COMM_WORLD));
    for (int i = 0; i < count; i++) {
        REQUIRE_CMP(recv[i], ==, number_of(call, root, 0, i));
    }
}

/* The result at number i of a reduction, or two numbers from there on. */
static void combined(int call, int i, MPI_Datatype type, int right[2])
{
    right[0] = number_of(call, ranks - 1, 0, i);
    right[1] = number_of(call, ranks - 1, 0, i + 1);
    for (int r = ranks - 2; r >= 0; r--) {
        int left[2] = {number_of(call, r, 0, i), number_of(call, r, 0, i + 1)}, one = 1;
        if (type == MPI_INT) {
            right[0] += left[0];
            right[1] += left[1];
        } else {
            compose(left, right, &one, &type);
        }
    }
}

/* Reduces to all, or to a root. */
static void combine(int call, int count, MPI_Datatype type, MPI_Op op, bool in_place, int root)
{
    int numbers = type == MPI_INT ? count : 2 * count;
    bool here = in_place && (root < 0 || root == rank);
    int *mine = here ? recv : send;
    for (int i = 0; i < numbers; i++) {
        mine[i] = number_of(call, rank, 0, i);
    }
    const void *from = here ? MPI_IN_PLACE : send;
    int error = root < 0 ? strata_allreduce(from, recv, count, type, op, MPI_COMM_WORLD)
                         : strata_reduce(from, recv, count, type, op, root, MPI_COMM_WORLD);
    succeed(error);
    for (int i = 0; i < numbers && (root < 0 || root == rank); i += 2) {
        int right[2];
        combined(call, i, type, right);
        REQUIRE_CMP(recv[i], ==, right[0]);
        REQUIRE(i + 1 == numbers || recv[i + 1] == right[1]);
    }
}

/* Scans all ranks up to this one, or before it, and compares with MPI's own. */
static void scan(int call, int count, MPI_Datatype type, MPI_Op op, bool in_place, bool before)
{
    int numbers = type == MPI_INT ? count : 2 * count;
    int *expected = malloc(((size_t)numbers + 1) * sizeof *expected);
    REQUIRE(expected);
    for (int i = 0; i < numbers; i++) {
        send[i] = recv[i] = number_of(call, rank, 0, i);
    }
    const void *from = in_place ? MPI_IN_PLACE : send;
    succeed((before ? PMPI_Exscan : PMPI_Scan)(send, expected, count, type, op, MPI_COMM_WORLD));
    succeed((before ? strata_exscan : strata_scan)(from, recv, count, type, op, MPI_COMM_WORLD));
    REQUIRE((before && rank == 0) ||
            memcmp(recv, expected, (size_t)numbers * sizeof *expected) == 0);
    free(expected);
}

/* Blocks have other lengths in each call, in the same array; or all are equal. */
static void reduce_scatter(int call, MPI_Datatype type, MPI_Op op, bool in_place, bool equal)
{
    static int counts[64];
    int expected[256], numbers = 0, width = type == MPI_INT ? 1 : 2;
    for (int r = 0; r < ranks; r++) {
        counts[r] = equal ? call % 5 : (call + 3 * r) % 7 * (call % 3 + 1);
        numbers += width * counts[r];
    }
    for (int i = 0; i < numbers; i++) {
        send[i] = recv[i] = number_of(call, rank, 0, i);
    }
    const void *from = in_place ? MPI_IN_PLACE : send;
    succeed(PMPI_Reduce_scatter(send, expected, counts, type, op, MPI_COMM_WORLD));
    succeed((equal ? strata_reduce_scatter_block(from, recv, counts[0], type, op, MPI_COMM_WORLD)
                   : strata_reduce_scatter(from, recv, counts, type, op, MPI_COMM_WORLD)));
    size_t mine = (size_t)(width * counts[rank]) * sizeof *recv;
    REQUIRE_BYTES(recv, expected, mine);
}

static void scatter(int call, int count, bool in_place)
{
    int root = call % ranks;
    bool here = in_place && rank == root;
    const int *mine = here ? send + rank * count : recv;
    for (int i = 0; i < ranks * count; i++) {
        send[i] = rank == root ? number_of(call, root, 0, i) : -1;
    }
    succeed(strata_scatter(send, count, MPI_INT, here ? MPI_IN_PLACE : recv, count, MPI_INT, root,
                           MPI_COMM_WORLD));
    for (int i = 0; i < count; i++) {
        REQUIRE_CMP(mine[i], ==, number_of(call, root, 0, rank * count + i));
    }
}

static void force(const char *collective, const char *row)
{
    succeed(strata_comm_force(MPI_COMM_WORLD, collective, row));
}

static void make_calls(MPI_Datatype pair, MPI_Op composition)
{
    static const int counts[] = {0, 1, 7, MOST, 12, 1001, 3, MOST / 2 + 1};
    static const char *const rows[] = {"node_allreduce:segment=1", "auto",
                                       "dpml:leaders=2,between=recursive_doubling,segment=1",
                                       "dpml:leaders=3,between=rabenseifner,segment=1"};
    static const char *const rooted[] = {"node_reduce:segment=1", "auto",
                                         "dpml:leaders=1,between=binomial,segment=1",
                                         "dpml:leaders=2,between=rabenseifner,segment=1"};
    for (int call = 0; call < CALLS; call++) {
        int count = counts[call % 8];
        force("bcast", call % 4 == 3 ? "auto" : "node_bcast:between=binomial,segment=1");
        force("allreduce", rows[call / 2 % 4]);
        force("reduce", rooted[call / 2 % 4]);
        force(call % 4 == 1 ? "reduce_scatter_block" : "reduce_scatter", "node_reduce_scatter");
        force(call % 3 == 1 ? "exscan" : "scan", "node_scan:segment=1");
        broadcast(call, count);
        broadcast(call + 1, counts[(call + 3) % 8]);
        combine(call, count, MPI_INT, MPI_SUM, call % 2, -1);
        bool own =
            call / 2 % 4 == 1; /* MPICH 4.0's crashes, in place, long, where the root is not 0 */
        combine(call, count, MPI_INT, MPI_SUM, call % 2 && !own, call % ranks);
        combine(call + 3, counts[(call + 5) % 8], pair, composition, call % 3 == 1, call % ranks);
        broadcast(call + 2, count);
        succeed(strata_barrier(MPI_COMM_WORLD));
        combine(call, count, pair, composition, call % 3 == 0, -1);
        scan(call, count, pair, composition, call % 2, call % 3 == 1);
        reduce_scatter(call, MPI_INT, MPI_SUM, call % 2, call % 4 == 1);
        reduce_scatter(call + 1, pair, composition, call % 3 == 1, call % 4 == 3);
        force("scatter", call % 4 == 1 ? "auto" : "node_scatter:between=binomial");
        scatter(call, count % 1500, call % 3 == 1);
    }
}

static struct strata_report last_report(void)
{
    struct strata_report report = {.size = sizeof report};
    succeed(strata_comm_report(MPI_COMM_WORLD, &report));
    return report;
}

/* Calls from one root, and to it: one side runs ahead of the other as far as the ring allows. */
static void make_calls_one_way(void)
{
    for (int call = 0; call < 20 * CALLS; call++) {
        broadcast(call * ranks, 7);
    }
    for (int call = 0; call < 20 * CALLS; call++) {
        scatter(call * ranks, 7, false);
    }
    for (int call = 0; call < 20 * CALLS; call++) {
        combine(call, 7, MPI_INT, MPI_SUM, false, 0);
    }
}

/* Requires that this row served the last call. */
static void require_ran(const char *row)
{
    struct strata_report report = last_report();
    REQUIRE_CMP(strncmp(report.algorithm, row, strlen(row)) == 0, ==, ranks > 1);
}

/* All blocks together are just as long as fits in a slot, or just longer. */
static void reduce_scatter_up_to(int numbers)
{
    static int counts[64];
    int first = 0;
    for (int r = 0; r < ranks; r++) {
        counts[r] = numbers / ranks + (r < numbers % ranks);
        first += r < rank ? counts[r] : 0;
    }
    for (int i = 0; i < numbers; i++) {
        send[i] = number_of(numbers, rank, 0, i);
    }
    succeed(strata_reduce_scatter(send, recv, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < counts[rank]; i++) {
        int sum[2];
        combined(numbers, first + i, MPI_INT, sum);
        REQUIRE_CMP(recv[i], ==, sum[0]);
    }
}

/* Returns how many calls took several passes with the messages of one pass: blocks of some nodes at
 * a time. */
static int require_all_lengths_served(void)
{
    uint64_t once = 0;
    int by_nodes = 0;
    force("reduce_scatter", "node_reduce_scatter");
    for (int numbers = 256; numbers <= 2 * MOST; numbers *= 2) {
        for (int beside = -1; beside <= 1; beside++) {
            uint64_t before = last_report().messages;
            reduce_scatter_up_to(numbers + beside);
            require_ran("node_reduce_scatter");
            struct strata_report report = last_report();
            once = report.passes == 1 ? report.messages - before : once;
            by_nodes += report.passes > 1 && once > 0 && report.messages - before == once;
        }
    }
    return by_nodes;
}

/* Vectors of all lengths and roots up and down the levels of nodes; operands that do not commute go
 * so where the order of ranks is the tree's. */
static void make_calls_by_levels(MPI_Datatype pair, MPI_Op composition)
{
    static const int counts[] = {0, 1, 2, 5, 100, 1001, 3, MOST / 2 + 1};
    force("bcast", "node_levels");
    force("reduce", "node_levels");
    force("allreduce", "node_levels");
    for (int call = 0; call < 4 * CALLS; call++) {
        const int count = counts[call % 8];
        broadcast(call, count);
        combine(call, count, MPI_INT, MPI_SUM, call % 3 == 1, call % ranks);
        combine(call, count, MPI_INT, MPI_SUM, call % 2, -1);
        require_ran("node_levels");
        combine(call, count, pair, composition, call % 2, call % 2 ? 0 : -1);
        broadcast(call + 1, count);
        require_ran("node_levels");
    }
}

static void require_served(bool by_nodes)
{
    force("bcast", "node_bcast");
    broadcast(0, MOST);
    require_ran("node_bcast");
    force("scatter", "node_scatter");
    scatter(0, 50, true);
    require_ran("node_scatter");
    force("reduce", "dpml");
    combine(0, MOST, MPI_INT, MPI_SUM, false, 0);
    require_ran("dpml");
    force("allreduce", "dpml");
    combine(0, MOST, MPI_INT, MPI_SUM, false, -1);
    require_ran("dpml");
    REQUIRE(require_all_lengths_served() > 0 || !by_nodes);
    if (last_report().nodes == 1) {
        scan(0, MOST, MPI_INT, MPI_SUM, false, false);
        require_ran("node_scan");
    }
    make_calls_one_way();
    force("barrier", "node_barrier");
    for (int call = 0; call < CALLS; call++) {
        succeed(strata_barrier(MPI_COMM_WORLD));
    }
    require_ran("node_barrier");
}

/* --- elements whose size does not divide the head of a slot ------------------------------------
 */

/* Takes each left number, unless it is 0. */
static void take_left(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const int *left = in;
    int *right = inout, bytes;
    MPI_Type_size(*type, &bytes);
    for (int i = 0; i < *count * bytes / (int)sizeof(int); i++) {
        right[i] = left[i] != 0 ? left[i] : right[i];
    }
}

static int sparse_number(int from, int i)
{
    return i % ranks <= from ? 1000 * from + i % 977 + 1 : 0;
}

/* The values of the ranks up to this one; -1: none. */
static void require_taken(int numbers, int last)
{
    for (int i = 0; i < numbers && last >= 0; i++) {
        REQUIRE_CMP(recv[i], ==, i % ranks <= last ? sparse_number(i % ranks, i) : 0);
    }
}

static void combine_wide(int width, MPI_Op op, MPI_Comm comm)
{
    static const int counts[] = {1, 2, 5, 300, 2500};
    MPI_Datatype type;
    MPI_Type_contiguous(width, MPI_INT, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < (int)(sizeof counts / sizeof *counts); i++) {
        int numbers = width * counts[i], root = i % ranks;
        for (int j = 0; j < numbers; j++) {
            send[j] = sparse_number(rank, j);
        }
        succeed(strata_scan(send, recv, counts[i], type, op, comm));
        require_taken(numbers, rank);
        succeed(strata_exscan(send, recv, counts[i], type, op, comm));
        require_taken(numbers, rank - 1);
        succeed(strata_allreduce(send, recv, counts[i], type, op, comm));
        require_taken(numbers, ranks - 1);
        succeed(strata_reduce(send, recv, counts[i], type, op, root, comm));
        require_taken(numbers, rank == root ? ranks - 1 : -1);
    }
    MPI_Type_free(&type);
}

static void sum_complex(MPI_Comm comm)
{
    for (int count = 1; count <= 40; count += 39) {
        long double complex mine[40], sum[40];
        for (int i = 0; i < count; i++) {
            mine[i] = (rank + 1) * (i + 1) + 2.0L * I * (i + 1);
        }
        succeed(strata_scan(mine, sum, count, MPI_C_LONG_DOUBLE_COMPLEX, MPI_SUM, comm));
        for (int i = 0; i < count; i++) {
            int all = (rank + 1) * (rank + 2) / 2;
            REQUIRE_CMP(creall(sum[i]), ==, all * (i + 1));
            REQUIRE_CMP(cimagl(sum[i]), ==, 2 * (rank + 1) * (i + 1));
        }
    }
}

static void combine_wide_elements(void)
{
    static const char *const collectives[] = {"scan", "exscan", "allreduce", "reduce"};
    MPI_Comm comm[2];
    MPI_Op op;
    MPI_Op_create(take_left, 0, &op);
    for (int i = 0; i < 2; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
        for (int j = 0; i == 0 && j < 4; j++) {
            succeed(strata_comm_force(comm[i], collectives[j], "node_vectors"));
        }
        succeed(strata_comm_same_bits(comm[i], i));
        combine_wide(3, op, comm[i]);
        combine_wide(6, op, comm[i]);
        sum_complex(comm[i]);
        MPI_Comm_free(&comm[i]);
    }
    MPI_Op_free(&op);
}

int main(int argc, char **argv)
{
    MPI_Datatype pair;
    MPI_Op composition;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(compose, 0, &composition);
    send = malloc((2 * MOST + 1) * sizeof *send);
    recv = malloc((2 * MOST + 1) * sizeof *recv);
    REQUIRE(send);
    REQUIRE(recv);
    if (argc > 1 && strcmp(argv[1], "levels") == 0) {
        make_calls_by_levels(pair, composition);
    } else {
        make_calls(pair, composition);
        require_served(argc > 1);
        combine_wide_elements();
    }
    MPI_Op_free(&composition);
    MPI_Type_free(&pair);
    free(send);
    free(recv);
    MPI_Finalize();
    return 0;
}
