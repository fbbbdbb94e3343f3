/* strata explain: what would serve a collective, why, what else could, and how it goes. */
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/text/plan_text.h"
#include "hier/registry.h"
#include "tools/catalogue/rounds.h"
#include "tools/command/words.h"
#include "tools/plan/plan.h"

enum { RUNNERS_UP = 8, COLUMNS = 16 };

struct rival {
    const struct strata_algorithm *algorithm;
    struct strata_selection selection;
};

static int by_price(const void *a, const void *b)
{
    double first = ((const struct rival *)a)->selection.seconds;
    double second = ((const struct rival *)b)->selection.seconds;

    return (first > second) - (first < second);
}

/* Every row that can serve the call, each with its best parameters; returns how many. */
static int find_rivals(const struct tool_plan_case *c, struct rival *rivals)
{
    int count = 0;
    const struct strata_algorithm *row;

    for (int i = 0; (row = strata_registry_at(i)); i++) {
        struct strata_choice forced = {.algorithm = row};
        struct strata_problem problem = c->problem;
        struct rival *rival = &rivals[count];
        bool serves = (row->collectives >> problem.collective & 1) && row->once == problem.once;
        for (int p = 0; p < STRATA_PARAMETERS; p++) {
            problem.parameter[p] = 0;
        }
        rival->algorithm = row;
        count += serves && row->level != STRATA_MPI &&
                 strata_select(&forced, &problem, &c->machine, &rival->selection) == STRATA_OK &&
                 rival->selection.choice.algorithm == row;
    }
    qsort(rivals, (size_t)count, sizeof *rivals, by_price);
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

/* Nodes, or on one node ranks. */
static int column_of(const struct tool_plan_case *c, int rank)
{
    return c->topology->nodes > 1 ? c->topology->node_of[rank] : rank;
}

/* Where the columns send to in a round, and how much at most in a message. */
struct targets {
    int first[COLUMNS]; /* the lowest one; -1: nowhere */
    bool more[COLUMNS]; /* and others */
    double most;        /* blocks, items, or parts of the vector */
};

static void find_targets(const struct tool_plan_case *c, const struct tool_rounds *rounds,
                         int round, struct targets *t)
{
    *t = (struct targets){.most = 0};
    for (int i = 0; i < COLUMNS; i++) {
        t->first[i] = -1;
    }
    for (int i = 0; i < rounds->narrows; i++) {
        const struct tool_arrow *arrow = &rounds->arrows[i];
        int from = column_of(c, arrow->from), to = column_of(c, arrow->to);
        if (arrow->round != round || from == to) {
            continue;
        }
        t->most = arrow->volume > t->most ? arrow->volume : t->most;
        if (from < COLUMNS) {
            t->more[from] = t->first[from] >= 0 && (t->more[from] || t->first[from] != to);
            t->first[from] = t->first[from] < 0 || to < t->first[from] ? to : t->first[from];
        }
    }
}

static void print_volume(const struct tool_plan_case *c, const struct tool_plan_request *request,
                         double volume)
{
    char bytes[32];

    if (!strata_collective_info[request->collective].ranked) {
        printf("  %s\n", tool_bytes(volume * request->block_bytes, bytes, sizeof bytes));
    } else {
        bool blocks = strata_plan_over_blocks(c->plans[c->busiest]);
        printf("  %.4g %s%s\n", volume, blocks ? "block" : "item", volume > 1 ? "s" : "");
    }
}

static void print_round(const struct tool_plan_case *c, const struct tool_plan_request *request,
                        const struct tool_rounds *rounds, int round)
{
    int columns = c->topology->nodes > 1 ? c->topology->nodes : c->topology->ranks;
    struct targets t;

    find_targets(c, rounds, round, &t);
    printf("  %8d  ", round + 1);
    for (int i = 0; i < columns && i < COLUMNS; i++) {
        if (t.first[i] < 0) {
            printf("   . ");
        } else {
            printf(" %3d%c", t.first[i], t.more[i] ? '+' : ' ');
        }
    }
    printf("%s", columns > COLUMNS ? " ..." : "");
    print_volume(c, request, t.most);
}

/* A line for each round, a column for each node: where it sends. */
static int print_rounds(const struct tool_plan_case *c, const struct tool_plan_request *request)
{
    bool nodes = c->topology->nodes > 1;
    int columns = nodes ? c->topology->nodes : c->topology->ranks;
    struct tool_rounds rounds;
    int error =
        tool_rounds_find((const struct strata_plan *const *)c->plans, c->topology->ranks, &rounds);

    if (error != STRATA_OK) {
        tool_complain(request->command, "%s", strata_error_text(error));
        return TOOL_FAILED;
    }
    if (rounds.rounds == 0) {
        printf("rounds     none: no message; all goes through the node's memory\n");
    } else {
        printf("rounds     where each %s sends to (+: and to others), and the longest message\n"
               "  %8s  ",
               nodes ? "node" : "rank", nodes ? "node" : "rank");
        for (int i = 0; i < columns && i < COLUMNS; i++) {
            printf(" %3d ", i);
        }
        printf("%s\n", columns > COLUMNS ? " ..." : "");
    }
    for (int round = 0; round < rounds.rounds; round++) {
        print_round(c, request, &rounds, round);
    }
    tool_rounds_release(&rounds);
    return TOOL_OK;
}

static int print_plan(const struct tool_plan_case *c, const struct tool_plan_request *request)
{
    int rank = request->rank < 0 ? c->busiest : request->rank;

    if (c->selection.choice.algorithm->level == STRATA_MPI) {
        printf("MPI's own collective serves it: no plan, no rounds of ours.\n");
        return TOOL_OK;
    }
    tool_plan_print_price(c, request);
    if (print_rounds(c, request) != TOOL_OK) {
        return TOOL_FAILED;
    }
    printf("\n");
    return strata_plan_print(c->plans[rank], stdout) == STRATA_OK ? TOOL_OK : TOOL_FAILED;
}

static int run(const struct tool_command *command, int argc, char **argv)
{
    struct tool_plan_request request = {.command = command};
    struct tool_plan_case c = {.plans = NULL};
    int code = tool_plan_read(&request, argc, argv);

    if (code == TOOL_OK) {
        code = tool_plan_make(&c, &request);
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
        "  --machine M         a name of `strata list machines`, or name:parameter=value,...\n"
        "  --algo CHOICE       that instead of the cheapest\n"
        "  --rank R            whose plan is printed; else the rank that bounds the call\n"
        "  --root R, --ordered, --torus SHAPE, --budget B, --threshold B, --passes N\n"
        "                      as `strata help plan` has them\n\n"
        "  strata explain alltoall --bytes 64 --topo \"node:32 rank:512\"\n",
    .run = run,
};
