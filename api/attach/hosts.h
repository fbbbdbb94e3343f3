/* Which processes share this rank's host. */
#ifndef STRATA_API_ATTACH_HOSTS_H
#define STRATA_API_ATTACH_HOSTS_H

#include <mpi.h>

#include "api/attach/group.h"

/* *host becomes a communicator of the group's ranks that can share memory with this one, in the
 * order of their ranks; it returns errors. Collective over the group's private communicator, which
 * with its rank, ranks and config is all that is looked at.
 *
 * MPI_Comm_split_type tells hosts apart by a table of all ranks on every rank. From
 * STRATA_SPLIT_HOSTS ranks on, ranks are split by the name and boot id of their host first (A. Moody,
 * D. H. Ahn, B. R. de Supinski, EuroMPI 2011), and MPI is asked inside each host only: its answer
 * stands, for of two containers with one name each may have memory of its own.
 *
 * Returns STRATA_OK, STRATA_ERR_MEMORY or STRATA_ERR_TRANSPORT, alike on all ranks of a host. */
int strata_hosts_find(struct strata_group *group, MPI_Comm *host);

/* Whether names are looked at; equal on all ranks. */
bool strata_hosts_named(const struct strata_group *group);

#endif
