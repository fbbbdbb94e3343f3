/* Large counts and displacements, by every algorithm. Blocks are more than 2^31 elements apart, in
 * memory of which only the used part exists. Elements without bytes are more than an int counts.
 * Wrong counts, intercommunicators, and calls of both forms in turn follow. The long form
 * (tests/mpi/huge_calls.c) has that much data in blocks and vectors.
 *
 * run: 2
 * run: 3 STRATA_TOPO=node:2
 * long: 2 -- --long
 * timeout: 900
 */
#define _GNU_SOURCE /* MAP_NORESERVE */
#include <string.h>
#include <sys/mman.h>

#include "core/plan/collective.h"
#include "include/strata.h"
#include "tests/mpi/huge_calls.h"
#include "tests/mpi/numbers.h"
#include "tests/mpi/require.h"
#include "tests/mpis.h"

enum { MOST_RANKS = 3, ELEMENTS = 5 };
#define APART    ((MPI_Aint)1 << 32) /* elements between blocks */
#define COUNTED  ((MPI_Count)1 << 33)
#define DISTANCE ((MPI_Count)MOST_RANKS * APART * (MPI_Count)sizeof(short))

static int rank, ranks;

static short *map(void)
{
    short *memory = mmap(NULL, (size_t)DISTANCE, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    REQUIRE_CMP(memory, !=, MAP_FAILED);
    return memory;
}

enum { BLOCK = ELEMENTS * sizeof(short) };

static bool holds(const short *block, int from, int to)
{
    return wrong_byte(block, BLOCK, 0, from, to) == BLOCK && block[ELEMENTS] == 0;
}

/* The arguments of both sides; alltoallw's displacements are in bytes. */
struct far {
    MPI_Count counts[MOST_RANKS];
    MPI_Aint at[MOST_RANKS], bytes_at[MOST_RANKS];
    MPI_Datatype types[MOST_RANKS];
    short *from, *to;
};

static int call(enum strata_collective collective, const struct far *f, bool in_place,
                MPI_Comm comm)
{
    const void *sent = in_place ? MPI_IN_PLACE : (const void *)f->from;
    const MPI_Datatype t = MPI_SHORT;
    switch (collective) {
    case STRATA_ALLTOALLV:
        return strata_alltoallv_c(sent, f->counts, f->at, t, f->to, f->counts, f->at, t, comm);
    case STRATA_ALLTOALLW:
        return strata_alltoallw_c(sent, f->counts, f->bytes_at, f->types, f->to, f->counts,
                                  f->bytes_at, f->types, comm);
    case STRATA_ALLGATHERV:
        return strata_allgatherv_c(sent, ELEMENTS, t, f->to, f->counts, f->at, t, comm);
    case STRATA_GATHERV:
        return strata_gatherv_c(rank == 0 ? sent : f->from, ELEMENTS, t, f->to, f->counts, f->at, t,
                                0, comm);
    default:
        return strata_scatterv_c(f->from, f->counts, f->at, t,
                                 rank == 0 && in_place ? MPI_IN_PLACE : f->to, ELEMENTS, t, 0,
                                 comm);
    }
}

/* Sets the memory before the call, and the expected memory after it. Other blocks are empty. */
static void prepare(enum strata_collective collective, struct far *f, bool in_place)
{
    bool pairs = strata_collective_transposes(collective);
    bool scatters = collective == STRATA_SCATTERV;
    for (int i = 0; i < ranks; i++) {
        if (in_place && !scatters) {
            fill_bytes(f->to + f->at[i], BLOCK, 0, pairs || i == rank ? rank : 9, pairs ? i : 0);
        }
        if (pairs || scatters) {
            fill_bytes(f->from + f->at[i], BLOCK, 0, rank, i);
        }
    }
    if (!pairs && !scatters) {
        fill_bytes(f->from, BLOCK, 0, rank, 0);
    }
}

static bool right(enum strata_collective collective, const struct far *f, bool in_place)
{
    bool pairs = strata_collective_transposes(collective), all = true;
    if (collective == STRATA_SCATTERV) {
        return (in_place && rank == 0) || holds(f->to, 0, rank);
    }
    for (int i = 0; i < ranks && (rank == 0 || collective != STRATA_GATHERV); i++) {
        all = all && holds(f->to + f->at[i], i, pairs ? rank : 0);
    }
    return all;
}

static void try_far(enum strata_collective collective, bool in_place, MPI_Comm comm)
{
    struct far f = {.from = map(), .to = map()};
    for (int i = 0; i < ranks; i++) {
        f.counts[i] = ELEMENTS;
        f.at[i] = (ranks - 1 - i) * APART;
        f.bytes_at[i] = f.at[i] * (MPI_Aint)sizeof(short);
        f.types[i] = MPI_SHORT;
    }
    prepare(collective, &f, in_place);
    succeed(call(collective, &f, in_place, comm));
    REQUIRE(right(collective, &f, in_place));
    munmap(f.from, (size_t)DISTANCE);
    munmap(f.to, (size_t)DISTANCE);
}

/* Every algorithm three times, because the third call is by tape; then the selected algorithm. */
static void far_apart(MPI_Comm comm)
{
    static const enum strata_collective varying[] = {
        STRATA_ALLTOALLV, STRATA_ALLTOALLW, STRATA_ALLGATHERV, STRATA_GATHERV, STRATA_SCATTERV};
    for (size_t v = 0; v < sizeof varying / sizeof *varying; v++) {
        const char *name = strata_collective_name(varying[v]), *algorithm = "auto";
        for (int i = 0; algorithm; algorithm = strata_algorithm_at(name, i++)) {
            succeed(strata_comm_force(comm, name, algorithm));
            for (int again = 0; again < 4; again++) {
                try_far(varying[v], again == 3, comm);
            }
        }
    }
}

/* More elements without bytes than an int counts. */
static void many_of_nothing(MPI_Comm comm)
{
    static const char *const collectives[] = {"alltoall", "allgather", "bcast", "gather",
                                              "scatter"};
    MPI_Datatype none;
    int in = 3, out = 4;
    MPI_Type_contiguous(0, MPI_INT, &none);
    MPI_Type_commit(&none);
    for (int native = 0; native < 2; native++) {
        for (int i = 0; i < 5; i++) {
            succeed(strata_comm_force(comm, collectives[i], native ? "native" : "auto"));
        }
        succeed(strata_alltoall_c(&in, COUNTED, none, &out, COUNTED, none, comm));
        succeed(strata_allgather_c(&in, COUNTED, none, &out, COUNTED, none, comm));
        if (is_open_mpi() != 6) {
            succeed(strata_bcast_c(&in, COUNTED, none, 1, comm));
        } else if (native && rank == 0) {
            puts("left out: a bcast, in which Open MPI 6.0.0rc2 itself divides by zero");
        }
        succeed(strata_gather_c(&in, COUNTED, none, &out, COUNTED, none, 1, comm));
        succeed(strata_scatter_c(&in, COUNTED, none, &out, COUNTED, none, 1, comm));
    }
    REQUIRE_CMP(in, ==, 3);
    REQUIRE_CMP(out, ==, 4);
    MPI_Type_free(&none);
}

#if MPI_VERSION < 4
static int raised;

static void count_error(MPI_Comm *comm, int *error, ...)
{
    (void)comm;
    (void)error;
    raised++;
}

/* More elements than MPI's datatypes can describe: the communicator's handler is called. */
static void beyond_types(MPI_Comm comm)
{
    const MPI_Count beyond[MOST_RANKS] = {COUNTED << 20, COUNTED << 20, COUNTED << 20};
    const MPI_Aint at[MOST_RANKS] = {0};
    MPI_Errhandler handler;
    short in[4], out[4];
    MPI_Comm_create_errhandler(count_error, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    succeed(strata_comm_force(comm, "bcast", "native"));
    succeed(strata_comm_force(comm, "alltoallv", "native"));
    REQUIRE_CMP(strata_bcast_c(in, beyond[0], MPI_SHORT, 0, comm), ==, MPI_ERR_COUNT);
    REQUIRE_CMP(raised, ==, 1);
    REQUIRE_CMP(strata_alltoallv_c(in, beyond, at, MPI_SHORT, out, beyond, at, MPI_SHORT, comm), ==,
                MPI_ERR_COUNT);
    REQUIRE_CMP(raised, ==, 2);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
}
#endif

/* Counts that are wrong on all ranks are an error on all, and the next call works. */
static void wrong_counts(MPI_Comm comm)
{
    const MPI_Count half = (MPI_Count)1 << 62, beyond[MOST_RANKS] = {half, half, half};
    const MPI_Aint at[MOST_RANKS] = {0};
    short in[4] = {1, 2, 3, 4}, out[4 * MOST_RANKS];
    int class = MPI_SUCCESS;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Error_class(strata_bcast_c(in, -COUNTED, MPI_SHORT, 0, comm), &class);
    REQUIRE_CMP(class, ==, MPI_ERR_COUNT);
    MPI_Error_class(strata_alltoallv_c(in, beyond, at, MPI_SHORT, out, beyond, at, MPI_SHORT, comm),
                    &class);
    REQUIRE_CMP(class, ==, MPI_ERR_COUNT);
    MPI_Error_class(strata_allgather_c(in, half, MPI_SHORT, out, half, MPI_SHORT, comm), &class);
    REQUIRE_CMP(class, ==, MPI_ERR_COUNT);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
    succeed(strata_allgather_c(in, 4, MPI_SHORT, out, 4, MPI_SHORT, comm));
    REQUIRE_BYTES(out + 4 * (ranks - 1), in, sizeof in);
}

/* One rank against all others, which gather from it and reduce with it. */
static void between_groups(void)
{
    MPI_Comm group, inter;
    int others, mine[2] = {rank + 1, 10 * rank + 1}, got[2 * MOST_RANKS] = {0};
    const MPI_Count two[MOST_RANKS] = {2, 2, 2}, one[MOST_RANKS] = {1, 1, 1};
    const MPI_Aint at[MOST_RANKS] = {0, 2, 4};
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 7, &inter);
    MPI_Comm_remote_size(inter, &others);
    succeed(strata_allgatherv_c(mine, 2, MPI_INT, got, two, at, MPI_INT, inter));
    for (int i = 0; i < others; i++) {
        int from = rank == 0 ? i + 1 : 0;
        REQUIRE_CMP(got[2 * i], ==, from + 1);
        REQUIRE_CMP(got[2 * i + 1], ==, 10 * from + 1);
    }
    memset(got, 0, sizeof got);
    succeed(
        strata_gatherv_c(mine, 2, MPI_INT, got, two, at, MPI_INT, rank == 0 ? MPI_ROOT : 0, inter));
    REQUIRE(rank > 0 || got[2 * others - 1] == 10 * (ranks - 1) + 1);
    const int dealt[2 * MOST_RANKS] = {70, 0, 71, 0, 72, 0};
    succeed(strata_scatterv_c(dealt, one, at, MPI_INT, got, 1, MPI_INT, rank == 0 ? MPI_ROOT : 0,
                              inter));
    REQUIRE(rank == 0 || got[0] == 70 + rank - 1);
    succeed(strata_allreduce_c(mine, got, 2, MPI_INT, MPI_MAX, inter));
    REQUIRE_CMP(got[0], ==, rank == 0 ? ranks : 1);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&group);
}

/* Calls of both forms with the same numbers; the wider numbers then change. */
static void in_turn(MPI_Comm comm)
{
    MPI_Count wide[MOST_RANKS];
    MPI_Aint wide_at[MOST_RANKS];
    int narrow[MOST_RANKS], at[MOST_RANKS], in[2 * MOST_RANKS], out[2 * MOST_RANKS];
    for (int i = 0; i < 24; i++) {
        for (int other = 0; other < ranks; other++) {
            narrow[other] = i / 8 < 2 ? 1 : 2;
            at[other] = 2 * (i < 8 ? other : ranks - 1 - other);
            wide[other] = narrow[other];
            wide_at[other] = at[other];
            in[at[other]] = in[at[other] + 1] = 100 * i + 10 * rank + other;
        }
        REQUIRE(!(i % 4 == 3
                      ? strata_alltoallv(in, narrow, at, MPI_INT, out, narrow, at, MPI_INT, comm)
                      : strata_alltoallv_c(in, wide, wide_at, MPI_INT, out, wide, wide_at, MPI_INT,
                                           comm)));
        for (int other = 0; other < ranks; other++) {
            REQUIRE_CMP(out[at[other] + narrow[other] - 1], ==, 100 * i + 10 * other + rank);
        }
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 1 && strcmp(argv[1], "--long") == 0) {
        huge_calls(MPI_COMM_WORLD);
    } else {
        far_apart(MPI_COMM_WORLD);
        many_of_nothing(MPI_COMM_WORLD);
        wrong_counts(MPI_COMM_WORLD);
#if MPI_VERSION < 4
        beyond_types(MPI_COMM_WORLD);
#endif
        between_groups();
        in_turn(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
