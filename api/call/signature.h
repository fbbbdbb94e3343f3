/* A collective call as the program made it: one struct in place of ten arguments. */
#ifndef STRATA_API_CALL_SIGNATURE_H
#define STRATA_API_CALL_SIGNATURE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/plan/collective.h"

struct strata_datatype;

/* The arguments that a collective has for a side. */
enum strata_side_form {
    STRATA_SIDE_ABSENT,
    STRATA_SIDE_EQUAL,         /* count and type */
    STRATA_SIDE_VARYING,       /* counts, displs and type */
    STRATA_SIDE_TYPED,         /* counts, displs and types */
    STRATA_SIDE_LARGE_VARYING, /* large_counts, large_displs and type, as in MPI-4 */
    STRATA_SIDE_LARGE_TYPED
};

/* One side's buffer. Where blocks are equal, the arrays of counts are NULL, and count is used.
 * Without displacements blocks lie one behind another. Large arrays are never converted to int
 * arrays, nor int arrays to large ones. */
struct strata_side {
    enum strata_side_form form;
    void *buffer;
    MPI_Count count;
    const int *counts, *displs;
    const MPI_Count *large_counts;
    const MPI_Aint *large_displs;
    MPI_Datatype type;
    const MPI_Datatype *types; /* alltoallw: one for each block; displacements are in bytes then */
    enum strata_held part;     /* the blocks that lie here, found by strata_find_significant;
                                  NONE: the arguments of this side are not significant on this
                                  rank */
    /* found if the side is significant */
    const struct strata_datatype *datatype; /* NULL: not known yet, or each block has its own */
    int64_t sum;    /* sum of the blocks' counts, found when they are checked */
    MPI_Count most; /* the largest count */
};

/* Reductions have their count and type, or counts, on both sides. bcast has only recv, and barrier
 * has neither side. */
struct strata_signature {
    enum strata_collective collective;
    bool large; /* the program called the form with large counts, so MPI's own is called in that
                   form */
    MPI_Comm comm;
    struct strata_side send, recv;
    int root;  /* rooted collectives */
    MPI_Op op; /* reductions */

    /* found by strata_find_significant; intracommunicators only */
    int rank, ranks;
    bool in_place; /* the one significant side holds the data to send, and receives */
    /* found by strata_snapshot_take: both sides have int counts and displacements, of few ranks */
    bool few;
};

/* The number of blocks on a side of this rank. */
static inline int strata_side_blocks(const struct strata_signature *s,
                                     const struct strata_side *side)
{
    bool each = side->part == STRATA_ALL && strata_collective_info[s->collective].ranked;
    return side->part == STRATA_NONE ? 0 : each ? s->ranks : 1;
}

/* The side that has the collective's blocks: of two significant sides the one with more blocks. */
static inline const struct strata_side *strata_telling_side(const struct strata_signature *s)
{
    return s->send.part > s->recv.part ? &s->send : &s->recv;
}

/* Whether the side has one count for each block. */
static inline bool strata_side_varies(const struct strata_signature *s,
                                      const struct strata_side *side)
{
    return side->part == STRATA_ALL && strata_collective_info[s->collective].varying;
}

/* The count of a block, on a side with arrays. */
static inline MPI_Count strata_side_counted(const struct strata_side *side, int block)
{
    return side->counts ? side->counts[block] : side->large_counts[block];
}

static inline bool strata_side_has_counts(const struct strata_side *side)
{
    return side->counts || side->large_counts;
}

static inline bool strata_side_has_displs(const struct strata_side *side)
{
    return side->displs || side->large_displs;
}

static inline MPI_Count strata_side_count(const struct strata_signature *s,
                                          const struct strata_side *side, int block)
{
    return strata_side_varies(s, side) ? strata_side_counted(side, block) : side->count;
}

/* Where a block of a side with displacements begins. */
static inline MPI_Aint strata_side_displaced(const struct strata_side *side, int block)
{
    return side->displs ? side->displs[block] : side->large_displs[block];
}

static inline MPI_Datatype strata_side_type(const struct strata_side *side, int block)
{
    return side->types ? side->types[block] : side->type;
}

/* Inlined, so that a call's arguments are compared without being stored in a signature first. */
#define STRATA_INLINED static inline __attribute__((always_inline))

/* Compares two sides of the same collective; the compiler often knows b's form. Where a's arrays
 * have the width of b's, a's and b's pointers to arrays of the other width are NULL. A call without
 * its arrays is wrong, and never remembered. */
STRATA_INLINED bool strata_same_side(const struct strata_side *a, const struct strata_side *b)
{
    switch (b->form) {
    case STRATA_SIDE_ABSENT:
        return true;
    case STRATA_SIDE_EQUAL:
        return a->buffer == b->buffer && a->count == b->count && a->type == b->type;
    case STRATA_SIDE_VARYING:
        return a->buffer == b->buffer && a->counts == b->counts && a->displs == b->displs &&
               a->type == b->type;
    case STRATA_SIDE_TYPED:
        return a->buffer == b->buffer && a->counts == b->counts && a->displs == b->displs &&
               a->types == b->types;
    case STRATA_SIDE_LARGE_VARYING:
        return a->buffer == b->buffer && a->large_counts == b->large_counts &&
               a->large_displs == b->large_displs && a->type == b->type;
    case STRATA_SIDE_LARGE_TYPED:
        return a->buffer == b->buffer && a->large_counts == b->large_counts &&
               a->large_displs == b->large_displs && a->types == b->types;
    }
    return false;
}

/* Whether two calls have the same arguments. The contents of arrays are not compared. */
STRATA_INLINED bool strata_same_arguments(const struct strata_signature *a,
                                          const struct strata_signature *b)
{
    return a->collective == b->collective && a->op == b->op && a->comm == b->comm &&
           strata_same_side(&a->recv, &b->recv) && strata_same_side(&a->send, &b->send) &&
           a->root == b->root;
}

/* Makes the call with MPI's own collective, through its PMPI name. */
int strata_native_call(const struct strata_signature *signature);
/* Begins the call with MPI's own nonblocking collective. */
int strata_native_start(const struct strata_signature *signature, MPI_Request *request);
/* As strata_native_call, but in the nonblocking form. For a communicator on which plans have served
 * nonblocking calls: another rank may wait for such a call before it makes this one. A call with
 * large counts is made when all ranks have come to it: then no rank waits. */
int strata_native_moving_requests(const struct strata_signature *signature);

/* A pointer of the program's through which Strata only reads. */
static inline void *strata_read_only(const void *buffer)
{
    return (void *)(uintptr_t)buffer;
}

#endif
