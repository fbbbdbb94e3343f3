/* The command line of strata study. */
#ifndef STRATA_TOOLS_STUDY_RUN_OPTIONS_H
#define STRATA_TOOLS_STUDY_RUN_OPTIONS_H

#include "tools/command/command.h"
#include "tools/study/study.h"

extern const char study_options_help[];

/* Returns an exit code, and complains where it is not TOOL_OK. */
int study_options_parse(const struct tool_command *command, int argc, char **argv,
                        struct study_request *request);
void study_options_fini(struct study_request *request);

#endif
