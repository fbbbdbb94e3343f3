/* Every algorithm of a collective in turn, forced on one communicator. */
#ifndef STRATA_TESTS_MPI_FORCING_H
#define STRATA_TESTS_MPI_FORCING_H

#include <mpi.h>
#include <stdbool.h>

#include "core/plan/collective.h"
#include "tests/random.h"

/* One call of a collective, all ranks alike. `plain`: with datatypes without gaps, the same on all
 * ranks. Each MPI library has calls that go wrong with others, and that here serve what no plan
 * serves. Roots, sizes and operators follow from the seed alone. */
typedef void forced_call(MPI_Comm comm, enum strata_collective collective, uint64_t seed,
                         bool plain);

/* What a program of forced calls does between MPI_Init and MPI_Finalize, for the collectives that
 * reduce or for the others: `calls` calls with each row of the registry that serves the collective,
 * with random values of its parameters, first plain and, where a plan served it, with any datatypes
 * that the row takes, on a communicator of its own, and as many with what is selected by cost. Each
 * must be served by what is forced, or by MPI's own with the reason in the report. Prints for each
 * collective and row how many were served by plans. Arguments: --calls, --seed, and --only
 * " collective:row ... " for those alone. */
void force_main(int argc, char **argv, int calls, bool reductions, forced_call *call);

#endif
