/* Ours beside MPI's own collective: interleaved in one process on the same buffers.
 *
 *   mpirun -n 16 build/openmpi/bench/compare --collective alltoallv --bytes 8,64,512
 *
 * For each size: batches of calls, ours and MPI's in turn. A batch's time is the slowest rank's,
 * per call; printed are the medians over the batches, and median, least and largest of the ratios
 * of neighbouring batches (MPI's time / ours: above 1 we are faster). The data of both are compared
 * once, bit for bit, before anything is timed. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "strata.h"

#define MOST_SIZES   32
#define MOST_BATCHES 101

struct options {
    bool uniform; /* alltoall */
    int bytes[MOST_SIZES], nbytes;
    int batches;
    double seconds; /* of a batch, about */
};

/* Buffers and arguments of one size. */
struct exchange {
    int ranks, rank, bytes;
    bool uniform;
    unsigned char *send, *ours, *theirs;
    int *counts, *displs;
};

static int call(const struct exchange *e, bool ours)
{
    unsigned char *to = ours ? e->ours : e->theirs;
    if (e->uniform) {
        return (ours ? strata_alltoall : PMPI_Alltoall)(e->send, e->bytes, MPI_BYTE, to, e->bytes,
                                                        MPI_BYTE, MPI_COMM_WORLD);
    }
    return (ours ? strata_alltoallv : PMPI_Alltoallv)(e->send, e->counts, e->displs, MPI_BYTE, to,
                                                      e->counts, e->displs, MPI_BYTE,
                                                      MPI_COMM_WORLD);
}

static void *need(size_t bytes)
{
    void *memory = calloc(bytes ? bytes : 1, 1);
    if (!memory) {
        fprintf(stderr, "compare: out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

static void exchange_create(struct exchange *e, int bytes, bool uniform)
{
    MPI_Comm_size(MPI_COMM_WORLD, &e->ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &e->rank);
    e->bytes = bytes;
    e->uniform = uniform;
    size_t total = (size_t)e->ranks * (size_t)bytes;
    e->send = need(total);
    e->ours = need(total);
    e->theirs = need(total);
    e->counts = need((size_t)e->ranks * sizeof(int));
    e->displs = need((size_t)e->ranks * sizeof(int));
    for (int rank = 0; rank < e->ranks; rank++) {
        e->counts[rank] = bytes;
        e->displs[rank] = rank * bytes;
    }
    for (size_t i = 0; i < total; i++) {
        e->send[i] = (unsigned char)(i * 37 + (size_t)e->rank * 101 + (i >> 8));
    }
}

static void exchange_destroy(struct exchange *e)
{
    free(e->send);
    free(e->ours);
    free(e->theirs);
    free(e->counts);
    free(e->displs);
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

/* Seconds per call of the slowest rank. */
static double batch(const struct exchange *e, bool ours, int calls)
{
    PMPI_Barrier(MPI_COMM_WORLD);
    double mine = MPI_Wtime(), slowest;
    for (int i = 0; i < calls; i++) {
        call(e, ours);
    }
    mine = (MPI_Wtime() - mine) / calls;
    PMPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[count / 2];
}

/* As many calls as fill a batch; all ranks hold the same times, so they agree. It is found by
 * doubling: ranks leave the barrier at different times, on a crowded host by milliseconds, and a
 * few calls would be lost in that. */
static int calls_for(const struct exchange *e, bool ours, double seconds)
{
    int calls = 1;
    while (calls < (1 << 20) && batch(e, ours, calls) * calls < seconds) {
        calls *= 2;
    }
    return calls;
}

static void compare(const struct exchange *e, const struct options *o)
{
    double ours[MOST_BATCHES], theirs[MOST_BATCHES], ratio[MOST_BATCHES];
    int calls = calls_for(e, true, o->seconds), their_calls = calls_for(e, false, o->seconds);
    for (int i = 0; i < o->batches; i++) {
        ours[i] = batch(e, true, calls);
        theirs[i] = batch(e, false, their_calls);
        ratio[i] = theirs[i] / ours[i];
    }
    if (e->rank == 0) {
        double middle = median(ratio, o->batches);
        printf("%9d %12.2f %12.2f %9.2f   %.2f .. %.2f\n", e->bytes, 1e6 * median(ours, o->batches),
               1e6 * median(theirs, o->batches), middle, ratio[0], ratio[o->batches - 1]);
        fflush(stdout);
    }
}

static void usage(void)
{
    fprintf(stderr, "usage: compare [--collective alltoall|alltoallv] [--bytes N,N,...]\n"
                    "               [--batches N] [--seconds S]\n");
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
        o->uniform = strcmp(value, "alltoall") == 0;
        return o->uniform || strcmp(value, "alltoallv") == 0;
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
    *o = (struct options){.bytes = {8, 64, 512, 4096, 32768}, .nbytes = 5, .batches = 11};
    o->seconds = 0.2;
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc || !read_option(o, argv[i], argv[i + 1])) {
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
        printf("%s, %d ranks, %s, median of %d batches\n", version, ranks,
               o->uniform ? "alltoall" : "alltoallv", o->batches);
        printf("%9s %12s %12s %9s   %s\n", "bytes", "strata us", "MPI us", "MPI/ours", "ratios");
    }
}

static int run(const struct options *o)
{
    headline(o);
    for (int i = 0; i < o->nbytes; i++) {
        struct exchange e;
        exchange_create(&e, o->bytes[i], o->uniform);
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
