/* The communication of NAS FT without the transform: the exchanges of one 3-D transform over a grid
 * of ranks.
 *
 *   mpirun -n 64 build/openmpi/bench/fft_traffic --class C --grid 8x8
 *
 * Options: --class S|W|A|B|C|D; --grid PxQ, without it slabs if they fit; --batches N; --seconds S
 * of a batch. In a grid PxQ the Q ranks of each row (neighbours in number) turn y into x. Then the
 * P ranks of each column turn z into y. The blocks are those that the application's threads pack.
 *
 * Bytes are those of the rank that sends most, times are those of the slowest rank, per call. The
 * program serves layouts too large to compute: it needs only two buffers of a rank's share, and no
 * time between exchanges. */
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

/* The elements of part number `part`, with n divided evenly. */
static int share(int n, int parts, int part)
{
    return (int)((long long)n * (part + 1) / parts - (long long)n * part / parts);
}

/* Measures the exchange of a line of ranks. They own parts of axis a before it and of axis b after
 * it, of `others` elements each. */
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

static const char *set_option(void *options, const char *name, const char *value)
{
    struct options *o = options;
    if (strcmp(name, "--grid") == 0) {
        char rest;
        bool fine = sscanf(value, "%9dx%9d%c", &o->grid[0], &o->grid[1], &rest) == 2;
        return fine && o->grid[0] > 0 && o->grid[1] > 0 ? NULL : "PxQ, rows and columns of ranks";
    }
    if (strcmp(name, "--class") == 0) {
        for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
            if (value[0] == classes[i].name && value[1] == '\0') {
                o->class = value[0];
                memcpy(o->n, classes[i].n, sizeof o->n);
                return NULL;
            }
        }
        return "S, W, A, B, C or D";
    }
    return traffic_option(&o->measuring, name, value);
}

/* Whether every rank has elements before and after each exchange. */
static bool fits(const int n[3], int rows, int columns)
{
    return rows <= n[0] && rows <= n[1] && columns <= n[1] && columns <= n[2];
}

/* Finds the grid that the user gave, or the one with fewest columns. */
static bool find_grid(struct options *o, int ranks, char *message, size_t size)
{
    const int *n = o->n;
    int *grid = o->grid;
    bool asked = grid[0] > 0;
    for (int columns = 1; !asked && columns <= ranks && !grid[0]; columns++) {
        if (ranks % columns == 0 && fits(n, ranks / columns, columns)) {
            grid[0] = ranks / columns;
            grid[1] = columns;
        }
    }
    if (!grid[0]) {
        snprintf(message, size, "%d x %d x %d elements do not divide among %d ranks", n[2], n[1],
                 n[0], ranks);
    } else if (!fits(n, grid[0], grid[1])) {
        snprintf(message, size,
                 "--grid '%dx%d': %d x %d x %d elements have room for %d rows and %d columns",
                 grid[0], grid[1], n[2], n[1], n[0], n[0] < n[1] ? n[0] : n[1],
                 n[1] < n[2] ? n[1] : n[2]);
    } else if (grid[0] * grid[1] != ranks) {
        snprintf(message, size, "--grid '%dx%d': needs %d ranks, not %d", grid[0], grid[1],
                 grid[0] * grid[1], ranks);
    } else {
        return true;
    }
    return false;
}

static bool find_room(const struct options *o, int ranks, char *message, size_t size)
{
    double elements = (double)o->n[0] * o->n[1] * o->n[2] / ranks * 1.5;
    if (elements > 2147483647.) {
        snprintf(message, size, "more elements than an int can count: use more ranks");
        return false;
    }
    snprintf(message, size, "not enough memory for this class");
    return measure_fits(2 * 16 * elements);
}

int main(int argc, char **argv)
{
    struct options options = {
        .measuring = {11, 0.2}, .class = 'S', .n = {64, 64, 64}, .grid = {0, 0}};
    char message[256];
    int rank, ranks, status = 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (traffic_parse(argv + 1, set_option, &options, message, sizeof message) &&
        find_grid(&options, ranks, message, sizeof message) &&
        find_room(&options, ranks, message, sizeof message)) {
        status = !run(&options);
    } else if (rank == 0) {
        fprintf(stderr, "fft_traffic: %s\n", message);
    }
    MPI_Finalize();
    return status;
}
