/* Settings: forced choices and the machine description, from their texts in the configuration. */
#include "api/attach/settings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/process/process.h"
#include "api/process/prover.h"
#include "core/base/config_rows.h"
#include "core/base/memory.h"

static void say(strata_complain *complain, const char *variable, const char *instead,
                const struct strata_diagnostic *message)
{
    char text[STRATA_DIAGNOSTIC_SIZE + 128];
    snprintf(text, sizeof text, "%s: %s", variable, message->text);
    complain(NULL, text, instead);
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
static void check_torus(const struct strata_process *process, strata_complain *complain)
{
    const char *text = process->config.torus;
    struct strata_diagnostic message = {""};
    struct strata_torus torus;
    if (*text && strata_torus_parse(text, ranks_of(text), &torus, &message) != STRATA_OK) {
        say(complain, "STRATA_TORUS", "no shape is used", &message);
    }
}

int strata_settings_find_machine(struct strata_process *process, const char *text,
                                 struct strata_machine_found *found,
                                 struct strata_diagnostic *message)
{
    int status = STRATA_OK;
    pthread_mutex_lock(&process->lock);
    if (!process->machine_text[0] || strcmp(process->machine_text, text) != 0) {
        status = strata_machine_find(text, &process->machine, message);
        snprintf(process->machine_text, sizeof process->machine_text, "%s", text);
    }
    *found = process->machine;
    pthread_mutex_unlock(&process->lock);
    return status;
}

/* Rank 0 reads a file for all ranks, so it alone says what is wrong with one. The program runs
 * untuned, unless it is strict about what its user set. */
static void check_machine(struct strata_process *process, strata_complain *complain)
{
    const char *text = process->config.machine;
    struct strata_machine machine;
    struct strata_machine_found found;
    struct strata_diagnostic message = {""};
    if (strata_machine_parse(text, &machine, &message) != STRATA_OK) {
        say(complain, "STRATA_MACHINE", "the default is used", &message);
    } else if (process->world_rank == 0 &&
               strata_settings_find_machine(process, text, &found, &message) != STRATA_OK) {
        bool strict = process->config.strict && strata_machine_file_of(text) > 0;
        say(complain, "the machine's file does not count", strict ? "it was named" : NULL,
            &message);
    }
}

/* Looks at the texts that are read only when they are needed. STRATA_ERR_SYNTAX, and why. */
static int check_texts(const struct strata_process *process, const struct strata_config *config,
                       struct strata_diagnostic *message)
{
    struct strata_topology *topology = NULL;
    struct strata_torus torus;
    struct strata_machine machine;
    struct strata_ranges sizes;
    struct strata_choice choice;
    int status = STRATA_OK;
    for (int c = 0; status == STRATA_OK && c < STRATA_COLLECTIVE_COUNT; c++) {
        status =
            strata_choice_parse(strata_config_text_of(config, strata_collective_info[c].variable),
                                (enum strata_collective)c, &choice, message);
    }
    if (status == STRATA_OK) {
        status = strata_machine_parse(config->machine, &machine, message);
    }
    if (status == STRATA_OK) {
        status = strata_ranges_parse(config->sizes, &sizes, message);
    }
    if (status == STRATA_OK && config->torus[0]) {
        status = strata_torus_parse(config->torus, ranks_of(config->torus), &torus, message);
    }
    if (status == STRATA_OK && config->topo[0]) {
        status = strata_topology_parse(config->topo, process->world_size, &topology, message);
        strata_topology_destroy(topology);
    }
    return status;
}

void strata_settings_fill(struct strata_process *process, struct strata_config *config,
                          strata_complain *complain)
{
    const char *which = process->config.settings;
    struct strata_diagnostic message = {""};
    int status = STRATA_OK;
    pthread_mutex_lock(&process->lock);
    struct strata_config *files = process->filed;
    if (!files && (files = strata_allocate(1, sizeof *files)) != NULL) {
        status = strata_config_read_files(which, files, complain ? complain : strata_config_ignore,
                                          NULL, &message);
        status = status == STRATA_OK ? check_texts(process, files, &message) : status;
        if (status != STRATA_OK) {
            memset(files->given, STRATA_GIVEN_DEFAULT, sizeof files->given);
        }
        process->filed = files;
    }
    pthread_mutex_unlock(&process->lock);
    if (files) {
        strata_config_fill(config, files);
    }
    if (status != STRATA_OK && complain) {
        const bool strict = config->strict && strcmp(which, "auto") != 0;
        say(complain, "the file of settings does not count", strict ? "it was named" : NULL,
            &message);
    }
}

void strata_settings_check(struct strata_process *process, strata_complain *complain)
{
    struct strata_diagnostic message = {""};
    struct strata_choice choice;
    struct strata_ranges sizes;
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        if (strata_choice_parse(
                strata_config_text_of(&process->config, strata_collective_info[c].variable),
                (enum strata_collective)c, &choice, &message) != STRATA_OK) {
            say(complain, strata_collective_info[c].variable, "auto is used", &message);
        }
    }
    check_machine(process, complain);
    if (strata_ranges_parse(process->config.sizes, &sizes, &message) != STRATA_OK) {
        say(complain, "STRATA_SIZES", "all sizes are served", &message);
    }
    if (strcmp(process->config.progress, "calls") != 0 && !process->multiple) {
        char what[320];
        snprintf(what, sizeof what, "STRATA_PROGRESS is \"%s\", which needs MPI_THREAD_MULTIPLE",
                 process->config.progress);
        complain(NULL, what, "only calls of Strata move requests");
    }
    check_topology(process, complain);
    check_torus(process, complain);
    if (process->config.check) {
        strata_prover_check(complain);
    }
}

void strata_settings_say_complaint(struct strata_process *process)
{
    if (process->complaint[0]) {
        strata_warn(process->complaint);
        process->complaint[0] = '\0';
    }
}

void strata_settings_say_difference(struct strata_process *process,
                                    const struct strata_config *decided, int row)
{
    char line[2 * sizeof decided->topo + 160], mine[32], theirs[32];
    const struct strata_config_row *r = &strata_config_rows[row];
    if (!process->told_settings) {
        snprintf(line, sizeof line, "rank %d: %s is \"%s\" here, but rank 0's counts, \"%s\"",
                 process->world_rank, r->variable,
                 strata_config_text(&process->config, r, mine, sizeof mine),
                 strata_config_text(decided, r, theirs, sizeof theirs));
        strata_warn(line);
        process->told_settings = true;
    }
}

void strata_settings_read(struct strata_settings *s)
{
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        const char *text = strata_config_text_of(&s->config, strata_collective_info[c].variable);
        if (strata_choice_parse(text, (enum strata_collective)c, &s->choice[c], NULL) !=
            STRATA_OK) {
            s->choice[c] = (struct strata_choice){.algorithm = NULL};
        }
    }
    if (strata_machine_parse(s->config.machine, &s->machine, NULL) != STRATA_OK) {
        snprintf(s->config.machine, sizeof s->config.machine, "auto");
        s->machine = *strata_machine_at(0);
    }
    strata_ranges_parse(s->config.sizes, &s->sizes, NULL);
    s->shadows = strata_config_shadows(&s->config);
}

const struct strata_settings *strata_settings_keep(struct strata_process *process,
                                                   const struct strata_settings *settings)
{
    struct strata_settings *kept;
    pthread_mutex_lock(&process->lock);
    kept = process->settings;
    while (kept && !strata_config_same(&kept->config, &settings->config)) {
        kept = kept->next;
    }
    if (!kept && (kept = strata_allocate(1, sizeof *kept))) {
        *kept = *settings;
        kept->next = process->settings;
        process->settings = kept;
    }
    pthread_mutex_unlock(&process->lock);
    return kept;
}

void strata_settings_finish(struct strata_process *process)
{
    while (process->settings) {
        struct strata_settings *first = process->settings;
        process->settings = first->next;
        strata_release(first);
    }
    strata_release(process->filed);
    process->filed = NULL;
}

const struct strata_choice *strata_choice_of(const struct strata_state *state,
                                             enum strata_collective collective)
{
    static const struct strata_choice any;
    const struct strata_choice *choice = state->forced >> collective & 1
                                             ? &state->choice[collective]
                                             : &state->group->settings->choice[collective];
    return state->thread && strata_choice_native(choice) ? &any : choice;
}

bool strata_same_bits(const struct strata_state *state, enum strata_collective collective)
{
    const struct strata_config *config =
        state->group ? &state->group->settings->config : &strata_process_here.config;
    bool wanted = state->asks_bits ? state->same_bits : config->same_bits;
    return wanted && state->ranks > 1 && strata_collective_reduces(collective);
}
