/* strata simulate: what its files share. */
#ifndef STRATA_TOOLS_SIMULATE_SIMULATE_H
#define STRATA_TOOLS_SIMULATE_SIMULATE_H

#include <stdbool.h>

#include "tools/command/command.h"
#include "tools/scale/platform.h"

enum { SIMULATE_METHODS = 32, SIMULATE_SIZES = 64, SIMULATE_ARGUMENTS = 320, SIMULATE_CASE = 16 };

struct simulate_request {
    const struct tool_command *command;
    char collective[32]; /* or "is_sort", "split" */
    const char *class;   /* of is_sort; NULL for collectives */
    struct tool_platform platform;
    char program[TOOL_PATH]; /* built with SimGrid */
    int ranks, per_node, cyclic;
    long bytes[SIMULATE_SIZES];
    int sizes; /* of split: cases */
    bool split;
    char cases[SIMULATE_SIZES][SIMULATE_CASE]; /* of split */
    int groups;
    const char *pattern; /* NULL: what suits the collective */
    char method[SIMULATE_METHODS][192];
    int methods;
    int calls, seed, root, verify, jobs, csv;
};
/* Returns an exit code. */
int simulate_parse(struct simulate_request *request, int argc, char **argv);
extern const char simulate_help[];

/* What a method costs for one size. */
struct simulate_figure {
    int known;
    double seconds, messages, bytes; /* of a call; the last two negative where unknown */
    double mops;                     /* of is_sort, whose seconds are those of ten iterations */
    char algorithm[128];
};
struct simulate_results {
    struct simulate_figure figure[SIMULATE_METHODS][SIMULATE_SIZES];
};

/* simulate_jobs.c: runs smpirun, several at a time, and reads what it prints. Returns an exit
 * code. */
int simulate_run(const struct simulate_request *request, struct simulate_results *results);

/* simulate_split.c: the splitting of a communicator, whose methods run one after another in one
 * simulation. The first three return exit codes. */
int simulate_split_cases(struct simulate_request *request, const char *list);
int simulate_split_method(const struct simulate_request *request, const char *method);
int simulate_split_preset(struct simulate_request *request);
/* "a,b,c": all methods, or all cases. Returns text. */
const char *simulate_split_list(const struct simulate_request *request, bool cases, char *text,
                                size_t size);
/* A line of the measuring program. */
void simulate_split_read(const struct simulate_request *request, const char *line,
                         struct simulate_results *results);
void simulate_split_print(const struct simulate_request *request,
                          const struct simulate_results *results);

/* simulate_methods.c: whether a method is MPI's own, and what SimGrid is told to run it. */
int simulate_is_mpi(const char *method);
/* Fills "--cfg=..." strings; returns how many. */
int simulate_method_cfg(const struct simulate_request *request, const char *method, char cfg[][96]);

#endif
