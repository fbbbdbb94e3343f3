/* What the head of a table says about the MPI that is measured. */
#ifndef STRATA_BENCH_STRATA_BENCH_MPI_SETTINGS_H
#define STRATA_BENCH_STRATA_BENCH_MPI_SETTINGS_H

#include <mpi.h>
#include <stddef.h>

/* How idle ranks wait. */
void mpi_settings_waiting(char *text, size_t size);
/* The settings of MPI's collectives in this rank's environment. A name that this MPI does not have
 * is marked. */
void mpi_settings_collectives(char *text, size_t size);
/* The number of nodes that MPI itself sees; collective. */
int mpi_settings_nodes(MPI_Comm comm);

#endif
