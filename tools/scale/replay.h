/* strata replay: what its files share. */
#ifndef STRATA_TOOLS_SCALE_REPLAY_H
#define STRATA_TOOLS_SCALE_REPLAY_H

#include "tools/scale/platform.h"
#include "tools/scale/scale.h"

/* What the traces of all ranks hold. */
struct tool_trace_totals {
    double messages, messages_node, bytes, bytes_node; /* between nodes, inside them */
    double signals; /* messages without bytes in place of flags */
    double copied;
    double actions;
};

/* Where the files are, and what is under way; one at a time. */
struct tool_replay_folder {
    char path[400];
    bool kept;
};

/* Makes the folder; from now on an interruption removes it, and ends the program. With `keep` not
 * NULL it is that folder, which is made if need be, and stays. Returns an exit code. */
int tool_replay_open(struct tool_replay_folder *folder, const char *keep,
                     const struct tool_command *command);
void tool_replay_close(struct tool_replay_folder *folder);
/* Whether an interruption came: then whoever writes stops. */
bool tool_replay_interrupted(void);

/* Writes the traces and the list of hosts; `again` as in struct strata_trace. Returns an exit
 * code. */
int tool_replay_write(const struct tool_replay_folder *folder, struct tool_plan_case *c,
                      const struct tool_plan_request *request, const struct tool_platform *platform,
                      bool again, struct tool_trace_totals *totals);

/* Runs smpirun over them; *seconds is simulated time. `settings`: more options for it, separated by
 * spaces; may be NULL. Returns an exit code. */
int tool_replay_run(const struct tool_replay_folder *folder, int ranks,
                    const struct tool_platform *platform, const char *settings, double *seconds,
                    const struct tool_command *command);

#endif
