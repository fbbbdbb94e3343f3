/* What the head of a table says about the MPI that is measured. */
#ifndef STRATA_BENCH_STRATA_BENCH_MPI_SETTINGS_H
#define STRATA_BENCH_STRATA_BENCH_MPI_SETTINGS_H

#include <mpi.h>
#include <stddef.h>

struct mpi_settings {
    char waiting[64];       /* how idle ranks wait */
    char collectives[1024]; /* the settings of MPI's collectives in this rank's environment; a name
                               that this MPI does not have is marked */
};
void mpi_settings_read(struct mpi_settings *settings);
/* The number of nodes that MPI itself sees; collective. */
int mpi_settings_nodes(MPI_Comm comm);

#endif
