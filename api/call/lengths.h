/* How long a call's blocks are where only the root knows: what is sent ahead. */
#ifndef STRATA_API_CALL_LENGTHS_H
#define STRATA_API_CALL_LENGTHS_H

#include "api/call/call.h"

/* gatherv and scatterv: gives the work store the lengths of the blocks that this rank moves. Of
 * these calls only the root knows all lengths. Where the entry says lengths_first the plan runs
 * twice:
 * first over the lengths, one word for each rank, then over the blocks. Plans do not depend on
 * sizes, so what a rank finds in its work store after the first run are the lengths of what it
 * will find there in the second. The rank that receives a block learns what its sender has; where
 * that is not what it expects, it takes it all into spare memory, so that the ranks stay in step.
 * Returns an MPI error code, raised already; in either case the caller releases spare. */
struct strata_lengths {
    bool disagree;        /* what this rank receives goes to spare: MPI_ERR_TRUNCATE */
    int rank;             /* of the first block whose ends disagree */
    size_t sent;          /* bytes of that block where it comes from */
    size_t expected;      /* bytes of that block where it goes to */
    unsigned char *spare; /* NULL: none */
};
int strata_lengths_find(struct strata_call *c, struct strata_lengths *found);
/* In words that the root and a rank disagree. */
void strata_lengths_say(struct strata_diagnostic *message, int rank, uint64_t sent,
                        uint64_t expected);

#endif
