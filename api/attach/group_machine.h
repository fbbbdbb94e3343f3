/* The machine description of a group. */
#ifndef STRATA_API_ATTACH_GROUP_MACHINE_H
#define STRATA_API_ATTACH_GROUP_MACHINE_H

#include <stdbool.h>

#include "core/cost/machine.h"

struct strata_process;
struct strata_group;

/* What all ranks of a group know alike. */
struct strata_found {
    struct strata_sharing most; /* of the most crowded machine */
    bool known;                 /* all have measured their host */
};

/* Whether this process has measured its host. Local. */
bool strata_host_known(struct strata_process *process);

/* The machine by which the group's calls are estimated. Ranks on one host have figures of its own,
 * measured where each has a core: ranks that take turns would measure the scheduler. Hosts that are
 * containers of one machine share its cores. Emulated nodes stand for those of a cluster.
 * Collective. Returns an error. */
int strata_group_machine(struct strata_process *process, struct strata_group *group,
                         const struct strata_found *found);

#endif
