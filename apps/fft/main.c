/* NAS FT, or a round trip of random data, by a 3-D transform on MPI and OpenMP. Strata, MPI or FFTW
 * exchanges the data, or all of them in turn.
 *
 *   options -> what the hosts offer -> grid -> memory and plans -> timed runs -> report
 *
 * All ranks reach the same exit code; rank 0 prints. Where threads are members, each makes the way
 * from memory to the report as a rank does. */
#include "apps/fft/ft.h"
#include "include/strata.h"

enum { VERIFIED, FAILED, REFUSED };

static int refuse(const char *message)
{
    return app_refuse("fft", message);
}

/* Finds the grid that the user gave, or one that fits. The message says why there is none. */
static bool find_grid(const struct ft_options *o, int places, int grid[2], char *message,
                      size_t size)
{
    const int *n = o->n;
    const char *what = o->members ? "members in slabs" : "ranks";
    if (!o->grid[0]) {
        snprintf(message, size, "%d x %d x %d elements do not divide among %d %s", n[2], n[1], n[0],
                 places, what);
        return fft_grid_choose(n, places, grid) && !(o->members && grid[1] > 1);
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
    snprintf(message, size, "--grid '%dx%d': needs %lld %s, not %d", grid[0], grid[1],
             (long long)grid[0] * grid[1], what, places);
    return (long long)grid[0] * grid[1] == places;
}

static void name_algorithms(struct ft *ft)
{
    if (ft->options->libraries >> FFT_STRATA & 1) {
        if (fft_row(ft->fft) != MPI_COMM_NULL) {
            app_used_find(fft_row(ft->fft), ft->options->members, &ft->row);
        }
        if (fft_column(ft->fft) != MPI_COMM_NULL) {
            app_used_find(fft_column(ft->fft), ft->options->members, &ft->column);
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
    if (json && ft->rank == 0 && !ft_json_write(ft, json)) {
        fprintf(stderr, "fft: cannot write '%s'\n", ft->options->json);
        code = FAILED;
    }
    ft_collect(ft, &code, 1, MPI_INT, MPI_MAX);
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

/* One rank's part, or one member's; comm is MPI_COMM_WORLD, or its handle. */
static int make_and_run(const struct ft *like, MPI_Comm comm, FILE *json)
{
    struct ft ft = *like;
    char message[1024];
    int code = REFUSED;
    ft.comm = comm;
    if (ft_create(&ft, message, sizeof message)) {
        code = transform_and_report(&ft, json);
    } else if (ft.rank == 0) {
        (void)refuse(message);
    }
    ft_destroy(&ft);
    return code;
}

/* All threads reach the same exit code. */
static int run_members(const struct ft *like, FILE *json)
{
    struct strata_members *members;
    int code = VERIFIED;
    strata_members_create(MPI_COMM_WORLD, like->host->threads, &members);
#pragma omp parallel num_threads(like->host->threads) reduction(max : code)
    {
        MPI_Comm handle;
        strata_members_join(members, &handle);
        code = make_and_run(like, handle, json);
    }
    strata_members_free(&members);
    return code;
}

static int run(const struct ft_options *options)
{
    struct app_host host;
    struct ft ft = {.options = options, .host = &host};
    char message[1024];
    FILE *json;
    app_host_find(&host, options->threads, MPI_COMM_WORLD);
    MPI_Comm_size(MPI_COMM_WORLD, &ft.processes);
    const int members = options->members ? host.threads : 1; /* of a rank */
    ft.threads = host.threads / members;
    if (!find_grid(options, ft.processes * members, ft.grid, message, sizeof message) ||
        !app_host_fits(&host, members * ft_bytes(options, ft.grid), MPI_COMM_WORLD, message,
                       sizeof message)) {
        return refuse(message);
    }
    if (!app_open(options->json, &json)) {
        snprintf(message, sizeof message, "--json '%s': cannot be written", options->json);
        return refuse(message);
    }
    int code = options->members ? run_members(&ft, json) : make_and_run(&ft, MPI_COMM_WORLD, json);
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
    bool right = ft_options_parse(&options, argv + 1, message, sizeof message);
    int wanted = right && options.members ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
    MPI_Init_thread(&argc, &argv, wanted, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!right) {
        code = refuse(message);
    } else if (!options.help) {
        code = run(&options);
    } else if (rank == 0) {
        ft_options_help(stdout);
    }
    MPI_Finalize();
    return code;
}
