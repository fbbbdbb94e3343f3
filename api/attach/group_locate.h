/* Where a group's ranks are: hosts, nodes, NUMA domains, and whether the host is crowded. */
#ifndef STRATA_API_ATTACH_GROUP_LOCATE_H
#define STRATA_API_ATTACH_GROUP_LOCATE_H

#include "api/attach/group.h"

/* Fills the group's cards, placement and topologies. Collective over its private communicator;
 * *host becomes the communicator of this host's processes, in the order of their ranks, or stays
 * MPI_COMM_NULL, on all ranks. Returns this rank's own status; STRATA_ERR_TRANSPORT: it is out of
 * step. */
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
 * MPI is not asked: MPI_COMM_TYPE_SHARED may tell ranks of one host apart. A host is told by its
 * name, its boot id and its file system for shared memory, all three; that its ranks share memory
 * is tried when they make an arena. To compare names' numbers takes a table of all ranks on every
 * rank. From STRATA_SPLIT_HOSTS ranks on, ranks are split by the names themselves (A. Moody, D. H.
 * Ahn, B. R. de Supinski, EuroMPI 2011).
 *
 * Returns STRATA_OK, STRATA_ERR_MEMORY or STRATA_ERR_TRANSPORT, alike on all ranks of a host. */
int strata_hosts_find(struct strata_group *group, MPI_Comm *host);
/* The same for any communicator, of few ranks; it has comm's error handler. */
int strata_hosts_split(MPI_Comm comm, MPI_Comm *host);

#endif
