/* strata complete: offers values of options, from the tables of the library. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/base/config_rows.h"
#include "core/cost/machine.h"
#include "hier/registry.h"
#include "internode/split/methods.h"
#include "tools/command/complete.h"
#include "tools/scale/platform.h"

/* Offers the algorithms of a collective, or all with STRATA_COLLECTIVE_COUNT. */
static void offer_algorithms(const struct tool_line *line, const char *head, int collective)
{
    const struct strata_algorithm *a;
    tool_offer_word(line, head, "auto");
    for (int i = 0; (a = strata_registry_at(i)); i++) {
        if (collective == STRATA_COLLECTIVE_COUNT || a->collectives >> collective & 1) {
            tool_offer_word(line, head, a->name);
        }
    }
}

/* Offers the algorithms of the collective that the line names, or all. */
static void offer_choices(const struct tool_line *line, const char *head)
{
    enum strata_collective collective;
    bool named = line->count > 1 && strata_collective_find(line->words[1], &collective);
    offer_algorithms(line, head, named ? (int)collective : STRATA_COLLECTIVE_COUNT);
}

static void offer_machines(const struct tool_line *line, const char *head)
{
    const struct strata_machine *m;
    for (int i = 0; (m = strata_machine_at(i)); i++) {
        tool_offer_word(line, head, m->name);
    }
}

static void offer_platforms(const struct tool_line *line, const char *head)
{
    struct tool_platform platform;
    struct strata_diagnostic message;
    for (int i = 0; tool_platform_at(i, &platform, &message); i++) {
        tool_offer_word(line, head, platform.name);
    }
}

static void offer_methods(const struct tool_line *line, const char *head)
{
    const struct strata_split_method *m;
    for (int i = 0; (m = strata_split_method_at(i)); i++) {
        tool_offer_word(line, head, m->name);
    }
}

/* Splits off "NAME=" of NAME=VALUE. Returns false where the word has no "=" yet. */
static bool assigned(const struct tool_line *line, char *head, size_t size)
{
    size_t length = strcspn(line->begun, "=");
    snprintf(head, size, "%.*s", (int)length + 1, line->begun);
    return line->begun[length] == '=';
}

static bool find_collective(const char *head, enum strata_collective *collective)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(head, "="), head);
    return strata_collective_find(name, collective);
}

static void offer_forced(const struct tool_line *line, const char *none)
{
    char head[64];
    enum strata_collective collective;
    (void)none;
    if (!assigned(line, head, sizeof head)) {
        tool_offer_collectives(line, "=");
    } else if (find_collective(head, &collective)) {
        offer_algorithms(line, head, (int)collective);
    }
}

/* Turns "STRATA_WAIT" into "wait=", the form that --set takes. */
static void setting_name(const struct strata_config_row *row, char *name, size_t size)
{
    snprintf(name, size, "%s=", row->variable + strlen("STRATA_"));
    for (char *letter = name; *letter; letter++) {
        *letter = (char)tolower((unsigned char)*letter);
    }
}

/* Offers the words of a list such as "0 | 1[:N]". */
static void offer_words(const struct tool_line *line, const char *head, const char *words)
{
    while (*words) {
        tool_offer(line, head, words, strcspn(words, " ["));
        words += strcspn(words, " ");
        words += strspn(words, " |");
    }
}

static void offer_setting(const struct tool_line *line, const struct strata_config_row *row,
                          const char *head)
{
    enum strata_collective collective;
    if (row->kind == STRATA_KIND_CHOICE) {
        offer_words(line, head, row->allowed);
    } else if (find_collective(head, &collective)) {
        offer_algorithms(line, head, (int)collective);
    } else if (strcmp(row->variable, "STRATA_MACHINE") == 0) {
        tool_offer_word(line, head, "auto");
        offer_machines(line, head);
    }
}

static void offer_settings(const struct tool_line *line, const char *none)
{
    char head[64];
    char name[64];
    bool valued = assigned(line, head, sizeof head);
    (void)none;
    for (int i = 0; i < STRATA_CONFIG_ROWS; i++) {
        setting_name(&strata_config_rows[i], name, sizeof name);
        if (!valued) {
            tool_offer_word(line, "", name);
        } else if (strcmp(name, head) == 0) {
            offer_setting(line, &strata_config_rows[i], head);
        }
    }
}

/* Options as the help writes them. A command has the option if its help contains the first
 * words. */
static const struct {
    const char *option;
    void (*offer)(const struct tool_line *line, const char *head);
} values[] = {
    {"--force COLLECTIVE=", offer_forced},
    {"--set NAME=", offer_settings},
    {"--algo", offer_choices},
    {"--machine", offer_machines},
    {"--platform", offer_platforms},
    {"--method NAME", offer_methods},
};

bool tool_offer_values(const struct tool_line *line)
{
    const char *last = line->words[line->count - 1];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const char *option = values[i].option;
        if (strlen(last) == strcspn(option, " ") && strncmp(option, last, strlen(last)) == 0 &&
            strstr(line->command->help, option)) {
            values[i].offer(line, "");
            return true;
        }
    }
    return false;
}
