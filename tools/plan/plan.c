/* strata plan: prints a plan in words, proves the plans of all ranks and estimates the cost. */
#include "tools/plan/plan.h"

#include "core/text/plan_text.h"

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

static int run(const struct tool_command *command, int argc, char **argv)
{
    struct tool_plan_request request = {.command = command};
    struct tool_plan_case c = {.plans = NULL};
    (void)argc;
    int code = tool_plan_read(&request, NULL, argv);
    if (code == TOOL_OK) {
        code = tool_plan_make(&c, &request);
    }
    if (code == TOOL_OK) {
        code = request.csv ? tool_plan_print_csv(&c, &request) : print_words(&c, &request);
        fflush(stdout);
    }
    if (code == TOOL_OK && request.check && !request.csv) {
        code = tool_plan_check(&c, &request);
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
