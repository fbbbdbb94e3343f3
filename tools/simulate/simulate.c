/* strata simulate: runs a collective on a described cluster in simulated time, by Strata's
 * algorithms and by those of MPI libraries. */
#include "tools/simulate/simulate.h"

#include "tools/command/words.h"

#include <stdlib.h>
#include <string.h>

static int nodes_of(const struct simulate_request *r)
{
    return (r->ranks + r->per_node - 1) / r->per_node;
}

static const char *mapping_of(const struct simulate_request *r)
{
    return r->cyclic ? "cyclic" : "sequential";
}

/* Quotes a field that has commas. */
static void print_csv_text(const char *text)
{
    printf(strchr(text, ',') ? "\"%s\"" : "%s", text);
}

static void print_csv_line(const struct simulate_request *r, int method, int size,
                           const struct simulate_figure *f)
{
    printf("%s,", r->collective);
    print_csv_text(r->method[method]);
    printf(",%s,%ld,%d,%d,%s,%.12g,", r->pattern, r->bytes[size], nodes_of(r), r->ranks,
           mapping_of(r), f->seconds);
    if (f->messages >= 0) {
        printf("%.12g,%.12g\n", f->messages, f->bytes);
    } else {
        printf(",\n");
    }
}

static void print_csv(const struct simulate_request *r, const struct simulate_results *results)
{
    printf("collective,method,pattern,bytes,nodes,ranks,mapping,seconds,messages_between,"
           "bytes_between\n");
    for (int m = 0; m < r->methods; m++) {
        for (int s = 0; s < r->sizes; s++) {
            print_csv_line(r, m, s, &results->figure[m][s]);
        }
    }
}

static void print_application(const struct simulate_request *r,
                              const struct simulate_results *results)
{
    if (r->csv) {
        printf("application,method,class,nodes,ranks,mapping,seconds,mops\n");
    } else {
        printf("%s of class %s on %s: %d ranks, %d on each of %d nodes, %s\n\n", r->collective,
               r->class, r->platform.name, r->ranks, r->per_node, nodes_of(r), mapping_of(r));
        printf("  %-12s %12s %9s\n", "exchange by", "seconds", "Mop/s");
    }
    for (int m = 0; m < r->methods; m++) {
        const struct simulate_figure *f = &results->figure[m][0];
        if (r->csv) {
            printf("%s,%s,%s,%d,%d,%s,%.12g,%.12g\n", r->collective, r->method[m], r->class,
                   nodes_of(r), r->ranks, mapping_of(r), f->seconds, f->mops);
        } else {
            printf("  %-12s %12.6f %9.1f\n", r->method[m], f->seconds, f->mops);
        }
    }
}

static void print_table_line(const struct simulate_request *r, int m, int s,
                             const struct simulate_figure *f)
{
    char time[32], bytes[32], messages[32], volume[32] = "";
    tool_seconds(f->seconds, time, sizeof time);
    tool_bytes((double)r->bytes[s], bytes, sizeof bytes);
    snprintf(messages, sizeof messages, f->messages >= 0 ? "%.0f" : "", f->messages);
    if (f->messages >= 0) {
        tool_bytes(f->bytes, volume, sizeof volume);
    }
    printf("  %-28s %9s %11s %10s %10s  %s\n", r->method[m], bytes, time, messages, volume,
           strcmp(f->algorithm, "native") == 0 ? "MPI's own" : f->algorithm);
}

static void print_table(const struct simulate_request *r, const struct simulate_results *results)
{
    printf("%s on %s: %d ranks, %d on each of %d nodes, %s; %s blocks; %d call%s\n\n",
           r->collective, r->platform.name, r->ranks, r->per_node, nodes_of(r), mapping_of(r),
           r->pattern, r->calls, tool_plural(r->calls));
    printf("  %-28s %9s %11s %10s %10s  %s\n", "method", "block", "a call", "messages", "bytes",
           "ran");
    for (int m = 0; m < r->methods; m++) {
        for (int s = 0; s < r->sizes; s++) {
            print_table_line(r, m, s, &results->figure[m][s]);
        }
    }
    printf("\nSimulated time from the start, common to all ranks, to the last rank's return; "
           "messages\n"
           "and bytes between nodes, of all ranks together, where they are known.\n");
}

static int run(const struct tool_command *command, int argc, char **argv)
{
    struct simulate_request *request = calloc(1, sizeof *request);
    struct simulate_results *results = calloc(1, sizeof *results);
    int code = TOOL_FAILED;
    if (request && results) {
        request->command = command;
        code = simulate_parse(request, argc, argv);
        code = code == TOOL_OK ? simulate_run(request, results) : code;
    }
    if (code == TOOL_OK && request && results) {
        (request->split   ? simulate_split_print
         : request->class ? print_application
         : request->csv   ? print_csv
                          : print_table)(request, results);
    }
    free(request);
    free(results);
    return code;
}

const struct tool_command tool_simulate = {
    .name = "simulate",
    .arguments = "COLLECTIVE|is_sort|split --platform NAME --ranks N [OPTION]...",
    .summary = "Times a collective on a described cluster, in simulated time, beside MPI libraries",
    .help = simulate_help,
    .run = run,
};
