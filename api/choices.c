/* The forced choices and the machine description, from their texts in the configuration. */
#include <stddef.h>
#include <stdio.h>

#include "api/plans.h"
#include "api/process.h"

static const size_t field[STRATA_COLLECTIVE_COUNT] = {
    [STRATA_ALLTOALL] = offsetof(struct strata_config, alltoall),
    [STRATA_ALLTOALLV] = offsetof(struct strata_config, alltoallv),
};

static const char *text_of(const struct strata_config *config, enum strata_collective collective)
{
    return (const char *)config + field[collective];
}

static void say(strata_complain *complain, const char *variable, const char *instead,
                const struct strata_message *message)
{
    char text[STRATA_MESSAGE_SIZE + 128];

    snprintf(text, sizeof text, "%s: %s; %s", variable, message->text, instead);
    complain(NULL, text);
}

static void check_topology(const struct strata_process *process, strata_complain *complain)
{
    struct strata_topology *topology = NULL;
    struct strata_message message = {""};

    if (process->config.topo[0] &&
        strata_topology_parse(process->config.topo, process->world_size, &topology, &message) ==
            STRATA_ERR_SYNTAX) {
        say(complain, "STRATA_TOPO", "the real nodes are used", &message);
    }
    strata_topology_destroy(topology);
}

void strata_choices_check(const struct strata_process *process, strata_complain *complain)
{
    static const char *const variable[STRATA_COLLECTIVE_COUNT] = {
        [STRATA_ALLTOALL] = "STRATA_ALLTOALL", [STRATA_ALLTOALLV] = "STRATA_ALLTOALLV"};
    struct strata_message message = {""};
    struct strata_choice choice;
    struct strata_machine machine;

    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        if (strata_choice_parse(text_of(&process->config, (enum strata_collective)c),
                                (enum strata_collective)c, &choice, &message) != STRATA_OK) {
            say(complain, variable[c], "auto is used", &message);
        }
    }
    if (strata_machine_parse(process->config.machine, &machine, &message) != STRATA_OK) {
        say(complain, "STRATA_MACHINE", "the default is used", &message);
    }
    check_topology(process, complain);
}

int strata_choices_read(struct strata_group *group)
{
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        if (strata_choice_parse(text_of(&group->config, (enum strata_collective)c),
                                (enum strata_collective)c, &group->choice[c], NULL) != STRATA_OK) {
            group->choice[c] = (struct strata_choice){.algorithm = NULL};
        }
    }
    if (strata_machine_parse(group->config.machine, &group->machine, NULL) != STRATA_OK) {
        group->machine = *strata_machine_at(0);
    }
    return STRATA_OK;
}
