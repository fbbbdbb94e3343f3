/* Where a group's ranks are: hosts, nodes, NUMA domains, and whether the host is crowded. */
#ifndef STRATA_API_ATTACH_GROUP_LOCATE_H
#define STRATA_API_ATTACH_GROUP_LOCATE_H

#include "api/attach/group.h"

/* Fills the group's cards, placement and topologies. Collective over its private communicator;
 * *host becomes the communicator of this host's processes, in the order of their ranks, or stays
 * MPI_COMM_NULL. Returns this rank's own status. */
int strata_group_locate(struct strata_process *process, struct strata_group *group, MPI_Comm *host);

#endif
