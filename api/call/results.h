/* The results that strata_allgather_shared and strata_bcast_shared hand out until the program
 * releases them. A result lies once in each node's memory, or, where that is not possible, once on
 * each rank. A communicator keeps released results for its next ones. */
#ifndef STRATA_API_CALL_RESULTS_H
#define STRATA_API_CALL_RESULTS_H

#include <mpi.h>

#include "api/attach/state.h"
#include "intranode/twice_mapped.h"

/* The memory of one result, on this rank. */
struct strata_kept_result {
    struct strata_kept_result *next;
    const struct strata_state *owner; /* NULL: the communicator is gone */
    int index;         /* the communicator's number for it, the same on all ranks; -1: not kept */
    bool shared;       /* the node's other ranks have the same memory */
    const void *given; /* the program's pointer until it releases the result; NULL: released */
    struct strata_twice_mapped memory;
};

/* The most results that a communicator keeps. More may be unreleased, but are not kept. */
#define STRATA_MOST_RESULTS 62

/* The communicator's places that hold no unreleased result on this rank: bit 1 << place. */
uint64_t strata_results_free(const struct strata_state *state);
/* Finds memory of so many bytes, the same on all ranks: kept at a place that is free on all ranks,
 * or new. Collective over the communicator; an error is the same on all ranks: MPI_ERR_NO_MEM, or
 * MPI_ERR_UNSUPPORTED_OPERATION where ranks of a node cannot have the same memory. */
int strata_results_find(struct strata_state *state, uint64_t free, bool shared, size_t bytes,
                        struct strata_kept_result **result);
/* Hands the result to the program, from byte `lead` on; returns the pointer. */
const void *strata_results_give(struct strata_kept_result *result, size_t lead);
/* The bytes of the node's memory that this rank has for results of the communicator. */
size_t strata_results_bytes(const struct strata_state *state);

#endif
