/* What NAS FT sends, without the transform: the exchanges of one 3-D transform over a grid of ranks.
 *
 *   mpirun -n 64 build/openmpi/bench/fft_traffic --class C --grid 8x8
 *
 * In a grid PxQ the Q ranks of each row (neighbours in number) turn y into x, then the P ranks of each
 * column turn z into y; blocks are those that threads have packed. Bytes are those of the rank that
 * sends most, times those of the slowest, per call. For layouts too large to compute: it needs two
 * buffers of a rank's share, and no time between exchanges. */
#include "bench/traffic.h"

struct options {
    struct traffic_options measuring;
    char class;
    int n[3], grid[2]; /* z, y, x */
};

static const struct {
    char name;
    int n[3];
} classes[] = {{'S', {64, 64, 64}},    {'W', {32, 128, 128}},  {'A', {128, 256, 256}},
               {'B', {256, 256, 512}}, {'C', {512, 512, 512}}, {'D', {1024, 1024, 2048}}};

/* Elements in part number `part` of n, divided evenly. */
static int share(int n, int parts, int part)
{
    return (int)((long long)n * (part + 1) / parts - (long long)n * part / parts);
}

/* Ranks of a line own parts of axis a before and of axis b after; `others` elements belong to each. */
static bool exchange(const struct options *o, const char *name, MPI_Comm line, const int axes[3])
{
    struct traffic t;
    traffic_init(&t, name, line, MPI_C_DOUBLE_COMPLEX);
    const int a = o->n[axes[0]], b = o->n[axes[1]], others = axes[2];
    for (int r = 0; r < t.ranks; r++) {
        t.send[r] = share(a, t.ranks, t.rank) * share(b, t.ranks, r) * others;
        t.recv[r] = share(a, t.ranks, r) * share(b, t.ranks, t.rank) * others;
    }
    return traffic_measure(&t, &o->measuring);
}

static bool run(const struct options *o)
{
    int rank, place[2];
    MPI_Comm row, column;
    char what[64];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    place[0] = rank / o->grid[1];
    place[1] = rank % o->grid[1];
    MPI_Comm_split(MPI_COMM_WORLD, place[0], place[1], &row);
    MPI_Comm_split(MPI_COMM_WORLD, place[1], place[0], &column);
    snprintf(what, sizeof what, "NAS FT class %c, grid %dx%d", o->class, o->grid[0], o->grid[1]);
    traffic_headline(what);
    const int rows[3] = {1, 2, share(o->n[0], o->grid[0], place[0])};
    const int columns[3] = {0, 1, share(o->n[2], o->grid[1], place[1])};
    bool right = o->grid[1] == 1 || exchange(o, "rows", row, rows);
    right = right && (o->grid[0] == 1 || exchange(o, "columns", column, columns));
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
    return right;
}

static bool read_option(struct options *o, const char *name, const char *value)
{
    if (strcmp(name, "--grid") == 0) {
        char rest;
        return sscanf(value, "%dx%d%c", &o->grid[0], &o->grid[1], &rest) == 2;
    }
    for (size_t i = 0; strcmp(name, "--class") == 0 && i < sizeof classes / sizeof *classes; i++) {
        if (value[0] == classes[i].name && value[1] == '\0') {
            o->class = value[0];
            memcpy(o->n, classes[i].n, sizeof o->n);
            return true;
        }
    }
    return traffic_option(&o->measuring, name, value);
}

/* What is wrong, or NULL. */
static const char *check(const struct options *o)
{
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int p = o->grid[0], q = o->grid[1];
    if (p < 1 || q < 1 || p > ranks || p * q != ranks || p > o->n[0] || p > o->n[1] ||
        q > o->n[1] || q > o->n[2]) {
        return "--grid PxQ: P times Q ranks, and an element for each in every direction";
    }
    double elements = (double)o->n[0] * o->n[1] * o->n[2] / ranks * 1.5;
    if (elements > 2147483647.) {
        return "more elements than an int can count: use more ranks";
    }
    return measure_fits(2 * 16 * elements) ? NULL : "not enough memory for this class";
}

static const char *read_options(struct options *o, int argc, char **argv)
{
    *o = (struct options){.measuring = {11, 0.2}, .class = 'S', .n = {64, 64, 64}, .grid = {0, 1}};
    MPI_Comm_size(MPI_COMM_WORLD, &o->grid[0]);
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc || !read_option(o, argv[i], argv[i + 1])) {
            return "usage: fft_traffic [--class S|W|A|B|C|D] [--grid PxQ] [--batches N] [--seconds "
                   "S]";
        }
    }
    return check(o);
}

int main(int argc, char **argv)
{
    struct options options;
    int rank, status = 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *wrong = read_options(&options, argc, argv);
    if (!wrong) {
        status = !run(&options);
    } else if (rank == 0) {
        fprintf(stderr, "%s\n", wrong);
    }
    MPI_Finalize();
    return status;
}
