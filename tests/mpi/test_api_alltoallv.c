/* strata_alltoall and strata_alltoallv as a program sees them: received data, untouched memory,
 * refused arguments.
 *
 * run: 1,2,5
 * long: 6 STRATA_TOPO=node:3
 * run: 6 STRATA_TOPO=node:4,1,1 STRATA_CHECK=1
 * run: 7 STRATA_TOPO=node:3:cyclic STRATA_THRESHOLD=32
 * run: 5 STRATA_TOPO=node:2 STRATA_BUDGET=64K
 * run: 4 STRATA_ALLTOALLV=sloav:radix=3 STRATA_ALLTOALL=sloav
 * run: 4 STRATA_ALLTOALLV=pairwise STRATA_ALLTOALL=pairwise
 * run: 4 STRATA_ALLTOALLV=native STRATA_ALLTOALL=native STRATA_ALLTOALLW=native
 * run: 4 STRATA_TOPO=node:2 STRATA_ALLTOALLV=leaders:leaders=2,radix=2 STRATA_ALLTOALL=leaders
 * run: 8 "STRATA_TOPO=node:5,3 package:2" STRATA_ALLTOALLV=leaders:leaders=2 STRATA_CHECK=1
 * timeout: 240 */
#include <stdlib.h>
#include <string.h>

#include "api/types/type_map.h"
#include "include/strata.h"
#include "tests/mpi/numbers.h"
#include "tests/mpi/require.h"

#define ROOM   4096 /* ints in every buffer */
#define FILLER (-77)

static int rank, ranks;

/* The number of elements that `from` sends to `to`: sometimes none, sometimes many. */
static int count_of(int from, int to)
{
    int mix = (7 * from + 3 * to) % 11;
    return mix % 3 == 0 ? 0 : mix == 10 ? 40 : mix;
}

struct blocks {
    int *send, *recv; /* ROOM ints, all FILLER at first */
    int *scounts, *sdispls, *rcounts, *rdispls;
};

static int *ints(size_t count)
{
    int *values = malloc(count * sizeof *values);
    REQUIRE(values);
    for (size_t i = 0; i < count; i++) {
        values[i] = FILLER;
    }
    return values;
}

static struct blocks make_blocks(void)
{
    size_t n = (size_t)ranks;
    return (struct blocks){ints(ROOM), ints(ROOM), ints(n), ints(n), ints(n), ints(n)};
}

static void free_blocks(struct blocks *b)
{
    free(b->send);
    free(b->recv);
    free(b->scounts);
    free(b->sdispls);
    free(b->rcounts);
    free(b->rdispls);
}

/* Displacements count from the middle of the buffers, go downwards on the send side, and leave gaps
 * everywhere. So half of them are negative. */
static void place(struct blocks *b)
{
    int down = 0, up = -ROOM / 4;
    for (int i = 0; i < ranks; i++) {
        b->scounts[i] = count_of(rank, i);
        b->rcounts[i] = count_of(i, rank);
        down -= b->scounts[i] + 2;
        b->sdispls[i] = down;
        b->rdispls[i] = up;
        up += b->rcounts[i] + 3;
    }
}

static void fill_blocks(int *middle, const int *displs)
{
    for (int i = 0; i < ranks; i++) {
        fill_numbers(middle + displs[i], count_of(rank, i), 0, rank, i);
    }
}

/* All received values are written, and no other memory. */
static void check_received(const struct blocks *b)
{
    int *expected = ints(ROOM);
    for (int i = 0; i < ranks; i++) {
        fill_numbers(expected + ROOM / 2 + b->rdispls[i], b->rcounts[i], 0, i, rank);
    }
    REQUIRE_BYTES(b->recv, expected, ROOM * sizeof *expected);
    free(expected);
}

static void test_plain(MPI_Comm comm)
{
    struct blocks b = make_blocks();
    int *before = ints(ROOM);
    place(&b);
    fill_blocks(b.send + ROOM / 2, b.sdispls);
    memcpy(before, b.send, ROOM * sizeof *before);
    succeed(strata_alltoallv(b.send + ROOM / 2, b.scounts, b.sdispls, MPI_INT, b.recv + ROOM / 2,
                             b.rcounts, b.rdispls, MPI_INT, comm));
    check_received(&b);
    REQUIRE_BYTES(before, b.send, ROOM * sizeof *before);
    free(before);
    free_blocks(&b);
}

/* In place, counts must be symmetric. */
static int symmetric(int from, int to)
{
    return from < to ? count_of(from, to) : count_of(to, from);
}

static void test_in_place(MPI_Comm comm)
{
    struct blocks b = make_blocks();
    int at = -100;
    for (int i = 0; i < ranks; i++) {
        b.rcounts[i] = symmetric(rank, i);
        b.rdispls[i] = at;
        fill_numbers(b.recv + ROOM / 2 + at, b.rcounts[i], 0, rank, i);
        at += b.rcounts[i] + 1;
    }
    succeed(strata_alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, b.recv + ROOM / 2,
                             b.rcounts, b.rdispls, MPI_INT, comm));
    check_received(&b);
    free_blocks(&b);
}

/* Sends every second int, and receives pairs with a gap of one int after each. The signatures are
 * equal, the maps are not. Received elements lie as 0 1 . 2 3 . 4 5 . */
static void test_derived(MPI_Comm comm)
{
    MPI_Datatype sparse, gapped;
    struct blocks b = make_blocks();
    int *expected = ints(ROOM);
    MPI_Type_vector(2, 1, 2, MPI_INT, &sparse);
    MPI_Type_create_resized(sparse, 0, 4 * sizeof(int), &gapped);
    MPI_Type_free(&sparse);
    MPI_Type_create_resized(MPI_2INT, 0, 3 * sizeof(int), &sparse);
    MPI_Type_commit(&gapped);
    MPI_Type_commit(&sparse);
    int down = 0, up = 0;
    for (int i = 0; i < ranks; i++) {
        b.scounts[i] = count_of(rank, i);
        b.sdispls[i] = down;
        down += b.scounts[i];
        for (int e = 0; e < 2 * b.scounts[i]; e++) {
            b.send[4 * b.sdispls[i] + 2 * e] = number_of(0, rank, i, e);
        }
        b.rcounts[i] = count_of(i, rank);
        b.rdispls[i] = up;
        up += b.rcounts[i];
        for (int e = 0; e < b.rcounts[i]; e++) {
            expected[3 * (b.rdispls[i] + e)] = number_of(0, i, rank, 2 * e);
            expected[3 * (b.rdispls[i] + e) + 1] = number_of(0, i, rank, 2 * e + 1);
        }
    }
    succeed(strata_alltoallv(b.send, b.scounts, b.sdispls, gapped, b.recv, b.rcounts, b.rdispls,
                             sparse, comm));
    REQUIRE_BYTES(b.recv, expected, ROOM * sizeof *expected);
    MPI_Type_free(&gapped);
    MPI_Type_free(&sparse);
    free(expected);
    free_blocks(&b);
}

/* One element with more pieces than a map keeps: rank 0 packs it as a whole, and the others receive
 * plain bytes. Rank 0 receives everything through the type. */
static void test_without_map(MPI_Comm comm)
{
    int pieces = (int)STRATA_MOST_PIECES + 1;
    MPI_Datatype huge = MPI_BYTE;
    size_t span = rank == 0 ? 2 * (size_t)pieces : (size_t)pieces;
    unsigned char *send = malloc(span), *recv = malloc(span * (size_t)ranks);
    int *scounts = ints((size_t)ranks), *displs = ints((size_t)ranks),
        *rcounts = ints((size_t)ranks);
    REQUIRE(send);
    REQUIRE(recv);
    if (rank == 0) {
        MPI_Datatype vector;
        MPI_Type_vector(pieces, 1, 2, MPI_BYTE, &vector);
        MPI_Type_create_resized(vector, 0, 2 * (MPI_Aint)pieces, &huge);
        MPI_Type_free(&vector);
        MPI_Type_commit(&huge);
    }
    int elements = rank == 0 ? 1 : pieces;
    for (int i = 0; i < ranks; i++) {
        bool used = i == 0 || rank == 0;
        scounts[i] = rcounts[i] = used ? elements : 0;
        displs[i] = rank == 0 ? i : 0;
    }
    memset(recv, 0xee, span * (size_t)ranks);
    memset(send, rank + 1, span);
    for (int i = 0; i < ranks; i++) {
        scounts[i] = i == 0 || rank == 0 ? elements : 0;
    }
    int *zeros = calloc((size_t)ranks, sizeof *zeros);
    REQUIRE(zeros);
    succeed(strata_alltoallv(send, scounts, zeros, huge, recv, rcounts, displs, huge, comm));
    for (int i = 0; i < ranks; i++) {
        for (int e = 0; e < pieces && rank == 0; e++) {
            REQUIRE_CMP(recv[(size_t)i * span + 2 * (size_t)e], ==, i + 1);
            REQUIRE(e == pieces - 1 || recv[(size_t)i * span + 2 * (size_t)e + 1] == 0xee);
        }
    }
    REQUIRE(rank == 0 || (recv[0] == 1 && recv[pieces - 1] == 1));
    if (rank == 0) {
        MPI_Type_free(&huge);
    }
    free(zeros);
    free(send);
    free(recv);
    free(scounts);
    free(rcounts);
    free(displs);
}

static void test_alltoall(MPI_Comm comm, int count)
{
    int *send = ints((size_t)(ranks * count) + 1), *recv = ints((size_t)(ranks * count) + 1);
    for (int i = 0; i < ranks; i++) {
        for (int e = 0; e < count; e++) {
            send[i * count + e] = number_of(0, rank, i, e);
        }
    }
    succeed(strata_alltoall(send, count, MPI_INT, recv, count, MPI_INT, comm));
    for (int in_place = 0; in_place < 2; in_place++) {
        const int *got = in_place ? send : recv;
        for (int i = 0; i < ranks; i++) {
            for (int e = 0; e < count; e++) {
                REQUIRE_CMP(got[i * count + e], ==, number_of(0, i, rank, e));
            }
        }
        REQUIRE_CMP(got[ranks * count], ==, FILLER);
        if (!in_place) {
            succeed(
                strata_alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, send, count, MPI_INT, comm));
        }
    }
    free(send);
    free(recv);
}

/* MPI's own call may refuse equal buffers (MPICH does), our plans must not. */
static void check_allowed(int error, MPI_Comm comm)
{
    struct strata_report report = {.size = sizeof report};
    succeed(strata_comm_report(comm, &report));
    REQUIRE(error == MPI_SUCCESS || strcmp(report.algorithm, "native") == 0);
}

/* Elements without bytes need no memory, so null and equal buffers are right. */
static void test_empty_type(MPI_Comm parent)
{
    MPI_Comm comm;
    MPI_Datatype nothing;
    int *ones = ints((size_t)ranks), *zeros = ints((size_t)ranks), own = 5;
    MPI_Comm_dup(parent, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    for (int i = 0; i < ranks; i++) {
        ones[i] = 1;
        zeros[i] = 0;
    }
    check_allowed(strata_alltoallv(NULL, ones, zeros, nothing, NULL, ones, zeros, nothing, comm),
                  comm);
    check_allowed(strata_alltoall(&own, 1, nothing, &own, 1, nothing, comm), comm);
    REQUIRE_CMP(own, ==, 5);
    MPI_Datatype *types = malloc((size_t)ranks * sizeof(MPI_Datatype));
    REQUIRE(types);
    for (int i = 0; i < ranks; i++) {
        types[i] = nothing;
    }
    check_allowed(strata_alltoallw(NULL, ones, zeros, types, NULL, ones, zeros, types, comm), comm);
    free(types);
    MPI_Type_free(&nothing);
    MPI_Comm_free(&comm);
    free(ones);
    free(zeros);
}

/* Two halves of the world; each side has blocks for the other side. */
static void test_intercommunicator(void)
{
    MPI_Comm half, inter;
    if (ranks < 2) {
        return;
    }
    int side = rank < ranks / 2 ? 0 : 1;
    MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, side ? 0 : ranks / 2, 9, &inter);
    int others;
    MPI_Comm_remote_size(inter, &others);
    int *send = ints((size_t)others), *recv = ints((size_t)others), *ones = ints((size_t)others);
    int *displs = ints((size_t)others);
    for (int i = 0; i < others; i++) {
        ones[i] = 1;
        displs[i] = i;
        send[i] = number_of(0, rank, i, 0);
    }
    for (int v = 0; v < 2; v++) {
        int error =
            v ? strata_alltoallv(send, ones, displs, MPI_INT, recv, ones, displs, MPI_INT, inter)
              : strata_alltoall(send, 1, MPI_INT, recv, 1, MPI_INT, inter);
        succeed(error);
        for (int i = 0; i < others; i++) {
            int from = side ? i : ranks / 2 + i;
            REQUIRE_CMP(recv[i], ==, number_of(0, from, side ? rank - ranks / 2 : rank, 0));
            recv[i] = FILLER;
        }
    }
    struct strata_report report = {.size = sizeof report};
    succeed(strata_comm_report(inter, &report));
    REQUIRE_CMP(report.standing, ==, STRATA_STANDING_NATIVE);
    REQUIRE_CMP(report.calls_native, ==, 2);
    free(send);
    free(recv);
    free(ones);
    free(displs);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

static int handled, handled_class;

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    handled++;
    MPI_Error_class(*code, &handled_class);
}

/* The call must raise this class once, through the handler, and return it. */
static void check_raised(int error, int class)
{
    int returned;
    MPI_Error_class(error, &returned);
    REQUIRE_CMP(handled, ==, 1);
    REQUIRE_CMP(handled_class, ==, class);
    REQUIRE_CMP(returned, ==, class);
    handled = 0;
}

/* Arguments that each rank can see to be wrong. No message may be sent. */
static void test_arguments(MPI_Comm parent)
{
    MPI_Comm comm;
    MPI_Errhandler errhandler;
    MPI_Datatype raw;
    struct blocks b = make_blocks();
    MPI_Comm_dup(parent, &comm);
    MPI_Comm_create_errhandler(handler, &errhandler);
    MPI_Comm_set_errhandler(comm, errhandler);
    place(&b);
    int *s = b.send + ROOM / 2, *r = b.recv + ROOM / 2, *sc = b.scounts, *sd = b.sdispls,
        *rc = b.rcounts, *rd = b.rdispls;
    sc[0] = 1;
    check_raised(strata_alltoallv(s, NULL, sd, MPI_INT, r, rc, rd, MPI_INT, comm), MPI_ERR_ARG);
    check_raised(strata_alltoallv(s, sc, sd, MPI_INT, r, rc, NULL, MPI_INT, comm), MPI_ERR_ARG);
    check_raised(strata_alltoallv(s, sc, sd, MPI_DATATYPE_NULL, r, rc, rd, MPI_INT, comm),
                 MPI_ERR_TYPE);
    check_raised(strata_alltoallv(NULL, sc, sd, MPI_INT, r, rc, rd, MPI_INT, comm), MPI_ERR_BUFFER);
    check_raised(strata_alltoallv(s, sc, sd, MPI_INT, MPI_IN_PLACE, rc, rd, MPI_INT, comm),
                 MPI_ERR_BUFFER);
    check_raised(strata_alltoall(s, -1, MPI_INT, r, 1, MPI_INT, comm), MPI_ERR_COUNT);
    check_raised(strata_alltoall(s, 1, MPI_INT, s, 1, MPI_INT, comm), MPI_ERR_BUFFER);
    sc[ranks - 1] = -1;
    check_raised(strata_alltoallv(s, sc, sd, MPI_INT, r, rc, rd, MPI_INT, comm), MPI_ERR_COUNT);
    check_raised(strata_comm_report(comm, NULL), MPI_ERR_ARG);
    MPI_Type_vector(2, 1, 2, MPI_INT, &raw);
    check_raised(strata_alltoall(s, 1, raw, r, 1, raw, comm), MPI_ERR_TYPE); /* not committed */
    MPI_Type_free(&raw);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler);
    check_raised(strata_alltoall(s, 1, MPI_INT, r, 1, MPI_INT, MPI_COMM_NULL), MPI_ERR_COMM);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    test_plain(comm); /* and it still works */
    MPI_Errhandler_free(&errhandler);
    MPI_Comm_free(&comm);
    free_blocks(&b);
}

/* The report's figures add up over the ranks to the traffic inside and between nodes. */
static void test_report(MPI_Comm comm)
{
    struct strata_report report = {.size = sizeof report};
    char small[sizeof(size_t) + 4 + sizeof report];
    succeed(strata_comm_report(comm, &report));
    REQUIRE_CMP(report.standing, ==, STRATA_STANDING_ATTACHED);
    REQUIRE_CMP(report.size, ==, sizeof report);
    REQUIRE_CMP(report.calls + report.calls_native, ==, 10);
    REQUIRE(report.algorithm[0]);
    REQUIRE(report.why[0]);
    REQUIRE_CMP(report.ranks, ==, ranks);
    REQUIRE_CMP(report.nodes, >=, 1);
    REQUIRE_CMP(report.node_ranks, >=, 1);
    REQUIRE(report.messages_node == 0 || report.bytes_node > 0 || ranks == 1);
    memset(small, 0x5a, sizeof small);
    size_t part = offsetof(struct strata_report, why);
    memcpy(small, &part, sizeof part);
    succeed(strata_comm_report(comm, (struct strata_report *)(void *)small));
    REQUIRE_CMP(small[part], ==, 0x5a);
    REQUIRE_BYTES(small + offsetof(struct strata_report, algorithm), report.algorithm,
                  sizeof report.algorithm);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    test_plain(comm);
    test_in_place(comm);
    test_derived(comm);
    test_alltoall(comm, 1);
    test_alltoall(comm, 0);
    test_alltoall(comm, 500);
    test_plain(comm);
    test_report(comm);
    test_without_map(comm);
    test_arguments(comm);
    test_empty_type(comm);
    test_intercommunicator();
    succeed(strata_comm_describe(comm, stdout));
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
