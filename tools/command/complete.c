/* strata complete: offers shells (packaging/completion) the possible next words of a command line.
 * Subcommands, arguments and options come from the help texts. */
#include "tools/command/complete.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/plan/collective.h"
#include "tools/command/words.h"

void tool_offer(const struct tool_line *line, const char *head, const char *text, size_t length)
{
    char word[256];
    snprintf(word, sizeof word, "%s%.*s", head, (int)length, text);
    if (strncmp(word, line->begun, strlen(line->begun)) == 0) {
        printf("%s\n", word);
    }
}

void tool_offer_word(const struct tool_line *line, const char *head, const char *word)
{
    tool_offer(line, head, word, strlen(word));
}

void tool_offer_collectives(const struct tool_line *line, const char *tail)
{
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        tool_offer_word(line, strata_collective_name((enum strata_collective)c), tail);
    }
}

static void offer_commands(const struct tool_line *line)
{
    const struct tool_command *command;
    for (int i = 0; (command = tool_command_at(i)); i++) {
        tool_offer_word(line, "", command->name);
    }
}

/* Offers the first argument. Words in small letters stand for themselves. */
static void offer_arguments(const struct tool_line *line)
{
    const char *at = line->command->arguments;
    while (*at) {
        size_t length = strcspn(at, " |[]");
        if (length == strlen("COLLECTIVE") && strncmp(at, "COLLECTIVE", length) == 0) {
            tool_offer_collectives(line, "");
        } else if (islower((unsigned char)*at)) {
            tool_offer(line, "", at, length);
        }
        at += length + (at[length] != '\0');
    }
}

/* Offers the options of one line of the help, "--root R, --ordered". They end at the gap before
 * their meaning. */
static void offer_options_of(const struct tool_line *line, const char *at)
{
    while (*at != '\n' && strncmp(at, "  ", 2) != 0) {
        size_t length = strcspn(at, " ,[\n");
        if (strncmp(at, "--", 2) == 0) {
            tool_offer(line, "", at, length);
        }
        at += strcspn(at, " ,\n");
        at += *at == ',';
        at += *at == ' ' && at[1] != ' ';
    }
}

static void offer_options(const struct tool_line *line)
{
    const char *help = line->command->help;
    for (const char *at = help; *at; at += strcspn(at, "\n") + 1) {
        if (strncmp(at, "  --", 4) == 0) {
            offer_options_of(line, at + 2);
        }
    }
}

/* Whether the words after "--" have begun: they belong to the program that strata run starts. */
static bool begins_program(const struct tool_line *line)
{
    bool found = false;
    for (int i = 1; i < line->count; i++) {
        found = found || strcmp(line->words[i], "--") == 0;
    }
    return found;
}

static void offer(const struct tool_line *line)
{
    if (line->count == 0 || (line->count == 1 && strcmp(line->words[0], "help") == 0)) {
        offer_commands(line);
        return;
    }
    if (!line->command || begins_program(line) || tool_offer_values(line)) {
        return;
    }
    if (line->begun[0] == '-') {
        offer_options(line);
    } else if (line->count == 1) {
        offer_arguments(line);
    }
}

static int run(const struct tool_command *command, int argc, char **argv)
{
    struct tool_line line = {.words = argv + 2, .count = argc - 3, .begun = argv[argc - 1]};
    if (argc < 3 || strcmp(argv[1], "--") != 0) {
        tool_complain(command, "which words? strata complete -- [WORD]... BEGUN");
        return TOOL_WRONG_USE;
    }
    for (int i = 0; line.count > 0 && tool_command_at(i); i++) {
        if (strcmp(tool_command_at(i)->name, line.words[0]) == 0) {
            line.command = tool_command_at(i);
        }
    }
    offer(&line);
    return TOOL_OK;
}

const struct tool_command tool_complete = {
    .name = "complete",
    .arguments = "-- [WORD]... BEGUN",
    .summary = "Prints what the next word of a command line may be: shells complete by it",
    .help = "  strata complete -- ''                        subcommands\n"
            "  strata complete -- run --                    options of strata run\n"
            "  strata complete -- run --force allreduce=    algorithms of allreduce\n"
            "\n"
            "Words are those after `strata`; the last is what there is of the next. Nothing is\n"
            "printed where anything may follow, such as the name of a file.\n",
    .run = run,
};
