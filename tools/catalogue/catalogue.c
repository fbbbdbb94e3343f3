/* strata catalogue: writes the page and the pictures of all algorithms. The facts come from the
 * algorithms and from their plans. */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "core/cost/algorithm_cost.h"
#include "core/cost/plan_cost.h"
#include "hier/registry.h"
#include "tools/catalogue/example.h"
#include "tools/catalogue/rounds_picture.h"
#include "tools/command/command.h"
#include "tools/command/words.h"

/* The numbers of ranks that the pictures and the figures show. */
static const int pictured[] = {8, 9};
static const int counted[] = {8, 9, 13, 64, 1000};

enum {
    PICTURED = sizeof pictured / sizeof *pictured,
    COUNTED = sizeof counted / sizeof *counted,
    MOST = 1000
};

struct catalogue {
    const struct tool_command *command;
    const char *folder;
    FILE *page;
    bool failed;
};

/* Whether the page shows the algorithm for this collective. It does not where the algorithm does
 * the same for a simpler collective. */
static bool is_shown(const struct strata_algorithm *algorithm, int collective)
{
    static const struct {
        enum strata_collective same, as;
    } alike[] = {{STRATA_ALLTOALLV, STRATA_ALLTOALL},
                 {STRATA_ALLTOALLW, STRATA_ALLTOALL},
                 {STRATA_ALLGATHERV, STRATA_ALLGATHER},
                 {STRATA_GATHERV, STRATA_GATHER},
                 {STRATA_SCATTERV, STRATA_SCATTER},
                 {STRATA_REDUCE_SCATTER_BLOCK, STRATA_REDUCE_SCATTER}};
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++) {
        if ((int)alike[i].same == collective && (algorithm->collectives >> alike[i].as & 1)) {
            return false;
        }
    }
    return algorithm->collectives >> collective & 1;
}

static int first_shown(const struct strata_algorithm *algorithm)
{
    int collective = 0;
    while (!is_shown(algorithm, collective)) {
        collective++;
    }
    return collective;
}

/* The messages and blocks that the busiest rank sends: from the formula, or without one from the
 * cost. */
static struct strata_formula figures_of(const struct tool_example *e)
{
    if (e->algorithm->formula) {
        return e->algorithm->formula(&e->problem);
    }
    struct strata_cost cost =
        strata_algorithm_cost(e->algorithm, &e->problem, strata_machine_at(0));
    return (struct strata_formula){.messages = cost.messages + cost.messages_node,
                                   .blocks =
                                       (cost.bytes + cost.bytes_node) / e->problem.block_bytes};
}

static void write_figures(struct catalogue *c, const struct strata_algorithm *algorithm,
                          int collective, int ranks)
{
    struct tool_example e;
    if (!tool_example_begin(&e, algorithm, (enum strata_collective)collective, ranks)) {
        c->failed = true;
    } else if (e.refusal) {
        fprintf(c->page, "| %s | %d | %s ||||\n",
                strata_collective_name((enum strata_collective)collective), ranks, e.refusal);
    } else {
        struct strata_formula f = figures_of(&e);
        struct strata_plan *plan = NULL;
        c->failed =
            strata_algorithm_plan(algorithm, &e.problem, &plan, NULL) != STRATA_OK || c->failed;
        fprintf(c->page, "| %s | %d | ", strata_collective_name((enum strata_collective)collective),
                ranks);
        fprintf(c->page, algorithm->formula ? "%.0f" : "", f.rounds);
        fprintf(c->page, " | %.0f | %.6g | ", f.messages, f.blocks);
        if (plan && plan->blocks.count > 0) {
            fprintf(c->page, "%.6g",
                    strata_collective_info[collective].ranked
                        ? plan->blocks.work
                        : (double)plan->blocks.work / plan->blocks.count);
        }
        fprintf(c->page, " | `%s`%s |\n", plan ? plan->name : "",
                e.topology->nodes == 1 && ranks > 1 ? " on one node" : "");
        strata_plan_destroy(plan);
    }
    tool_example_end(&e);
}

static int make_picture(const struct tool_example *e, FILE *file)
{
    struct strata_plan *plans[MOST] = {NULL};
    struct strata_problem problem = e->problem;
    struct tool_rounds rounds = {0};
    int ranks = e->topology->ranks, error = STRATA_OK;
    for (int r = 0; r < ranks && error == STRATA_OK; r++) {
        problem.rank = r;
        error = strata_algorithm_plan(e->algorithm, &problem, &plans[r], NULL);
    }
    if (error == STRATA_OK) {
        error = tool_rounds_find((const struct strata_plan *const *)plans, ranks, &rounds);
    }
    if (error == STRATA_OK) {
        tool_picture_write(&rounds, e->algorithm->level == STRATA_FLAT ? e->flat : e->topology,
                           file);
    }
    tool_rounds_release(&rounds);
    for (int r = 0; r < ranks; r++) {
        strata_plan_destroy(plans[r]);
    }
    return error;
}

/* Opens FOLDER/NAME for writing, and complains where it cannot. */
static FILE *open_file(struct catalogue *c, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", c->folder, name);
    FILE *file = fopen(path, "w");
    if (!file) {
        tool_complain(c->command, "%s: %s", path, strerror(errno));
        c->failed = true;
    }
    return file;
}

static void write_picture(struct catalogue *c, const struct strata_algorithm *algorithm, int ranks)
{
    struct tool_example e;
    char name[128];
    if (!tool_example_begin(&e, algorithm, (enum strata_collective)first_shown(algorithm), ranks)) {
        c->failed = true;
    } else if (e.refusal) {
        fprintf(c->page, "No picture for %d ranks: %s.\n\n", ranks, e.refusal);
    } else {
        snprintf(name, sizeof name, "algorithms/%s-%d.svg", algorithm->name, ranks);
        FILE *file = open_file(c, name);
        if (file) {
            c->failed = make_picture(&e, file) != STRATA_OK || c->failed;
            c->failed = fclose(file) != 0 || c->failed;
        }
        fprintf(c->page, "![Rounds of %s on %d ranks](%s)\n", algorithm->name, ranks, name);
    }
    tool_example_end(&e);
}

static void write_parameters(struct catalogue *c, const struct strata_algorithm *algorithm)
{
    for (int i = 0; i < STRATA_PARAMETERS && algorithm->parameters[i].name; i++) {
        const struct strata_parameter *p = &algorithm->parameters[i];
        const char *word;
        fprintf(c->page, "| `%s` | %s; ", p->name, p->meaning);
        for (int value = p->least; (word = strata_parameter_word(p, value)); value++) {
            fprintf(c->page, "%s`%s`", value > p->least ? ", " : "", word);
        }
        if (!strata_parameter_word(p, p->least)) {
            fprintf(c->page, "%d to %d", p->least, p->most);
        }
        fprintf(c->page, " |\n");
    }
}

static void write_collectives(struct catalogue *c, const struct strata_algorithm *algorithm)
{
    const char *separator = "";
    for (int i = 0; i < STRATA_COLLECTIVE_COUNT; i++) {
        if (algorithm->collectives >> i & 1) {
            fprintf(c->page, "%s%s", separator, strata_collective_name((enum strata_collective)i));
            separator = ", ";
        }
    }
}

/* Writes a table of the algorithm's facts and of its parameters. */
static void write_head(struct catalogue *c, const struct strata_algorithm *algorithm)
{
    fprintf(c->page, "## %s\n\n%c%s.\n\n| | |\n|---|---|\n| serves | ", algorithm->name,
            toupper(algorithm->summary[0]), algorithm->summary + 1);
    write_collectives(c, algorithm);
    fprintf(c->page, " |\n| paper | %s", algorithm->paper);
    if (algorithm->title) {
        fprintf(c->page, ": *%s*", algorithm->title);
    }
    fprintf(c->page, " |\n| restrictions | %s |\n", algorithm->restrictions);
    if (algorithm->rounds_text) {
        fprintf(c->page, "| rounds | %s |\n| volume | %s |\n| scratch | %s |\n",
                algorithm->rounds_text, algorithm->volume_text, algorithm->scratch_text);
    }
    write_parameters(c, algorithm);
}

static void write_algorithm(struct catalogue *c, const struct strata_algorithm *algorithm)
{
    write_head(c, algorithm);
    fprintf(c->page, "\n| collective | ranks | rounds | messages | volume | work store | plan |\n"
                     "|---|--:|--:|--:|--:|--:|---|\n");
    for (int collective = 0; collective < STRATA_COLLECTIVE_COUNT; collective++) {
        for (int i = 0; i < COUNTED && is_shown(algorithm, collective); i++) {
            write_figures(c, algorithm, collective, counted[i]);
        }
    }
    fprintf(c->page, "\n");
    for (int i = 0; i < PICTURED; i++) {
        write_picture(c, algorithm, pictured[i]);
    }
    fprintf(c->page, "\n");
}

static const char intro[] =
    "# The algorithms\n\n"
    "This page is written by `strata catalogue docs`, from the table that the library selects from "
    "and from\n"
    "the plans that it runs; a test compares the two. Force an algorithm with "
    "`STRATA_ALLGATHER=sparbit` and the\n"
    "like, or look at its steps with `strata plan`.\n\n"
    "The *level* of an algorithm (`strata list`) is *flat* or *node-aware*. A flat algorithm works "
    "between all\n"
    "ranks, and takes no account of nodes. In a node-aware algorithm the ranks of a node share "
    "memory, and\n"
    "leaders exchange between the nodes. Logarithmic exchanges move a block in several *hops*, "
    "from rank to\n"
    "rank: the distance from its source to its destination is written in *digits* to the base "
    "`radix`, and each\n"
    "hop covers one digit that is not zero. `batch` is the number of messages for a digit that a "
    "rank posts\n"
    "together. `window` is the number of iterations, of a message each, that are under way at "
    "once.\n\n"
    "P is the number of ranks. *Rounds* are stages of messages one after another. *Messages* and "
    "*volume* are\n"
    "those that the busiest rank sends. Volumes and the work store are counted in blocks where "
    "each rank has one\n"
    "(alltoall, allgather, gather, scatter, reduce_scatter), and in whole vectors elsewhere. The "
    "tests hold these\n"
    "figures against the plans of up to 1024 ranks. Where the column of rounds is empty, lengths "
    "travel with the\n"
    "data, and the volume contains them. Parameters that are not given are the cheapest for "
    "64-byte blocks, with\n"
    "two or three ranks on each node, or on one node for an algorithm that serves no more.\n\n"
    "In the pictures ranks stand side by side (those of one node on one ground), and rounds run "
    "downwards. Each\n"
    "round tells the most that one of its messages carries. Dashed arrows are signals in a "
    "node's memory: the\n"
    "rank at the head of an arrow then reads what the rank at its tail has written there. Signals "
    "fill rounds of\n"
    "their own, of the node.\n\n";

/* Writes for each collective which algorithms it has. */
static void write_index(struct catalogue *c)
{
    const struct strata_algorithm *algorithm;
    fprintf(c->page, "| collective | algorithms |\n|---|---|\n");
    for (int collective = 0; collective < STRATA_COLLECTIVE_COUNT; collective++) {
        fprintf(c->page, "| %s |", strata_collective_name((enum strata_collective)collective));
        for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
            if (algorithm->level != STRATA_MPI && (algorithm->collectives >> collective & 1)) {
                fprintf(c->page, " [%s](#%s)", algorithm->name, algorithm->name);
            }
        }
        fprintf(c->page, " |\n");
    }
    fprintf(c->page, "\n");
}

static int write_all(struct catalogue *c)
{
    const struct strata_algorithm *algorithm;
    fputs(intro, c->page);
    write_index(c);
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        if (algorithm->level != STRATA_MPI) {
            write_algorithm(c, algorithm);
        }
    }
    return c->failed || ferror(c->page) ? TOOL_FAILED : TOOL_OK;
}

static int run(const struct tool_command *command, int argc, char **argv)
{
    struct catalogue c = {.command = command, .folder = argc > 1 ? argv[1] : ""};
    char path[512];
    if (argc != 2) {
        tool_complain(command, "needs one argument, the folder to write to");
        return TOOL_WRONG_USE;
    }
    snprintf(path, sizeof path, "%s/algorithms", c.folder);
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        tool_complain(command, "%s: %s", path, strerror(errno));
        return TOOL_FAILED;
    }
    c.page = open_file(&c, "algorithms.md");
    if (!c.page) {
        return TOOL_FAILED;
    }
    int code = write_all(&c);
    return fclose(c.page) == 0 ? code : TOOL_FAILED;
}

const struct tool_command tool_catalogue = {
    .name = "catalogue",
    .arguments = "FOLDER",
    .summary = "Writes the page and the pictures of all algorithms",
    .help = "  strata catalogue docs    writes docs/algorithms.md and docs/algorithms/*.svg\n",
    .run = run,
};
