/* A call's buffers as the engine's layouts. */
#ifndef STRATA_API_CALL_BIND_H
#define STRATA_API_CALL_BIND_H

#include "api/call/signature.h"
#include "api/types/datatype.h"
#include "api/types/reduction_operator.h"
#include "core/engine/engine.h"

/* Memory for a call's arrays, kept by the group: so many bytes for each rank. */
#define STRATA_ARRAY_BYTES (8 * sizeof(void *))

/* One side. Where a datatype on it has no map, or operands do not lie side by side, `packed` is a
 * contiguous copy of all blocks. */
struct strata_bound {
    const struct strata_side *side; /* NULL: not significant here */
    struct strata_layout layout;
    const struct strata_type *map;      /* of the caller's elements; NULL: MPI alone packs them */
    unsigned char *packed;              /* NULL: the caller's buffer is used as it is */
    strata_length *lengths;             /* of the blocks in `packed`; NULL: the caller's */
    strata_displacement *displacements; /* where the blocks begin in `packed`; likewise */
};

struct strata_binding {
    struct strata_process *process;
    MPI_Comm comm;         /* private: packs and returns errors */
    unsigned char *arrays; /* memory of STRATA_ARRAY_BYTES for each rank */
    size_t arrays_bytes;   /* bytes of it */
    size_t arrays_used;    /* bytes of it that are taken */
    struct strata_bound send, recv;
    bool holds; /* one of them has memory of its own */
    /* what local peers expose beside the plan (api/call/long_blocks.c) */
    struct strata_layout long_blocks[2];
    /* what the engine is given besides layouts */
    struct strata_type element; /* of the work store, and of operands that are packed */
    struct strata_combination combination;
};

/* Finds datatypes that cannot be used before any rank goes on, wherever the call is made so:
 * MPI_ERR_TYPE for one that was not committed, MPI_ERR_UNSUPPORTED_OPERATION for one whose element
 * is of more than 2 GiB in more pieces than a map has. Lack of memory shows when it is bound. */
int strata_bind_check(struct strata_signature *signature, struct strata_process *process,
                      MPI_Comm comm);
/* Binds the sides that are significant here: x gets input, output and work; its plan is set, and
 * process, comm and arrays of the binding are. Returns an MPI error code; strata_unbind frees what
 * is held, in either case. */
int strata_bind(const struct strata_signature *signature, struct strata_binding *binding,
                struct strata_execution *x);
/* The same call once more, with other data in its buffers: packs what was packed. */
int strata_bind_again(const struct strata_signature *signature,
                      const struct strata_binding *binding);
/* Takes what was received to the caller's buffer. Returns an MPI error code. */
int strata_deliver(const struct strata_signature *signature, struct strata_binding *binding);
void strata_unbind(struct strata_binding *binding);

/* api/call/bind_side.c: the layout of one side, significant here; `pack`: its contents are
 * needed. */
int strata_bind_side(const struct strata_signature *signature, struct strata_binding *binding,
                     struct strata_bound *bound, bool pack);
/* The type of contiguous elements of so many bytes, which the binding has for that. */
const struct strata_type *strata_binding_element(struct strata_binding *binding, size_t size);
/* Takes an array of so many words of `size` bytes from that memory. */
void *strata_binding_array(struct strata_binding *binding, int words, size_t size);
/* api/call/convert.c: packs or unpacks a side that has a copy. */
int strata_convert(const struct strata_signature *signature, const struct strata_binding *binding,
                   const struct strata_bound *bound, bool pack);

#endif
