/* The options of all commands. One reader takes both "--topo node:2" and "--topo=node:2". */
#ifndef STRATA_TOOLS_COMMAND_OPTIONS_H
#define STRATA_TOOLS_COMMAND_OPTIONS_H

#include "tools/command/command.h"

enum tool_option_value {
    TOOL_FLAG,   /* "--csv" */
    TOOL_VALUE,  /* "--topo node:2"; an empty value counts as missing */
    TOOL_TEXT,   /* as TOOL_VALUE, but the value may be empty */
    TOOL_PERHAPS /* "--report" or "--report=calls": the next word is never its value */
};

struct tool_option {
    const char *name;
    enum tool_option_value value;
    /* Takes the value, or NULL where none is given. Returns an exit code. */
    int (*take)(void *self, const char *name, const char *value);
    void *target; /* without `take`: the bool of a flag, the const char * of a value */
};

struct tool_options {
    const struct tool_command *command;
    const char *owner; /* complaints name it as the owner of the options; NULL: the command */
    const struct tool_option *rows; /* ended by a row without a name */
    const struct tool_option *more; /* ended by a row without a name; may be NULL */
    void *self;                     /* the first argument of `take` */
};

/* Reads the option at argv[*at] and its value, and moves *at behind them. argv ends with NULL.
 * Complains where the option is wrong. Returns an exit code, or TOOL_HELP for --help and -h. */
int tool_options_read(const struct tool_options *options, char **argv, int *at);

/* Reads all words from argv[at] on in the same way. */
int tool_options_read_all(const struct tool_options *options, char **argv, int at);

#endif
