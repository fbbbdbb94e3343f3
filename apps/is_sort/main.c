/* NAS IS on MPI and OpenMP. Strata or MPI exchanges the keys, or both in turn.
 *
 *   options -> what the hosts offer -> memory -> keys -> timed iterations -> report
 *
 * All ranks reach the same exit code; rank 0 prints. */
#include "apps/is_sort/is.h"

enum { VERIFIED, FAILED };

static int refuse(const char *message)
{
    return app_refuse("is_sort", message);
}

/* Whether this class can run on these ranks. The message says why not. */
static bool check_class(const struct is_options *options, const struct app_host *host,
                        char *message, size_t size)
{
    const struct is_class *class = options->class;
    int ranks;
    char why[512];
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > is_buckets(class)) {
        snprintf(message, size, "class %c has %d buckets: at most that many ranks, not %d",
                 class->name, is_buckets(class), ranks);
        return false;
    }
    if (is_keys(class) / ranks > INT32_MAX) {
        snprintf(message, size, "class %c needs at least two ranks: one cannot count %lld keys",
                 class->name, (long long)is_keys(class));
        return false;
    }
    if (!app_host_fits(host, is_sort_bytes(options, ranks, host->threads), MPI_COMM_WORLD, why,
                       sizeof why)) {
        snprintf(message, size, "class %c %s", class->name, why);
        return false;
    }
    return true;
}

/* Rank 0 decides, and all ranks return its exit code. */
static int conclude(const struct is_report *report, FILE *json)
{
    int code = VERIFIED;
    for (int e = 0; e < IS_EXCHANGES; e++) {
        bool used = report->options->exchanges >> e & 1;
        if (used && !is_result_verified(&report->results[e])) {
            code = FAILED;
        }
    }
    if (report->sort->rank == 0) {
        is_report_end(report);
    }
    if (json && !is_json_write(report, json)) {
        fprintf(stderr, "is_sort: cannot write '%s'\n", report->options->json);
        code = FAILED;
    }
    MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return code;
}

static void name_algorithms(const struct is_options *options, struct is_result *results)
{
    struct is_result *strata = &results[IS_STRATA], *mpi = &results[IS_MPI];
    snprintf(mpi->used.algorithm, sizeof mpi->used.algorithm, "native");
    if (options->exchanges & 1u << IS_STRATA) {
        app_used_find(MPI_COMM_WORLD, &strata->used);
    }
}

static int sort_and_report(const struct is_options *options, const struct app_host *host,
                           FILE *json)
{
    struct is_sort sort;
    struct is_result results[IS_EXCHANGES] = {{.runs = 0}};
    struct is_report report = {options, &sort, host, results, false};
    if (!is_sort_create(&sort, options, host->threads, MPI_COMM_WORLD)) {
        return refuse("out of memory");
    }
    if (sort.rank == 0) {
        is_report_begin(&report);
    }
    report.progress = sort.rank == 0 && app_terminal();
    is_keys_generate(&sort);
    is_run(&sort, options, results, &report);
    name_algorithms(options, results);
    int code = conclude(&report, json);
    is_sort_destroy(&sort);
    return code;
}

static int run(const struct is_options *options)
{
    struct app_host host;
    char message[1024];
    FILE *json;
    app_host_find(&host, options->threads, MPI_COMM_WORLD);
    if (!check_class(options, &host, message, sizeof message)) {
        return refuse(message);
    }
    if (!app_open(options->json, &json)) {
        snprintf(message, sizeof message, "--json '%s': cannot be written", options->json);
        return refuse(message);
    }
    int code = sort_and_report(options, &host, json);
    if (json) {
        fclose(json); /* json was flushed and checked before */
    }
    return code;
}

int main(int argc, char **argv)
{
    struct is_options options;
    char message[512];
    int provided, rank, code = VERIFIED;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!is_options_parse(&options, argv + 1, message, sizeof message)) {
        code = refuse(message);
    } else if (!options.help) {
        code = run(&options);
    } else if (rank == 0) {
        is_options_help(stdout);
    }
    MPI_Finalize();
    return code;
}
