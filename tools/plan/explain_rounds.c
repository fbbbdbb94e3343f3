/* Prints a plan as a picture of its rounds: a line for each round, and a column for each node. */
#include "tools/catalogue/rounds.h"
#include "tools/command/words.h"
#include "tools/plan/plan.h"

enum { COLUMNS = 16 };

/* The column of a rank: its node, or on one node the rank itself. */
static int column_of(const struct tool_plan_case *c, int rank)
{
    return c->topology->nodes > 1 ? c->topology->node_of[rank] : rank;
}

/* Where the columns send in one round, and how much. */
struct targets {
    int first[COLUMNS]; /* the lowest column that this one sends to; -1: none */
    bool more[COLUMNS]; /* whether it sends to other columns too */
    double most;        /* the largest message, in blocks, items or parts of the vector */
};

/* Looks at the messages of a round, without signals. Returns whether the round has any message. */
static bool find_targets(const struct tool_plan_case *c, const struct tool_rounds *rounds,
                         int round, struct targets *t)
{
    bool any = false;
    *t = (struct targets){.most = 0};
    for (int i = 0; i < COLUMNS; i++) {
        t->first[i] = -1;
    }
    for (int i = 0; i < rounds->narrows; i++) {
        const struct tool_arrow *arrow = &rounds->arrows[i];
        int from = column_of(c, arrow->from), to = column_of(c, arrow->to);
        if (arrow->round != round || arrow->signal) {
            continue;
        }
        any = true;
        if (from == to) {
            continue;
        }
        t->most = arrow->volume > t->most ? arrow->volume : t->most;
        if (from < COLUMNS) {
            t->more[from] = t->first[from] >= 0 && (t->more[from] || t->first[from] != to);
            t->first[from] = t->first[from] < 0 || to < t->first[from] ? to : t->first[from];
        }
    }
    return any;
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

static int columns_of(const struct tool_plan_case *c)
{
    return c->topology->nodes > 1 ? c->topology->nodes : c->topology->ranks;
}

static void print_head(const struct tool_plan_case *c)
{
    const char *who = c->topology->nodes > 1 ? "node" : "rank";
    printf("rounds     where each %s sends to (+: and to others), and the longest message\n"
           "  %8s  ",
           who, who);
    for (int i = 0; i < columns_of(c) && i < COLUMNS; i++) {
        printf(" %3d ", i);
    }
    printf("%s\n", columns_of(c) > COLUMNS ? " ..." : "");
}

static void print_round(const struct tool_plan_case *c, const struct tool_plan_request *request,
                        const struct targets *t, int number)
{
    printf("  %8d  ", number);
    for (int i = 0; i < columns_of(c) && i < COLUMNS; i++) {
        if (t->first[i] < 0) {
            printf("   . ");
        } else {
            printf(" %3d%c", t->first[i], t->more[i] ? '+' : ' ');
        }
    }
    printf("%s", columns_of(c) > COLUMNS ? " ..." : "");
    print_volume(c, request, t->most);
}

int tool_plan_print_rounds(const struct tool_plan_case *c, const struct tool_plan_request *request)
{
    struct tool_rounds rounds;
    struct targets targets;
    int drawn = 0;
    int error =
        tool_rounds_find((const struct strata_plan *const *)c->plans, c->topology->ranks, &rounds);
    if (error != STRATA_OK) {
        tool_complain(request->command, "%s", strata_error_text(error));
        return TOOL_FAILED;
    }
    for (int round = 0; round < rounds.rounds; round++) {
        if (!find_targets(c, &rounds, round, &targets)) {
            continue;
        }
        if (drawn++ == 0) {
            print_head(c);
        }
        print_round(c, request, &targets, drawn);
    }
    if (drawn == 0) {
        printf("rounds     none: no message; all goes through the node's memory\n");
    }
    tool_rounds_release(&rounds);
    return TOOL_OK;
}
