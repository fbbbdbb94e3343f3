/* Ours beside MPI's own collective: interleaved in one process on the same buffers.
 *
 *   mpirun -n 16 build/openmpi/bench/compare --collective alltoallv --bytes 8,64,512
 *
 * For each size: batches of calls, ours and MPI's in turn. A batch's time is the slowest rank's,
 * per call; printed are the medians over the batches, and median, least and largest of the ratios
 * of neighbouring batches (MPI's time / ours: above 1 we are faster). The data of both are compared
 * once, bit for bit, before anything is timed. */
#include <stdbool.h>
#include <string.h>

#include "bench/measure.h"
#include "strata.h"

#define MOST_SIZES   32
#define MOST_BATCHES 101

/* Buffers and arguments of one size: a block for each rank on both sides, whatever is used of them.
 */
struct exchange {
    int ranks, rank, bytes;
    const struct collective *collective;
    unsigned char *send, *ours, *theirs;
    int *counts, *displs;
    MPI_Datatype *types;
};

/* A collective and both ways to call it. Reductions add integers, everything else moves bytes. */
struct collective {
    const char *name;
    bool reduces;
    int (*call)(const struct exchange *e, bool ours, void *to);
};

struct options {
    const struct collective *collective;
    int bytes[MOST_SIZES], nbytes;
    int batches;
    double seconds; /* of a batch, about */
};

#define WORLD MPI_COMM_WORLD

/* One function a collective: CALL(name, MPI's name, arguments), with e, to and ints in reach. */
#define CALL(name, native, ...)                                                                    \
    static int call_##name(const struct exchange *e, bool ours, void *to)                          \
    {                                                                                              \
        const int ints = e->bytes / (int)sizeof(int);                                              \
        (void)ints, (void)to;                                                                      \
        return (ours ? strata_##name : PMPI_##native)(__VA_ARGS__);                                \
    }

CALL(alltoall, Alltoall, e->send, e->bytes, MPI_BYTE, to, e->bytes, MPI_BYTE, WORLD)
CALL(alltoallv, Alltoallv, e->send, e->counts, e->displs, MPI_BYTE, to, e->counts, e->displs,
     MPI_BYTE, WORLD)
CALL(alltoallw, Alltoallw, e->send, e->counts, e->displs, e->types, to, e->counts, e->displs,
     e->types, WORLD)
CALL(allgather, Allgather, e->send, e->bytes, MPI_BYTE, to, e->bytes, MPI_BYTE, WORLD)
CALL(allgatherv, Allgatherv, e->send, e->bytes, MPI_BYTE, to, e->counts, e->displs, MPI_BYTE, WORLD)
CALL(bcast, Bcast, to, e->bytes, MPI_BYTE, 0, WORLD)
CALL(gather, Gather, e->send, e->bytes, MPI_BYTE, to, e->bytes, MPI_BYTE, 0, WORLD)
CALL(gatherv, Gatherv, e->send, e->bytes, MPI_BYTE, to, e->counts, e->displs, MPI_BYTE, 0, WORLD)
CALL(scatter, Scatter, e->send, e->bytes, MPI_BYTE, to, e->bytes, MPI_BYTE, 0, WORLD)
CALL(scatterv, Scatterv, e->send, e->counts, e->displs, MPI_BYTE, to, e->bytes, MPI_BYTE, 0, WORLD)
CALL(reduce, Reduce, e->send, to, ints, MPI_INT, MPI_SUM, 0, WORLD)
CALL(allreduce, Allreduce, e->send, to, ints, MPI_INT, MPI_SUM, WORLD)
CALL(reduce_scatter_block, Reduce_scatter_block, e->send, to, ints, MPI_INT, MPI_SUM, WORLD)
CALL(scan, Scan, e->send, to, ints, MPI_INT, MPI_SUM, WORLD)
CALL(exscan, Exscan, e->send, to, ints, MPI_INT, MPI_SUM, WORLD)
CALL(barrier, Barrier, WORLD)

static const struct collective collectives[] = {
    {"alltoallv", false, call_alltoallv},
    {"alltoall", false, call_alltoall},
    {"alltoallw", false, call_alltoallw},
    {"allgather", false, call_allgather},
    {"allgatherv", false, call_allgatherv},
    {"bcast", false, call_bcast},
    {"gather", false, call_gather},
    {"gatherv", false, call_gatherv},
    {"scatter", false, call_scatter},
    {"scatterv", false, call_scatterv},
    {"reduce", true, call_reduce},
    {"allreduce", true, call_allreduce},
    {"scan", true, call_scan},
    {"reduce_scatter_block", true, call_reduce_scatter_block},
    {"exscan", true, call_exscan},
    {"barrier", false, call_barrier},
};

enum { COLLECTIVES = sizeof collectives / sizeof *collectives };

static int call(const struct exchange *e, bool ours)
{
    return e->collective->call(e, ours, ours ? e->ours : e->theirs);
}

static void exchange_create(struct exchange *e, int bytes, const struct collective *collective)
{
    MPI_Comm_size(MPI_COMM_WORLD, &e->ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &e->rank);
    e->bytes = bytes;
    e->collective = collective;
    size_t total = (size_t)e->ranks * (size_t)bytes;
    e->send = measure_need(total);
    e->ours = measure_need(total);
    e->theirs = measure_need(total);
    e->counts = measure_need((size_t)e->ranks * sizeof(int));
    e->displs = measure_need((size_t)e->ranks * sizeof(int));
    e->types = measure_need((size_t)e->ranks * sizeof(MPI_Datatype));
    for (int rank = 0; rank < e->ranks; rank++) {
        e->counts[rank] = bytes;
        e->displs[rank] = rank * bytes;
        e->types[rank] = MPI_BYTE;
    }
    for (size_t i = 0; i < total; i++) {
        e->send[i] = (unsigned char)(i * 37 + (size_t)e->rank * 101 + (i >> 8));
        e->ours[i] = e->theirs[i] = e->send[i]; /* what bcast's root sends */
    }
}

static void exchange_destroy(struct exchange *e)
{
    free(e->send);
    free(e->ours);
    free(e->theirs);
    free(e->counts);
    free(e->displs);
    free(e->types);
}

static bool same_data(const struct exchange *e)
{
    int same, all;
    call(e, true);
    call(e, false);
    same = memcmp(e->ours, e->theirs, (size_t)e->ranks * (size_t)e->bytes) == 0;
    PMPI_Allreduce(&same, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

static void call_ours(const void *exchange)
{
    call(exchange, true);
}

static void call_theirs(const void *exchange)
{
    call(exchange, false);
}

static void compare(const struct exchange *e, const struct options *o)
{
    double ours[MOST_BATCHES], theirs[MOST_BATCHES], ratio[MOST_BATCHES];
    int calls = measure_calls_for(call_ours, e, o->seconds);
    int their_calls = measure_calls_for(call_theirs, e, o->seconds);
    for (int i = 0; i < o->batches; i++) {
        ours[i] = measure_batch(call_ours, e, calls);
        theirs[i] = measure_batch(call_theirs, e, their_calls);
        ratio[i] = theirs[i] / ours[i];
    }
    if (e->rank == 0) {
        double middle = measure_median(ratio, o->batches);
        printf("%9d %12.2f %12.2f %9.2f   %.2f .. %.2f\n", e->bytes,
               1e6 * measure_median(ours, o->batches), 1e6 * measure_median(theirs, o->batches),
               middle, ratio[0], ratio[o->batches - 1]);
        fflush(stdout);
    }
}

static void usage(void)
{
    fprintf(stderr, "usage: compare [--collective NAME] [--bytes N,N,...] [--batches N] "
                    "[--seconds S]\n  NAME:");
    for (int i = 0; i < COLLECTIVES; i++) {
        fprintf(stderr, " %s", collectives[i].name);
    }
    fprintf(stderr, "\n  bytes of a block, or of the vector; whole integers in reductions\n");
}

static bool read_collective(struct options *o, const char *name)
{
    for (int i = 0; i < COLLECTIVES; i++) {
        if (strcmp(name, collectives[i].name) == 0) {
            o->collective = &collectives[i];
            return true;
        }
    }
    return false;
}

static bool read_sizes(struct options *o, char *text)
{
    o->nbytes = 0;
    for (char *word = strtok(text, ","); word; word = strtok(NULL, ",")) {
        char *end;
        long bytes = strtol(word, &end, 10);
        if (*end || bytes < 0 || bytes > (1 << 28) || o->nbytes == MOST_SIZES) {
            return false;
        }
        o->bytes[o->nbytes++] = (int)bytes;
    }
    return o->nbytes > 0;
}

static bool read_option(struct options *o, const char *name, char *value)
{
    if (strcmp(name, "--collective") == 0) {
        return read_collective(o, value);
    }
    if (strcmp(name, "--bytes") == 0) {
        return read_sizes(o, value);
    }
    if (strcmp(name, "--batches") == 0) {
        o->batches = atoi(value);
        return o->batches >= 1 && o->batches <= MOST_BATCHES;
    }
    if (strcmp(name, "--seconds") == 0) {
        o->seconds = atof(value);
        return o->seconds > 0;
    }
    return false;
}

static bool read_options(struct options *o, int argc, char **argv)
{
    *o = (struct options){.collective = &collectives[0],
                          .bytes = {8, 64, 512, 4096, 32768},
                          .nbytes = 5,
                          .batches = 11};
    o->seconds = 0.2;
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc || !read_option(o, argv[i], argv[i + 1])) {
            return false;
        }
    }
    for (int i = 0; o->collective->reduces && i < o->nbytes; i++) {
        if (o->bytes[i] % (int)sizeof(int) != 0) {
            return false;
        }
    }
    return true;
}

static void headline(const struct options *o)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length, ranks, rank;
    MPI_Get_library_version(version, &length);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        version[strcspn(version, "\n,")] = '\0';
        printf("%s, %d ranks, %s, median of %d batches\n", version, ranks, o->collective->name,
               o->batches);
        printf("%9s %12s %12s %9s   %s\n", "bytes", "strata us", "MPI us", "MPI/ours", "ratios");
    }
}

static int run(const struct options *o)
{
    headline(o);
    for (int i = 0; i < o->nbytes; i++) {
        struct exchange e;
        exchange_create(&e, o->bytes[i], o->collective);
        bool same = same_data(&e);
        if (same) {
            compare(&e, o);
        } else if (e.rank == 0) {
            fprintf(stderr, "compare: the two results differ at %d bytes\n", e.bytes);
        }
        exchange_destroy(&e);
        if (!same) {
            return 1;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct options options;
    MPI_Init(&argc, &argv);
    int status = 2;
    if (read_options(&options, argc, argv)) {
        status = run(&options);
    } else {
        usage();
    }
    MPI_Finalize();
    return status;
}
