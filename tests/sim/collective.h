/* Random calls of any collective with real bytes, for plans over blocks: every rank's datatypes,
 * layouts and buffers, and what must be in every byte of them afterwards. */
#ifndef STRATA_TESTS_SIM_COLLECTIVE_H
#define STRATA_TESTS_SIM_COLLECTIVE_H

#include "core/engine/engine.h"
#include "tests/random.h"

/* Operands: 2x2 matrices of 32-bit integers (16 bytes of data). Their product does not commute. */
enum { OPERAND = 16 };

/* One rank's input or output, and the memory it lies in, gaps and margins included. */
struct part {
    struct strata_type type;
    int *counts, *displs; /* [ranks]; used where blocks vary */
    struct strata_layout layout;
    int blocks; /* that it has: 0, 1 or one for each rank; a vector is 1 */
    unsigned char *memory, *expected;
    size_t size;
};

struct collective_shape {
    enum strata_collective collective;
    int ranks, root;
    int segments;     /* of a vector */
    bool commutative; /* the operator: sum; else product */
    bool bulky;       /* operands may have gaps */
    bool in_place;
    int most; /* bytes of a block */
};

struct collective_call {
    struct collective_shape shape;
    int *bytes;                  /* [ranks] of block i; [0]: the vector */
    struct part *input, *output; /* [ranks] */
    struct strata_type operand;  /* of reductions: that of all ranks */
    struct strata_type byte;     /* of work where nothing is reduced */
    struct strata_layout work;
    int *work_counts; /* [ranks] */
    struct strata_operator op;
};

struct collective_call *collective_create(struct random *r, const struct collective_shape *shape);
void collective_destroy(struct collective_call *call);

/* Whether the rank's input lies in its output's memory or the other way round. */
bool collective_in_place(const struct collective_call *call, int rank);

/* The first rank with a byte that is not as expected, -1 when there is none. */
int collective_wrong(const struct collective_call *call);

#endif
