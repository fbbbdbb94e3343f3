/* The machine description of a group. */
#ifndef STRATA_API_ATTACH_GROUP_MACHINE_H
#define STRATA_API_ATTACH_GROUP_MACHINE_H

#include <stdbool.h>

#include "core/cost/machine.h"

struct strata_process;
struct strata_group;

/* What all ranks of a group know about their hosts. */
struct strata_found {
    struct strata_sharing most; /* the sharing of cores on the most crowded host */
    bool known;                 /* all ranks have measured their host */
    int tuned_rows;             /* of rank 0's table of timed choices */
    int threads;                /* the most that a call of a rank has in its team */
    /* The team that the call of any rank may open: the least threads, the greatest length from
     * which on they share a copy, and the longest opening, s. */
    int sharing;
    double sharing_from, opening;
};

/* Whether this process has measured its host. Local. */
bool strata_host_known(struct strata_process *process);

/* Sets the machine description by which the costs of the group's plans are estimated. Where all
 * ranks are on one host and each has a core, the figures are measured there; ranks that take turns
 * would measure the scheduler. Several hosts have the description of rank 0's file, if it has one;
 * else, where they are containers of one machine, they share its cores. Emulated nodes stand for
 * the nodes of a cluster. Collective. Returns an error. */
int strata_group_machine(struct strata_process *process, struct strata_group *group,
                         const struct strata_found *found);

#endif
