/* Settings: forced choices and the machine description, from their texts in the configuration. */
#include "api/attach/settings.h"

#include <stdio.h>
#include <string.h>

#include "api/process/process.h"
#include "api/process/prover.h"
#include "core/base/config_rows.h"
#include "core/base/memory.h"
#include "hier/setting_texts.h"

static const char settings_file[] = "the file of settings", machine_file[] = "the machine's file",
                  tuned_file[] = "the table of STRATA_TUNED";

static void say(strata_complain *complain, const char *file, const char *instead,
                const struct strata_diagnostic *message)
{
    char text[STRATA_DIAGNOSTIC_SIZE + 128];
    snprintf(text, sizeof text, "%s does not count: %s", file, message->text);
    complain(NULL, text, instead);
}

/* Of the file of a rank that is not rank 0 of MPI_COMM_WORLD. */
static void say_of_rank(void *context, const char *sentence, const char *instead)
{
    char line[STRATA_DIAGNOSTIC_SIZE + 192];
    (void)context;
    (void)instead;
    snprintf(line, sizeof line, "rank %d: %s", strata_process_here.world_rank, sentence);
    strata_warn(line);
}

/* Returns an error, and leaves a message, only where it reads a file. */
static int find_machine(struct strata_process *process, const char *text,
                        struct strata_machine_found *found, struct strata_diagnostic *message)
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

/* The program runs untuned, unless it is strict about what its user set. */
static void check_machine(struct strata_process *process, strata_complain *complain)
{
    const char *text = process->config.machine;
    const bool strict = process->config.strict && strata_machine_file_of(text) > 0;
    struct strata_machine_found found;
    struct strata_diagnostic message = {""};
    if (find_machine(process, text, &found, &message) != STRATA_OK) {
        say(complain, machine_file, strict ? "it was named" : NULL, &message);
    }
}

void strata_settings_find_machine(struct strata_process *process, const char *text,
                                  struct strata_machine_found *found)
{
    struct strata_diagnostic message = {""};
    if (find_machine(process, text, found, &message) != STRATA_OK) {
        say(say_of_rank, machine_file, NULL, &message);
    }
}

/* Reads the table of the text unless it is the one that is kept; with the lock. */
static int find_tuned(struct strata_process *process, const char *text,
                      struct strata_diagnostic *message)
{
    if (process->tuned_text[0] && strcmp(process->tuned_text, text) == 0) {
        return STRATA_OK;
    }
    strata_tuned_free(&process->tuned);
    snprintf(process->tuned_text, sizeof process->tuned_text, "%s", text);
    return strata_tuned_find(text, &process->tuned, message);
}

static void check_tuned(struct strata_process *process, strata_complain *complain)
{
    const char *text = process->config.tuned;
    const bool strict = process->config.strict && strchr(text, '/');
    struct strata_diagnostic message = {""};
    pthread_mutex_lock(&process->lock);
    const int status = find_tuned(process, text, &message);
    pthread_mutex_unlock(&process->lock);
    if (status != STRATA_OK) {
        say(complain, tuned_file, strict ? "it was named" : NULL, &message);
    }
}

int strata_settings_tuned_rows(struct strata_process *process, const char *text)
{
    struct strata_diagnostic message = {""};
    pthread_mutex_lock(&process->lock);
    const int status = find_tuned(process, text, &message), rows = process->tuned.count;
    pthread_mutex_unlock(&process->lock);
    if (status != STRATA_OK) {
        say(say_of_rank, tuned_file, NULL, &message);
    }
    return rows;
}

int strata_settings_near(struct strata_process *process, const char *text,
                         const struct strata_tuned_layout *at, struct strata_tuned_near *near,
                         int most)
{
    int count = 0;
    pthread_mutex_lock(&process->lock);
    if (find_tuned(process, text, &(struct strata_diagnostic){""}) == STRATA_OK) {
        count = strata_tuned_near(&process->tuned, at, near, most);
    }
    pthread_mutex_unlock(&process->lock);
    return count;
}

static struct strata_config_reader reader_of(const struct strata_process *process,
                                             strata_complain *complain)
{
    return (struct strata_config_reader){complain, NULL, strata_setting_text_check,
                                         process->world_size};
}

/* Fills config from the files, which are read if they have not been. Returns an error of that. */
static int fill(struct strata_process *process, struct strata_config *config,
                strata_complain *complain, struct strata_diagnostic *message)
{
    const struct strata_config_reader reader = reader_of(process, complain);
    struct strata_config *files;
    int status = STRATA_OK;
    pthread_mutex_lock(&process->lock);
    files = process->filed;
    if (!files && (files = strata_allocate(1, sizeof *files)) != NULL) {
        status = strata_config_read_files(process->config.settings, files, &reader, message);
        process->filed = files;
    }
    pthread_mutex_unlock(&process->lock);
    if (files) {
        strata_config_fill(config, files);
    }
    return status;
}

void strata_settings_fill(struct strata_process *process, struct strata_config *config)
{
    struct strata_diagnostic message = {""};
    if (fill(process, config, strata_config_ignore, &message) != STRATA_OK) {
        say(say_of_rank, settings_file, NULL, &message);
    }
}

void strata_settings_begin(struct strata_process *process, strata_complain *complain)
{
    struct strata_config *config = &process->config;
    const struct strata_config_reader reader = reader_of(process, complain);
    struct strata_diagnostic message = {""};
    strata_config_read_by(config, &reader);
    if (process->world_rank == 0) {
        if (fill(process, config, complain, &message) != STRATA_OK) {
            const bool strict = config->strict && strcmp(config->settings, "auto") != 0;
            say(complain, settings_file, strict ? "it was named" : NULL, &message);
        }
        check_machine(process, complain);
        check_tuned(process, complain);
    }
    if (strcmp(config->progress, "calls") != 0 && !process->multiple) {
        char what[320];
        snprintf(what, sizeof what, "STRATA_PROGRESS is \"%s\", which needs MPI_THREAD_MULTIPLE",
                 config->progress);
        complain(NULL, what, "only calls of Strata move requests");
    }
    if (config->check) {
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
        strata_choice_parse(text, (enum strata_collective)c, &s->choice[c], NULL);
    }
    strata_machine_parse(s->config.machine, &s->machine, NULL);
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
    strata_tuned_free(&process->tuned);
    process->tuned_text[0] = '\0';
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
