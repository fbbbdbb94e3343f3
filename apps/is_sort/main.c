/* NAS IS on MPI and OpenMP. Strata or MPI exchanges the keys, or both in turn.
 *
 *   options -> what the hosts offer -> memory -> keys -> timed iterations -> report
 *
 * All ranks reach the same exit code; rank 0 prints. Where threads are members, each thread makes
 * the way from memory to the report as a rank does. */
#include "apps/is_sort/is.h"
#include "include/strata.h"

enum { VERIFIED, FAILED, OUT_OF_MEMORY };

static int refuse(const char *message)
{
    return app_refuse("is_sort", message);
}

/* Whether this class can run on these ranks. The message says why not. */
static bool check_class(const struct is_options *options, const struct app_host *host,
                        char *message, size_t size)
{
    const struct is_class *class = options->class;
    int ranks, members = options->mode == IS_MEMBERS ? host->threads : 1; /* of a rank */
    char why[512];
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    ranks *= members;
    if (ranks > is_buckets(class)) {
        snprintf(message, size, "class %c has %d buckets: at most that many %s, not %d",
                 class->name, is_buckets(class), options->mode == IS_MEMBERS ? "members" : "ranks",
                 ranks);
        return false;
    }
    if (is_keys(class) / ranks > INT32_MAX) {
        snprintf(message, size, "class %c needs at least two ranks: one cannot count %lld keys",
                 class->name, (long long)is_keys(class));
        return false;
    }
    double bytes = members * is_sort_bytes(options, ranks, host->threads / members);
    if (!app_host_fits(host, bytes, MPI_COMM_WORLD, why, sizeof why)) {
        snprintf(message, size, "class %c %s", class->name, why);
        return false;
    }
    return true;
}

/* Rank 0 decides, and all ranks return its exit code. */
static int conclude(struct is_sort *s, const struct is_report *report, FILE *json)
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
    if (json && s->rank == 0 && !is_json_write(report, json)) {
        fprintf(stderr, "is_sort: cannot write '%s'\n", report->options->json);
        code = FAILED;
    }
    is_collect(s, &code, 1, MPI_INT, MPI_MAX);
    return code;
}

/* comm: MPI_COMM_WORLD, or a member's handle. */
static int sort_and_report(const struct is_options *options, const struct app_host *host,
                           FILE *json, MPI_Comm comm)
{
    struct is_sort sort;
    struct is_result results[IS_EXCHANGES] = {{.runs = 0}};
    struct is_report report = {options, &sort, host, 0, results, false};
    MPI_Comm_size(MPI_COMM_WORLD, &report.processes);
    if (!is_sort_create(&sort, options, options->mode == IS_MEMBERS ? 1 : host->threads, comm)) {
        return OUT_OF_MEMORY;
    }
    if (sort.rank == 0) {
        is_report_begin(&report);
    }
    report.progress = sort.rank == 0 && app_terminal();
    is_keys_generate(&sort);
    snprintf(results[IS_MPI].used.algorithm, sizeof results[IS_MPI].used.algorithm, "native");
    is_run(&sort, options, results, &report);
    int code = conclude(&sort, &report, json);
    is_sort_destroy(&sort);
    return code;
}

/* All threads reach the same exit code. */
static int sort_by_members(const struct is_options *options, const struct app_host *host,
                           FILE *json)
{
    struct strata_members *members;
    int code = VERIFIED;
    strata_members_create(MPI_COMM_WORLD, host->threads, &members);
#pragma omp parallel num_threads(host->threads) reduction(max : code)
    {
        MPI_Comm handle;
        strata_members_join(members, &handle);
        code = sort_and_report(options, host, json, handle);
    }
    strata_members_free(&members);
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
    int code = options->mode == IS_MEMBERS ? sort_by_members(options, &host, json)
                                           : sort_and_report(options, &host, json, MPI_COMM_WORLD);
    code = code == OUT_OF_MEMORY ? refuse("out of memory") : code;
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
    bool right = is_options_parse(&options, argv + 1, message, sizeof message);
    const bool many = right && (options.mode == IS_MEMBERS || options.mode == IS_PARTED);
    int wanted = many ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
    MPI_Init_thread(&argc, &argv, wanted, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!right) {
        code = refuse(message);
    } else if (!options.help) {
        code = run(&options);
    } else if (rank == 0) {
        is_options_help(stdout);
    }
    MPI_Finalize();
    return code;
}
