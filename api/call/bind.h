/* A call's buffers as the engine's layouts. */
#ifndef STRATA_API_CALL_BIND_H
#define STRATA_API_CALL_BIND_H

#include "api/call/signature.h"
#include "api/types/datatype.h"
#include "api/types/reduction_operator.h"
#include "core/engine/engine.h"

/* Bytes of a call's arrays for each rank; the memory is kept for later calls. */
#define STRATA_ARRAY_BYTES (8 * sizeof(void *))

/* One side of a call. Where the side's datatype has no map, or operands do not lie side by side,
 * `packed` is a contiguous copy of all blocks. */
struct strata_bound {
    const struct strata_side *side; /* NULL: not significant here */
    struct strata_layout layout;
    const struct strata_type *map;      /* the type of the caller's elements; NULL: MPI alone
                                           packs them */
    unsigned char *packed;              /* NULL: the caller's buffer is used as it is */
    strata_length *lengths;             /* of the blocks in `packed`; NULL: the caller's */
    strata_displacement *displacements; /* where the blocks begin in `packed`; NULL: as the
                                           caller says */
};

struct strata_binding {
    struct strata_process *process;
    MPI_Comm comm;         /* private: packs and returns errors */
    unsigned char *arrays; /* memory of STRATA_ARRAY_BYTES for each rank */
    size_t arrays_bytes;   /* bytes of it */
    size_t arrays_used;    /* bytes of it that are taken */
    struct strata_bound send, recv;
    bool holds; /* a side has memory of its own */
    /* the blocks that local peers expose beside the plan (api/call/long_blocks.c) */
    struct strata_layout long_blocks[2];
    /* arguments of the engine besides layouts */
    struct strata_type element; /* the elements of the work store, and of packed operands */
    struct strata_combination combination;
};

/* Finds unusable datatypes on any rank before a rank goes on: MPI_ERR_TYPE for a datatype that was
 * not committed, MPI_ERR_UNSUPPORTED_OPERATION for one whose element has more than 2 GiB in more
 * pieces than a map holds. Lack of memory shows only when the call is bound. */
int strata_bind_check(struct strata_signature *signature, struct strata_process *process,
                      MPI_Comm comm);
/* Binds the significant sides: x gets its input, output and work stores. x's plan is set, and so
 * are process, comm and arrays of the binding. Returns an MPI error code. In either case
 * strata_unbind frees everything that the binding holds. */
int strata_bind(const struct strata_signature *signature, struct strata_binding *binding,
                struct strata_execution *x);
/* Binds the same call once more, with other data in its buffers: packs them again. */
int strata_bind_again(const struct strata_signature *signature,
                      const struct strata_binding *binding);
/* Moves received data to the caller's buffer. Returns an MPI error code. */
int strata_deliver(const struct strata_signature *signature, struct strata_binding *binding);
void strata_unbind(struct strata_binding *binding);

/* api/call/bind_side.c: lays out one significant side. `pack`: the engine reads its contents. */
int strata_bind_side(const struct strata_signature *signature, struct strata_binding *binding,
                     struct strata_bound *bound, bool pack);
/* The type of contiguous elements of this size, which is part of the binding. */
const struct strata_type *strata_binding_element(struct strata_binding *binding, size_t size);
/* Takes an array of so many words of `size` bytes from the memory of arrays. */
void *strata_binding_array(struct strata_binding *binding, int words, size_t size);
/* api/call/convert.c: packs or unpacks a side that has a copy. */
int strata_convert(const struct strata_signature *signature, const struct strata_binding *binding,
                   const struct strata_bound *bound, bool pack);

#endif
