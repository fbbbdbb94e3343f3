/* Collectives that list the lengths of blocks, recorded: what the recorder's file says of each call
 * must be what its lists say.
 *   lengths PATTERN CALLS     `even`, `hot`, `few` or `long`; STRATA_RECORD a folder or keep:FOLDER
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/strata.h"
#include "tests/preload/own_record.h"

enum { RANKS = 16, LONGEST = 1024, ROOM = RANKS * LONGEST * sizeof(double) };

static const struct strata_record *record;
static int rank, ranks, wrong;
static char sent[ROOM], received[ROOM];
static const char *pattern = "even";

/* Elements of the block from one rank to another. */
static int length(int from, int to)
{
    if (strcmp(pattern, "hot") == 0) {
        return to == ranks / 2 ? LONGEST : LONGEST / 32;
    }
    if (strcmp(pattern, "few") == 0) {
        return to == (from + 1) % ranks ? LONGEST : 0;
    }
    if (strcmp(pattern, "long") == 0) {
        return from == 0 && to == ranks - 1 ? LONGEST : 1;
    }
    return 25;
}

/* Both sides of a rank; of alltoallw an odd rank receives longer elements. */
struct side {
    int count[RANKS], place[RANKS], byte_place[RANKS];
    MPI_Datatype type[RANKS];
    uint64_t bytes; /* of all, as they are in alltoallw */
    uint64_t sum;   /* of all, in elements */
};
static struct side out, in;

static void fill(struct side *s, bool sends)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < ranks; i++) {
        const bool wide = (sends ? i : rank) % 2;
        s->count[i] = sends ? length(rank, i) : length(i, rank);
        s->type[i] = wide ? MPI_DOUBLE : MPI_INT;
        s->place[i] = i * LONGEST;
        s->byte_place[i] = i * LONGEST * (int)sizeof(double);
        s->bytes += (uint64_t)s->count[i] * (wide ? sizeof(double) : sizeof(int));
        s->sum += (uint64_t)s->count[i];
    }
}

/* The last call must be of this kind, and its blocks of so many bytes together. */
static void expect(const char *call, int kind, uint64_t bytes)
{
    const struct strata_record_entry *e =
        &record->entry[(record->next - 1) % STRATA_RECORD_ENTRIES];
    const int kind_here = (int)(e->what >> 16 & 0xff);
    if (kind_here != kind || e->count != bytes / (uint64_t)ranks) {
        printf("rank %d, %s: kind %d of %llu B in the mean, but expected kind %d of %llu B\n", rank,
               call, kind_here, (unsigned long long)e->count, kind,
               (unsigned long long)bytes / (unsigned)ranks);
        wrong++;
    }
}

static void exchange(void)
{
    MPI_Datatype pair;
    const MPI_Comm world = MPI_COMM_WORLD;
    MPI_Alltoallv(sent, out.count, out.place, MPI_DOUBLE, received, in.count, in.place, MPI_DOUBLE,
                  world);
    expect("MPI_Alltoallv", STRATA_ALLTOALLV, sizeof(double) * out.sum);
    strata_alltoallv(sent, out.count, out.place, MPI_INT, received, in.count, in.place, MPI_INT,
                     world);
    expect("strata_alltoallv", STRATA_ALLTOALLV, sizeof(int) * out.sum);
    MPI_Type_contiguous(2, MPI_SHORT, &pair);
    MPI_Type_commit(&pair);
    MPI_Alltoallv(sent, out.count, out.place, pair, received, in.count, in.place, MPI_INT, world);
    expect("MPI_Alltoallv of a type of the program's", STRATA_ALLTOALLV, sizeof(int) * out.sum);
    MPI_Type_free(&pair);
    MPI_Alltoallw(sent, out.count, out.byte_place, out.type, received, in.count, in.byte_place,
                  in.type, world);
    expect("MPI_Alltoallw", STRATA_ALLTOALLW, out.bytes);
}

/* In place both sides have one length. */
static void exchange_in_place(void)
{
    uint64_t sum = 0;
    int count[RANKS];
    for (int i = 0; i < ranks; i++) {
        count[i] = length(rank < i ? rank : i, rank < i ? i : rank);
        sum += (uint64_t)count[i];
    }
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, received, count, in.place, MPI_INT,
                  MPI_COMM_WORLD);
    expect("MPI_Alltoallv in place", STRATA_ALLTOALLV, sizeof(int) * sum);
}

static void begin(void)
{
    MPI_Request request;
    MPI_Ialltoallv(sent, out.count, out.place, MPI_INT, received, in.count, in.place, MPI_INT,
                   MPI_COMM_WORLD, &request);
    expect("MPI_Ialltoallv", STRATA_ALLTOALLV, sizeof(int) * out.sum);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void reduce(void)
{
    uint64_t sum = 0;
    int count[RANKS];
    for (int i = 0; i < ranks; i++) {
        count[i] = length(0, i);
        sum += (uint64_t)count[i];
    }
    MPI_Reduce_scatter(sent, received, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    expect("MPI_Reduce_scatter", STRATA_REDUCE_SCATTER, sizeof(double) * sum);
}

#if MPI_VERSION >= 4
static void exchange_large(void)
{
    MPI_Count sends[RANKS], receives[RANKS];
    MPI_Aint from[RANKS], to[RANKS];
    for (int i = 0; i < ranks; i++) {
        sends[i] = out.count[i];
        receives[i] = in.count[i];
        from[i] = out.place[i];
        to[i] = in.place[i];
    }
    MPI_Alltoallv_c(sent, sends, from, MPI_INT, received, receives, to, MPI_INT, MPI_COMM_WORLD);
    expect("MPI_Alltoallv_c", STRATA_ALLTOALLV, sizeof(int) * out.sum);
}
#else
static void exchange_large(void)
{
}
#endif

/* Between two groups nobody's block is the mean of all. */
static void exchange_between_groups(void)
{
    MPI_Comm group, between;
    int count[RANKS], place[RANKS] = {0};
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &between);
    for (int i = 0; i < ranks; i++) {
        count[i] = 1;
    }
    MPI_Alltoallv(sent, count, place, MPI_INT, received, count, place, MPI_INT, between);
    expect("MPI_Alltoallv between groups", STRATA_ALLTOALLV, 0);
    MPI_Comm_free(&between);
    MPI_Comm_free(&group);
}

int main(int argc, char **argv)
{
    int all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    record = find_own_record();
    pattern = argc > 1 ? argv[1] : pattern;
    fill(&out, true);
    fill(&in, false);
    for (int i = 0; record && ranks <= RANKS && i < (argc > 2 ? atoi(argv[2]) : 1); i++) {
        exchange();
        exchange_in_place();
        begin();
        reduce();
        exchange_large();
        exchange_between_groups();
    }
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && record && all == 0) {
        printf("all right\n");
    }
    MPI_Finalize();
    return 0;
}
