/* Sentences and figures for people. */
#ifndef STRATA_TOOLS_COMMAND_WORDS_H
#define STRATA_TOOLS_COMMAND_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/command/command.h"

/* Prints "strata NAME: sentence" on standard error. */
void tool_complain(const struct tool_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "3 ranks", "1 rank". */
const char *tool_plural(long long count);

/* Reads a number that an option gives. Returns whether the text is one, from least to most. */
bool tool_number(const char *text, double least, double most, double *value);

/* A time with a unit that fits: "12.3 us". Returns text. */
const char *tool_seconds(double seconds, char *text, size_t size);
/* Bytes: "512 B", "64 KiB", "1.5 MiB". Returns text. */
const char *tool_bytes(double bytes, char *text, size_t size);

#endif
