/* What the configuration says in texts, for a group, and what a program forces for one
 * communicator. */
#ifndef STRATA_API_ATTACH_SETTINGS_H
#define STRATA_API_ATTACH_SETTINGS_H

#include "api/attach/state.h"
#include "core/base/lists.h"

/* Says what is wrong with STRATA_ALLTOALLV and the like, STRATA_TOPO, STRATA_TORUS, STRATA_MACHINE
 * and STRATA_SIZES. */
void strata_settings_check(const struct strata_process *process, strata_complain *complain);

/* Says once what is wrong with a setting of this rank, for rank 0 has said only its own. */
void strata_settings_say_complaint(struct strata_process *process);

/* Says once that this rank's value of the row, which strata_config_differ found, does not count. */
void strata_settings_say_difference(struct strata_process *process,
                                    const struct strata_config *decided, int row);

/* A configuration with what its texts say. Groups with the same one share it. */
struct strata_settings {
    struct strata_settings *next; /* in the process's list */
    struct strata_config config;
    int64_t shadows;               /* of so many calls one is made again by MPI's own; 0: none */
    struct strata_machine machine; /* of communicators over several hosts */
    struct strata_ranges sizes;    /* that plans may serve */
    struct strata_choice choice[STRATA_COLLECTIVE_COUNT];
};

/* Fills the rest from config; what is wrong takes its default. */
void strata_settings_read(struct strata_settings *settings);
/* What the process keeps with this configuration, until it ends; NULL without memory. */
const struct strata_settings *strata_settings_keep(struct strata_process *process,
                                                   const struct strata_settings *settings);
void strata_settings_finish(struct strata_process *process);

/* What decides for the communicator, which is attached: strata_comm_force or the configuration. */
const struct strata_choice *strata_choice_of(const struct strata_state *state,
                                             enum strata_collective collective);

/* Whether the collective's calls are to be the same bits whatever serves them: reductions of
 * several ranks, where strata_comm_same_bits or the configuration says so. */
bool strata_same_bits(const struct strata_state *state, enum strata_collective collective);

#endif
