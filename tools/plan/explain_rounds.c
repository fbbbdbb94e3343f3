/* A plan as a picture of its rounds: a line for each, and a column for each node. */
#include "tools/catalogue/rounds.h"
#include "tools/command/words.h"
#include "tools/plan/plan.h"

enum { COLUMNS = 16 };

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

int tool_plan_print_rounds(const struct tool_plan_case *c, const struct tool_plan_request *request)
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
