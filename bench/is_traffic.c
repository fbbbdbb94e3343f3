/* The communication of NAS IS without the sort: an iteration's alltoall of counts and alltoallv of
 * keys.
 *
 *   mpirun -n 64 build/openmpi/bench/is_traffic --class C
 *
 * Options: --class S|W|A|B|C|D; --batches N; --seconds S of a batch. The counts are the expected
 * ones. A key is the mean of four uniform numbers, so the share of each bucket is known. Ranks own
 * whole buckets, cut nearest to equal shares. Every rank has as many keys of a bucket as any other.
 *
 * Bytes are those of the rank that sends most, times are those of the slowest rank, per call. The
 * program serves layouts too large to compute: it needs only two buffers of a rank's share, and no
 * time between exchanges. */
#include <math.h>

#include "bench/traffic.h"

struct options {
    struct traffic_options measuring;
    char class;
    int log_keys, log_buckets;
};

static const struct {
    char name;
    int log_keys, log_buckets;
} classes[] = {{'S', 16, 9},  {'W', 20, 10}, {'A', 23, 10},
               {'B', 25, 10}, {'C', 27, 10}, {'D', 31, 10}};

/* The probability that the mean of four uniform numbers is below x: the Irwin-Hall distribution. */
static double below(double x)
{
    static const double binomial[] = {1, -4, 6, -4, 1};
    double sum = 0;
    for (int k = 0; k <= 4 && k < 4 * x; k++) {
        sum += binomial[k] * pow(4 * x - k, 4);
    }
    return sum / 24;
}

/* For each rank, the number of its first key in the order of all keys. */
static long long *cut_keys(const struct options *o, int ranks)
{
    const int buckets = 1 << o->log_buckets;
    const double keys = (double)(1ll << o->log_keys);
    long long *cut = measure_need(((size_t)ranks + 1) * sizeof *cut);
    int b = 0;
    for (int r = 1; r < ranks; r++) {
        double goal = keys * r / ranks;
        while (b < buckets && keys * below((double)b / buckets) < goal) {
            b++;
        }
        double after = keys * below((double)b / buckets) - goal;
        double before = b > 0 ? goal - keys * below((double)(b - 1) / buckets) : after + 1;
        cut[r] = llround(keys * below((double)(before < after ? b - 1 : b) / buckets));
        cut[r] = cut[r] < cut[r - 1] ? cut[r - 1] : cut[r];
    }
    cut[ranks] = 1ll << o->log_keys;
    return cut;
}

/* The keys of a source out of so many. */
static int share(long long keys, int ranks, int source)
{
    return (int)(keys * (source + 1) / ranks - keys * source / ranks);
}

static bool run(const struct options *o)
{
    struct traffic counts, keys;
    char what[32];
    snprintf(what, sizeof what, "NAS IS class %c", o->class);
    traffic_headline(what);
    traffic_init(&counts, "counts", MPI_COMM_WORLD, MPI_INT);
    traffic_init(&keys, "keys", MPI_COMM_WORLD, MPI_INT);
    long long *cut = cut_keys(o, keys.ranks);
    counts.equal = 1;
    for (int r = 0; r < keys.ranks; r++) {
        counts.send[r] = counts.recv[r] = 1;
        keys.send[r] = share(cut[r + 1] - cut[r], keys.ranks, keys.rank);
        keys.recv[r] = share(cut[keys.rank + 1] - cut[keys.rank], keys.ranks, r);
    }
    free(cut);
    bool right = traffic_measure(&counts, &o->measuring);
    return traffic_measure(&keys, &o->measuring) && right;
}

static const char *set_option(void *options, const char *name, const char *value)
{
    struct options *o = options;
    if (strcmp(name, "--class") == 0) {
        for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
            if (value[0] == classes[i].name && value[1] == '\0') {
                o->class = value[0];
                o->log_keys = classes[i].log_keys;
                o->log_buckets = classes[i].log_buckets;
                return NULL;
            }
        }
        return "S, W, A, B, C or D";
    }
    return traffic_option(&o->measuring, name, value);
}

static bool find_room(const struct options *o, int ranks, char *message, size_t size)
{
    double keys = (double)(1ll << o->log_keys) / ranks * 1.5;
    if (ranks > 1 << o->log_buckets) {
        snprintf(message, size, "class %c has %d buckets, too few for %d ranks", o->class,
                 1 << o->log_buckets, ranks);
        return false;
    }
    if (keys > 2147483647.) {
        snprintf(message, size, "more keys than an int can count: use more ranks");
        return false;
    }
    snprintf(message, size, "not enough memory for this class");
    return measure_fits(2 * sizeof(int) * keys);
}

int main(int argc, char **argv)
{
    struct options options = {
        .measuring = {11, 0.2}, .class = 'S', .log_keys = 16, .log_buckets = 9};
    char message[256];
    int rank, ranks, status = 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (traffic_parse(argv + 1, set_option, &options, message, sizeof message) &&
        find_room(&options, ranks, message, sizeof message)) {
        status = !run(&options);
    } else if (rank == 0) {
        fprintf(stderr, "is_traffic: %s\n", message);
    }
    MPI_Finalize();
    return status;
}
