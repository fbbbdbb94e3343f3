/* Random alltoall(v, w) calls with real bytes: block sizes, the datatypes, layouts and buffers of
 * all ranks, and the expected value of every byte after the call. */
#ifndef STRATA_TESTS_SIM_EXCHANGE_H
#define STRATA_TESTS_SIM_EXCHANGE_H

#include "core/engine/layout.h"
#include "tests/random.h"

/* A rank's send or receive arguments, and their memory with gaps and margins. */
struct side {
    struct strata_piece pieces[RANDOM_PIECES];
    size_t npieces;
    ptrdiff_t low, high; /* an element's first byte, and the byte after its last */
    struct strata_type type;
    int *counts, *displs;             /* [ranks] */
    const struct strata_type **types; /* [ranks] where each block has its own datatype, */
    int *bytes;                       /* and its own place in bytes */
    struct strata_layout layout;
    unsigned char *memory, *expected;
    size_t size; /* of `memory`, in bytes */
};

struct exchange {
    int ranks;
    bool typed;
    bool uniform;             /* an alltoall: one size, no displacements */
    int *bytes;               /* [source][destination] */
    bool *in_place;           /* [ranks] */
    struct side *send, *recv; /* [ranks]; in place only `recv` is used */
};

struct exchange_shape {
    int ranks;
    bool uniform;
    bool typed;    /* an alltoallw: a datatype for each block */
    int threshold; /* many blocks are near this size */
};

struct exchange *exchange_create(struct random *r, struct exchange_shape shape);
void exchange_destroy(struct exchange *e);

/* The side that a rank sends from; in place its receive side. */
const struct side *exchange_input(const struct exchange *e, int rank);
int exchange_bytes(const struct exchange *e, int source, int destination);

/* The first rank with a wrong byte; -1: none. */
int exchange_wrong(const struct exchange *e);

#endif
