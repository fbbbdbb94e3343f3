/* A command line that is being typed (strata complete). */
#ifndef STRATA_TOOLS_COMMAND_COMPLETE_H
#define STRATA_TOOLS_COMMAND_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/command/command.h"

struct tool_line {
    const struct tool_command *command; /* that the first word names; NULL: none */
    char **words;                       /* those that are complete, without `strata` */
    int count;
    const char *begun; /* what there is of the word after them */
};

/* Prints HEAD and LENGTH bytes of TEXT where the word that was begun may end so. */
void tool_offer(const struct tool_line *line, const char *head, const char *text, size_t length);
void tool_offer_word(const struct tool_line *line, const char *head, const char *word);
void tool_offer_collectives(const struct tool_line *line, const char *tail);

/* Values of the option that is the last complete word; false: it has none that are known. */
bool tool_offer_values(const struct tool_line *line);

#endif
