/* What strata plan prints around the plan: the case, the cost, and whether the plan is right. */
#include <string.h>

#include "core/check/check.h"
#include "core/cost/algorithm_cost.h"
#include "core/cost/crossings.h"
#include "core/cost/plan_cost.h"
#include "sim/trace/formula_count.h"
#include "tools/command/words.h"
#include "tools/plan/plan.h"

static void print_why(const struct tool_plan_case *c, const struct tool_plan_request *request)
{
    const char *variable = strata_collective_info[request->collective].variable;
    char why[256];
    strata_selection_say(&c->selection, request->by_option ? "--algo" : variable, why, sizeof why);
    printf("  why        %s\n", why);
}

void tool_plan_print_head(const struct tool_plan_case *c, const struct tool_plan_request *request)
{
    const struct strata_plan *plan = c->plans[c->busiest];
    char topology[160], bytes[32], slot[32];
    strata_topology_describe(c->topology, topology, sizeof topology);
    tool_bytes(request->block_bytes, bytes, sizeof bytes);
    if (strata_collective_info[request->collective].ranked) {
        printf("%s of %s blocks\n", strata_collective_name(request->collective), bytes);
    } else {
        printf("%s of %s\n", strata_collective_name(request->collective), bytes);
    }
    printf("  topology   %s\n", topology);
    printf("  algorithm  %s\n", plan->name);
    print_why(c, request);
    if (plan->limits.threshold > 0) {
        printf("  staging    blocks up to %s in %d pass%s of %s\n",
               tool_bytes((double)plan->limits.threshold, bytes, sizeof bytes), plan->limits.passes,
               plan->limits.passes == 1 ? "" : "es",
               tool_bytes((double)plan->limits.slice, slot, sizeof slot));
    }
    printf("\n");
}

/* Prints one part of the cost. Negative bytes and negative seconds leave their column empty. */
static void cost_line(const char *what, double count, const char *unit, double bytes,
                      double seconds)
{
    char volume[32] = "", time[32] = "";
    if (bytes >= 0) {
        tool_bytes(bytes, volume, sizeof volume);
    }
    if (seconds >= 0) {
        tool_seconds(seconds, time, sizeof time);
    }
    printf("  %-21s %8.0f %-8s", what, count, unit);
    printf(seconds >= 0 ? " %9s  %9s\n" : " %9s\n", volume, time);
}

/* Prints the longest chain of cache lines over all ranks: a reader of a member's data waits for all
 * that this member waited for. */
static void print_lines(const struct tool_plan_case *c, const struct tool_plan_request *request)
{
    const struct strata_plan *const *plans = (const struct strata_plan *const *)c->plans;
    int lines = 0;
    if (strata_line_count(plans, c->topology->ranks, request->block_bytes, &lines) == STRATA_OK) {
        printf("lines from core to core, one after another, until all ranks are done: %d\n\n",
               lines);
    }
}

/* Prints how many signals all ranks read together, where the topology says what is inside nodes. */
static void print_crossings(const struct tool_plan_case *c)
{
    struct strata_crossings all = {{0}};
    const bool *known = c->topology->known;
    int status = STRATA_OK;
    for (int rank = 0; rank < c->topology->ranks && status == STRATA_OK; rank++) {
        status = strata_crossings_add(&all, c->plans[rank]);
    }
    if (status == STRATA_OK &&
        (known[STRATA_PACKAGE] || known[STRATA_DOMAIN] || known[STRATA_CACHE])) {
        printf(
            "signals read by all ranks: %ld between packages, %ld between domains of a package,\n"
            "%ld between caches of a domain, %ld inside a cache\n\n",
            all.signals[STRATA_PACKAGE], all.signals[STRATA_DOMAIN], all.signals[STRATA_CACHE],
            all.signals[STRATA_INNER_LEVELS]);
    }
}

void tool_plan_print_cost(const struct tool_plan_case *c, const struct tool_plan_request *request)
{
    const struct strata_algorithm *algorithm = c->selection.choice.algorithm;
    struct strata_machine machine = strata_machine_contended(&c->machine, c->topology->largest);
    struct strata_cost cost = algorithm->level == STRATA_MPI
                                  ? strata_algorithm_cost(algorithm, &c->problem, &machine)
                                  : tool_plan_cost(c, c->plans[c->busiest], request->block_bytes);
    char time[32];
    printf(
        "what rank %d does%s, which bounds a call, on machine %s; the call's price is that of the\n"
        "choice, which also has what ranks wait for\n",
        c->busiest, c->problem.degree > 0 ? " if no block is empty" : "", c->machine.name);
    cost_line("sent to other nodes", cost.messages, "messages", cost.bytes, -1);
    cost_line("sent inside the node", cost.messages_node, "messages", cost.bytes_node, -1);
    cost_line("start-up, overhead", cost.messages + cost.messages_node, "messages", -1,
              cost.time_start);
    cost_line("transmission", cost.messages + cost.messages_node, "messages",
              cost.bytes + cost.bytes_node, cost.time_wire);
    cost_line("copies", cost.blocks, "pieces", cost.copied, cost.time_copy);
    if (cost.reduced > 0) {
        cost_line("combined", cost.reduced, "bytes", -1, cost.time_reduce);
    }
    cost_line("signals", cost.signals, "flags", -1, -1);
    cost_line("lines of others", cost.lines, "one by one", -1, cost.time_signal);
    printf("  %-51s %9s\n", "its own together",
           tool_seconds(strata_cost_time(&cost), time, sizeof time));
    printf("  %-51s %9s\n\n", "a call", tool_seconds(c->selection.seconds, time, sizeof time));
    if (algorithm->level != STRATA_MPI) {
        print_lines(c, request);
        print_crossings(c);
    }
}

int tool_plan_check(const struct tool_plan_case *c, const struct tool_plan_request *request)
{
    struct strata_diagnostic message = {""};
    const struct strata_plan *const *plans = (const struct strata_plan *const *)c->plans;
    int ranks = c->topology->ranks;
    if (c->selection.choice.algorithm->level == STRATA_MPI) {
        printf("proof      not for MPI's own collective\n");
        return TOOL_OK;
    }
    if (strata_check_plan(plans, ranks, request->seed, &message) != STRATA_OK) {
        printf("proof      FAILED: %s\n", message.text);
        return TOOL_FAILED;
    }
    printf("proof      right on all %d rank%s: every block arrives, no deadlock (eager and\n"
           "           rendezvous), no race, once and in calls that overtake each other\n",
           ranks, tool_plural(ranks));
    return TOOL_OK;
}
