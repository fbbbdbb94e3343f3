/* strata: explains what the library does. The first word selects a row of the table below. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tools/command/command.h"

static const struct tool_command *const commands[] = {
    &tool_run,    &tool_explain,  &tool_info,     &tool_list, &tool_plan,     &tool_catalogue,
    &tool_replay, &tool_study,    &tool_report,   &tool_cost, &tool_simulate, &tool_split,
    &tool_tune,   &tool_rollcall, &tool_complete, NULL};

const struct tool_command *tool_command_at(int index)
{
    return commands[index];
}

static const struct tool_command *find_command(const char *name)
{
    for (int i = 0; commands[i]; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

static void print_overview(FILE *file)
{
    fprintf(file, "usage: strata COMMAND [ARGUMENT]...\n\n");
    for (int i = 0; commands[i]; i++) {
        fprintf(file, "  %-9s  %s\n", commands[i]->name, commands[i]->summary);
    }
    fprintf(
        file,
        "\nstrata help COMMAND says more; strata --version tells the version. An option takes its\n"
        "value as the next word or behind a sign: --topo node:2, --topo=node:2.\n");
}

static int print_help(const struct tool_command *command)
{
    printf("usage: strata %s %s\n\n%s.\n\n%s", command->name, command->arguments, command->summary,
           command->help);
    return TOOL_OK;
}

static int wrong_command(const char *name)
{
    fprintf(stderr, "strata: \"%s\" is no command; there are:", name);
    for (int i = 0; commands[i]; i++) {
        fprintf(stderr, "%s %s", i ? "," : "", commands[i]->name);
    }
    fprintf(stderr, "\n");
    return TOOL_WRONG_USE;
}

static bool asks_help(const char *word)
{
    return strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* Whether any word asks for help. `strata run` looks for itself, because later words may be its
 * program's. */
static bool wants_help(const struct tool_command *command, char **words)
{
    bool wants = false;
    for (int i = 0; words[i] && strcmp(words[i], "--") != 0; i++) {
        bool first = i == 0 && strcmp(words[i], "help") == 0;
        bool option = strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0;
        wants = wants || first || (option && (i == 0 || command != &tool_run));
    }
    return wants;
}

static int run_command(const struct tool_command *command, int argc, char **argv)
{
    int code = wants_help(command, argv + 1) ? TOOL_HELP : command->run(command, argc, argv);
    return code == TOOL_HELP ? print_help(command) : code;
}

static int run_words(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (argc < 2) {
        print_overview(stderr);
        return TOOL_WRONG_USE;
    }
    if (strcmp(name, "--version") == 0) {
        printf("strata %s\n", STRATA_VERSION);
        return TOOL_OK;
    }
    bool help = asks_help(name);
    if (help && argc == 2) {
        print_overview(stdout);
        return TOOL_OK;
    }
    const struct tool_command *command = find_command(help ? argv[2] : name);
    if (!command) {
        return wrong_command(help ? argv[2] : name);
    }
    return help ? print_help(command) : run_command(command, argc - 1, argv + 1);
}

/* Lost output, on a full disk for example, makes the exit code TOOL_FAILED. */
int main(int argc, char **argv)
{
    const int code = run_words(argc, argv);
    const bool flushed = fflush(stdout) == 0;
    if (!flushed || ferror(stdout)) {
        fprintf(stderr, "strata: standard output could not be written\n");
        return code == TOOL_OK ? TOOL_FAILED : code;
    }
    return code;
}
