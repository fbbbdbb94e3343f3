/* Completes a group together with its other ranks: the collective part of attaching. */
#ifndef STRATA_API_ATTACH_GROUP_SETUP_H
#define STRATA_API_ATTACH_GROUP_SETUP_H

#include "api/attach/group.h"
#include "core/base/error.h"

/* Collective over comm, whose error handler the caller has set to MPI_ERRORS_RETURN. Every rank
 * goes through the same collectives, whatever happens to it. The ranks agree on failures, and then
 * `message` says why. One failure is not agreed on: MPI refuses a collective to one rank while the
 * others wait in it. Then this rank is out of step, and STRATA_ERR_TRANSPORT returns. `alike` is a
 * group of the same ranks, from which the ranks learn where they are; it is the same on all ranks,
 * or NULL on all. */
int strata_group_set_up(struct strata_process *process, MPI_Comm comm, struct strata_group *group,
                        const struct strata_group *alike, struct strata_diagnostic *message);

#endif
