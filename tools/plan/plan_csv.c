/* strata plan --csv: counts the parts of a plan, for programs that compare plans. */
#include "core/base/memory.h"
#include "core/cost/plan_cost.h"
#include "tools/catalogue/rounds.h"
#include "tools/command/words.h"
#include "tools/plan/plan.h"

/* Counts of the messages of all ranks. */
struct counts {
    /* Rounds, one after another, and messages of all ranks. */
    int rounds, messages;
    int at_once;     /* the most messages that one rank sends in one stage */
    double longest;  /* the sum over the rounds of the longest message, in blocks */
    double combined; /* bytes that one rank combines, the most of all ranks */
    int between;     /* messages between nodes */
    double volume;   /* theirs, in blocks */
};

static void count_between(const struct tool_rounds *rounds, const struct strata_topology *topology,
                          struct counts *counts)
{
    for (int i = 0; i < rounds->narrows; i++) {
        const struct tool_arrow *a = &rounds->arrows[i];
        if (topology->node_of[a->from] != topology->node_of[a->to]) {
            counts->between++;
            counts->volume += a->volume;
        }
    }
}

static double count_combined(const struct tool_plan_case *c, double block_bytes)
{
    double most = 0;
    for (int rank = 0; rank < c->topology->ranks; rank++) {
        double bytes = tool_plan_cost(c, c->plans[rank], block_bytes).reduced;
        most = bytes > most ? bytes : most;
    }
    return most;
}

/* The arrows of one rank and stage lie together. */
static int count_at_once(const struct tool_rounds *rounds)
{
    int most = 0, now = 0;
    for (int i = 0; i < rounds->narrows; i++) {
        const struct tool_arrow *a = &rounds->arrows[i];
        bool together = i > 0 && a[-1].from == a->from && a[-1].stage == a->stage;
        now = together ? now + 1 : 1;
        most = now > most ? now : most;
    }
    return most;
}

static int count(const struct tool_plan_case *c, struct counts *counts)
{
    struct tool_rounds rounds = {.arrows = NULL};
    const struct strata_plan *const *plans = (const struct strata_plan *const *)c->plans;
    int error = tool_rounds_find(plans, c->topology->ranks, &rounds);
    double *longest = strata_allocate((size_t)rounds.rounds + 1, sizeof *longest);
    if (error == STRATA_OK && longest) {
        *counts = (struct counts){
            .rounds = rounds.rounds, .messages = rounds.narrows, .at_once = count_at_once(&rounds)};
        count_between(&rounds, c->topology, counts);
        for (int i = 0; i < rounds.narrows; i++) {
            const struct tool_arrow *a = &rounds.arrows[i];
            longest[a->round] = a->volume > longest[a->round] ? a->volume : longest[a->round];
        }
        for (int i = 0; i < rounds.rounds; i++) {
            counts->longest += longest[i];
        }
    }
    strata_release(longest);
    tool_rounds_release(&rounds);
    return longest ? error : STRATA_ERR_MEMORY;
}

/* Prints the two lines. The algorithm has commas in its parameters, so it stands in quotes. */
static void print_row(const struct tool_plan_case *c, const struct tool_plan_request *request,
                      const struct counts *counts, const struct strata_cost *cost)
{
    printf("collective,method,bytes,nodes,ranks,torus,root,rounds,messages,at_once,longest_bytes,"
           "combined_bytes,messages_between,bytes_between,rank_messages,rank_bytes,rank_copied,"
           "rank_pieces,price\n"
           "%s,\"%s\",%.0f,%d,%d,%s,%d,%d,%d,%d,%.0f,%.0f,%d,%.0f,%.0f,%.0f,%.0f,%.0f,%.9g\n",
           strata_collective_name(request->collective), c->plans[c->busiest]->name,
           request->block_bytes, c->topology->nodes, c->topology->ranks, request->config.torus,
           request->root, counts->rounds, counts->messages, counts->at_once,
           counts->longest * request->block_bytes, counts->combined, counts->between,
           counts->volume * request->block_bytes, cost->messages + cost->messages_node,
           cost->bytes + cost->bytes_node, cost->copied, cost->blocks, strata_cost_time(cost));
}

int tool_plan_print_csv(const struct tool_plan_case *c, const struct tool_plan_request *request)
{
    struct counts counts = {0};
    if (c->selection.choice.algorithm->level == STRATA_MPI) {
        tool_complain(request->command, "--csv: of MPI's own collective nothing can be counted");
        return TOOL_FAILED;
    }
    int error = count(c, &counts);
    if (error != STRATA_OK) {
        tool_complain(request->command, "%s", strata_error_text(error));
        return TOOL_FAILED;
    }
    counts.combined = count_combined(c, request->block_bytes);
    struct strata_cost cost = tool_plan_cost(c, c->plans[c->busiest], request->block_bytes);
    print_row(c, request, &counts, &cost);
    return TOOL_OK;
}
