/* strata simulate: runs a collective on a described cluster in simulated time, by Strata's
 * algorithms and by those of MPI libraries. */
#include "tools/simulate/simulate.h"

#include "intranode/helpers_smpi.h"
#include "tools/command/words.h"
#include "tools/plan/plan.h"

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

/* The platform's machine, with the teams that the ranks' calls may open. */
static void machine_of(const struct simulate_request *r, char *text, size_t size)
{
    const struct tool_platform *p = &r->platform;
    const size_t from = strata_helpers_pay_from(r->threads, p->copy, p->flag);
    if (from == SIZE_MAX) {
        snprintf(text, size, "%s", p->machine);
        return;
    }
    snprintf(text, size, "%s%cthreads=%d,team=%zu,opening=%.9g", p->machine,
             strchr(p->machine, ':') ? ',' : ':', r->threads, from, p->team);
}

/* The cost estimate of what ran, on the platform's machine; 0: there is none, as of MPI's own, or
 * where nodes differ in their ranks. */
static double predicted(const struct simulate_request *r, long size,
                        const struct simulate_figure *f)
{
    char topology[64], bytes[32], root[16], collective[32], algorithm[128], machine[400];
    struct tool_plan_request request = {.command = r->command};
    struct tool_plan_case c = {.plans = NULL};
    if (!f->algorithm[0] || strcmp(f->algorithm, "native") == 0 || !r->platform.machine[0] ||
        r->ranks % r->per_node != 0 || (r->pattern && strcmp(r->pattern, "fixed") != 0)) {
        return 0;
    }
    snprintf(topology, sizeof topology, "node:%d%s rank:%d", nodes_of(r),
             r->cyclic ? ":cyclic" : "", r->ranks);
    snprintf(bytes, sizeof bytes, "%ld", size);
    snprintf(root, sizeof root, "%d", r->root);
    snprintf(collective, sizeof collective, "%s", r->collective);
    snprintf(algorithm, sizeof algorithm, "%s", f->algorithm);
    machine_of(r, machine, sizeof machine);
    char *words[] = {"price", collective, "--topo", topology, "--algo", algorithm, "--machine",
                     machine, "--bytes",  bytes,    "--root", root,     NULL};
    int barrier = strcmp(r->collective, "barrier") == 0;
    words[barrier ? 8 : 12] = NULL;
    double seconds = 0;
    if (tool_plan_read(&request, NULL, words) == TOOL_OK &&
        tool_plan_prepare(&c, &request) == TOOL_OK) {
        seconds = c.selection.seconds;
    }
    tool_plan_release(&c);
    return seconds;
}

static void print_csv_line(const struct simulate_request *r, int method, int size,
                           const struct simulate_figure *f)
{
    printf("%s,", r->collective);
    print_csv_text(r->method[method]);
    printf(",%s,%ld,%d,%d,%s,%.12g,", r->pattern, r->bytes[size], nodes_of(r), r->ranks,
           mapping_of(r), f->seconds);
    if (f->messages >= 0) {
        printf("%.12g,%.12g,", f->messages, f->bytes);
    } else {
        printf(",,");
    }
    print_csv_text(f->algorithm);
    double seconds = predicted(r, r->bytes[size], f);
    printf(seconds > 0 ? ",%.12g" : ",", seconds);
    printf(",%.12g,%.12g\n", f->opened, f->helped);
}

static void print_csv(const struct simulate_request *r, const struct simulate_results *results)
{
    printf("collective,method,pattern,bytes,nodes,ranks,mapping,seconds,messages_between,"
           "bytes_between,ran,predicted,teams_opened,helped\n");
    for (int m = 0; m < r->methods; m++) {
        for (int s = 0; s < r->sizes; s++) {
            print_csv_line(r, m, s, &results->figure[m][s]);
        }
    }
}

/* "; 4 threads of each rank", or nothing. */
static const char *threads_of(const struct simulate_request *r, char text[64])
{
    snprintf(text, 64, r->threads > 1 ? "; %d threads of each rank" : "", r->threads);
    return text;
}

static void print_application(const struct simulate_request *r,
                              const struct simulate_results *results)
{
    char threads[64];
    if (r->csv) {
        printf("application,method,class,nodes,ranks,mapping,seconds,mops,"
               "exchange_seconds\n");
    } else {
        printf("%s of class %s on %s: %d ranks, %d on each of %d nodes, %s%s\n\n", r->collective,
               r->class, r->platform.name, r->ranks, r->per_node, nodes_of(r), mapping_of(r),
               threads_of(r, threads));
        printf("  %-12s %12s %12s %9s\n", "exchange by", "seconds", "exchange, s", "Mop/s");
    }
    for (int m = 0; m < r->methods; m++) {
        const struct simulate_figure *f = &results->figure[m][0];
        char mops[32] = ""; /* fft tells none */
        if (f->mops > 0) {
            snprintf(mops, sizeof mops, r->csv ? "%.12g" : "%.1f", f->mops);
        }
        if (r->csv) {
            printf("%s,", r->collective);
            print_csv_text(r->method[m]);
            printf(",%s,%d,%d,%s,%.12g,%s,%.12g\n", r->class, nodes_of(r), r->ranks, mapping_of(r),
                   f->seconds, mops, f->exchange);
        } else {
            printf("  %-12s %12.6f %12.6f %9s\n", r->method[m], f->seconds, f->exchange, mops);
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
    printf("  %-28s %9s %11s %10s %10s  ", r->method[m], bytes, time, messages, volume);
    if (r->threads > 1) {
        printf("%6.4g %6.4g  ", f->opened, f->helped);
    }
    printf("%s\n", strcmp(f->algorithm, "native") == 0 ? "MPI's own" : f->algorithm);
}

static void print_table(const struct simulate_request *r, const struct simulate_results *results)
{
    char threads[64];
    printf("%s on %s: %d ranks, %d on each of %d nodes, %s%s; %s blocks; %d call%s\n\n",
           r->collective, r->platform.name, r->ranks, r->per_node, nodes_of(r), mapping_of(r),
           threads_of(r, threads), r->pattern, r->calls, tool_plural(r->calls));
    printf("  %-28s %9s %11s %10s %10s  %s%s\n", "method", "block", "a call", "messages", "bytes",
           r->threads > 1 ? " teams pieces  " : "", "ran");
    for (int m = 0; m < r->methods; m++) {
        for (int s = 0; s < r->sizes; s++) {
            print_table_line(r, m, s, &results->figure[m][s]);
        }
    }
    printf("\nSimulated time from the start, common to all ranks, to the last rank's return; "
           "messages\n"
           "and bytes between nodes, of all ranks together, where they are known.\n");
    if (r->threads > 1) {
        printf("teams: ranks that opened one in a call. pieces: work that their other threads "
               "took.\n");
    }
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
    .arguments = "COLLECTIVE|is_sort|fft|split --platform NAME --ranks N [OPTION]...",
    .summary = "Times a collective on a described cluster, in simulated time, beside MPI libraries",
    .help = simulate_help,
    .run = run,
};
