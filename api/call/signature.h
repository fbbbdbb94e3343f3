/* A collective call as the user made it: one struct in place of ten arguments. */
#ifndef STRATA_API_CALL_SIGNATURE_H
#define STRATA_API_CALL_SIGNATURE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/plan/collective.h"

struct strata_datatype;

/* Which of a side's arguments a collective has. */
enum strata_side_form {
    STRATA_SIDE_ABSENT,
    STRATA_SIDE_EQUAL,         /* count and type */
    STRATA_SIDE_VARYING,       /* counts, displs and type */
    STRATA_SIDE_TYPED,         /* counts, displs and types */
    STRATA_SIDE_LARGE_VARYING, /* as MPI-4 has them: large_counts, large_displs and type */
    STRATA_SIDE_LARGE_TYPED
};

/* One side's buffer. Where blocks are equal, there are no arrays of counts and count is used;
 * without displacements they lie one behind another. Large arrays are never copied to others, nor
 * others to them. */
struct strata_side {
    enum strata_side_form form;
    void *buffer;
    MPI_Count count;
    const int *counts, *displs;
    const MPI_Count *large_counts;
    const MPI_Aint *large_displs;
    MPI_Datatype type;
    const MPI_Datatype *types; /* alltoallw: one for each block; displs are then in bytes */
    enum strata_held part; /* found by strata_find_significant: the blocks that lie here; NONE: the
                                  arguments of this side are not significant on this rank */
    /* found where the side is significant: */
    const struct strata_datatype *datatype; /* NULL: not known yet, or one for each block */
    int64_t sum;    /* of the blocks' counts; known once they were checked */
    MPI_Count most; /* the largest */
};

/* Reductions have their count and type, or counts, on both sides; bcast has only recv; barrier has
 * neither. */
struct strata_signature {
    enum strata_collective collective;
    bool large; /* of the form with large counts: so is MPI's own to be */
    MPI_Comm comm;
    struct strata_side send, recv;
    int root;  /* rooted collectives */
    MPI_Op op; /* reductions */

    /* found by strata_find_significant; intracommunicators only */
    int rank, ranks;
    bool in_place; /* the one significant side holds what is sent and takes what is received */
    /* found by strata_snapshot_take: both sides have counts and displacements, of int, of few
     * ranks */
    bool few;
};

/* Blocks that lie on a side of this rank. */
static inline int strata_side_blocks(const struct strata_signature *s,
                                     const struct strata_side *side)
{
    bool each = side->part == STRATA_ALL && strata_collective_info[s->collective].ranked;
    return side->part == STRATA_NONE ? 0 : each ? s->ranks : 1;
}

/* The side whose blocks are the collective's: of two that are significant, the one with more. */
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

/* Of a side with arrays. */
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

/* Inlined, so that a comparison with arguments that were never put together stays one. */
#define STRATA_INLINED static inline __attribute__((always_inline))

/* Of the same collective; b's form is often known beforehand. Where arrays are as wide as b's, the
 * others' pointers are NULL in both; a call without its arrays is wrong, and never remembered. */
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

/* Whether two calls have the same arguments; what arrays hold is not looked at. */
STRATA_INLINED bool strata_same_arguments(const struct strata_signature *a,
                                          const struct strata_signature *b)
{
    return a->collective == b->collective && a->op == b->op && a->comm == b->comm &&
           strata_same_side(&a->recv, &b->recv) && strata_same_side(&a->send, &b->send) &&
           a->root == b->root;
}

/* The call by MPI's own collective (always its PMPI entry). */
int strata_native_call(const struct strata_signature *signature);
/* The same by the form that does not block. */
int strata_native_start(const struct strata_signature *signature, MPI_Request *request);
/* strata_native_call, in that form: on a communicator that plans have served without blocking, for
 * another rank may wait for such a call before it comes to this one. With large counts it is made
 * when all ranks have come to it: then none waits. */
int strata_native_moving_requests(const struct strata_signature *signature);

/* A pointer of the user's that is only read through. */
static inline void *strata_read_only(const void *buffer)
{
    return (void *)(uintptr_t)buffer;
}

#endif
