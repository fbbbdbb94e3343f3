/* The lengths of a call's blocks, where only the root knows them: they are sent ahead. */
#ifndef STRATA_API_CALL_LENGTHS_H
#define STRATA_API_CALL_LENGTHS_H

#include "api/call/call.h"

/* In gatherv and scatterv only the root knows all lengths. strata_lengths_find gives the work store
 * the lengths of the blocks that this rank moves. Where the entry says lengths_first, the plan runs
 * twice: first over the lengths, one word for each rank, then over the blocks. Plans do not depend
 * on sizes, so each word in the work store after the first run is the length of the block that lies
 * there in the second run.
 *
 * The receiver of a block learns the sender's length. If it expects another length, it receives
 * everything into spare memory, so that the ranks stay in step. Returns an MPI error code, raised
 * already. In either case the caller releases `spare`. */
struct strata_lengths {
    bool disagree;        /* this rank receives into `spare`: MPI_ERR_TRUNCATE */
    int rank;             /* the rank of the first block about whose length its ends disagree */
    size_t sent;          /* bytes of that block at its sender */
    size_t expected;      /* bytes of that block at its receiver */
    unsigned char *spare; /* NULL: lengths agree */
};
int strata_lengths_find(struct strata_call *c, struct strata_lengths *found);
/* Says in words that the root and a rank disagree. */
void strata_lengths_say(struct strata_diagnostic *message, int rank, uint64_t sent,
                        uint64_t expected);

#endif
