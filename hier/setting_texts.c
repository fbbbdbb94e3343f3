#include "hier/setting_texts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/lists.h"
#include "core/cost/machine.h"
#include "core/topology/topology.h"
#include "core/topology/torus.h"
#include "hier/choice.h"

static int check_topology(const char *text, int ranks, struct strata_diagnostic *message)
{
    struct strata_topology *topology = NULL;
    if (!*text || ranks == 0) {
        return STRATA_OK;
    }
    const int status = strata_topology_parse(text, ranks, &topology, message);
    strata_topology_destroy(topology);
    return status == STRATA_ERR_SYNTAX ? status : STRATA_OK;
}

/* The number of ranks of the torus, as far as its sizes can be read. */
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

/* The world, or a smaller communicator, may have as many ranks as the torus. */
static int check_torus(const char *text, int ranks, struct strata_diagnostic *message)
{
    struct strata_torus torus;
    (void)ranks;
    return *text ? strata_torus_parse(text, ranks_of(text), &torus, message) : STRATA_OK;
}

static int check_machine(const char *text, int ranks, struct strata_diagnostic *message)
{
    struct strata_machine machine;
    (void)ranks;
    return strata_machine_parse(text, &machine, message);
}

static int check_sizes(const char *text, int ranks, struct strata_diagnostic *message)
{
    struct strata_ranges sizes;
    (void)ranks;
    return strata_ranges_parse(text, &sizes, message);
}

static int check_tuned(const char *text, int ranks, struct strata_diagnostic *message)
{
    (void)ranks;
    if (strcmp(text, "auto") == 0 || strcmp(text, "none") == 0 || strchr(text, '/')) {
        return STRATA_OK;
    }
    return strata_fail(message, STRATA_ERR_SYNTAX,
                       "\"%.60s\" is neither auto, none nor a file, whose name has a slash", text);
}

static const struct {
    const char *variable;
    int (*check)(const char *text, int ranks, struct strata_diagnostic *message);
} texts[] = {{"STRATA_TOPO", check_topology},
             {"STRATA_TORUS", check_torus},
             {"STRATA_MACHINE", check_machine},
             {"STRATA_SIZES", check_sizes},
             {"STRATA_TUNED", check_tuned}};

int strata_setting_text_check(const char *variable, const char *text, int ranks,
                              struct strata_diagnostic *message)
{
    struct strata_choice choice;
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        if (strcmp(variable, strata_collective_info[c].variable) == 0) {
            return strata_choice_parse(text, (enum strata_collective)c, &choice, message);
        }
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (strcmp(variable, texts[i].variable) == 0) {
            return texts[i].check(text, ranks, message);
        }
    }
    return STRATA_OK;
}
