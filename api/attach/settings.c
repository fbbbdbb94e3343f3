/* The forced choices and the machine description, from their texts in the configuration. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/attach/group.h"
#include "api/attach/process.h"
#include "core/base/config_rows.h"

static const char *const variables[STRATA_COLLECTIVE_COUNT] = {
#define VARIABLE(id, name, input, output, root, ranked, result, varying)                           \
    [STRATA_##id] = "STRATA_" #id,
    STRATA_COLLECTIVE_TABLE(VARIABLE)
#undef VARIABLE
};

/* The value of a variable of the table that holds text. */
static const char *text_of(const struct strata_config *config, const char *variable)
{
    int i = 0;

    while (strcmp(strata_config_rows[i].variable, variable) != 0) {
        i++;
    }
    return (const char *)config + strata_config_rows[i].offset;
}

static void say(strata_complain *complain, const char *variable, const char *instead,
                const struct strata_diagnostic *message)
{
    char text[STRATA_DIAGNOSTIC_SIZE + 128];

    snprintf(text, sizeof text, "%s: %s; %s", variable, message->text, instead);
    complain(NULL, text);
}

static void check_topology(const struct strata_process *process, strata_complain *complain)
{
    struct strata_topology *topology = NULL;
    struct strata_diagnostic message = {""};

    if (process->config.topo[0] &&
        strata_topology_parse(process->config.topo, process->world_size, &topology, &message) ==
            STRATA_ERR_SYNTAX) {
        say(complain, "STRATA_TOPO", "the real nodes are used", &message);
    }
    strata_topology_destroy(topology);
}

/* Ranks of the shape, as far as its sizes can be read. */
static int ranks_of(const char *torus)
{
    const char *at = torus;
    long product = 1;

    do {
        char *end;
        long size = strtol(at, &end, 10);
        product = size > 0 && size < INT_MAX && product < INT_MAX / size ? product * size : 0;
        at = end;
    } while (*at++ == 'x');
    return (int)product;
}

/* Some communicator may have so many ranks, if not the world. */
static void check_torus(const struct strata_process *process, strata_complain *complain)
{
    const char *text = process->config.torus;
    struct strata_diagnostic message = {""};
    struct strata_torus torus;

    if (*text && strata_torus_parse(text, ranks_of(text), &torus, &message) != STRATA_OK) {
        say(complain, "STRATA_TORUS", "no shape is used", &message);
    }
}

void strata_settings_check(const struct strata_process *process, strata_complain *complain)
{
    struct strata_diagnostic message = {""};
    struct strata_choice choice;
    struct strata_machine machine;

    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        if (strata_choice_parse(text_of(&process->config, variables[c]), (enum strata_collective)c,
                                &choice, &message) != STRATA_OK) {
            say(complain, variables[c], "auto is used", &message);
        }
    }
    if (strata_machine_parse(process->config.machine, &machine, &message) != STRATA_OK) {
        say(complain, "STRATA_MACHINE", "the default is used", &message);
    }
    check_topology(process, complain);
    check_torus(process, complain);
}

int strata_settings_read(struct strata_group *group)
{
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        if (strata_choice_parse(text_of(&group->config, variables[c]), (enum strata_collective)c,
                                &group->choice[c], NULL) != STRATA_OK) {
            group->choice[c] = (struct strata_choice){.algorithm = NULL};
        }
    }
    if (strata_machine_parse(group->config.machine, &group->machine, NULL) != STRATA_OK) {
        group->machine = *strata_machine_at(0);
    }
    if (strata_torus_parse(group->config.torus, group->ranks, &group->torus, NULL) != STRATA_OK) {
        group->torus.ndims = 0;
    }
    return STRATA_OK;
}
