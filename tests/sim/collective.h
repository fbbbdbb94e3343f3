/* Random calls of any collective with real bytes, for plans over blocks: the datatypes, layouts and
 * buffers of all ranks, and the expected value of every byte after the call. */
#ifndef STRATA_TESTS_SIM_COLLECTIVE_H
#define STRATA_TESTS_SIM_COLLECTIVE_H

#include "core/engine/engine.h"
#include "tests/random.h"

/* Operands are 2x2 matrices of 32-bit integers (16 bytes of data). Their product does not
 * commute. */
enum { OPERAND = 16 };

/* A rank's input or output, and its memory with gaps and margins. */
struct part {
    struct strata_type type;
    int *counts, *displs; /* [ranks]; used where blocks vary */
    struct strata_layout layout;
    int blocks; /* 0, 1, or one for each rank; a vector is one block */
    unsigned char *memory, *expected;
    size_t size;
};

struct collective_shape {
    enum strata_collective collective;
    int ranks, root;
    int segments;     /* of a vector */
    bool commutative; /* the operator is a sum; else a product */
    bool bulky;       /* operands may have gaps */
    bool in_place;
    int most; /* the bytes of the longest block */
};

struct collective_call {
    struct collective_shape shape;
    int *bytes;                  /* [ranks] of block i; [0]: of the vector */
    struct part *input, *output; /* [ranks] */
    struct strata_type operand;  /* of reductions: the same on all ranks */
    struct strata_type byte;     /* of the work store where nothing is reduced */
    struct strata_layout work;
    int *work_counts; /* [ranks] */
    struct strata_operator op;
};

struct collective_call *collective_create(struct random *r, const struct collective_shape *shape);
void collective_destroy(struct collective_call *call);

/* Whether the rank's input lies in its output's memory, or the output in the input's. */
bool collective_in_place(const struct collective_call *call, int rank);

/* The first rank with a wrong byte; -1: none. */
int collective_wrong(const struct collective_call *call);

#endif
