/* Prints --help, and knows Google Benchmark's options. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/strata_bench/exchange.h"
#include "bench/strata_bench/options.h"

static bool is_form(const char *value)
{
    return strcmp(value, "console") == 0 || strcmp(value, "json") == 0 || strcmp(value, "csv") == 0;
}

static bool is_writable(const char *value)
{
    if (!*value) { /* none */
        return true;
    }
    FILE *file = fopen(value, "a");
    return file && fclose(file) == 0;
}

static bool is_positive(const char *value)
{
    return strtol(value, NULL, 10) > 0;
}

static bool is_zero(const char *value)
{
    return strtod(value, NULL) == 0;
}

/* Google Benchmark's options, which it also reads from the environment. */
static const struct {
    const char *option, *variable, *wrong;
    bool (*right)(const char *value);
} reports[] = {
    {"--benchmark_format=", "BENCHMARK_FORMAT", "must be console, json or csv", is_form},
    {"--benchmark_out_format=", "BENCHMARK_OUT_FORMAT", "must be console, json or csv", is_form},
    {"--benchmark_out=", "BENCHMARK_OUT", "cannot be written", is_writable},
    {"--benchmark_repetitions=", "BENCHMARK_REPETITIONS", "must be 1 or more", is_positive},
    {"--benchmark_min_warmup_time=", "BENCHMARK_MIN_WARMUP_TIME",
     "must be 0: what is timed has run before", is_zero},
};

/* The text behind the name in the word; NULL where the word begins otherwise. */
static const char *value_of(const char *word, const char *name)
{
    size_t length = strlen(name);
    return strncmp(word, name, length) == 0 ? word + length : NULL;
}

static bool check_report(int at, const char *name, const char *value, char *message, size_t size)
{
    if (!value || reports[at].right(value)) {
        return true;
    }
    const char *equals = strchr(name, '=') ? "" : "=";
    snprintf(message, size, "%s%s%s: %s", name, equals, value, reports[at].wrong);
    return false;
}

bool options_check_reports(int argc, char **argv, char *message, size_t size)
{
    bool good = true;
    for (int at = 0; at < (int)(sizeof reports / sizeof *reports) && good; at++) {
        const char *variable = reports[at].variable, *option = reports[at].option;
        good = check_report(at, variable, getenv(variable), message, size);
        for (int i = 1; i < argc && good; i++) {
            good = check_report(at, option, value_of(argv[i], option), message, size);
        }
    }
    return good;
}

void options_help(void)
{
    printf(
        "usage: mpirun -n RANKS strata_bench [OPTION VALUE]...\n\n"
        "Times Strata's collectives and MPI's own, batches of calls in turn on the same buffers,\n"
        "between proofs that both deliver the same. Calls that do not block are timed beside a\n"
        "computation, persistent ones beside calls that block.\n\n");
    for (const struct option *o = option_table; o->name; o++) {
        char words[32];
        snprintf(words, sizeof words, "%s %s", o->name, o->value);
        printf("  %-23s %s\n", words, o->meaning);
    }
    printf("  %-23s %s\n", "--benchmark_filter=REGEX", "only cases whose names match");
    printf("  %-23s %s\n", "--benchmark_format=F", "console, json or csv instead of the table");
    printf("  %-23s %s\n", "--benchmark_out=FILE", "also to a file, as JSON or in the form");
    printf("  %-23s %s\n", "", "that --benchmark_out_format=F names");
    printf("  %-23s %s\n", "", "and what else Google Benchmark has, such as");
    printf("  %-23s %s\n\ncollectives:", "", "--benchmark_list_tests, --benchmark_repetitions=N");
    for (const struct collective *c = collectives; c->name; c++) {
        printf(" %s%s", c == collectives + 9 ? "\n            " : "", c->name);
    }
    printf("\npatterns, where blocks may differ (the v collectives, alltoallw, reduce_scatter):\n");
    for (const struct pattern *p = patterns; p->name; p++) {
        printf("  %-13s %s\n", p->name, p->meaning);
    }
}
