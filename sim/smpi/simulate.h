/* What the files of the program share that times one collective on a simulated cluster. */
#ifndef STRATA_SIM_SMPI_SIMULATE_H
#define STRATA_SIM_SMPI_SIMULATE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "sim/patterns/patterns.h"

enum { SIMULATE_METHODS = 64, SIMULATE_SIZES = 64, SIMULATE_CALLS = 1000 };

struct options {
    const struct operation *operation;
    const char *method[SIMULATE_METHODS]; /* "mpi", or a choice for strata_comm_force */
    int methods;
    long bytes[SIMULATE_SIZES];
    int sizes;
    enum strata_pattern pattern;
    int calls, warm; /* timed calls, and untimed calls before them */
    unsigned seed;
    int root;
    bool verify; /* compare each method's first size with the native collective */
};
/* options.c: returns NULL, or a sentence that says what is wrong. */
const char *options_parse(struct options *options, int argc, char **argv);

/* The blocks of one side of a call, on a rank. */
enum shape {
    SHAPE_NONE,
    SHAPE_VECTOR, /* the whole vector */
    SHAPE_MINE,   /* this rank's own block */
    SHAPE_EACH,   /* a block for each rank */
    SHAPE_PAIR    /* a block for each rank, where each pair of ranks has a length of its own */
};

struct side {
    unsigned char *buffer;
    int *counts, *displs; /* [ranks] of SHAPE_EACH and SHAPE_PAIR */
    /* Elements of the vector, of this rank's block, or of each block where all are equal. */
    int count;
    size_t bytes; /* the bytes of all blocks */
};

/* A call's arguments on this rank. */
struct arguments {
    const struct options *options;
    int rank, ranks, root;
    struct side send, recv;
    MPI_Datatype *types; /* [ranks] */
    MPI_Op op;
};

/* operations.c: one row of its table. */
struct operation {
    const char *name;
    enum shape send, recv;
    bool at_root_sends, at_root_receives; /* this side counts at the root alone */
    bool vector;                          /* blocks may differ in length */
    int (*ours)(const struct arguments *a, MPI_Comm comm);
    int (*mpis)(const struct arguments *a, MPI_Comm comm);
};
const struct operation *operation_find(const char *name);

/* arguments.c: makes the buffers for one size. */
void arguments_create(struct arguments *a, const struct options *options, long bytes);
void arguments_fill(struct arguments *a); /* restores what a call has overwritten */
/* The call's result and its length in *bytes; NULL where this rank gets none. */
const unsigned char *arguments_result(const struct arguments *a, size_t *bytes);
void arguments_destroy(struct arguments *a);

/* measure.c: rank 0 prints a line for each method and size. Returns false where a result is
 * wrong. */
bool measure_all(const struct options *options);

#endif
