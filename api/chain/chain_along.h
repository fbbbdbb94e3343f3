/* What the collectives along chains share: the checks of arguments, and memory. */
#ifndef STRATA_API_CHAIN_CHAIN_ALONG_H
#define STRATA_API_CHAIN_CHAIN_ALONG_H

#include <stdalign.h>

#include "api/chain/chain.h"

enum { STRATA_ALONG_SMALL = 2048 };

/* One call of a collective along a chain. */
struct strata_along {
    struct strata_chain *chain;
    const char *name;
    int count;
    MPI_Datatype datatype;
    MPI_Op op;
    MPI_Aint extent;
    size_t bytes; /* of count elements */
    void *memory;
    alignas(16) unsigned char small[STRATA_ALONG_SMALL];
};

/* Returns MPI_SUCCESS, or the error that was raised. Fills `bytes`. */
int strata_along_check(struct strata_along *a, int root);
int strata_along_check_operator(const struct strata_along *a);
int strata_along_check_buffer(const struct strata_along *a, const void *buffer);
/* Takes the same number of bytes on all ranks; an error is an error on all ranks. */
int strata_along_prepare(struct strata_along *a, size_t bytes);
/* Takes this rank's own number of bytes. All ranks know `most`, and none needs more. */
int strata_along_prepare_own(struct strata_along *a, size_t bytes, size_t most);
/* Releases the memory, and raises an error of Strata's as an error of MPI's. */
int strata_along_finish(struct strata_along *a, int error);
/* The operator as a combination of two places. */
void strata_along_combine(void *context, const void *left, void *right);

#endif
