/* strata plan: what its files share. */
#ifndef STRATA_TOOLS_PLAN_PLAN_H
#define STRATA_TOOLS_PLAN_PLAN_H

#include "core/base/config.h"
#include "core/cost/machine.h"
#include "hier/select.h"
#include "tools/command/options.h"

/* The command line, and what it was read into. */
struct tool_plan_request {
    const struct tool_command *command;
    enum strata_collective collective;
    const char *algorithm, *topology; /* as given; topology is NULL when not */
    struct strata_config config;      /* the environment's, with options in their place */
    double block_bytes;
    int rank; /* -1: the one that bounds the call */
    int root;
    bool ordered; /* reductions: the operator does not commute */
    unsigned seed;
    unsigned given; /* a bit for each option that stands for a variable */
    bool check;
    bool csv;       /* figures in a line of CSV in place of words */
    bool by_option; /* the algorithm is given as --algo, not by the environment */
};

/* Everything that follows from the request; plans of all ranks. */
struct tool_plan_case {
    struct strata_topology *topology, *flat;
    struct strata_torus torus;
    struct strata_problem problem;
    struct strata_machine machine;
    struct strata_selection selection;
    struct strata_plan **plans; /* [topology->ranks] */
    int busiest;
};

/* All return an exit code after telling what is wrong. */
/* The command's own options, if it has some, are taken beside those of strata plan; argv ends with
 * NULL. */
int tool_plan_read(struct tool_plan_request *request, const struct tool_option *own, char **argv);
/* Whether an option that stands for a variable was given: "--topo". */
bool tool_plan_given(const struct tool_plan_request *request, const char *name);
/* Everything but the plans, which are as many as ranks. */
int tool_plan_prepare(struct tool_plan_case *c, const struct tool_plan_request *request);
/* The plan of one rank, which the caller destroys. */
int tool_plan_of(struct tool_plan_case *c, const struct tool_plan_request *request, int rank,
                 struct strata_plan **plan);
int tool_plan_make(struct tool_plan_case *c, const struct tool_plan_request *request);
void tool_plan_release(struct tool_plan_case *c);

void tool_plan_print_head(const struct tool_plan_case *c, const struct tool_plan_request *request);
void tool_plan_print_cost(const struct tool_plan_case *c, const struct tool_plan_request *request);
/* A line of titles and one of figures. Returns an exit code. */
int tool_plan_print_csv(const struct tool_plan_case *c, const struct tool_plan_request *request);
/* Where each node sends in each round. Returns an exit code. */
int tool_plan_print_rounds(const struct tool_plan_case *c, const struct tool_plan_request *request);
/* Proves the plans; returns an exit code. */
int tool_plan_check(const struct tool_plan_case *c, const struct tool_plan_request *request);

extern const char tool_plan_help[];

#endif
