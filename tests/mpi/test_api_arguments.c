/* Wrong arguments of the collectives. Each raises the class of MPI's own call, once, through the
 * communicator's handler, before any message is sent. The communicator still works after that.
 *
 * run: 1,3
 * run: 4 STRATA_TOPO=node:2
 * run: 3 STRATA_SHADOW=1
 * run: 3 STRATA_ALLGATHER=native STRATA_BCAST=native STRATA_ALLREDUCE=native
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "include/strata.h"
#include "tests/mpi/require.h"

#define ROOM  64
#define LARGE 20000 /* ints: more than MPI sends eagerly */

static int rank, ranks, handled, handled_class;
static bool hidden; /* MPI returns MPI_SUCCESS after the handler */

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    handled++;
    MPI_Error_class(*code, &handled_class);
}

static void check_raised(int line, int error, int class)
{
    int returned;
    MPI_Error_class(error, &returned);
    if (handled != 1 || handled_class != class || returned != class) {
        fprintf(stderr, "line %d: raised %d times, class %d, returned %d, expected %d\n", line,
                handled, handled_class, returned, class);
    }
    REQUIRE_CMP(handled, ==, 1);
    REQUIRE_CMP(handled_class, ==, class);
    REQUIRE_CMP(returned, ==, class);
    handled = 0;
}

static void check_raised_in_mpi(int line, int error, int class)
{
    REQUIRE_CMP(error == MPI_SUCCESS, ==, hidden);
    check_raised(line, hidden ? class : error, class);
}

/* A wrong argument that only Strata's call is given: MPI libraries differ, or do not look. */
#define WRONG(class, name, ...) check_raised(__LINE__, strata_##name(__VA_ARGS__), class)

/* A wrong argument that MPI's own call also finds. */
#define WRONG_IN_MPI(class, name, Name, ...)                                                       \
    do {                                                                                           \
        check_raised_in_mpi(__LINE__, PMPI_##Name(__VA_ARGS__), class);                            \
        WRONG(class, name, __VA_ARGS__);                                                           \
    } while (0)

struct arguments {
    MPI_Comm comm;
    int send[ROOM], recv[ROOM];
    int ones[ROOM], zeros[ROOM], negative[ROOM], displs[ROOM], bytes[ROOM];
    MPI_Datatype ints[ROOM], nulls[ROOM];
    MPI_Datatype raw; /* not committed */
};

static void init(struct arguments *a, MPI_Comm comm)
{
    memset(a, 0, sizeof *a);
    a->comm = comm;
    for (int i = 0; i < ROOM; i++) {
        a->ones[i] = 1;
        a->negative[i] = i == ranks - 1 ? -1 : 1;
        a->displs[i] = i;
        a->bytes[i] = i * (int)sizeof(int);
        a->ints[i] = MPI_INT;
        a->nulls[i] = MPI_DATATYPE_NULL;
    }
    MPI_Type_vector(2, 1, 2, MPI_INT, &a->raw);
}

#define NONE MPI_DATATYPE_NULL

static void test_roots(struct arguments *a)
{
    const int roots[] = {-1, ranks, MPI_PROC_NULL};
    int *s = a->send, *r = a->recv;
    MPI_Comm comm = a->comm;
    for (int i = 0; i < 3; i++) {
        int root = roots[i];
        WRONG_IN_MPI(MPI_ERR_ROOT, bcast, Bcast, s, 1, MPI_INT, root, comm);
        WRONG_IN_MPI(MPI_ERR_ROOT, gather, Gather, s, 1, MPI_INT, r, 1, MPI_INT, root, comm);
        WRONG_IN_MPI(MPI_ERR_ROOT, gatherv, Gatherv, s, 1, MPI_INT, r, a->ones, a->displs, MPI_INT,
                     root, comm);
        WRONG_IN_MPI(MPI_ERR_ROOT, scatter, Scatter, s, 1, MPI_INT, r, 1, MPI_INT, root, comm);
        WRONG_IN_MPI(MPI_ERR_ROOT, scatterv, Scatterv, s, a->ones, a->displs, MPI_INT, r, 1,
                     MPI_INT, root, comm);
        WRONG_IN_MPI(MPI_ERR_ROOT, reduce, Reduce, s, r, 1, MPI_INT, MPI_SUM, root, comm);
    }
}

static void test_counts(struct arguments *a)
{
    int *s = a->send, *r = a->recv, *bad = a->negative, *at = a->displs;
    MPI_Comm comm = a->comm;
    WRONG_IN_MPI(MPI_ERR_COUNT, bcast, Bcast, s, -1, MPI_INT, 0, comm);
    WRONG_IN_MPI(MPI_ERR_COUNT, allgather, Allgather, s, -1, MPI_INT, r, -1, MPI_INT, comm);
    WRONG(MPI_ERR_COUNT, allgatherv, s, 1, MPI_INT, r, bad, at, MPI_INT, comm);
    WRONG_IN_MPI(MPI_ERR_COUNT, gather, Gather, s, -1, MPI_INT, r, -1, MPI_INT, 0, comm);
    WRONG_IN_MPI(MPI_ERR_COUNT, scatter, Scatter, s, -1, MPI_INT, r, -1, MPI_INT, 0, comm);
    WRONG_IN_MPI(MPI_ERR_COUNT, gatherv, Gatherv, s, rank == 0 ? 1 : -1, MPI_INT, r, bad, at,
                 MPI_INT, 0, comm);
    WRONG_IN_MPI(MPI_ERR_COUNT, scatterv, Scatterv, s, bad, at, MPI_INT, r, rank == 0 ? 1 : -1,
                 MPI_INT, 0, comm);
    WRONG_IN_MPI(MPI_ERR_COUNT, alltoallw, Alltoallw, s, bad, a->bytes, a->ints, r, bad, a->bytes,
                 a->ints, comm);
    WRONG(MPI_ERR_COUNT, reduce, s, r, -1, MPI_INT, MPI_SUM, 0, comm);
    WRONG(MPI_ERR_COUNT, allreduce, s, r, -1, MPI_INT, MPI_SUM, comm);
    WRONG(MPI_ERR_COUNT, scan, s, r, -1, MPI_INT, MPI_SUM, comm);
    WRONG(MPI_ERR_COUNT, exscan, s, r, -1, MPI_INT, MPI_SUM, comm);
    WRONG_IN_MPI(MPI_ERR_COUNT, reduce_scatter, Reduce_scatter, s, r, bad, MPI_INT, MPI_SUM, comm);
    WRONG(MPI_ERR_COUNT, reduce_scatter_block, s, r, -1, MPI_INT, MPI_SUM, comm);
    WRONG(MPI_ERR_COUNT, allreduce, MPI_IN_PLACE, r, -1, MPI_INT, MPI_SUM, comm);
    WRONG(MPI_ERR_COUNT, reduce_scatter, MPI_IN_PLACE, r, bad, MPI_INT, MPI_SUM, comm);
}

/* More bytes than addresses exist. A product that wraps around would give few bytes. */
static void test_large_counts(struct arguments *a)
{
    int *s = a->send, *r = a->recv;
    const MPI_Count huge = (MPI_Count)1 << 61;
    MPI_Count counts[ROOM] = {0};
    MPI_Aint displs[ROOM] = {0};
    MPI_Comm comm = a->comm;
    counts[ranks - 1] = huge;
    WRONG(MPI_ERR_COUNT, scan_c, s, r, huge, MPI_DOUBLE, MPI_SUM, comm);
    WRONG(MPI_ERR_COUNT, gather_c, s, huge, MPI_DOUBLE, r, huge, MPI_DOUBLE, 0, comm);
    WRONG(MPI_ERR_COUNT, alltoallv_c, s, counts, displs, MPI_DOUBLE, r, counts, displs, MPI_DOUBLE,
          comm);
}

static void test_types(struct arguments *a)
{
    int *s = a->send, *r = a->recv, *one = a->ones, *at = a->displs;
    MPI_Comm comm = a->comm;
    WRONG_IN_MPI(MPI_ERR_TYPE, bcast, Bcast, s, 1, NONE, 0, comm);
    WRONG_IN_MPI(MPI_ERR_TYPE, bcast, Bcast, s, 1, a->raw, 0, comm);
    WRONG_IN_MPI(MPI_ERR_TYPE, allgather, Allgather, s, 1, NONE, r, 1, NONE, comm);
    WRONG_IN_MPI(MPI_ERR_TYPE, allgatherv, Allgatherv, s, 1, NONE, r, one, at, NONE, comm);
    WRONG_IN_MPI(MPI_ERR_TYPE, gather, Gather, s, 1, NONE, r, 1, NONE, 0, comm);
    WRONG_IN_MPI(MPI_ERR_TYPE, scatter, Scatter, s, 1, NONE, r, 1, NONE, 0, comm);
    WRONG_IN_MPI(MPI_ERR_TYPE, alltoallw, Alltoallw, s, one, a->bytes, a->nulls, r, one, a->bytes,
                 a->nulls, comm);
}

static void test_operators(struct arguments *a)
{
    int *s = a->send, *r = a->recv, *one = a->ones;
    MPI_Comm comm = a->comm;
    WRONG_IN_MPI(MPI_ERR_OP, reduce, Reduce, s, r, 1, MPI_INT, MPI_OP_NULL, 0, comm);
    WRONG_IN_MPI(MPI_ERR_OP, allreduce, Allreduce, s, r, 1, MPI_INT, MPI_OP_NULL, comm);
    WRONG_IN_MPI(MPI_ERR_OP, scan, Scan, s, r, 1, MPI_INT, MPI_OP_NULL, comm);
    WRONG_IN_MPI(MPI_ERR_OP, exscan, Exscan, s, r, 1, MPI_INT, MPI_OP_NULL, comm);
    WRONG_IN_MPI(MPI_ERR_OP, reduce_scatter, Reduce_scatter, s, r, one, MPI_INT, MPI_OP_NULL, comm);
    WRONG_IN_MPI(MPI_ERR_OP, reduce_scatter_block, Reduce_scatter_block, s, r, 1, MPI_INT,
                 MPI_OP_NULL, comm);
    WRONG_IN_MPI(MPI_ERR_OP, allreduce, Allreduce, s, r, 1, MPI_DOUBLE, MPI_BAND, comm);
    WRONG_IN_MPI(MPI_ERR_OP, reduce, Reduce, s, r, 0, MPI_DOUBLE, MPI_BAND, 0, comm);
    WRONG_IN_MPI(MPI_ERR_OP, scan, Scan, s, r, 1, MPI_INT, MPI_REPLACE, comm);
    WRONG_IN_MPI(MPI_ERR_OP, exscan, Exscan, s, r, 1, MPI_INT, MPI_MAXLOC, comm);
    WRONG(MPI_ERR_OP, allreduce, s, r, 1, NONE, MPI_SUM, comm); /* would end MPICH 5.0.2 */
    WRONG_IN_MPI(MPI_ERR_OP, allreduce, Allreduce, s, r, 1, a->raw, MPI_SUM, comm);
}

static void test_buffers(struct arguments *a)
{
    int *s = a->send, *r = a->recv;
    void *root_in_place = rank == 0 ? (void *)r : MPI_IN_PLACE;
    MPI_Comm comm = a->comm;
    WRONG(MPI_ERR_BUFFER, bcast, MPI_IN_PLACE, 1, MPI_INT, 0, comm);
    WRONG(MPI_ERR_BUFFER, bcast, NULL, 1, MPI_INT, 0, comm);
    WRONG(MPI_ERR_BUFFER, allgather, s, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, comm);
    WRONG(MPI_ERR_BUFFER, allgather, r + rank, 1, MPI_INT, r, 1, MPI_INT, comm);
    WRONG(MPI_ERR_BUFFER, allgather, r, 1, MPI_INT, r, 1, MPI_INT, comm);
    WRONG(MPI_ERR_BUFFER, alltoall, r, 1, MPI_INT, r, 1, MPI_INT, comm);
    WRONG(MPI_ERR_BUFFER, allreduce, s, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm);
    WRONG(MPI_ERR_BUFFER, allreduce, s, s, 1, MPI_INT, MPI_SUM, comm);
    WRONG(MPI_ERR_BUFFER, allreduce, NULL, r, 1, MPI_INT, MPI_SUM, comm);
    WRONG(MPI_ERR_BUFFER, reduce_scatter_block, s, s, 1, MPI_INT, MPI_SUM, comm);
    WRONG(MPI_ERR_BUFFER, scan, s, s, 1, MPI_INT, MPI_SUM, comm);
    if (rank > 0) {
        WRONG(MPI_ERR_BUFFER, reduce, MPI_IN_PLACE, r, 1, MPI_INT, MPI_SUM, 0, comm);
        WRONG(MPI_ERR_BUFFER, gather, MPI_IN_PLACE, 1, MPI_INT, NULL, 0, NONE, 0, comm);
        WRONG(MPI_ERR_BUFFER, scatter, NULL, 0, NONE, root_in_place, 1, MPI_INT, 0, comm);
    }
}

static void test_arrays(struct arguments *a)
{
    int *s = a->send, *r = a->recv, *one = a->ones, *at = a->displs, *bytes = a->bytes;
    const MPI_Datatype *types = a->ints;
    MPI_Comm comm = a->comm;
    WRONG(MPI_ERR_ARG, alltoallw, s, one, bytes, types, r, one, bytes, NULL, comm);
    WRONG(MPI_ERR_ARG, alltoallw, s, one, NULL, types, r, one, bytes, types, comm);
    WRONG(MPI_ERR_ARG, allgatherv, s, 1, MPI_INT, r, NULL, at, MPI_INT, comm);
    WRONG(MPI_ERR_ARG, allgatherv, s, 1, MPI_INT, r, one, NULL, MPI_INT, comm);
    WRONG(MPI_ERR_ARG, reduce_scatter, s, r, NULL, MPI_INT, MPI_SUM, comm);
    WRONG(MPI_ERR_ARG, reduce_scatter, MPI_IN_PLACE, r, NULL, MPI_INT, MPI_SUM, comm);
    if (rank == 0) {
        WRONG(MPI_ERR_ARG, gatherv, s, 1, MPI_INT, r, NULL, at, MPI_INT, 0, comm);
        WRONG(MPI_ERR_ARG, scatterv, s, one, NULL, MPI_INT, r, 1, MPI_INT, 0, comm);
    }
}

static void test_communicator(struct arguments *a, MPI_Errhandler errhandler)
{
    struct strata_request *request = NULL;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler);
    WRONG(MPI_ERR_COMM, barrier, MPI_COMM_NULL);
    WRONG(MPI_ERR_COMM, ibarrier, MPI_COMM_NULL, &request);
    WRONG(MPI_ERR_COMM, bcast, a->send, 1, MPI_INT, 0, MPI_COMM_NULL);
    WRONG(MPI_ERR_COMM, allreduce, a->send, a->recv, 1, MPI_INT, MPI_SUM, MPI_COMM_NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* Empty blocks need no memory and, in alltoallw, no datatype. MPI's own call may look at it. */
static void test_empty(struct arguments *a)
{
    MPI_Comm comm = a->comm;
    succeed(strata_bcast(NULL, 0, MPI_INT, 0, comm));
    succeed(strata_allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, comm));
    succeed(strata_allgather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, comm));
    succeed(strata_comm_force(comm, "alltoallw", "linear"));
    succeed(strata_alltoallw(NULL, a->zeros, a->bytes, a->nulls, NULL, a->zeros, a->bytes, a->nulls,
                             comm));
    succeed(strata_comm_force(comm, "alltoallw", NULL));
    REQUIRE_CMP(handled, ==, 0);
}

/* Rank 0 receives nothing in an exscan. MPI's own call may look at its buffer. */
static void test_exscan(struct arguments *a)
{
    int mine = rank, sum = -1;
    const bool nowhere = rank == 0 && !getenv("STRATA_SHADOW");
    if (ranks < 2) {
        return;
    }
    succeed(strata_comm_force(a->comm, "exscan", "doubling_scan"));
    succeed(strata_exscan(&mine, nowhere ? NULL : &sum, 1, MPI_INT, MPI_SUM, a->comm));
    REQUIRE_CMP(sum, ==, rank == 0 ? -1 : rank * (rank - 1) / 2);
    succeed(strata_comm_force(a->comm, "exscan", NULL));
    REQUIRE_CMP(handled, ==, 0);
}

/* One buffer for both sides, which not all ranks can see to be wrong, is as MPI_IN_PLACE. All ranks
 * have it, or rank 0 alone, where it is right in an exscan. */
static void test_exscan_in_one_buffer(struct arguments *a, const char *algorithm, bool all)
{
    static int send[LARGE], recv[LARGE];
    int *to = all || rank == 0 ? send : recv;
    succeed(strata_comm_force(a->comm, "exscan", algorithm));
    for (int i = 0; i < LARGE; i++) {
        send[i] = rank + i;
    }
    succeed(strata_exscan(send, to, LARGE, MPI_INT, MPI_SUM, a->comm));
    for (int i = 0; i < LARGE; i++) {
        REQUIRE_CMP(to[i], ==, rank == 0 ? i : rank * (rank - 1) / 2 + rank * i);
    }
    succeed(strata_comm_force(a->comm, "exscan", NULL));
}

static void force(MPI_Comm comm, const char *collective, bool ours)
{
    const char *first = strata_algorithm_at(collective, 0);
    succeed(strata_comm_force(comm, collective, ours ? first : "native"));
}

/* The same where blocks have sizes of their own, and some ranks have none. */
static void test_blocks_in_one_buffer(struct arguments *a, bool ours)
{
    int *b = a->recv, counts[ROOM];
    for (int i = 0; i < ranks; i++) {
        counts[i] = i % 2;
        b[i] = 10 * rank;
    }
    force(a->comm, "allgatherv", ours);
    succeed(
        strata_allgatherv(b + rank, counts[rank], MPI_INT, b, counts, a->displs, MPI_INT, a->comm));
    for (int i = 0; i < ranks; i++) {
        REQUIRE_CMP(b[i], ==, 10 * (counts[i] ? i : rank));
        counts[i] = (rank + i + 1) % 3 > 0;
        b[i] = 100 * rank + i;
    }
    force(a->comm, "alltoallv", ours);
    succeed(
        strata_alltoallv(b, counts, a->displs, MPI_INT, b, counts, a->displs, MPI_INT, a->comm));
    force(a->comm, "alltoallw", ours);
    succeed(
        strata_alltoallw(b, a->ones, a->bytes, a->ints, b, a->ones, a->bytes, a->ints, a->comm));
    for (int i = 0; i < ranks; i++) {
        REQUIRE_CMP(b[i], ==, counts[i] ? 100 * rank + i : 100 * i + rank); /* there and back */
        counts[i] = i % 2;
        b[i] = rank + i;
    }
    force(a->comm, "reduce_scatter", ours);
    succeed(strata_reduce_scatter(b, b, counts, MPI_INT, MPI_SUM, a->comm));
    REQUIRE(!counts[rank] || b[0] == ranks * (ranks - 1) / 2 + ranks * (rank / 2));
}

/* The same where only the root has both sides. */
static void test_root_in_one_buffer(struct arguments *a, bool ours)
{
    int *b = a->recv, root = ranks - 1;
    b[rank] = 10 * rank;
    force(a->comm, "gather", ours);
    succeed(strata_gather(b + rank, 1, MPI_INT, b, 1, MPI_INT, root, a->comm));
    for (int i = 0; i < ranks; i++) {
        REQUIRE(rank != root || b[i] == 10 * i);
        b[i] = rank == root ? 7 * i : -1;
    }
    force(a->comm, "scatter", ours);
    succeed(strata_scatter(b, 1, MPI_INT, b + rank, 1, MPI_INT, root, a->comm));
    REQUIRE_CMP(b[rank], ==, 7 * rank);
    force(a->comm, "reduce", ours);
    succeed(strata_reduce(b + rank, b + rank, 1, MPI_INT, MPI_SUM, root, a->comm));
    REQUIRE_CMP(b[rank], ==, 7 * (rank == root ? ranks * (ranks - 1) / 2 : rank));
}

/* The arguments of an exchange of blocks of `each` ints. */
struct exchange {
    int counts[ROOM], displs[ROOM], bytes[ROOM];
    const MPI_Datatype *types;
    const int *from;
    int *into;
};

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };

static struct strata_request *begin_exchange(const struct exchange *x, bool typed, enum form form,
                                             MPI_Comm comm)
{
    struct strata_request *r = NULL;
    const int *n = x->counts, *at = x->displs, *b = x->bytes;
    const MPI_Datatype *t = x->types;
    const MPI_Info info = MPI_INFO_NULL;
    if (form == BLOCKING) {
        succeed(typed ? strata_alltoallw(x->from, n, b, t, x->into, n, b, t, comm)
                      : strata_alltoallv(x->from, n, at, *t, x->into, n, at, *t, comm));
    } else if (form == NONBLOCKING) {
        succeed(typed ? strata_ialltoallw(x->from, n, b, t, x->into, n, b, t, comm, &r)
                      : strata_ialltoallv(x->from, n, at, *t, x->into, n, at, *t, comm, &r));
    } else {
        succeed(
            typed ? strata_alltoallw_init(x->from, n, b, t, x->into, n, b, t, comm, info, &r)
                  : strata_alltoallv_init(x->from, n, at, *t, x->into, n, at, *t, comm, info, &r));
    }
    return r;
}

static void check_exchange(struct exchange *x, int *send, int each, bool typed, enum form form,
                           MPI_Comm comm)
{
    struct strata_request *request = NULL;
    for (int start = 0; start < (form == PERSISTENT ? 2 : 1); start++) {
        for (int i = 0; i < ranks * each; i++) {
            send[i] = x->into[i] = rank * LARGE + i + start;
        }
        request = start > 0 ? request : begin_exchange(x, typed, form, comm);
        if (form == PERSISTENT) {
            succeed(strata_start(&request));
        }
        if (form != BLOCKING) {
            succeed(strata_wait(&request, MPI_STATUS_IGNORE));
        }
        for (int i = 0; i < ranks * each; i++) {
            REQUIRE_CMP(x->into[i], ==, i / each * LARGE + rank * each + i % each + start);
        }
    }
    if (form == PERSISTENT) {
        succeed(strata_request_free(&request));
    }
}

/* The same where one rank alone has one buffer, in an exchange. Its ranks meet, and get all blocks.
 * The blocks are shorter, then longer than what MPI sends ahead. */
static void test_alone_in_one_buffer(struct arguments *a, bool ours, enum form last)
{
    static int send[LARGE], recv[LARGE];
    struct exchange x = {.types = a->ints, .from = rank == ranks / 2 ? recv : send, .into = recv};
    force(a->comm, "alltoallv", ours);
    force(a->comm, "alltoallw", ours);
    for (int each = 5; each <= LARGE / 4; each *= 1000) {
        for (int i = 0; i < ranks; i++) {
            x.counts[i] = each;
            x.displs[i] = i * each;
            x.bytes[i] = x.displs[i] * (int)sizeof(int);
        }
        for (int form = BLOCKING; form <= (int)last; form++) {
            check_exchange(&x, send, each, false, form, a->comm);
            check_exchange(&x, send, each, true, form, a->comm);
        }
    }
}

static void test_one_buffer(struct arguments *a)
{
    struct strata_request *request;
    static const char *const forced[] = {"allgatherv", "alltoallv", "alltoallw", "reduce_scatter",
                                         "gather",     "scatter",   "reduce"};
    for (int i = 0; i < 4; i++) {
        test_exscan_in_one_buffer(a, i % 2 ? "native" : "doubling_scan", i < 2);
    }
    for (int ours = 0; ours < 2; ours++) {
        test_blocks_in_one_buffer(a, ours);
        test_root_in_one_buffer(a, ours);
        test_alone_in_one_buffer(a, ours, BLOCKING);
    }
    succeed(strata_ibarrier(a->comm, &request));
    succeed(strata_wait(&request, MPI_STATUS_IGNORE));
    for (int ours = 0; ours < 2; ours++) { /* MPI's own moves requests from now on */
        test_alone_in_one_buffer(a, ours, PERSISTENT);
    }
    for (size_t i = 0; i < sizeof forced / sizeof *forced; i++) {
        succeed(strata_comm_force(a->comm, forced[i], NULL));
    }
    REQUIRE_CMP(handled, ==, 0);
}

/* A type of ints one after another from this address on. */
static MPI_Datatype ints_at(const int *place)
{
    MPI_Datatype at, ints;
    MPI_Aint address;
    int one = 1;
    MPI_Get_address(place, &address);
    MPI_Type_create_hindexed(1, &one, &address, MPI_INT, &at);
    MPI_Type_create_resized(at, 0, sizeof(int), &ints);
    MPI_Type_commit(&ints);
    MPI_Type_free(&at);
    return ints;
}

/* Buffers that only their datatypes describe: one buffer for both sides is found on all ranks. */
static void test_bottom(struct arguments *a)
{
    MPI_Datatype send = ints_at(a->send), recv = ints_at(a->recv);
    WRONG(MPI_ERR_BUFFER, alltoall, MPI_BOTTOM, 1, send, MPI_BOTTOM, 1, send, a->comm);
    WRONG(MPI_ERR_BUFFER, allgather, MPI_BOTTOM, 1, send, MPI_BOTTOM, 1, send, a->comm);
    for (int i = 0; i < ranks; i++) {
        a->send[i] = 10 * rank + i;
    }
    succeed(strata_alltoall(MPI_BOTTOM, 1, send, MPI_BOTTOM, 1, recv, a->comm));
    for (int i = 0; i < ranks; i++) {
        REQUIRE_CMP(a->recv[i], ==, 10 * i + rank);
    }
    MPI_Type_free(&send);
    MPI_Type_free(&recv);
}

static void test_working(struct arguments *a)
{
    int mine = rank, sum = -1, root = rank == 0 ? 7 : -1;
    succeed(strata_allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, a->comm));
    REQUIRE_CMP(sum, ==, ranks * (ranks - 1) / 2);
    succeed(strata_bcast(&root, 1, MPI_INT, 0, a->comm));
    REQUIRE_CMP(root, ==, 7);
    succeed(strata_barrier(a->comm));
    REQUIRE_CMP(handled, ==, 0);
}

/* Half of the ranks on each side: MPI's own call, with its own meaning of a root. */
static void test_intercommunicator(void)
{
    MPI_Comm half, inter;
    if (ranks < 2) {
        return;
    }
    int side = rank < ranks / 2 ? 0 : 1, value = rank, sum = -1;
    MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, side ? 0 : ranks / 2, 9, &inter);
    int root = side ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, got = rank == 0 ? 99 : -1;
    succeed(strata_bcast(&got, 1, MPI_INT, root, inter));
    REQUIRE_CMP(got, ==, side || rank == 0 ? 99 : -1);
    succeed(strata_allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, inter));
    int low = ranks / 2, all = ranks * (ranks - 1) / 2, lower = low * (low - 1) / 2;
    REQUIRE_CMP(sum, ==, side ? lower : all - lower);
    succeed(strata_barrier(inter));
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

/* Only rank 0 needs a file, and the others join in gathering. */
static void test_describe(MPI_Comm comm)
{
    if (rank == 0) {
        WRONG(MPI_ERR_ARG, comm_describe, comm, NULL);
    } else {
        succeed(strata_comm_describe(comm, NULL));
    }
}

int main(int argc, char **argv)
{
    static struct arguments a;
    MPI_Errhandler errhandler;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(handler, &errhandler);
    MPI_Comm_set_errhandler(comm, errhandler);
    hidden = PMPI_Bcast(&rank, 1, MPI_INT, -1, comm) == MPI_SUCCESS;
    handled = 0;
    init(&a, comm);
    for (int attached = 0; attached < 2; attached++) {
        test_roots(&a);
        test_large_counts(&a);
        test_counts(&a);
        test_types(&a);
        test_operators(&a);
        test_buffers(&a);
        test_arrays(&a);
        test_communicator(&a, errhandler);
        test_working(&a); /* and attaches it */
        test_empty(&a);
        test_exscan(&a);
        test_one_buffer(&a);
        test_bottom(&a);
    }
    test_describe(comm);
    test_intercommunicator();
    MPI_Type_free(&a.raw);
    MPI_Errhandler_free(&errhandler);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
