/* What the configuration says in texts, for a group, and what a program forces for one communicator. */
#ifndef STRATA_API_ATTACH_SETTINGS_H
#define STRATA_API_ATTACH_SETTINGS_H

#include "api/attach/state.h"

/* Says what is wrong with STRATA_ALLTOALLV and the like, STRATA_TOPO, STRATA_TORUS and
 * STRATA_MACHINE. */
void strata_settings_check(const struct strata_process *process, strata_complain *complain);
/* Reads them for the group; what is wrong takes its default. STRATA_OK or STRATA_ERR_MEMORY. */
int strata_settings_read(struct strata_group *group);

/* What decides for the communicator, which is attached: strata_comm_force or the configuration. */
const struct strata_choice *strata_choice_of(const struct strata_state *state,
                                             enum strata_collective collective);

#endif
