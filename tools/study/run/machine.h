/* What machine a study runs on, and what other programs are there. */
#ifndef STRATA_TOOLS_STUDY_RUN_MACHINE_H
#define STRATA_TOOLS_STUDY_RUN_MACHINE_H

#include "tools/study/study.h"

/* Does the command end with exit code 0? */
bool study_command_works(const char *const *words);
/* Runs a command and returns the first line that it prints; "" when it fails. */
char *study_first_line(const char *const *words);

/* Comment lines about this machine, this program and this moment. */
char *study_machine_describe(const struct study_request *request);

#endif
