/* One command as a child process in a group of its own. */
#ifndef STRATA_TOOLS_STUDY_RUN_CHILD_H
#define STRATA_TOOLS_STUDY_RUN_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

struct study_child {
    pid_t pid;    /* of the child and of its group; 0: none */
    int out, err; /* files without a name that take what it prints */
};

/* False: it could not be started. */
bool study_child_start(struct study_child *child, const char *const *words);
/* Has it ended? Then *status is as of waitpid, and whatever is left of its group is gone. */
bool study_child_ended(struct study_child *child, int *status);
/* Ends the group: asks, waits for the child, insists. */
void study_child_stop(struct study_child *child);
/* Closes the files. */
void study_child_release(struct study_child *child);

#endif
