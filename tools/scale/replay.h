/* Declarations that the files of strata replay share. */
#ifndef STRATA_TOOLS_SCALE_REPLAY_H
#define STRATA_TOOLS_SCALE_REPLAY_H

#include "tools/scale/platform.h"
#include "tools/scale/scale.h"

/* Totals of the traces of all ranks. */
struct tool_trace_totals {
    double messages, messages_node, bytes, bytes_node; /* between nodes; inside them */
    double signals; /* messages without bytes, which stand for flags */
    double copied;
    double actions;
};

/* The folder of the traces. A process has one at a time, because an interruption removes it. */
struct tool_replay_folder {
    char path[400];
    bool kept;
};

/* Makes a temporary folder. With `keep` it uses that folder instead, makes it where it is missing,
 * and leaves it there. From now on an interruption removes a temporary folder and ends the program.
 * Returns an exit code. */
int tool_replay_open(struct tool_replay_folder *folder, const char *keep,
                     const struct tool_command *command);
void tool_replay_close(struct tool_replay_folder *folder);
/* Whether an interruption came; a writer stops then. */
bool tool_replay_interrupted(void);

/* Writes the traces and the list of hosts; `again` is as in struct strata_trace. Returns an exit
 * code. */
int tool_replay_write(const struct tool_replay_folder *folder, struct tool_plan_case *c,
                      const struct tool_plan_request *request, const struct tool_platform *platform,
                      bool again, struct tool_trace_totals *totals);

/* Runs smpirun over the traces, and stores the simulated time in *seconds. `settings` holds more
 * options for smpirun, separated by spaces; it may be NULL. Returns an exit code. */
int tool_replay_run(const struct tool_replay_folder *folder, int ranks,
                    const struct tool_platform *platform, const char *settings, double *seconds,
                    const struct tool_command *command);

#endif
