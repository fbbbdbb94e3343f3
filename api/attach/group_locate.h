/* Where a group's ranks are: hosts, nodes, NUMA domains, and whether the host is crowded. */
#ifndef STRATA_API_ATTACH_GROUP_LOCATE_H
#define STRATA_API_ATTACH_GROUP_LOCATE_H

#include "api/attach/group.h"

/* Fills the group's cards, placement and topologies. Collective over its private communicator;
 * *host becomes the communicator of this host's processes, in the order of their ranks, or stays
 * MPI_COMM_NULL. Returns this rank's own status. */
int strata_group_locate(struct strata_process *process, struct strata_group *group, MPI_Comm *host);

/* The same, from one of the same ranks, but for the hosts' communicator. Local. */
int strata_group_locate_as(struct strata_process *process, struct strata_group *group,
                           const struct strata_group *alike);

/* Who would have slept yields, for MPI's idle ranks do: one of the group's has found it. Local. */
void strata_group_yield(struct strata_process *process, struct strata_group *group);

/* *host becomes a communicator of the group's ranks that can share memory with this one, in the
 * order of their ranks; it returns errors. Collective over the group's private communicator, which
 * with its rank, ranks and settings is all that is looked at.
 *
 * MPI_Comm_split_type tells hosts apart by a table of all ranks on every rank. From
 * STRATA_SPLIT_HOSTS ranks on, ranks are split by the name and boot id of their host first (A.
 * Moody, D. H. Ahn, B. R. de Supinski, EuroMPI 2011), and MPI is asked inside each host only: its
 * answer stands, for of two containers with one name each may have memory of its own.
 *
 * Returns STRATA_OK, STRATA_ERR_MEMORY or STRATA_ERR_TRANSPORT, alike on all ranks of a host. */
int strata_hosts_find(struct strata_group *group, MPI_Comm *host);

/* Whether names are looked at; equal on all ranks. */
bool strata_hosts_named(const struct strata_group *group);

#endif
