/* strata explain: says which algorithm would serve a collective and why, which others could, and
 * how the algorithm goes. */
#include <limits.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/text/plan_text.h"
#include "hier/registry.h"
#include "tools/command/words.h"
#include "tools/plan/plan.h"

enum { RUNNERS_UP = 8 };

struct rival {
    const struct strata_algorithm *algorithm;
    struct strata_selection selection;
};

static int by_cost(const void *a, const void *b)
{
    double first = ((const struct rival *)a)->selection.seconds;
    double second = ((const struct rival *)b)->selection.seconds;
    return (first > second) - (first < second);
}

/* Finds the algorithm's cost with its best parameters. The algorithm that serves the call keeps the
 * parameters of the choice. */
static bool find_rival(const struct tool_plan_case *c, const struct strata_algorithm *row,
                       struct rival *rival)
{
    rival->algorithm = row;
    if (row == c->selection.choice.algorithm) {
        rival->selection = c->selection;
        return true;
    }
    return row->once == c->problem.once &&
           strata_select_algorithm(row, &c->problem, &c->machine, &rival->selection);
}

/* Finds every algorithm that can serve the call. Returns their number. */
static int find_rivals(const struct tool_plan_case *c, struct rival *rivals)
{
    int count = 0;
    const struct strata_algorithm *row;
    for (int i = 0; (row = strata_registry_at(i)); i++) {
        count += row->level != STRATA_MPI && find_rival(c, row, &rivals[count]);
    }
    qsort(rivals, (size_t)count, sizeof *rivals, by_cost);
    return count;
}

static int print_rivals(const struct tool_plan_case *c)
{
    int rows = 0;
    char name[96], time[32];
    while (strata_registry_at(rows)) {
        rows++;
    }
    struct rival *rivals = strata_allocate((size_t)rows + 1, sizeof *rivals);
    int count = rivals ? find_rivals(c, rivals) : 0;
    printf("prices on machine %s of what can serve it\n", c->machine.name);
    for (int i = 0; i < count && i < RUNNERS_UP; i++) {
        const struct rival *rival = &rivals[i];
        strata_algorithm_name(rival->algorithm, rival->selection.choice.parameter, name,
                              sizeof name);
        printf("  %10s  %-44s %s\n", tool_seconds(rival->selection.seconds, time, sizeof time),
               name,
               rival->algorithm->classic                      ? "MPI libraries have it"
               : rival->algorithm->level == STRATA_NODE_AWARE ? "node-aware"
                                                              : "");
    }
    printf("%s", count > RUNNERS_UP ? "" : "\n");
    if (count > RUNNERS_UP) {
        printf("  and %d more rows, dearer\n\n", count - RUNNERS_UP);
    }
    strata_release(rivals);
    return rivals ? TOOL_OK : TOOL_FAILED;
}

static int print_plan(const struct tool_plan_case *c, const struct tool_plan_request *request)
{
    int rank = request->rank < 0 ? c->busiest : request->rank;
    if (c->selection.choice.algorithm->level == STRATA_MPI) {
        printf("MPI's own collective serves it: no plan, no rounds of ours.\n");
        return TOOL_OK;
    }
    tool_plan_print_cost(c, request);
    if (tool_plan_print_rounds(c, request) != TOOL_OK) {
        return TOOL_FAILED;
    }
    printf("\n");
    return strata_plan_print(c->plans[rank], stdout) == STRATA_OK ? TOOL_OK : TOOL_FAILED;
}

static int take_degree(void *self, const char *name, const char *text)
{
    struct tool_plan_request *request = self;
    int64_t value = 0;
    const char *end;
    if (!strata_config_number(text, false, &value, &end) || *end || value < 1 || value > INT_MAX) {
        tool_complain(request->command, "%s \"%s\": must be a whole number from 1", name, text);
        return TOOL_WRONG_USE;
    }
    request->degree = (int)value;
    return TOOL_OK;
}

/* With half of the other ranks an exchange is not sparse. */
static int check_degree(const struct tool_plan_case *c, const struct tool_plan_request *request)
{
    const bool sparse = strata_collective_transposes(request->collective) &&
                        strata_collective_info[request->collective].varying;
    if (request->degree > 0 && !sparse) {
        tool_complain(request->command, "--degree: all blocks of %s have one length",
                      strata_collective_name(request->collective));
        return TOOL_WRONG_USE;
    }
    if (request->degree >= c->topology->ranks / 2 && request->degree > 0) {
        tool_complain(request->command, "--degree %d: must be less than half of the %d other ranks",
                      request->degree, c->topology->ranks - 1);
        return TOOL_WRONG_USE;
    }
    return TOOL_OK;
}

static int run(const struct tool_command *command, int argc, char **argv)
{
    static const struct tool_option own[] = {{"--degree", TOOL_VALUE, take_degree, NULL},
                                             {NULL, TOOL_FLAG, NULL, NULL}};
    struct tool_plan_request request = {.command = command};
    struct tool_plan_case c = {.plans = NULL};
    (void)argc;
    int code = tool_plan_read(&request, own, argv);

    if (code == TOOL_OK) {
        code = tool_plan_make(&c, &request);
    }
    if (code == TOOL_OK) {
        code = check_degree(&c, &request);
    }
    if (code == TOOL_OK) {
        tool_plan_print_head(&c, &request);
        code = print_rivals(&c);
    }
    if (code == TOOL_OK) {
        code = print_plan(&c, &request);
    }
    tool_plan_release(&c);
    return code;
}

const struct tool_command tool_explain = {
    .name = "explain",
    .arguments = "COLLECTIVE --topo TOPOLOGY [OPTION]...",
    .summary = "Says what would serve a collective, why, what else could, and how it goes",
    .help =
        "  --topo LEVELS       nodes and ranks: \"node:32 rank:512\", \"node:3,3,2\"\n"
        "  --bytes B           size of each block, or of the vector of bcast, reduce, allreduce,\n"
        "                      scan (8)\n"
        "  --degree N          of alltoallv and alltoallw: the other ranks with which a rank\n"
        "                      exchanges bytes at most; --bytes is then the mean of all blocks,\n"
        "                      empty ones included\n"
        "  --machine M         a name of `strata list machines`, or name:parameter=value,...\n"
        "  --algo CHOICE       that instead of the cheapest\n"
        "  --rank R            whose plan is printed; else the rank that bounds the call\n"
        "  --root R, --ordered, --torus SHAPE, --budget B, --threshold B, --passes N\n"
        "                      as `strata help plan` has them\n\n"
        "  strata explain alltoall --bytes 64 --topo \"node:32 rank:512\"\n",
    .run = run,
};
