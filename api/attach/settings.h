/* Choices that a program makes for one communicator. */
#ifndef STRATA_API_ATTACH_SETTINGS_H
#define STRATA_API_ATTACH_SETTINGS_H

#include "api/attach/state.h"

/* What decides for the communicator, which is attached: strata_comm_force or the configuration. */
const struct strata_choice *strata_choice_of(const struct strata_state *state,
                                             enum strata_collective collective);

/* Selection says "forced by STRATA_ALLTOALL"; puts that right where it was not the variable. */
void strata_choice_say(const struct strata_state *state, char *why, size_t size);

#endif
