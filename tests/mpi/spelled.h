/* The names of collectives in a program: Strata's own, or with SPELLED_AS_MPI those of MPI, for
 * programs that know nothing of Strata and run under the preload library. */
#ifndef STRATA_TESTS_MPI_SPELLED_H
#define STRATA_TESTS_MPI_SPELLED_H

#include <mpi.h>

#ifdef SPELLED_AS_MPI
#define SPELLED(Name, name) MPI_##Name
typedef MPI_Request spelled_request;
static const spelled_request no_request = MPI_REQUEST_NULL;
#else
#include "include/strata.h"
#define SPELLED(Name, name) strata_##name
typedef struct strata_request *spelled_request;
static const spelled_request no_request = NULL;
#endif

#endif
