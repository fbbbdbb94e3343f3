/* One collective call: its arguments and buffers, ours and MPI's. */
#ifndef STRATA_BENCH_STRATA_BENCH_EXCHANGE_H
#define STRATA_BENCH_STRATA_BENCH_EXCHANGE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "bench/strata_bench/patterns.h"

/* Whose sizes the counts are, where a collective has them. */
enum counts {
    COUNTS_NONE,   /* every block has the same size */
    COUNTS_MATRIX, /* each rank's blocks for each rank */
    COUNTS_VECTOR  /* one block for each rank: what rank 0 has for it */
};

enum part { PART_NONE, PART_ONE, PART_ALL }; /* of the blocks */

/* A call that was begun or described: one of the two. */
struct bench_request {
    struct strata_request *ours;
    MPI_Request mpis;
};

struct exchange;
struct collective {
    const char *name;
    enum counts counts;
    enum part send, recv; /* of a rank that has any: the buffers */
    char root;            /* who has any: 'i' only the root sends, 'o' only the root receives */
    bool reduces;         /* adds unsigned integers; others move bytes */
    int (*call)(const struct exchange *e, bool ours);
    int (*begin)(const struct exchange *e, bool ours, struct bench_request *r);
    int (*describe)(const struct exchange *e, bool ours, struct bench_request *r); /* persistent */
};

/* Ends with a row without a name. */
extern const struct collective collectives[];

struct exchange {
    const struct collective *collective;
    MPI_Comm comm;
    int rank, ranks, bytes;
    int *sendcounts, *sdispls, *recvcounts, *rdispls; /* [ranks], in bytes, or in integers */
    MPI_Datatype *types;
    size_t send_bytes, recv_bytes;
    unsigned char *send, *recv;
    bool mapped; /* they are strata_alloc's */
};

/* Returns NULL, or why all ranks cannot have it. Collective. */
const char *exchange_create(struct exchange *e, const struct collective *collective,
                            const struct pattern *pattern, const struct pattern_shape *shape,
                            bool mapped, MPI_Comm comm);
void exchange_destroy(struct exchange *e);
/* What is received holds what it did before the first call; or what is expected, bit for bit. */
void exchange_reset(struct exchange *e);
bool exchange_holds(const struct exchange *e, const unsigned char *expected);
/* Whether all ranks say so. Collective. */
bool exchange_agreed(bool mine, MPI_Comm comm);
/* Microseconds in which every rank, all at once, can copy as many bytes as the call delivers to it,
 * or in a reduction combine two vectors as long as that into a third: the least of a few times so
 * many. Collective. */
double exchange_copy_us(const struct exchange *e, int calls);
/* Bytes that the call delivers to all ranks together. Collective. */
double exchange_payload(const struct exchange *e);

#endif
