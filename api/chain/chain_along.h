/* What the collectives along chains share: arguments checked, memory prepared. */
#ifndef STRATA_API_CHAIN_CHAIN_ALONG_H
#define STRATA_API_CHAIN_CHAIN_ALONG_H

#include <stdalign.h>

#include "api/chain/chain.h"

enum { STRATA_ALONG_SMALL = 2048 };

/* One call. */
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

/* MPI_SUCCESS, or what was raised. Fills bytes. */
int strata_along_check(struct strata_along *a, int root);
int strata_along_check_operator(const struct strata_along *a);
int strata_along_check_buffer(const struct strata_along *a, const void *buffer);
/* Memory of as many bytes on all ranks, or an error on all. */
int strata_along_prepare(struct strata_along *a, size_t bytes);
/* The same of this rank's own bytes; none needs more than `most`, which all know. */
int strata_along_prepare_own(struct strata_along *a, size_t bytes, size_t most);
/* Releases it, and raises our error, if it is one, as MPI's. */
int strata_along_finish(struct strata_along *a, int error);
/* The operator as a combination of two places. */
void strata_along_combine(void *context, const void *left, void *right);

#endif
