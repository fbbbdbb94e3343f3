/* strata tune machine: measures the network between nodes, and writes the file that describes it
 * (core/cost/machine_file.h). */
#ifndef STRATA_TOOLS_TUNE_TUNE_H
#define STRATA_TOOLS_TUNE_TUNE_H

#include <stdio.h>

#include "core/cost/machine.h"
#include "hier/tuned.h"
#include "tools/command/command.h"
#include "tools/tune/fit.h"

/* The quartiles of some samples; all 0: nothing was measured. */
struct tool_spread {
    double low, median, high;
};

/* Sorts the samples. */
struct tool_spread tool_spread_of(double *samples, int count);

enum {
    TOOL_SHORT = 8,
    TOOL_LONG = 256 << 10,
    TOOL_LONGER = 1 << 20,
    TOOL_LARGEST_EAGER = 1 << 20, /* who sends that ahead sends all messages ahead */
    TOOL_AT_ONCE = 16,            /* messages of a rank at once */
    TOOL_SENDERS = 12,            /* numbers of a node's ranks that send at once: 1, 2, 4, ... */
    TOOL_UNDER_WAY = 7,           /* numbers of messages of a rank at once: 1, 2, 4, ... 64 */
    TOOL_SWITCHES = 6             /* levels of switches */
};

/* Messages of one rank of a node. */
struct tool_overlap {
    int bytes;                                  /* of each; 0: not measured */
    struct tool_spread seconds[TOOL_UNDER_WAY]; /* of all 1 << i at once; 0: not measured */
};

/* How many of its numbers were measured. */
int tool_overlap_count(const struct tool_overlap *overlap);
/* The number of messages from which on more do not raise the rate by more than its spread: their
 * lower quartile of it is not above the upper one of so many. */
int tool_overlap_most(const struct tool_overlap *overlap);

/* Messages of one rank of each node to a node at the other end of so many levels of switches: with
 * 1 both are below one leaf. */
struct tool_level {
    int pairs; /* of nodes, all at once; 0: not measured */
    struct tool_spread message, byte;
};

/* The smallest object that two ranks of a node share. */
enum tool_inner_distance {
    TOOL_CORE,
    TOOL_CACHE,
    TOOL_DOMAIN,
    TOOL_PACKAGE,
    TOOL_NODE,
    TOOL_INNERS
};

/* Why no two ranks measured a distance. */
enum tool_inner_lack {
    TOOL_LACKS_PLACES,  /* nobody knows where some ranks run */
    TOOL_LACKS_OBJECTS, /* no host has several objects of the next smaller kind in one */
    TOOL_LACKS_RANKS,   /* no two are so placed that they run at once */
    TOOL_LACKS_NOTHING  /* some measured it */
};

/* Messages of two ranks of a node, of each node that has such ranks. */
struct tool_inner {
    enum tool_inner_lack lack;
    int pairs, first[2]; /* all at once; the ranks of the first */
    struct tool_spread message, overhead, at_once, byte;
    double eager;
    struct tool_spread ahead, waiting;
};

/* What was measured. A rank of one node and a rank of another one send each other messages, both
 * ways at once; times are in seconds. */
struct tool_network {
    struct tool_spread message;  /* one of TOOL_SHORT bytes */
    struct tool_spread overhead; /* the processor's time for one sent or received */
    double eager;                /* longest that is sent ahead of its receive; 0: any */
    struct tool_spread ahead;    /* one of that length */
    struct tool_spread waiting;  /* one of twice that length */
    struct {
        int ranks;                  /* of each node, which send at once; 0: not measured */
        struct tool_spread at_once; /* TOOL_AT_ONCE messages of TOOL_SHORT bytes of each */
        struct tool_spread byte;    /* of a long message of each */
    } senders[TOOL_SENDERS];
    /* Messages of TOOL_SHORT bytes, of the longest that is sent ahead, and of twice its length. */
    struct tool_overlap overlap[3];
    struct tool_level level[TOOL_SWITCHES];     /* of 1, 2, ... levels */
    struct tool_spread node_message, node_byte; /* as above, of the first two ranks of each node */
    struct tool_inner inner[TOOL_INNERS];
};

/* The circumstances of the measurement. */
struct tool_tuned {
    char hosts[256], mpi[128], command[128];
    const struct strata_machine *base; /* gives the parameters that are not measured */
};

/* Writes the lines that say where the figures come from: host, date, mpi and command. */
void tool_head_write(const struct tool_tuned *tuned, FILE *file);
/* Writes the file. */
void tool_machine_write(const struct tool_network *network, const struct tool_tuned *tuned,
                        FILE *file);

/* What the user asks for. */
struct tool_tune_request {
    const char *out; /* the file; NULL: standard output */
    double seconds;
    const struct strata_machine *base; /* NULL: by the kernels of the hosts */
};

/* What `strata tune calls` times. */
enum {
    TOOL_TUNE_SIZES = 32,
    TOOL_TUNE_CELLS = STRATA_COLLECTIVE_COUNT * STRATA_PATTERNS * TOOL_TUNE_SIZES
};
struct tool_calls_request {
    const char *out; /* the file, whose other rows stay; NULL: standard output */
    double minutes;
    unsigned collectives; /* bit 1 << enum strata_collective */
    unsigned patterns;    /* bit 1 << enum strata_pattern, where blocks may differ in length */
    int64_t bytes[TOOL_TUNE_SIZES];
    int sizes;
    const char *record; /* a folder of records, whose calls are timed; NULL: collectives by bytes */
};

/* A collective with a size. */
struct tool_cell {
    enum strata_collective collective;
    enum strata_pattern pattern; /* STRATA_PATTERNS: the one that is nearest to the shape */
    int64_t bytes;               /* of the longest block, or of a vector; 0 of a barrier */
    int unit;                    /* elements; lengths are multiples of it */
    double weight;               /* its share of the time */
    struct tool_shape shape;     /* of a record's blocks, where they may differ */
};

/* Each collective with each pattern and size. Returns their number. */
int tool_cells_of_lists(const struct tool_calls_request *request, struct tool_cell *cells);
/* The blocking collectives on MPI_COMM_WORLD, or on as many ranks, that the records of jobs in the
 * folder hold, those first in which ranks stood longest, until these are 95 % of the time. Returns
 * their number, or -1 with errno where the folder cannot be read. */
int tool_cells_of_record(const char *folder, struct tool_cell *cells);
/* Adds a cell, or its weight to the one that it is like. Returns how many there are then. */
int tool_cells_add(struct tool_cell *cells, int count, const struct tool_cell *cell);

/* Writes the table: `fresh` rows, and those of `old` for which there is no fresh one. */
void tool_table_write(const struct strata_tuned *old, const struct strata_tuned *fresh,
                      const struct tool_tuned *tuned, FILE *file);
/* What becomes of a row when a launch has timed its calls. `verdict` is of that launch alone, with
 * the choice of `before` where that was among the winners; before: of the same key; NULL: there is
 * none. A choice stays where launches agree on it, and else costs choose. */
struct strata_tuned_row tool_row_merge(const struct strata_tuned_row *before,
                                       const struct strata_tuned_row *verdict);
/* Sorts the rows: the greatest gain over what costs choose first. */
void tool_table_sort(struct strata_tuned *tuned);
/* Prints what each row gains. */
void tool_table_show(const struct strata_tuned *tuned);
/* Draws it as SVG. */
void tool_table_draw(const struct strata_tuned *tuned, FILE *file);
/* How many times as fast the row's choice is as something that takes so many seconds; 1 where that
 * is not known. */
double tool_gain(const struct strata_tuned_row *row, double other);
/* "dpml:leaders=2", or "auto". Returns text. */
const char *tool_choice_name(const struct strata_choice *choice, char *text, size_t size);
/* "4x16x2", or "4x16" of any number of threads. Returns text. */
const char *tool_layout_name(const struct strata_tuned_row *row, char *text, size_t size);

/* Times calls on all ranks, and writes the table on rank 0. Returns an exit code. As tool_tune_mpi
 * in builds without MPI. */
int tool_calls_mpi(const struct tool_command *command, const struct tool_calls_request *request)
    __attribute__((weak));

/* Measures on all ranks, and writes the file on rank 0. Returns an exit code. In builds without MPI
 * the function does not exist, and its address is NULL. */
int tool_tune_mpi(const struct tool_command *command, const struct tool_tune_request *request)
    __attribute__((weak));

#endif
