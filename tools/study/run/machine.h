/* The machine that a study runs on, and the programs there. */
#ifndef STRATA_TOOLS_STUDY_RUN_MACHINE_H
#define STRATA_TOOLS_STUDY_RUN_MACHINE_H

#include "tools/study/study.h"

/* Whether the command ends with exit code 0. */
bool study_command_works(const char *const *words);
/* Runs a command and returns the first line of its output; "" where it fails. */
char *study_first_line(const char *const *words);

/* Comment lines about the machine, this program and the time. */
char *study_machine_describe(const struct study_request *request);

#endif
