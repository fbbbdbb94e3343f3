/* The strata command: what its files share. A command is one row of the table in main.c. */
#ifndef STRATA_TOOLS_COMMAND_COMMAND_H
#define STRATA_TOOLS_COMMAND_COMMAND_H

/* Exit codes; and TOOL_HELP, for which the command's help is printed. */
enum { TOOL_OK = 0, TOOL_FAILED = 1, TOOL_WRONG_USE = 2, TOOL_HELP = -1 };

struct tool_command {
    const char *name, *arguments;
    const char *summary; /* one sentence */
    const char *help;    /* everything else, lines ended by \n */
    /* argv[0] is the command's name. Returns an exit code. */
    int (*run)(const struct tool_command *command, int argc, char **argv);
};

/* The rows of the table, NULL past the last. */
const struct tool_command *tool_command_at(int index);

extern const struct tool_command tool_explain, tool_info, tool_list, tool_plan, tool_catalogue;
extern const struct tool_command tool_replay;
extern const struct tool_command tool_study, tool_report, tool_cost, tool_simulate, tool_split,
    tool_run, tool_complete;

#endif
