/* Replaces hosts_named.c with STRATA_SPLIT=OFF: hosts are found with a table of all ranks, however
 * many there are. */
#include "api/attach/hosts_named.h"

bool strata_hosts_named(const struct strata_group *group)
{
    (void)group;
    return false;
}

int strata_hosts_find_named(struct strata_group *group, MPI_Comm *host)
{
    (void)group;
    (void)host;
    return STRATA_ERR_UNSUPPORTED; /* never called */
}
