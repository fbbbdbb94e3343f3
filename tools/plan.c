/* strata plan: prints a plan in words, proves it for all ranks and prices it. */
#include "tools/plan.h"

#include "core/plan_text.h"

static int run(const struct tool_command *command, int argc, char **argv)
{
    struct tool_plan_request request = {.command = command};
    struct tool_plan_case c = {.plans = NULL};
    int code = tool_plan_read(&request, argc, argv);
    if (code == TOOL_OK) {
        code = tool_plan_make(&c, &request);
    }
    if (code == TOOL_OK) {
        int rank = request.rank < 0 ? c.busiest : request.rank;
        tool_plan_print_head(&c, &request);
        code = strata_plan_print(c.plans[rank], stdout) == STRATA_OK ? TOOL_OK : TOOL_FAILED;
        printf("\n");
        tool_plan_print_price(&c, &request);
        fflush(stdout);
    }
    if (code == TOOL_OK && request.check) {
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
