/* What --help says, and the options that are Google Benchmark's. */
#include <stdio.h>
#include <string.h>

#include "bench/strata_bench/exchange.h"
#include "bench/strata_bench/options.h"

/* What follows name in the word, or NULL. */
static const char *value_of(const char *word, const char *name)
{
    size_t length = strlen(name);
    return strncmp(word, name, length) == 0 ? word + length : NULL;
}

bool options_check_reports(int argc, char **argv, char *message, size_t size)
{
    for (int i = 1; i < argc; i++) {
        const char *format = value_of(argv[i], "--benchmark_format=");
        const char *out = value_of(argv[i], "--benchmark_out=");
        format = format ? format : value_of(argv[i], "--benchmark_out_format=");
        if (format && strcmp(format, "console") != 0 && strcmp(format, "json") != 0 &&
            strcmp(format, "csv") != 0) {
            snprintf(message, size, "%s: must be console, json or csv", argv[i]);
            return false;
        }
        FILE *file = out ? fopen(out, "a") : NULL;
        if (out && !file) {
            snprintf(message, size, "%s: cannot be written", argv[i]);
            return false;
        }
        if (file) {
            fclose(file);
        }
    }
    return true;
}

void options_help(void)
{
    printf(
        "usage: mpirun -n RANKS strata_bench [OPTION VALUE]...\n\n"
        "Times Strata's collectives and MPI's own, batches of calls in turn on the same buffers,\n"
        "after a proof that both deliver the same.\n\n");
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
