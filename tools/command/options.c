#include "tools/command/options.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tools/command/words.h"

static const struct tool_option none = {NULL, TOOL_FLAG, NULL, NULL};

/* Finds the row whose name is the first `length` characters of the word. */
static const struct tool_option *find_row(const struct tool_option *rows, const char *word,
                                          size_t length)
{
    for (; rows && rows->name; rows++) {
        if (strlen(rows->name) == length && strncmp(rows->name, word, length) == 0) {
            return rows;
        }
    }
    return NULL;
}

static int complain_unknown(const struct tool_options *options, const char *word)
{
    char names[512] = "";
    const char *owner = options->owner ? options->owner : "it";
    for (int part = 0; part < 2; part++) {
        const struct tool_option *row = part ? options->more : options->rows;
        for (row = row ? row : &none; row->name; row++) {
            size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", row->name);
        }
    }
    tool_complain(options->command, "unknown option \"%s\"; %s has %s", word, owner, names);
    return TOOL_WRONG_USE;
}

/* Finds the option's value, in the same word or in the next one. Returns false where a value is
 * missing, or stands where none is allowed. */
static bool find_value(const struct tool_option *row, const char *behind, char **argv, int *at,
                       const char **value)
{
    bool apart = row->value == TOOL_VALUE || row->value == TOOL_TEXT;
    *value = behind;
    if (!behind && apart && argv[*at]) {
        *value = argv[(*at)++];
    }
    return row->value == TOOL_FLAG ? !*value
                                   : !apart || (*value && (**value || row->value == TOOL_TEXT));
}

static int take(const struct tool_options *options, const struct tool_option *row,
                const char *value)
{
    if (row->take) {
        return row->take(options->self, row->name, value);
    }
    if (row->value == TOOL_FLAG) {
        *(bool *)row->target = true;
    } else {
        *(const char **)row->target = value;
    }
    return TOOL_OK;
}

int tool_options_read(const struct tool_options *options, char **argv, int *at)
{
    const char *word = argv[(*at)++], *value;
    size_t length = strcspn(word, "=");
    const struct tool_option *row = find_row(options->rows, word, length);
    row = row ? row : find_row(options->more, word, length);
    if (!row && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
        return TOOL_HELP;
    }
    if (!row) {
        return complain_unknown(options, word);
    }
    if (!find_value(row, word[length] ? word + length + 1 : NULL, argv, at, &value)) {
        tool_complain(options->command,
                      row->value == TOOL_FLAG ? "%s takes no value" : "%s needs a value",
                      row->name);
        return TOOL_WRONG_USE;
    }
    return take(options, row, value);
}

int tool_options_read_all(const struct tool_options *options, char **argv, int at)
{
    int code = TOOL_OK;
    while (code == TOOL_OK && argv[at]) {
        code = tool_options_read(options, argv, &at);
    }
    return code;
}
