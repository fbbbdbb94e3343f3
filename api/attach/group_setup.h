/* Completes a group state together with its other ranks: the collective part of attaching. */
#ifndef STRATA_API_ATTACH_GROUP_SETUP_H
#define STRATA_API_ATTACH_GROUP_SETUP_H

#include "api/attach/group.h"
#include "core/base/error.h"

/* Collective over comm, whose errors are returned while this runs. Every rank goes through the same
 * collectives whatever happens to it; failures are agreed, and then message says why. But where MPI
 * refuses a rank what it lets others wait for, that rank is out of step: STRATA_ERR_TRANSPORT.
 * `alike`: one of the same ranks, of which these need not find out again where they are; the same
 * on all, or NULL on all. */
int strata_group_set_up(struct strata_process *process, MPI_Comm comm, struct strata_group *group,
                        const struct strata_group *alike, struct strata_diagnostic *message);

#endif
