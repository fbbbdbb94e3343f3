/* Random alltoall(v, w) calls with real bytes: block sizes, every rank's datatypes, layouts and
 * buffers, and what must be in every byte of them afterwards. */
#ifndef STRATA_TESTS_SIM_EXCHANGE_H
#define STRATA_TESTS_SIM_EXCHANGE_H

#include "core/engine/layout.h"
#include "tests/random.h"

/* One rank's send or receive arguments and the memory they point into, gaps and margins included.
 */
struct side {
    struct strata_piece pieces[RANDOM_PIECES];
    size_t npieces;
    ptrdiff_t low, high; /* an element's first byte and the one after its last */
    struct strata_type type;
    int *counts, *displs;             /* [ranks] */
    const struct strata_type **types; /* [ranks] where each block has its own, */
    int *bytes;                       /* and where it begins */
    struct strata_layout layout;
    unsigned char *memory, *expected;
    size_t size; /* bytes of memory */
};

struct exchange {
    int ranks;
    bool typed;
    bool uniform;             /* an alltoall: one size, no displacements */
    int *bytes;               /* [source][destination] */
    bool *in_place;           /* [ranks] */
    struct side *send, *recv; /* [ranks]; in place only recv */
};

struct exchange_shape {
    int ranks;
    bool uniform;
    bool typed;    /* an alltoallw: a datatype for each block */
    int threshold; /* many blocks are near this size */
};

struct exchange *exchange_create(struct random *r, struct exchange_shape shape);
void exchange_destroy(struct exchange *e);

/* What rank sends from: its receive side when it is in place. */
const struct side *exchange_input(const struct exchange *e, int rank);
int exchange_bytes(const struct exchange *e, int source, int destination);

/* The first rank with a byte that is not as expected, -1 when there is none. */
int exchange_wrong(const struct exchange *e);

#endif
