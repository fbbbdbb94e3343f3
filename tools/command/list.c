/* strata list: prints the algorithms, or the machines that costs are estimated for. */
#include <string.h>

#include "core/base/config_rows.h"
#include "core/cost/machine.h"
#include "hier/registry.h"
#include "internode/split/methods.h"
#include "tools/command/command.h"
#include "tools/command/words.h"
#include "tools/scale/platform.h"

static const char *level_word(enum strata_level level)
{
    switch (level) {
    case STRATA_FLAT:
        return "flat";
    case STRATA_NODE_AWARE:
        return "node-aware";
    case STRATA_MPI:
        return "MPI's own";
    }
    return "";
}

/* Prints a value as users write it: by its name where it has one. */
static void print_value(const struct strata_parameter *p, int value)
{
    const char *word = strata_parameter_word(p, value);
    if (word) {
        printf("%s", word);
    } else {
        printf("%d", value);
    }
}

static void print_words(const struct strata_parameter *p)
{
    const char *word;
    for (int value = p->least; (word = strata_parameter_word(p, value)); value++) {
        printf("%s%s", value > p->least ? " | " : "", word);
    }
}

static void print_parameter(const struct strata_parameter *p)
{
    printf("  %-12s %s, ", p->name, p->meaning);
    if (strata_parameter_word(p, p->least)) {
        print_words(p);
    } else {
        printf("%d to %d", p->least, p->most);
    }
    if (p->automatic != 0) {
        printf("; ");
        print_value(p, p->automatic);
        printf(" unless given\n");
        return;
    }
    printf("; chosen by cost from");
    for (int i = 0, value; (value = strata_parameter_choice(p, i)) != 0; i++) {
        printf(" ");
        print_value(p, value);
    }
    printf("\n");
}

static void print_algorithm(const struct strata_algorithm *a)
{
    const char *separator = "";
    printf("%s\n  %s\n  %-12s ", a->name, a->summary, "collectives");
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        if (a->collectives >> c & 1) {
            printf("%s%s", separator, strata_collective_name((enum strata_collective)c));
            separator = ", ";
        }
    }
    printf("\n  %-12s %s\n  %-12s %s\n  %-12s %s\n", "level", level_word(a->level), "restrictions",
           a->restrictions, "paper", a->paper);
    for (int i = 0; i < STRATA_PARAMETERS && a->parameters[i].name; i++) {
        print_parameter(&a->parameters[i]);
    }
    printf("\n");
}

/* Lists the algorithms of a collective, or all with STRATA_COLLECTIVE_COUNT. */
static int list_algorithms(int collective)
{
    const struct strata_algorithm *a;
    for (int i = 0; (a = strata_registry_at(i)); i++) {
        if (collective == STRATA_COLLECTIVE_COUNT || a->collectives >> collective & 1) {
            print_algorithm(a);
        }
    }
    printf("Force one with STRATA_ALLTOALLV=NAME:parameter=value,... (each collective has such\n"
           "a variable), or look at its plan with `strata plan`.\n");
    return TOOL_OK;
}

static void print_machine(const struct strata_machine *m)
{
    printf("%s\n", m->name);
#define MACHINE_LINE(field, meaning) printf("  %-18s %-9.3g %s\n", #field, m->field, meaning);
    STRATA_MACHINE_TABLE(MACHINE_LINE)
#undef MACHINE_LINE
    printf("\n");
}

static int list_machines(void)
{
    const struct strata_machine *m;
    for (int i = 0; (m = strata_machine_at(i)); i++) {
        print_machine(m);
    }
    printf("Take one with STRATA_MACHINE=NAME:parameter=value,... Without it, or with auto, a\n"
           "communicator whose ranks all lie on one host has host, with figures measured there\n"
           "where each has a core (strata info prints them), and any other has cluster.\n");
    return TOOL_OK;
}

static int list_platforms(const struct tool_command *command)
{
    struct tool_platform p;
    struct strata_diagnostic message = {""};
    int i = 0;
    for (; tool_platform_at(i, &p, &message); i++) {
        printf("%-10s %6d hosts x %-3d %s\n", p.name, p.hosts, p.cores, p.summary);
    }
    if (message.text[0] || i == 0) {
        tool_complain(command, "%s", i > 0 ? message.text : "the folder of platforms is missing");
        return TOOL_FAILED;
    }
    printf("\nTake one with `strata simulate COLLECTIVE --platform NAME`.\n");
    return TOOL_OK;
}

static int list_split_methods(void)
{
    const struct strata_split_method *m;
    for (int i = 0; (m = strata_split_method_at(i)); i++) {
        printf("%s\n  %s\n  %-12s %s\n  %-12s %s\n\n", m->name, m->summary, "rounds", m->rounds,
               "memory", m->memory);
    }
    printf(
        "P ranks, L = ceil(log2 P). Name one in strata_chain_split and strata_comm_split, or run\n"
        "it on virtual ranks with `strata split`.\n");
    return TOOL_OK;
}

static int list_settings(void)
{
    for (int i = 0; i < STRATA_CONFIG_ROWS; i++) {
        const struct strata_config_row *row = &strata_config_rows[i];
        printf("%s\n  %-12s %s\n  %-12s %s\n  %-12s %s\n\n", row->variable, "meaning", row->meaning,
               "default", *row->value ? row->value : "(empty)", "allowed", row->allowed);
    }
    printf("Those in force: `strata info`.\n");
    return TOOL_OK;
}

static int run(const struct tool_command *command, int argc, char **argv)
{
    if (argc > 2) {
        tool_complain(command, "takes one argument at most (\"%s\")", argv[2]);
        return TOOL_WRONG_USE;
    }
    if (argc == 1) {
        return list_algorithms(STRATA_COLLECTIVE_COUNT);
    }
    if (strcmp(argv[1], "machines") == 0) {
        return list_machines();
    }
    if (strcmp(argv[1], "platforms") == 0) {
        return list_platforms(command);
    }
    if (strcmp(argv[1], "split") == 0) {
        return list_split_methods();
    }
    if (strcmp(argv[1], "settings") == 0) {
        return list_settings();
    }
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        if (strcmp(argv[1], strata_collective_name((enum strata_collective)c)) == 0) {
            return list_algorithms(c);
        }
    }
    tool_complain(
        command,
        "\"%s\": allowed is machines, platforms, settings, split, a collective, or nothing",
        argv[1]);
    return TOOL_WRONG_USE;
}

const struct tool_command tool_list = {
    .name = "list",
    .arguments = "[COLLECTIVE | machines | platforms | settings | split]",
    .summary =
        "Lists the algorithms with their parameters, machines, simulated clusters, or settings",
    .help = "  strata list              all algorithms\n"
            "  strata list alltoallv    those of one collective\n"
            "  strata list machines     descriptions by which algorithms are priced\n"
            "  strata list platforms    described clusters, for strata simulate\n"
            "  strata list settings     variables that the library reads\n"
            "  strata list split        methods of splitting a communicator\n",
    .run = run,
};
