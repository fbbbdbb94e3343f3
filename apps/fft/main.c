/* NAS FT, or a round trip of random data, by a 3-D transform on MPI and OpenMP. Strata, MPI or FFTW
 * exchanges the data, or all of them in turn.
 *
 *   options -> what the hosts offer -> grid -> memory and plans -> timed runs -> report
 *
 * All ranks reach the same exit code; rank 0 prints. */
#include "apps/fft/ft.h"

enum { VERIFIED, FAILED };

static int refuse(const char *message)
{
    return app_refuse("fft", message);
}

/* Finds the grid that the user gave, or one that fits. The message says why there is none. */
static bool find_grid(const struct ft_options *o, int grid[2], char *message, size_t size)
{
    const int *n = o->n;
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!o->grid[0]) {
        snprintf(message, size, "%d x %d x %d elements do not divide among %d ranks", n[2], n[1],
                 n[0], ranks);
        return fft_grid_choose(n, ranks, grid);
    }
    grid[0] = o->grid[0];
    grid[1] = o->grid[1];
    if (!fft_grid_fits(n, grid)) {
        snprintf(message, size,
                 "--grid '%dx%d': %d x %d x %d elements have room for %d rows and %d columns",
                 grid[0], grid[1], n[2], n[1], n[0], n[0] < n[1] ? n[0] : n[1],
                 n[1] < n[2] ? n[1] : n[2]);
        return false;
    }
    snprintf(message, size, "--grid '%dx%d': needs %lld ranks, not %d", grid[0], grid[1],
             (long long)grid[0] * grid[1], ranks);
    return (long long)grid[0] * grid[1] == ranks;
}

static void name_algorithms(struct ft *ft)
{
    if (ft->options->libraries >> FFT_STRATA & 1) {
        if (fft_row(ft->fft) != MPI_COMM_NULL) {
            app_used_find(fft_row(ft->fft), false, &ft->row);
        }
        if (fft_column(ft->fft) != MPI_COMM_NULL) {
            app_used_find(fft_column(ft->fft), false, &ft->column);
        }
    }
}

/* Rank 0 decides, and all ranks return its exit code. */
static int conclude(const struct ft *ft, FILE *json)
{
    int code = VERIFIED;
    for (int v = 0; v < FT_VARIANTS; v++) {
        if (ft_runs(ft, v) && !ft_verified(&ft->result[v])) {
            code = FAILED;
        }
    }
    if (ft->rank == 0) {
        ft_report_end(ft);
    }
    if (json && !ft_json_write(ft, json)) {
        fprintf(stderr, "fft: cannot write '%s'\n", ft->options->json);
        code = FAILED;
    }
    MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return code;
}

static int transform_and_report(struct ft *ft, FILE *json)
{
    if (ft->rank == 0) {
        ft_report_begin(ft);
    }
    ft->progress = ft->rank == 0 && app_terminal();
    if (ft->options->class) {
        ft_nas(ft);
    } else {
        ft_roundtrip(ft);
    }
    name_algorithms(ft);
    return conclude(ft, json);
}

static int run(const struct ft_options *options)
{
    struct app_host host;
    struct ft ft = {.options = options, .host = &host};
    char message[1024];
    FILE *json;
    app_host_find(&host, options->threads, MPI_COMM_WORLD);
    if (!find_grid(options, ft.grid, message, sizeof message) ||
        !app_host_fits(&host, ft_bytes(options, ft.grid), MPI_COMM_WORLD, message,
                       sizeof message)) {
        return refuse(message);
    }
    if (!app_open(options->json, &json)) {
        snprintf(message, sizeof message, "--json '%s': cannot be written", options->json);
        return refuse(message);
    }
    int code =
        ft_create(&ft, message, sizeof message) ? transform_and_report(&ft, json) : refuse(message);
    ft_destroy(&ft);
    if (json) {
        fclose(json); /* json was flushed and checked before */
    }
    return code;
}

int main(int argc, char **argv)
{
    struct ft_options options;
    char message[512];
    int provided, rank, code = VERIFIED;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!ft_options_parse(&options, argv + 1, message, sizeof message)) {
        code = refuse(message);
    } else if (!options.help) {
        code = run(&options);
    } else if (rank == 0) {
        ft_options_help(stdout);
    }
    MPI_Finalize();
    return code;
}
