/* Forces every algorithm of a collective in turn on one communicator. */
#ifndef STRATA_TESTS_MPI_FORCING_H
#define STRATA_TESTS_MPI_FORCING_H

#include <mpi.h>
#include <stdbool.h>

#include "core/plan/collective.h"
#include "tests/random.h"

/* One call of a collective, alike on all ranks. Roots, sizes and operators follow from the seed
 * alone. With `plain` all ranks have the same datatypes, without gaps: each MPI library has calls
 * that go wrong with others, and MPI serves the calls that no plan serves. */
typedef void forced_call(MPI_Comm comm, enum strata_collective collective, uint64_t seed,
                         bool plain);

/* Runs a program of forced calls from MPI_Init to MPI_Finalize, for the collectives that reduce or
 * for the others. Each row of the registry that serves a collective gets a communicator and `calls`
 * calls, with random values of its parameters. They are plain at first. Where a plan served them,
 * others follow with any datatypes that the row takes. As many calls follow with the algorithm that
 * the cost selects.
 *
 * The forced algorithm must serve each call, or MPI's own with the reason in the report. The
 * program prints for each collective and row how many calls plans served. Arguments: --calls,
 * --seed, and --only " collective:row ... " for these rows alone. */
void force_main(int argc, char **argv, int calls, bool reductions, forced_call *call);

#endif
