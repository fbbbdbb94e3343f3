/* The struct behind the public type of chains. */
#ifndef STRATA_API_CHAIN_CHAIN_H
#define STRATA_API_CHAIN_CHAIN_H

#include <mpi.h>

#include "api/attach/group.h"
#include "api/types/reduction_operator.h"
#include "include/strata.h"
#include "internode/chain/chain_links.h"

/* A chain on the private communicator of a group, of which the chain is a user. */
struct strata_chain {
    MPI_Comm comm; /* the program's communicator, for errors and new communicators */
    struct strata_group *group;
    struct strata_chain_links links;
    struct strata_station station;
    bool operator_known; /* MPI found the operator and datatype in `combination` right */
    struct strata_combination combination;
};

/* Makes a chain in the group; NULL without memory. Local. */
struct strata_chain *strata_chain_make(MPI_Comm comm, struct strata_group *group,
                                       const struct strata_chain_links *links);

/* Raises an error on the chain's communicator; chain may be NULL. Returns code. */
int strata_chain_raise(const struct strata_chain *chain, int code, const char *call,
                       const char *text);

#endif
