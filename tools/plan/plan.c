/* strata plan: prints a plan in words, proves the plans of all ranks and estimates the cost. */
#include "tools/plan/plan.h"

#include "core/text/plan_text.h"
#include "tools/scale/scale.h"

/* Prints the plan in words, and its cost. */
static int print_words(const struct tool_plan_case *c, const struct tool_plan_request *request)
{
    int rank = request->rank < 0 ? c->busiest : request->rank;
    tool_plan_print_head(c, request);
    int code = strata_plan_print(c->plans[rank], stdout) == STRATA_OK ? TOOL_OK : TOOL_FAILED;
    printf("\n");
    tool_plan_print_cost(c, request);
    return code;
}

static int print_plan(struct tool_plan_case *c, const struct tool_plan_request *request)
{
    int code = tool_plan_make(c, request);
    if (code == TOOL_OK) {
        code = request->csv ? tool_plan_print_csv(c, request) : print_words(c, request);
        fflush(stdout);
    }
    return code == TOOL_OK && request->check && !request->csv ? tool_plan_check(c, request) : code;
}

/* Times so many builds of one rank's plan, in place of printing it. */
static int time_builds(struct tool_plan_case *c, const struct tool_plan_request *request,
                       const char *text)
{
    long builds = 0;
    int code = tool_whole_number(request->command, "--builds", text, 1, 1000000, &builds);
    code = code == TOOL_OK ? tool_plan_prepare(c, request) : code;
    return code == TOOL_OK ? tool_plan_time_builds(c, request, (int)builds) : code;
}

static int run(const struct tool_command *command, int argc, char **argv)
{
    const char *builds = NULL;
    const struct tool_option own[] = {{"--builds", TOOL_VALUE, NULL, &builds},
                                      {NULL, TOOL_FLAG, NULL, NULL}};
    struct tool_plan_request request = {.command = command};
    struct tool_plan_case c = {.plans = NULL};
    (void)argc;
    int code = tool_plan_read(&request, own, argv);
    if (code == TOOL_OK) {
        code = builds ? time_builds(&c, &request, builds) : print_plan(&c, &request);
    }
    tool_plan_release(&c);
    return code;
}

const struct tool_command tool_plan = {
    .name = "plan",
    .arguments = "COLLECTIVE --topo TOPOLOGY [OPTION]...",
    .summary = "Prints the plan of a collective in words, proves it for all ranks and prices it",
    .help = tool_plan_help,
    .run = run,
};
