/* A call on memory of its own: to be timed before the program's is made, or compared with it. */
#ifndef STRATA_API_CALL_REHEARSAL_H
#define STRATA_API_CALL_REHEARSAL_H

#include "api/call/signature.h"

/* The bytes of a side's block. */
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

/* Of a checked call: its blocks are as long, and lie one behind another. A reduction's operands are
 * 0 of its datatype, all else is bytes. MPI_ERR_NO_MEM, or MPI_ERR_COUNT where that is more than
 * int counts; strata_rehearsal_fini in either case. */
int strata_rehearsal_init(struct strata_rehearsal *rehearsal,
                          const struct strata_signature *signature);
void strata_rehearsal_fini(struct strata_rehearsal *rehearsal);

#endif
