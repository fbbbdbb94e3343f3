/* The collective set-up of a communicator, at its first calls. */
#ifndef STRATA_API_ATTACH_ATTACH_H
#define STRATA_API_ATTACH_ATTACH_H

#include "api/attach/state.h"

/* Called once in every call; true when the communicator is attached. Collective over it until it
 * stands as native or attached. `now`: without waiting for STRATA_ATTACH_AFTER calls. */
bool strata_attach(struct strata_process *process, struct strata_state *state, bool now);

/* Instead of it, by a rank that has no memory for a state: nobody is attached in this call. Not for
 * intercommunicators, about which nothing is agreed. */
void strata_attach_decline(struct strata_process *process, MPI_Comm comm);

#endif
