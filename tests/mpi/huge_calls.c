#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "tests/mpi/huge_calls.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "include/strata.h"
#include "tests/mpi/require.h"
#include "tests/mpis.h"

#define HUGE   (((MPI_Count)1 << 31) + 32) /* bytes; two times a whole number of words */
#define WORDS  (HUGE / 8)
#define HALF   (WORDS / 2) /* words of a rank's block of them */
#define FLOATS (1 << 28)

static int rank;

static void *map(MPI_Count bytes)
{
    void *memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    REQUIRE_CMP(memory, !=, MAP_FAILED);
    madvise(memory, (size_t)bytes, MADV_HUGEPAGE); /* huge pages are faster */
    return memory;
}

static uint64_t word(MPI_Count i, int from)
{
    return (uint64_t)(i + 1) * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)from;
}

static void fill(uint64_t *words, MPI_Count n, int from)
{
    for (MPI_Count i = 0; i < n; i++) {
        words[i] = word(i, from);
    }
}

static bool holds(const uint64_t *words, MPI_Count n, int from)
{
    MPI_Count i = 0;
    while (i < n && words[i] == word(i, from)) {
        i++;
    }
    return i == n;
}

/* Whether both ranks' vectors are combined from word `first` on, byte by byte. */
static bool combined(const uint64_t *words, MPI_Count first, MPI_Count n)
{
    MPI_Count i = 0;
    while (i < n && words[i] == (word(first + i, 0) ^ word(first + i, 1))) {
        i++;
    }
    return i == n;
}

static void combine(void *from, void *into, int *count, MPI_Datatype *type)
{
    const unsigned char *left = from;
    unsigned char *right = into;
    (void)type;
    REQUIRE_CMP(*count, >, 0);
    for (int i = 0; i < *count; i++) {
        right[i] ^= left[i];
    }
}

static void bcast(MPI_Comm comm)
{
    uint64_t *all = map(HUGE);
    if (rank == 1) {
        fill(all, WORDS, 1);
    }
    succeed(strata_bcast_c(all, HUGE, MPI_BYTE, 1, comm));
    REQUIRE(holds(all, WORDS, 1));
    munmap(all, (size_t)HUGE);
}

static void allreduce_floats(MPI_Comm comm)
{
    float *all = map(FLOATS * (MPI_Count)sizeof(float));
    for (int i = 0; i < FLOATS; i++) {
        all[i] = (float)(i % 1024 + rank);
    }
    succeed(strata_allreduce(MPI_IN_PLACE, all, FLOATS, MPI_FLOAT, MPI_SUM, comm));
    for (int i = 0; i < FLOATS; i++) {
        REQUIRE_CMP(all[i], ==, (float)(2 * (i % 1024) + 1));
    }
    munmap(all, FLOATS * sizeof(float));
}

static void allreduce_with(MPI_Op op, MPI_Comm comm)
{
    uint64_t *all = map(HUGE);
    fill(all, WORDS, rank);
    succeed(strata_allreduce_c(MPI_IN_PLACE, all, HUGE, MPI_BYTE, op, comm));
    REQUIRE(combined(all, 0, WORDS));
    munmap(all, (size_t)HUGE);
}

static void allreduce(MPI_Comm comm)
{
    allreduce_with(MPI_BXOR, comm);
}

static void allreduce_own(MPI_Comm comm)
{
    MPI_Op op;
    MPI_Op_create(combine, 1, &op);
    allreduce_with(op, comm);
    MPI_Op_free(&op);
}

/* The parts of a vector are together more than an int counts. */
static void scatter_from(MPI_Count second, MPI_Comm comm)
{
    const MPI_Count counts[2] = {8 * second, HUGE - 8 * second};
    uint64_t *all = map(HUGE);
    fill(all, WORDS, rank);
    succeed(strata_reduce_scatter_c(MPI_IN_PLACE, all, counts, MPI_BYTE, MPI_BXOR, comm));
    REQUIRE(combined(all, rank == 0 ? 0 : second, counts[rank] / 8));
    munmap(all, (size_t)HUGE);
}

/* The second part is longer, so it overlaps with its destination. */
static void reduce_scatter(MPI_Comm comm)
{
    scatter_from(HALF - 7, comm);
}

/* MPICH 4.0 ends the program where such a part overlaps, in vectors of 512 KiB and more. So the
 * first part is longer here. */
static void reduce_scatter_native(MPI_Comm comm)
{
    if (!is_mpich()) {
        reduce_scatter(comm);
        return;
    }
    scatter_from(HALF + 7, comm);
    if (rank == 0) {
        printf("the next one with a second part that is shorter: MPICH cannot take a longer one in "
               "place\n");
    }
}

/* Ints hold each count, but not the sum of the counts. */
static void allgather(MPI_Comm comm)
{
    uint64_t *all = map(HUGE);
    fill(all + (rank ? HALF : 0), HALF, rank);
    succeed(strata_allgather(MPI_IN_PLACE, 0, MPI_BYTE, all, (int)(HUGE / 2), MPI_BYTE, comm));
    REQUIRE(holds(all, HALF, 0));
    REQUIRE(holds(all + HALF, HALF, 1));
    munmap(all, (size_t)HUGE);
}

static void scatterv(MPI_Comm comm)
{
    const MPI_Count counts[2] = {0, HUGE};
    const MPI_Aint displs[2] = {0, HUGE};
    uint64_t *all = map(2 * HUGE), *mine = all;
    if (rank == 0) {
        fill(all + WORDS, WORDS, 0);
    }
    REQUIRE(
        !strata_scatterv_c(all, counts, displs, MPI_BYTE, mine, counts[rank], MPI_BYTE, 0, comm));
    REQUIRE(rank == 0 || holds(mine, WORDS, 0));
    munmap(all, 2 * (size_t)HUGE);
}

/* One block has more bytes than an int counts, the others are small. All are more than 2^31
 * elements apart. */
static void alltoallv(MPI_Comm comm)
{
    const MPI_Count few = 3, sent[2] = {few, rank == 0 ? WORDS : few};
    const MPI_Count taken[2] = {rank == 1 ? WORDS : few, few};
    const MPI_Aint at[2] = {0, ((MPI_Aint)1 << 31) + 3};
    const MPI_Count distance = 8 * (at[1] + WORDS);
    uint64_t *from = map(distance), *to = map(distance);
    fill(from + at[0], sent[0], 2 * rank);
    fill(from + at[1], sent[1], 2 * rank + 1);
    succeed(strata_alltoallv_c(from, sent, at, MPI_UINT64_T, to, taken, at, MPI_UINT64_T, comm));
    REQUIRE(holds(to + at[0], taken[0], rank));
    REQUIRE(holds(to + at[1], taken[1], 2 + rank));
    munmap(from, (size_t)distance);
    munmap(to, (size_t)distance);
}

/* One result for both ranks, longer than an int counts. */
static void bcast_shared(MPI_Comm comm)
{
    uint64_t *mine = rank == 1 ? map(HUGE) : NULL;
    const void *all = NULL;
    if (rank == 1) {
        fill(mine, WORDS, 1);
    }
    succeed(strata_bcast_shared_c(mine, HUGE, MPI_BYTE, &all, 1, comm));
    REQUIRE(holds(all, WORDS, 1));
    succeed(strata_shared_release(all));
    if (rank == 1) {
        munmap(mine, (size_t)HUGE);
    }
}

static void allgather_shared(MPI_Comm comm)
{
    uint64_t *mine = map(8 * HALF);
    const void *all = NULL;
    fill(mine, HALF, rank);
    succeed(strata_allgather_shared_c(mine, HALF, MPI_UINT64_T, &all, HALF, MPI_UINT64_T, comm));
    REQUIRE(holds(all, HALF, 0));
    REQUIRE(holds((const uint64_t *)all + HALF, HALF, 1));
    succeed(strata_shared_release(all));
    munmap(mine, (size_t)(8 * HALF));
}

static const struct {
    const char *collective, *algorithm, *what;
    void (*call)(MPI_Comm);
} calls[] = {
    {"bcast", "node_bcast", "2^31 + 32 bytes", bcast},
    {"bcast", "binomial", "as many", bcast},
    {"bcast", "native", "as many", bcast},
    {"allreduce", "node_allreduce", "2^28 floats", allreduce_floats},
    {"allreduce", "single_copy", "2^31 + 32 bytes", allreduce},
    {"allreduce", "rabenseifner", "as many, by a program's own operator", allreduce_own},
    {"allreduce", "native", "as many", allreduce},
    {"reduce_scatter", "recursive_halving", "as many together", reduce_scatter},
    {"reduce_scatter", "native", "as many together", reduce_scatter_native},
    {"allgather", "ring", "as many together, by int counts", allgather},
    {"scatterv", "binomial", "a block of as many", scatterv},
    {"alltoallv", "leaders", "a block of as many, 2^31 + 3 elements apart", alltoallv},
    {"alltoallv", "native", "likewise", alltoallv},
    {"bcast", "node_bcast_once", "2^31 + 32 bytes, once in the node", bcast_shared},
    {"allgather", "node_allgather_once", "as many together, likewise", allgather_shared},
};

static void try_call(size_t i, MPI_Comm comm)
{
    struct strata_report report = {.size = sizeof report};
    double begin = MPI_Wtime();
    succeed(strata_comm_force(comm, calls[i].collective, calls[i].algorithm));
    calls[i].call(comm);
    succeed(strata_comm_report(comm, &report));
    if (strncmp(report.algorithm, calls[i].algorithm, strlen(calls[i].algorithm)) != 0) {
        fprintf(stderr, "%s of %s by %s: %s\n", calls[i].collective, calls[i].what,
                report.algorithm, report.why);
        MPI_Abort(comm, 1);
    }
    if (rank == 0) {
        printf("%s of %s by %s: right, %.1f s\n", calls[i].collective, calls[i].what,
               report.algorithm, MPI_Wtime() - begin);
        fflush(stdout);
    }
}

void huge_calls(MPI_Comm comm)
{
    MPI_Comm_rank(comm, &rank);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        try_call(i, comm);
    }
}
