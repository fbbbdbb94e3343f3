/* A command as a child process in a group of its own. */
#ifndef STRATA_TOOLS_STUDY_RUN_CHILD_H
#define STRATA_TOOLS_STUDY_RUN_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

struct study_child {
    pid_t pid;    /* the process of the child and its group; 0: none */
    int out, err; /* unnamed files that take the child's output */
};

/* Returns false where the command cannot be started. */
bool study_child_start(struct study_child *child, const char *const *words);
/* Whether the child has ended. *status is then as of waitpid, and the rest of its group is
 * killed. */
bool study_child_ended(struct study_child *child, int *status);
/* Ends the group: asks it, waits for the child, and after a while kills it. */
void study_child_stop(struct study_child *child);
/* Closes the files. */
void study_child_release(struct study_child *child);

#endif
