/* One collective call: its arguments and buffers, for Strata's and MPI's. */
#ifndef STRATA_BENCH_STRATA_BENCH_EXCHANGE_H
#define STRATA_BENCH_STRATA_BENCH_EXCHANGE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "bench/strata_bench/patterns.h"

/* The counts of a collective. */
enum counts {
    COUNTS_NONE,   /* every block has the same size */
    COUNTS_MATRIX, /* a count for each pair of ranks */
    COUNTS_VECTOR  /* a count for each rank, as rank 0's blocks have them */
};

enum part { PART_NONE, PART_ONE, PART_ALL }; /* the blocks that a buffer holds */

/* A call that has begun or is described; one of the two is set. */
struct bench_request {
    struct strata_request *ours;
    MPI_Request mpis;
};

struct exchange;
struct collective {
    const char *name;
    enum counts counts;
    enum part send, recv; /* the buffers of a rank that sends or receives */
    char root;            /* 'i': only the root sends; 'o': only the root receives; else all do */
    bool reduces;         /* adds unsigned integers; other collectives move bytes */
    int (*call)(const struct exchange *e, bool ours);
    int (*begin)(const struct exchange *e, bool ours, struct bench_request *r);
    int (*describe)(const struct exchange *e, bool ours, struct bench_request *r); /* persistent */
};

/* Ended by a row without a name. */
extern const struct collective collectives[];

struct exchange {
    const struct collective *collective;
    MPI_Comm comm;
    int rank, ranks, bytes;
    int *sendcounts, *sdispls, *recvcounts, *rdispls; /* [ranks] in bytes, or in integers */
    MPI_Datatype *types;
    size_t send_bytes, recv_bytes;
    unsigned char *send, *recv;
    bool mapped; /* the buffers are strata_alloc's */
};

/* Returns NULL, or why not all ranks can have the call. Collective. */
const char *exchange_create(struct exchange *e, const struct collective *collective,
                            const struct pattern *pattern, const struct pattern_shape *shape,
                            bool mapped, MPI_Comm comm);
void exchange_destroy(struct exchange *e);
/* exchange_reset restores the receive buffer's first contents. exchange_holds compares it with the
 * expected bytes. */
void exchange_reset(struct exchange *e);
bool exchange_holds(const struct exchange *e, const unsigned char *expected);
/* Whether `mine` is true on all ranks. Collective. */
bool exchange_agreed(bool mine, MPI_Comm comm);
/* The microseconds of a copy of as many bytes as the call delivers to a rank, with all ranks at
 * work at once. For a reduction it is the time to combine two such vectors into a third. Takes the
 * least of a few measurements. Collective. */
double exchange_copy_us(const struct exchange *e, int calls);
/* The bytes that the call delivers to all ranks together. Collective. */
double exchange_payload(const struct exchange *e);

#endif
