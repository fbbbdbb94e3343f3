/* The strata command: what its files share. A command is one row of the table in main.c. */
#ifndef STRATA_TOOLS_COMMAND_COMMAND_H
#define STRATA_TOOLS_COMMAND_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

/* Exit codes. */
enum { TOOL_OK = 0, TOOL_FAILED = 1, TOOL_WRONG_USE = 2 };

struct tool_command {
    const char *name, *arguments;
    const char *summary; /* one sentence */
    const char *help;    /* everything else, lines ended by \n */
    /* argv[0] is the command's name. Returns an exit code. */
    int (*run)(const struct tool_command *command, int argc, char **argv);
};

extern const struct tool_command tool_info, tool_list, tool_plan, tool_catalogue, tool_replay;
extern const struct tool_command tool_study, tool_report, tool_price, tool_simulate, tool_split;

/* Prints "strata NAME: sentence" to standard error. */
void tool_complain(const struct tool_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "3 ranks", "1 rank". */
const char *tool_plural(long long count);

/* A time with a unit that fits: "12.3 us". Returns text. */
const char *tool_seconds(double seconds, char *text, size_t size);
/* Bytes: "512 B", "64 KiB", "1.5 MiB". Returns text. */
const char *tool_bytes(double bytes, char *text, size_t size);

/* Prints the part of `info` that needs MPI, on one rank. Only in builds with MPI: elsewhere the
 * function does not exist and its address is NULL. Returns an exit code. */
int tool_info_mpi(FILE *file) __attribute__((weak));

#endif
