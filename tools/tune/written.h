/* A file that is written at the end of a measurement, whole or not at all. */
#ifndef STRATA_TOOLS_TUNE_WRITTEN_H
#define STRATA_TOOLS_TUNE_WRITTEN_H

#include <stdbool.h>
#include <stdio.h>

#include "tools/command/command.h"

/* One beside `out`, which takes its name when it is whole. */
struct tool_written {
    FILE *file; /* NULL: it cannot be written */
    char fresh[4096];
};

/* `out`: NULL: standard output. What is no regular file, such as /dev/stdout, is written where it
 * is. */
struct tool_written tool_written_open(const char *out);
/* Whether the file can be written. None is left meanwhile by a rank that is killed: it is opened
 * once more, unless fresh is "". */
bool tool_written_can(struct tool_written *w);
bool tool_written_close(struct tool_written *w, const char *out);
/* Returns an exit code. */
int tool_written_complain(const struct tool_command *command, const char *out);

#endif
