/* A command line that is being typed (strata complete). */
#ifndef STRATA_TOOLS_COMMAND_COMPLETE_H
#define STRATA_TOOLS_COMMAND_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/command/command.h"

struct tool_line {
    const struct tool_command *command; /* the command that the first word names; NULL: none */
    char **words;                       /* the complete words, without `strata` */
    int count;
    const char *begun; /* the beginning of the next word */
};

/* Prints HEAD and LENGTH bytes of TEXT where they continue the word that was begun. */
void tool_offer(const struct tool_line *line, const char *head, const char *text, size_t length);
void tool_offer_word(const struct tool_line *line, const char *head, const char *word);
void tool_offer_collectives(const struct tool_line *line, const char *tail);

/* Offers the values of the option that is the last complete word. Returns false where no values are
 * known. */
bool tool_offer_values(const struct tool_line *line);

#endif
