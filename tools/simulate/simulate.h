/* Declarations that the files of strata simulate share. */
#ifndef STRATA_TOOLS_SIMULATE_SIMULATE_H
#define STRATA_TOOLS_SIMULATE_SIMULATE_H

#include <stdbool.h>

#include "tools/command/command.h"
#include "tools/scale/platform.h"

enum { SIMULATE_METHODS = 32, SIMULATE_SIZES = 64, SIMULATE_ARGUMENTS = 320, SIMULATE_CASE = 16 };

struct simulate_request {
    const struct tool_command *command;
    char collective[32]; /* or "is_sort", "fft" or "split" */
    const char *class;   /* of is_sort and fft; NULL: no application */
    struct tool_platform platform;
    char program[TOOL_PATH]; /* the program to run, built with SimGrid */
    int ranks, per_node, cyclic;
    int threads; /* of each rank */
    long bytes[SIMULATE_SIZES];
    int sizes; /* the number of sizes, or of the cases of split */
    bool split;
    char cases[SIMULATE_SIZES][SIMULATE_CASE]; /* of split only */
    int groups;
    const char *pattern; /* NULL: the pattern that suits the collective */
    char method[SIMULATE_METHODS][192];
    int methods;
    int calls, seed, root, verify, jobs, csv;
};
/* Reads the command line. Returns an exit code. */
int simulate_parse(struct simulate_request *request, int argc, char **argv);
extern const char simulate_help[];

/* The figures of one method at one size. */
struct simulate_figure {
    int known;
    double seconds, messages, bytes; /* of a call; messages and bytes are negative where unknown */
    double opened, helped;           /* of a call: teams, and pieces of work that others took */
    double mops;                     /* of is_sort; its seconds are of all iterations */
    double exchange;                 /* seconds in the exchanges of an application */
    char algorithm[128];
};
struct simulate_results {
    struct simulate_figure figure[SIMULATE_METHODS][SIMULATE_SIZES];
};

/* simulate_jobs.c: runs smpirun, several at a time, and reads its output. Returns an exit code. */
int simulate_run(const struct simulate_request *request, struct simulate_results *results);

/* simulate_split.c: splits a communicator. All methods run in one simulation, one after another.
 * The first three functions return exit codes. */
int simulate_split_cases(struct simulate_request *request, const char *list);
int simulate_split_method(const struct simulate_request *request, const char *method);
int simulate_split_preset(struct simulate_request *request);
/* Joins all methods, or all cases, with commas. Returns text. */
const char *simulate_split_list(const struct simulate_request *request, bool cases, char *text,
                                size_t size);
/* Reads one line that the measuring program printed. */
void simulate_split_read(const struct simulate_request *request, const char *line,
                         struct simulate_results *results);
void simulate_split_print(const struct simulate_request *request,
                          const struct simulate_results *results);

/* simulate_methods.c: says whether a method is MPI's own, and how SimGrid runs a method. */
int simulate_is_mpi(const char *method);
/* Fills in "--cfg=..." options. Returns their number. */
int simulate_method_cfg(const struct simulate_request *request, const char *method, char cfg[][96]);

#endif
