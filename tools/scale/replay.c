/* strata replay: writes plans as time-independent traces, which SimGrid replays on a described
 * cluster. Simulated times so reach more ranks than one machine can execute. */
#include "tools/scale/replay.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "tools/command/words.h"

struct asked {
    struct tool_scale scale;
    const char *platform, *keep, *settings, *form;
    bool persistent;
    char each[24];
};

/* The results that the command prints. */
struct result {
    struct tool_platform platform;
    struct tool_trace_totals totals;
    double simulated, writing, replaying; /* seconds */
};

static void line(const char *what, double messages, double bytes)
{
    char text[32];
    printf("  %-15s %.0f messages, %s\n", what, messages, tool_bytes(bytes, text, sizeof text));
}

static void report(const struct tool_plan_case *c, const struct tool_plan_request *request,
                   const struct result *r)
{
    const struct tool_trace_totals *t = &r->totals;
    char text[160], name[96];
    strata_topology_describe(c->topology, text, sizeof text);
    strata_algorithm_name(c->selection.choice.algorithm, c->selection.choice.parameter, name,
                          sizeof name);
    printf("%s of %.0f B%s by %s\n", strata_collective_name(request->collective),
           request->block_bytes,
           strata_collective_info[request->collective].ranked ? " blocks" : "", name);
    printf("  %-15s %s\n  %-15s %s\n", "topology", text, "platform", r->platform.name);
    line("between nodes", t->messages, t->bytes);
    line("inside nodes", t->messages_node, t->bytes_node);
    printf("  %-15s %.0f, as messages without bytes\n", "signals", t->signals);
    printf("  %-15s %s\n", "copied", tool_bytes(t->copied, text, sizeof text));
    printf("  %-15s %.3f us\n", "simulated time", r->simulated * 1e6);
    printf("  %-15s %.1f s for %.0f actions of the trace, %.1f s for the replay\n", "wall time",
           r->writing, t->actions, r->replaying);
}

/* Prints the results under strata simulate's names of columns. */
static void report_csv(const struct tool_plan_case *c, const struct tool_plan_request *request,
                       const struct result *r)
{
    char name[96];
    strata_algorithm_name(c->selection.choice.algorithm, c->selection.choice.parameter, name,
                          sizeof name);
    printf("collective,method,bytes,nodes,ranks,torus,seconds,messages_between,bytes_between\n"
           "%s,\"%s\",%.0f,%d,%d,%s,%.9g,%.0f,%.0f\n",
           strata_collective_name(request->collective), name, request->block_bytes,
           c->topology->nodes, c->topology->ranks, request->config.torus, r->simulated,
           r->totals.messages, r->totals.bytes);
}

static int replay(struct tool_plan_case *c, const struct tool_plan_request *request,
                  const struct asked *asked, struct result *r)
{
    struct tool_replay_folder folder = {.path = ""};
    int code = tool_replay_open(&folder, asked->keep, request->command);
    double began = strata_seconds();
    if (code == TOOL_OK) {
        code = tool_replay_write(&folder, c, request, &r->platform, asked->persistent, &r->totals);
    }
    double wrote = strata_seconds();
    if (code == TOOL_OK) {
        code = tool_replay_run(&folder, c->topology->ranks, &r->platform, asked->settings,
                               &r->simulated, request->command);
    }
    r->writing = wrote - began;
    r->replaying = strata_seconds() - wrote;
    tool_replay_close(&folder);
    return code;
}

static int wrong(const struct tool_command *command, const char *sentence)
{
    tool_complain(command, "%s", sentence);
    return TOOL_WRONG_USE;
}

static int find_platform(struct tool_platform *platform, const struct asked *asked,
                         const struct tool_command *command)
{
    struct strata_diagnostic message = {""};
    if (!asked->platform) {
        return wrong(command, "which platform? --platform smoky, or a file NAME.xml");
    }
    if (tool_platform_find(asked->platform, platform, &message) != STRATA_OK) {
        tool_complain(command, "--platform: %s", message.text);
        return TOOL_WRONG_USE;
    }
    return platform->adapter > 0 ? wrong(command, "--platform: a replay has no shared adapter")
                                 : TOOL_OK;
}

static int read_form(struct asked *asked, const struct tool_command *command)
{
    asked->persistent = asked->form && strcmp(asked->form, "persistent") == 0;
    if (asked->form && !asked->persistent && strcmp(asked->form, "blocking") != 0) {
        tool_complain(command, "--form \"%s\": allowed is blocking or persistent", asked->form);
        return TOOL_WRONG_USE;
    }
    return TOOL_OK;
}

/* Puts a rank on each core of a host, as strata simulate does. */
static void fill_hosts(struct asked *asked, const struct tool_plan_request *request,
                       const struct tool_platform *platform)
{
    long ranks = asked->scale.ranks ? strtol(asked->scale.ranks, NULL, 10) : 0;
    if (ranks > 0 && !asked->scale.ranks_per_node && !tool_plan_given(request, "--topo")) {
        snprintf(asked->each, sizeof asked->each, "%ld",
                 ranks < platform->cores ? ranks : (long)platform->cores);
        asked->scale.ranks_per_node = asked->each;
    }
}

static int read_all(struct asked *asked, struct tool_plan_request *request,
                    struct tool_platform *platform, char **argv)
{
    const struct tool_option own[] = {
        {"--ranks", TOOL_VALUE, NULL, &asked->scale.ranks},
        {"--ranks-per-node", TOOL_VALUE, NULL, &asked->scale.ranks_per_node},
        {"--mapping", TOOL_VALUE, NULL, &asked->scale.mapping},
        {"--platform", TOOL_VALUE, NULL, &asked->platform},
        {"--keep", TOOL_VALUE, NULL, &asked->keep},
        {"--smpirun", TOOL_VALUE, NULL, &asked->settings},
        {"--form", TOOL_VALUE, NULL, &asked->form},
        {NULL, TOOL_FLAG, NULL, NULL}};
    int code = tool_plan_read(request, own, argv);
    if (code == TOOL_OK) {
        code = read_form(asked, request->command);
    }
    if (code == TOOL_OK) {
        code = find_platform(platform, asked, request->command);
    }
    if (code == TOOL_OK) {
        fill_hosts(asked, request, platform);
        code = tool_scale_topology(&asked->scale, request);
    }
    return code;
}

static int run(const struct tool_command *command, int argc, char **argv)
{
    struct tool_plan_request request = {.command = command};
    struct asked asked = {.platform = NULL};
    struct tool_plan_case c = {.plans = NULL};
    struct result r = {.simulated = 0};
    (void)argc;
    int code = read_all(&asked, &request, &r.platform, argv);
    if (code == TOOL_OK && *r.platform.machine && !tool_plan_given(&request, "--machine")) {
        memcpy(request.config.machine, r.platform.machine, sizeof request.config.machine);
    }
    if (code == TOOL_OK) {
        code = tool_plan_prepare(&c, &request);
    }
    if (code == TOOL_OK) {
        code = replay(&c, &request, &asked, &r);
    }
    if (code == TOOL_OK) {
        (request.csv ? report_csv : report)(&c, &request, &r);
    }
    tool_plan_release(&c);
    return code;
}

const struct tool_command tool_replay = {
    .name = "replay",
    .arguments = "COLLECTIVE --platform PLATFORM [OPTION]...",
    .summary =
        "Replays plans on a described cluster (SimGrid), for more ranks than can be executed",
    .help = "  --platform P        a name of `strata list platforms`, or a file NAME.xml\n"
            "  --ranks N           how many ranks\n"
            "  --ranks-per-node N  (as many as a host has cores)\n"
            "  --mapping M         of ranks to nodes: sequential: node after node; cyclic: dealt "
            "in turn\n"
            "                      (sequential)\n"
            "  --topo LEVELS       instead of these three: node:4 rank:16\n"
            "  --form F            blocking, or persistent: from the second start on, without "
            "lengths\n"
            "                      (blocking)\n"
            "  --keep DIR          keep the traces, the list of hosts and smpirun's output there\n"
            "  --smpirun OPTIONS   more options for smpirun, separated by spaces\n"
            "  --csv               a line of CSV in place of words\n"
            "  --algo, --bytes, --root, --ordered, --torus, --machine, --budget, --threshold,\n"
            "  --passes            as for strata plan\n\n"
            "Needs smpirun (Debian: libsimgrid-dev).\n\n"
            "  strata replay alltoallv --algo leaders:leaders=4,radix=4 --platform fat_tree \\\n"
            "         --ranks 10000 --ranks-per-node 16 --bytes 8\n",
    .run = run,
};
