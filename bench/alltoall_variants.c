/* The variants of Bruck's alltoall side by side: MPI's own, the index algorithm with radix 2 and 4,
 * and modified Bruck in its three modes, interleaved in one run on the same buffers.
 *
 *   mpirun -n 8 build/openmpi/bench/alltoall_variants --ints 16,256,4096,65536,1048576
 *
 * --ints gives what a process sends to all ranks together, so a block is that divided by the ranks.
 * A round is one batch of calls of each variant in turn; a batch's time is the slowest rank's, per
 * call. The output is CSV behind comment lines: for each size and variant the median, least and
 * largest time of a call over the rounds, and the median of MPI's time in the same round divided by
 * it (above 1 the variant is faster). What each variant delivers is compared with what MPI does
 * before anything is timed. */
#include <stdbool.h>
#include <string.h>

#include "bench/measure.h"
#include "strata.h"

#define MOST_SIZES  32
#define MOST_ROUNDS 101

static const struct variant {
    const char *name;
    const char *choice; /* NULL: MPI's own function */
} variants[] = {
    {"mpi", NULL},
    {"index", "bruck_index:radix=2"},
    {"index4", "bruck_index:radix=4"},
    {"pack", "modified:mode=pack,radix=2"},
    {"datatype", "modified:mode=datatype,radix=2"},
    {"zero_copy", "modified:mode=zero_copy,radix=2"},
};

enum { VARIANTS = sizeof variants / sizeof *variants };

struct options {
    int ints[MOST_SIZES], nints;
    int rounds;
    double seconds; /* of a batch, about */
};

/* One variant at one size; buffers are shared. */
struct exchange {
    MPI_Comm comm; /* on which the variant is forced */
    bool ours;
    int block; /* ints */
    int *send, *recv;
};

static void call(const void *argument)
{
    const struct exchange *e = argument;
    (e->ours ? strata_alltoall : PMPI_Alltoall)(e->send, e->block, MPI_INT, e->recv, e->block,
                                                MPI_INT, e->comm);
}

/* Every variant has a communicator of its own. */
static void open_variants(struct exchange *exchanges)
{
    for (int v = 0; v < VARIANTS; v++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &exchanges[v].comm);
        exchanges[v].ours = variants[v].choice != NULL;
        if (exchanges[v].ours) {
            strata_comm_force(exchanges[v].comm, "alltoall", variants[v].choice);
        }
    }
}

static void close_variants(struct exchange *exchanges)
{
    for (int v = 0; v < VARIANTS; v++) {
        MPI_Comm_free(&exchanges[v].comm);
    }
}

/* Whether the variant delivers what MPI does, and is what ran. */
static bool check_variant(const struct exchange *e, const char *choice, const int *expected,
                          size_t ints)
{
    struct strata_report report = {.size = sizeof report};
    memset(e->recv, 0xff, ints * sizeof(int));
    call(e);
    bool same = memcmp(e->recv, expected, ints * sizeof(int)) == 0;
    if (!same) {
        fprintf(stderr, "alltoall_variants: %s: wrong result, %d ints a block\n", choice, e->block);
    }
    strata_comm_report(e->comm, &report);
    if (strcmp(report.algorithm, choice) != 0) {
        fprintf(stderr, "alltoall_variants: %s ran instead of %s: %s\n", report.algorithm, choice,
                report.why);
        same = false;
    }
    return same;
}

static bool check_all(const struct exchange *exchanges, size_t ints)
{
    int *expected = measure_need(ints * sizeof *expected);
    int good = 1, all = 0;
    call(&exchanges[0]);
    memcpy(expected, exchanges[0].recv, ints * sizeof *expected);
    for (int v = 1; v < VARIANTS; v++) {
        good = check_variant(&exchanges[v], variants[v].choice, expected, ints) && good;
    }
    free(expected);
    PMPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

static void print_row(int ints, const char *name, double *times, double *ratios, int rounds)
{
    int ranks, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        double median = measure_median(times, rounds);
        printf("%d,%d,%s,%.2f,%.2f,%.2f,%.3f\n", ranks, ints, name, 1e6 * median, 1e6 * times[0],
               1e6 * times[rounds - 1], measure_median(ratios, rounds));
        fflush(stdout);
    }
}

static void measure(const struct exchange *exchanges, int ints, const struct options *o)
{
    static double times[VARIANTS][MOST_ROUNDS], ratios[VARIANTS][MOST_ROUNDS];
    int calls[VARIANTS];
    for (int v = 0; v < VARIANTS; v++) {
        calls[v] = measure_calls_for(call, &exchanges[v], o->seconds);
    }
    for (int round = 0; round < o->rounds; round++) {
        for (int v = 0; v < VARIANTS; v++) {
            times[v][round] = measure_batch(call, &exchanges[v], calls[v]);
            ratios[v][round] = times[0][round] / times[v][round];
        }
    }
    for (int v = 0; v < VARIANTS; v++) {
        print_row(ints, variants[v].name, times[v], ratios[v], o->rounds);
    }
}

static bool run_size(struct exchange *exchanges, int ints, const struct options *o)
{
    int ranks, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (ints % ranks != 0) {
        fprintf(stderr, "alltoall_variants: %d ints are not the same for %d ranks\n", ints, ranks);
        return false;
    }
    size_t total = (size_t)ints;
    int *send = measure_need(total * sizeof *send), *recv = measure_need(total * sizeof *recv);
    for (size_t i = 0; i < total; i++) {
        send[i] = rank * 7919 + (int)i;
    }
    for (int v = 0; v < VARIANTS; v++) {
        exchanges[v].block = ints / ranks;
        exchanges[v].send = send;
        exchanges[v].recv = recv;
    }
    bool good = check_all(exchanges, total);
    if (good) {
        measure(exchanges, ints, o);
    }
    free(send);
    free(recv);
    return good;
}

static void print_machine(void)
{
    char line[256] = "";
    int units = 0;
    char model[256] = "unknown processor\n";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
            snprintf(model, sizeof model, "%s", strchr(line, ':') + 2);
            units++;
        }
    }
    if (file) {
        fclose(file);
    }
    printf("# machine: %d x %s", units, model);
}

static void print_head(int argc, char **argv, const struct options *o)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length, ranks;
    MPI_Get_library_version(version, &length);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    version[strcspn(version, "\n,")] = '\0';
    print_machine();
    printf("# MPI: %s\n# Strata: %s\n# command: mpirun -n %d", version, strata_version(), ranks);
    for (int i = 0; i < argc; i++) {
        printf(" %s", argv[i]);
    }
    printf("\n# times: us per call, slowest rank; median, least, largest of %d rounds\n",
           o->rounds);
    printf("ranks,ints,variant,median,least,largest,mpi_ratio\n");
}

static bool read_sizes(struct options *o, char *text)
{
    o->nints = 0;
    for (char *word = strtok(text, ","); word; word = strtok(NULL, ",")) {
        char *end;
        long ints = strtol(word, &end, 10);
        if (*end || ints < 1 || ints > (1 << 28) || o->nints == MOST_SIZES) {
            return false;
        }
        o->ints[o->nints++] = (int)ints;
    }
    return o->nints > 0;
}

static bool read_option(struct options *o, const char *name, char *value)
{
    if (strcmp(name, "--ints") == 0) {
        return read_sizes(o, value);
    }
    if (strcmp(name, "--rounds") == 0) {
        o->rounds = atoi(value);
        return o->rounds >= 1 && o->rounds <= MOST_ROUNDS;
    }
    if (strcmp(name, "--seconds") == 0) {
        o->seconds = atof(value);
        return o->seconds > 0;
    }
    return false;
}

static bool read_options(struct options *o, int argc, char **argv)
{
    *o = (struct options){
        .ints = {1 << 4, 1 << 8, 1 << 12, 1 << 16, 1 << 20}, .nints = 5, .rounds = 11};
    o->seconds = 0.05;
    for (int i = 1; i < argc; i += 2) {
        char value[256];
        if (i + 1 == argc || strlen(argv[i + 1]) >= sizeof value) {
            return false;
        }
        snprintf(value, sizeof value, "%s", argv[i + 1]); /* reading cuts it into words */
        if (!read_option(o, argv[i], value)) {
            return false;
        }
    }
    return true;
}

static int run(const struct options *o, int argc, char **argv)
{
    struct exchange exchanges[VARIANTS];
    int rank;
    bool good = true;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        print_head(argc, argv, o);
    }
    open_variants(exchanges);
    for (int i = 0; i < o->nints && good; i++) {
        good = run_size(exchanges, o->ints[i], o);
    }
    close_variants(exchanges);
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct options options;
    MPI_Init(&argc, &argv);
    int status = 2;
    if (read_options(&options, argc, argv)) {
        status = run(&options, argc, argv);
    } else {
        fprintf(stderr, "usage: alltoall_variants [--ints N,N,...] [--rounds N] [--seconds S]\n");
    }
    MPI_Finalize();
    return status;
}
