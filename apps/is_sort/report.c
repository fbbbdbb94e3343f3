/* Prints the report for people. */
#include "apps/is_sort/is.h"

static bool used(const struct is_report *report, int exchange)
{
    return report->options->exchanges >> exchange & 1;
}

void is_report_begin(const struct is_report *report)
{
    const struct is_class *class = report->options->class;
    bool both = used(report, IS_STRATA) && used(report, IS_MPI);
    printf("NAS integer sort (IS), class %c\n", class->name);
    printf("  keys       %lld, each below %d, in %d buckets\n", (long long)is_keys(class),
           1 << class->log_max_key, is_buckets(class));
    app_host_print(report->host, report->processes);
    if (report->options->mode == IS_MEMBERS) {
        printf("  mode       members: %d threads sort keys of their own\n", report->sort->ranks);
    }
    if (report->options->mode == IS_PARTED) {
        printf(
            "  mode       parts: each thread has buckets of its own, and begins their exchange\n");
    }
    if (report->options->mode == IS_TEAM) {
        printf("  mode       team: the threads of a rank share its exchange\n");
    }
    printf("  exchange   %s, %s calls\n\n",
           both                      ? "strata and mpi, in turn"
           : used(report, IS_STRATA) ? "strata"
                                     : "mpi",
           is_calls_name[report->options->calls]);
    fflush(stdout);
}

void is_report_iteration(const struct is_report *report, int run, int iteration,
                         double (*seconds)[IS_PARTS])
{
    if (report->options->repeat > 1) {
        printf("  run %3d", run + 1);
    }
    printf("  iteration %2d of %d", iteration, IS_ITERATIONS);
    for (int e = 0; e < IS_EXCHANGES; e++) {
        if (used(report, e)) {
            printf("   %s %8.2f ms, exchange %8.2f ms", is_exchange_name[e],
                   seconds[e][IS_TOTAL] * 1e3, seconds[e][IS_EXCHANGE] * 1e3);
        }
    }
    printf("\n");
    fflush(stdout);
}

static void print_result(const struct is_report *report, int exchange)
{
    const struct is_result *r = &report->results[exchange];
    printf("  %-8s %9.1f %9.4f %9.4f %10.4f %9.4f   %d/%d, %s\n", is_exchange_name[exchange],
           is_result_mops(r, report->options->class).median, is_result_seconds(r, IS_TOTAL),
           is_result_seconds(r, IS_COMPUTE), is_result_seconds(r, IS_ALLREDUCE),
           is_result_seconds(r, IS_EXCHANGE), r->tests_passed, r->runs * IS_ITERATIONS * IS_TESTS,
           r->sorted == r->runs ? "in order" : "NOT in order");
}

static void print_ratio(const struct is_report *report)
{
    struct app_spread ratio = is_results_ratio(report->results);
    printf("\n  exchange time, mpi / strata: %.2f", ratio.median);
    if (report->options->repeat > 1) {
        printf(" (median of %d runs, %.2f to %.2f)", report->options->repeat, ratio.least,
               ratio.most);
    }
    printf("\n");
}

static void print_spread(const struct is_report *report, int exchange)
{
    struct app_spread mops = is_result_mops(&report->results[exchange], report->options->class);
    printf("  %-8s %9.1f to %.1f Mop/s over %d runs\n", is_exchange_name[exchange], mops.least,
           mops.most, report->options->repeat);
}

static void print_verdict(const struct is_report *report, int exchange)
{
    bool verified = is_result_verified(&report->results[exchange]);
    printf("  VERIFICATION %s (%s)\n", verified ? "SUCCESSFUL" : "FAILED",
           is_exchange_name[exchange]);
}

static void for_each(const struct is_report *report,
                     void (*print)(const struct is_report *report, int exchange))
{
    for (int e = 0; e < IS_EXCHANGES; e++) {
        if (used(report, e)) {
            print(report, e);
        }
    }
}

void is_report_end(const struct is_report *report)
{
    if (report->progress) {
        printf("\n");
    }
    printf("  exchange     Mop/s   total s compute s allreduce s exchange s   verification\n");
    for_each(report, print_result);
    if (report->options->repeat > 1) {
        printf("\n");
        for_each(report, print_spread);
    }
    if (report->results[IS_STRATA].used.words[0]) {
        app_used_print("strata used", &report->results[IS_STRATA].used);
    }
    if (used(report, IS_STRATA) && used(report, IS_MPI)) {
        print_ratio(report);
    }
    printf("\n");
    for_each(report, print_verdict);
    fflush(stdout);
}
