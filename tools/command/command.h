/* Declarations that the files of the strata command share. Each command is one row of the table in
 * main.c. */
#ifndef STRATA_TOOLS_COMMAND_COMMAND_H
#define STRATA_TOOLS_COMMAND_COMMAND_H

/* Exit codes. TOOL_HELP is none: main prints the command's help then. */
enum { TOOL_OK = 0, TOOL_FAILED = 1, TOOL_WRONG_USE = 2, TOOL_HELP = -1 };

struct tool_command {
    const char *name, *arguments;
    const char *summary; /* one sentence */
    const char *help;    /* the rest of the help, each line ended by \n */
    /* Runs the command; argv[0] is its name. Returns an exit code. */
    int (*run)(const struct tool_command *command, int argc, char **argv);
};

/* The row of this index in the table; NULL past the last. */
const struct tool_command *tool_command_at(int index);

extern const struct tool_command tool_explain, tool_info, tool_list, tool_plan, tool_catalogue;
extern const struct tool_command tool_replay;
extern const struct tool_command tool_study, tool_report, tool_cost, tool_simulate, tool_split,
    tool_run, tool_tune, tool_rollcall, tool_complete;

#endif
