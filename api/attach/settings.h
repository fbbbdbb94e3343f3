/* What the configuration's texts say for a group, and the algorithms that a program forces for one
 * communicator. */
#ifndef STRATA_API_ATTACH_SETTINGS_H
#define STRATA_API_ATTACH_SETTINGS_H

#include "api/attach/state.h"
#include "core/base/lists.h"
#include "core/cost/machine_file.h"
#include "hier/tuned.h"

/* Reads the process's settings from its environment, and as rank 0 of MPI_COMM_WORLD from files,
 * too; complains about what is wrong with them and with the machine's file. */
void strata_settings_begin(struct strata_process *process, strata_complain *complain);

/* As strata_machine_find, but the process reads the file of each text once, and then says what is
 * wrong with it. */
void strata_settings_find_machine(struct strata_process *process, const char *text,
                                  struct strata_machine_found *found);

/* The rows of the table that `text` names, the value of STRATA_TUNED. The process reads the file of
 * each text once, and then says what is wrong with it. */
int strata_settings_tuned_rows(struct strata_process *process, const char *text);
/* Its rows for such nodes (hier/tuned.h), at most `most`. Returns their number. */
int strata_settings_near(struct strata_process *process, const char *text,
                         const struct strata_tuned_layout *at, struct strata_tuned_near *near,
                         int most);

/* Takes settings of files into config, for the rows that the environment did not give. Ranks that
 * are rank 0 of a communicator do. Each process reads the files once, and then says what is wrong
 * with one, of which no setting counts. */
void strata_settings_fill(struct strata_process *process, struct strata_config *config);

/* Says once which setting of this rank is wrong, for rank 0 has spoken only of its own. */
void strata_settings_say_complaint(struct strata_process *process);

/* Says once that this rank's value of that row does not count. strata_config_differ has found the
 * row. */
void strata_settings_say_difference(struct strata_process *process,
                                    const struct strata_config *decided, int row);

/* A configuration, with its texts read. Groups with the same configuration share it. */
struct strata_settings {
    struct strata_settings *next; /* in the process's list */
    struct strata_config config;
    int64_t shadows;               /* of so many calls MPI's own repeats one; 0: it repeats none */
    struct strata_machine machine; /* for communicators over several hosts */
    struct strata_ranges sizes;    /* sizes that plans may serve */
    struct strata_choice choice[STRATA_COLLECTIVE_COUNT];
};

/* Reads the texts of `config` into the other fields; a wrong text takes its default. */
void strata_settings_read(struct strata_settings *settings);
/* Returns the process's settings with the same configuration, which live until the process ends;
 * NULL without memory. */
const struct strata_settings *strata_settings_keep(struct strata_process *process,
                                                   const struct strata_settings *settings);
void strata_settings_finish(struct strata_process *process);

/* The choice for an attached communicator: of strata_comm_force, or else of the configuration. */
const struct strata_choice *strata_choice_of(const struct strata_state *state,
                                             enum strata_collective collective);

/* Whether the collective's calls must give the same bits, whatever serves them: reductions of
 * several ranks, where strata_comm_same_bits or the configuration asks for that. */
bool strata_same_bits(const struct strata_state *state, enum strata_collective collective);

#endif
