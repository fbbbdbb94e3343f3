/* A copy of a call on memory of Strata's own, which is timed before the program's call is made, or
 * compared with it. */
#ifndef STRATA_API_CALL_REHEARSAL_H
#define STRATA_API_CALL_REHEARSAL_H

#include "api/call/signature.h"

/* The bytes of a block on this side. */
uint64_t strata_block_bytes(const struct strata_signature *signature,
                            const struct strata_side *side, int block);

struct strata_rehearsal {
    struct strata_signature signature;
    struct rehearsed_side {
        unsigned char *memory;
        int *counts, *displs;
        MPI_Datatype *types;
    } send, recv;
};

/* Makes the copy of a checked call. Its blocks have the same lengths, and lie one behind another.
 * The operands of a reduction are zeros of its datatype; other blocks are bytes. MPI_ERR_NO_MEM;
 * MPI_ERR_COUNT where an int cannot count the bytes. strata_rehearsal_fini in either case. */
int strata_rehearsal_init(struct strata_rehearsal *rehearsal,
                          const struct strata_signature *signature);
void strata_rehearsal_fini(struct strata_rehearsal *rehearsal);

#endif
