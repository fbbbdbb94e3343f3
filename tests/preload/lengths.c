/* Collectives that list the lengths of blocks, recorded: what the recorder's file says of each call
 * must be what its lists say.
 *   lengths PATTERN [CALLS]     `even`, `hot`, `few` or `long`; so many of MPI_Alltoallv alone
 * with STRATA_RECORD a folder or keep:FOLDER. */
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
    int count[RANKS], place[RANKS], byte_place[RANKS], size[RANKS];
    MPI_Datatype type[RANKS];
};
static struct side out, in;

static void fill(struct side *s, bool sends)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < ranks; i++) {
        const bool wide = (sends ? i : rank) % 2;
        s->count[i] = sends ? length(rank, i) : length(i, rank);
        s->type[i] = wide ? MPI_DOUBLE : MPI_INT;
        s->size[i] = wide ? sizeof(double) : sizeof(int);
        s->place[i] = i * LONGEST;
        s->byte_place[i] = i * LONGEST * (int)sizeof(double);
    }
}

struct figures {
    int sum, longest, degree;
};

/* each: bytes of an element; 0: those of its own type. */
static struct figures figures_of(const struct side *s, int each)
{
    struct figures f = {0, 0, 0};
    for (int i = 0; i < ranks; i++) {
        const int bytes = s->count[i] * (each ? each : s->size[i]);
        f.sum += bytes;
        f.longest = bytes > f.longest ? bytes : f.longest;
        f.degree += i != rank && bytes > 0;
    }
    return f;
}

/* The number of the bucket 1, 2, 3..4, 5..8, ... that has the number; 0: it is 0. */
static int bucket(int number)
{
    int b = number > 0;
    while (b > 0 && 1 << (b - 1) < number) {
        b++;
    }
    return b;
}

/* The bucket of which the number is the most, or lies between that and the next one's. */
static int bucket_below(int number)
{
    return bucket(number + 1) - 1;
}

/* The last call must be of this kind, with this mean block and these lengths. */
static void expect(const char *call, int kind, int mean, uint64_t lengths)
{
    const struct strata_record_entry *e =
        &record->entry[(record->next - 1) % STRATA_RECORD_ENTRIES];
    const int kind_here = (int)(e->what >> 16 & 0xff);
    if (kind_here != kind || e->count != (uint64_t)mean || e->what >> 48 != lengths >> 48) {
        printf("rank %d, %s: kind %d, %d B, lengths %x, but expected kind %d, %d B, lengths %x\n",
               rank, call, kind_here, (int)e->count, (unsigned)(e->what >> 48), kind, mean,
               (unsigned)(lengths >> 48));
        wrong++;
    }
}

static void expect_exchange(const char *call, int kind, const struct side *from,
                            const struct side *to, int each)
{
    const struct figures o = figures_of(from, each), i = figures_of(to, each);
    const int degree = o.degree > i.degree ? o.degree : i.degree;
    expect(call, kind, o.sum / ranks,
           STRATA_RECORD_LENGTHS(bucket(o.longest), bucket_below(i.sum / ranks),
                                 degree < ranks / 2 ? bucket(degree) : STRATA_RECORD_MANY));
}

static void exchange_doubles(void)
{
    MPI_Alltoallv(sent, out.count, out.place, MPI_DOUBLE, received, in.count, in.place, MPI_DOUBLE,
                  MPI_COMM_WORLD);
    expect_exchange("MPI_Alltoallv", STRATA_ALLTOALLV, &out, &in, sizeof(double));
}

static void exchange(void)
{
    MPI_Datatype pair;
    const MPI_Comm world = MPI_COMM_WORLD;
    strata_alltoallv(sent, out.count, out.place, MPI_INT, received, in.count, in.place, MPI_INT,
                     world);
    expect_exchange("strata_alltoallv", STRATA_ALLTOALLV, &out, &in, sizeof(int));
    MPI_Type_contiguous(2, MPI_SHORT, &pair);
    MPI_Type_commit(&pair);
    MPI_Alltoallv(sent, out.count, out.place, pair, received, in.count, in.place, MPI_INT, world);
    expect_exchange("MPI_Alltoallv of a type of the program's", STRATA_ALLTOALLV, &out, &in,
                    sizeof(int));
    MPI_Type_free(&pair);
    MPI_Alltoallw(sent, out.count, out.byte_place, out.type, received, in.count, in.byte_place,
                  in.type, world);
    expect_exchange("MPI_Alltoallw", STRATA_ALLTOALLW, &out, &in, 0);
}

/* In place both sides have one length. */
static void exchange_in_place(void)
{
    struct side both = in;
    for (int i = 0; i < ranks; i++) {
        both.count[i] = length(rank < i ? rank : i, rank < i ? i : rank);
    }
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, received, both.count, both.place,
                  MPI_INT, MPI_COMM_WORLD);
    expect_exchange("MPI_Alltoallv in place", STRATA_ALLTOALLV, &both, &both, sizeof(int));
}

/* Of a rank's own block in place the list of all says how long it is. */
static void gather_in_place(void)
{
    struct side all = in;
    for (int i = 0; i < ranks; i++) {
        all.count[i] = 1 + i;
        all.place[i] = i * (i + 1) / 2;
    }
    const int own = 1 + rank;
    const bool root = rank == 1;
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, received, all.count, all.place, MPI_INT,
                   MPI_COMM_WORLD);
    expect("MPI_Allgatherv in place", STRATA_ALLGATHERV, own, 0);
    MPI_Gatherv(root ? MPI_IN_PLACE : sent, root ? 0 : own, MPI_INT, received, all.count, all.place,
                MPI_INT, 1, MPI_COMM_WORLD);
    expect("MPI_Gatherv in place", STRATA_GATHERV, own, 0);
    MPI_Scatterv(sent, all.count, all.place, MPI_INT, root ? MPI_IN_PLACE : received,
                 root ? 0 : own, MPI_INT, 1, MPI_COMM_WORLD);
    expect("MPI_Scatterv in place", STRATA_SCATTERV, own, 0);
}

static void begin(void)
{
    MPI_Request request;
    MPI_Ialltoallv(sent, out.count, out.place, MPI_INT, received, in.count, in.place, MPI_INT,
                   MPI_COMM_WORLD, &request);
    expect_exchange("MPI_Ialltoallv", STRATA_ALLTOALLV, &out, &in, sizeof(int));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void reduce(void)
{
    struct side parts = in;
    for (int i = 0; i < ranks; i++) {
        parts.count[i] = length(0, i);
    }
    const struct figures f = figures_of(&parts, sizeof(double));
    MPI_Reduce_scatter(sent, received, parts.count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    expect("MPI_Reduce_scatter", STRATA_REDUCE_SCATTER, f.sum / ranks,
           STRATA_RECORD_LENGTHS(bucket(f.longest), 0, 0));
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
    expect_exchange("MPI_Alltoallv_c", STRATA_ALLTOALLV, &out, &in, sizeof(int));
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
    expect("MPI_Alltoallv between groups", STRATA_ALLTOALLV, 0, 0);
    MPI_Comm_free(&between);
    MPI_Comm_free(&group);
}

static void make_all(void)
{
    exchange_doubles();
    exchange();
    exchange_in_place();
    gather_in_place();
    begin();
    reduce();
    exchange_large();
    exchange_between_groups();
}

int main(int argc, char **argv)
{
    int all = 0;
    const int calls = argc > 2 ? atoi(argv[2]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    record = find_own_record();
    pattern = argc > 1 ? argv[1] : pattern;
    fill(&out, true);
    fill(&in, false);
    if (record && calls == 0) {
        make_all();
    }
    for (int i = 0; record && i < calls; i++) {
        exchange_doubles();
    }
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && record && all == 0) {
        printf("all right\n");
    }
    MPI_Finalize();
    return 0;
}
