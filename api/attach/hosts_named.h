/* The hosts of many ranks, found by splitting the ranks by their hosts' names. No rank needs a
 * table of all ranks. STRATA_SPLIT=OFF leaves this out. */
#ifndef STRATA_API_ATTACH_HOSTS_NAMED_H
#define STRATA_API_ATTACH_HOSTS_NAMED_H

#include "api/attach/group.h"

/* Whether the group's hosts are found in this way; the same on all ranks. */
bool strata_hosts_named(const struct strata_group *group);
/* As strata_hosts_find. */
int strata_hosts_find_named(struct strata_group *group, MPI_Comm *host);

#endif
