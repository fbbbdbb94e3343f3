/* Results that lie once in each node's memory, or, where that cannot be, once on each rank: what
 * strata_allgather_shared and strata_bcast_shared hand out until it is released. A communicator
 * keeps what was released for its next results. */
#ifndef STRATA_API_CALL_RESULTS_H
#define STRATA_API_CALL_RESULTS_H

#include <mpi.h>

#include "api/attach/state.h"
#include "intranode/twice_mapped.h"

/* Room for one result, on this rank. */
struct strata_kept_result {
    struct strata_kept_result *next;
    const struct strata_state *owner; /* NULL: its communicator is gone */
    int index;         /* of the communicator's, all ranks alike; -1: it is not kept */
    bool shared;       /* with the node's other ranks */
    const void *given; /* to the program, until it releases that; NULL: released */
    struct strata_twice_mapped memory;
};

/* A communicator keeps room for so many. More may be unreleased, but are not kept. */
#define STRATA_MOST_RESULTS 62

/* Which of the communicator's places are free on this rank: bit 1 << place. */
uint64_t strata_results_free(const struct strata_state *state);
/* Room for so many bytes, the same on all ranks: kept, of a place that is free on all of them, or
 * new. Collective over the communicator; an error is everybody's: MPI_ERR_NO_MEM, or
 * MPI_ERR_UNSUPPORTED_OPERATION where ranks of a node cannot have the same memory. */
int strata_results_find(struct strata_state *state, uint64_t free, bool shared, size_t bytes,
                        struct strata_kept_result **result);
/* The program has it, from its byte `lead` on; returns where that is. */
const void *strata_results_give(struct strata_kept_result *result, size_t lead);
/* Bytes of the node's memory that this rank has for results of the communicator. */
size_t strata_results_bytes(const struct strata_state *state);

#endif
