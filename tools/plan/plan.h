/* Declarations that the files of strata plan share. */
#ifndef STRATA_TOOLS_PLAN_PLAN_H
#define STRATA_TOOLS_PLAN_PLAN_H

#include "core/base/config.h"
#include "core/cost/machine.h"
#include "hier/select.h"
#include "tools/command/options.h"

/* The request of the command line. */
struct tool_plan_request {
    const struct tool_command *command;
    enum strata_collective collective;
    const char *algorithm, *topology; /* as given; topology may be NULL */
    struct strata_config config;      /* the environment's, with options in place of variables */
    double block_bytes;
    int degree; /* as in struct strata_problem */
    int rank;   /* -1: the busiest rank */
    int root;
    bool ordered; /* of a reduction: the operator does not commute */
    unsigned seed;
    unsigned given; /* a bit for each option that sets a variable */
    bool check;
    bool csv;       /* print one line of CSV in place of words */
    bool by_option; /* the algorithm comes from --algo, not from the environment */
};

/* Everything that follows from the request, with the plans of all ranks. */
struct tool_plan_case {
    struct strata_topology *topology, *flat;
    struct strata_torus torus;
    struct strata_problem problem;
    struct strata_machine machine;
    struct strata_selection selection;
    struct strata_plan **plans; /* [topology->ranks] */
    int busiest;
};

/* The functions that return an int return an exit code, and complain where it is not TOOL_OK. */
/* Reads the options of strata plan, and the command's own ones where `own` is not NULL. argv ends
 * with NULL. */
int tool_plan_read(struct tool_plan_request *request, const struct tool_option *own, char **argv);
/* Whether an option that sets a variable, such as "--topo", was given. */
bool tool_plan_given(const struct tool_plan_request *request, const char *name);
/* Makes everything except the plans. */
int tool_plan_prepare(struct tool_plan_case *c, const struct tool_plan_request *request);
/* Makes the plan of one rank, which the caller destroys. */
int tool_plan_of(struct tool_plan_case *c, const struct tool_plan_request *request, int rank,
                 struct strata_plan **plan);
/* The cost of a rank's plan of the choice. */
struct strata_cost tool_plan_cost(const struct tool_plan_case *c, const struct strata_plan *plan,
                                  double block_bytes);
int tool_plan_make(struct tool_plan_case *c, const struct tool_plan_request *request);
void tool_plan_release(struct tool_plan_case *c);

void tool_plan_print_head(const struct tool_plan_case *c, const struct tool_plan_request *request);
void tool_plan_print_cost(const struct tool_plan_case *c, const struct tool_plan_request *request);
/* Prints a line of titles and a line of figures. */
int tool_plan_print_csv(const struct tool_plan_case *c, const struct tool_plan_request *request);
/* Builds the plan of the request's rank so often, after tool_plan_prepare, and prints the median
 * time and its quartiles: a line of titles and a line of figures. */
int tool_plan_time_builds(struct tool_plan_case *c, const struct tool_plan_request *request,
                          int builds);
/* Prints where each node sends in each round. */
int tool_plan_print_rounds(const struct tool_plan_case *c, const struct tool_plan_request *request);
/* Proves the plans of all ranks. */
int tool_plan_check(const struct tool_plan_case *c, const struct tool_plan_request *request);

extern const char tool_plan_help[];

#endif
