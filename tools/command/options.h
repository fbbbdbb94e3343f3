/* The options of the commands: one reader for all of them, which takes "--topo node:2" and
 * "--topo=node:2". */
#ifndef STRATA_TOOLS_COMMAND_OPTIONS_H
#define STRATA_TOOLS_COMMAND_OPTIONS_H

#include "tools/command/command.h"

enum tool_option_value {
    TOOL_FLAG,   /* "--csv" */
    TOOL_VALUE,  /* "--topo node:2", where an empty value is as none */
    TOOL_TEXT,   /* likewise, and it may be empty */
    TOOL_PERHAPS /* "--report" or "--report=calls": the next word is never its value */
};

struct tool_option {
    const char *name;
    enum tool_option_value value;
    /* Returns an exit code; value is NULL where there is none. */
    int (*take)(void *self, const char *name, const char *value);
    void *target; /* without take: a bool of a flag, a const char * of a value */
};

struct tool_options {
    const struct tool_command *command;
    const char *owner;              /* whose they are where that is no command; may be NULL */
    const struct tool_option *rows; /* the last has no name */
    const struct tool_option *more; /* likewise; may be NULL */
    void *self;                     /* what `take` is given */
};

/* Reads the option at argv[*at], and its value; *at is then what follows. argv ends with NULL.
 * Returns an exit code, after telling what is wrong, or TOOL_HELP where the option is --help or
 * -h. */
int tool_options_read(const struct tool_options *options, char **argv, int *at);

/* Likewise all words from argv[at] on. */
int tool_options_read_all(const struct tool_options *options, char **argv, int at);

#endif
