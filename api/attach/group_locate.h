/* Where a group's ranks are: their hosts, nodes and NUMA domains, and whether their host is
 * crowded. */
#ifndef STRATA_API_ATTACH_GROUP_LOCATE_H
#define STRATA_API_ATTACH_GROUP_LOCATE_H

#include "api/attach/group.h"

/* Fills the group's cards, placement and topologies. Collective over its private communicator.
 * *host becomes the communicator of this host's processes, in the order of their ranks, or stays
 * MPI_COMM_NULL on all ranks. Returns this rank's own status; STRATA_ERR_TRANSPORT: this rank is
 * out of step. */
int strata_group_locate(struct strata_process *process, struct strata_group *group, MPI_Comm *host);

/* Fills them from a group of the same ranks; there is no communicator of the host. Local. */
int strata_group_locate_as(struct strata_process *process, struct strata_group *group,
                           const struct strata_group *alike);

/* A rank that would have slept yields from now on: one of the group's ranks has found that MPI's
 * idle ranks yield. Local. */
void strata_group_yield(struct strata_process *process, struct strata_group *group);

/* *host becomes a communicator of the group's ranks that can share memory with this one, in the
 * order of their ranks; it returns errors. Collective over the group's private communicator. Of the
 * group only that communicator, rank, ranks and settings are read.
 *
 * MPI is not asked: MPI_COMM_TYPE_SHARED may separate ranks of one host. Ranks are on one host if
 * the host's name, its boot id and its file system for shared memory are the same. Whether the
 * ranks really share memory shows when they make an arena. To compare numbers made of the names,
 * every rank holds a table of all ranks. From STRATA_SPLIT_HOSTS ranks on, ranks are split by the
 * names themselves (A. Moody, D. H. Ahn, B. R. de Supinski, EuroMPI 2011).
 *
 * Returns STRATA_OK, STRATA_ERR_MEMORY or STRATA_ERR_TRANSPORT, the same on all ranks of a host. */
int strata_hosts_find(struct strata_group *group, MPI_Comm *host);
/* As strata_hosts_find, for any communicator of few ranks. *host gets comm's error handler. */
int strata_hosts_split(MPI_Comm comm, MPI_Comm *host);

#endif
