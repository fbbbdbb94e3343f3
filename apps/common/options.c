/* Reads the command line by a table of options. */
#include <stdlib.h>
#include <string.h>

#include "apps/common/app.h"

/* The option of this name; the name ends at an '=' in the word. */
static const struct app_option *find(const struct app_option *table, const char *word,
                                     const char **value)
{
    size_t length = strcspn(word, "=");
    *value = word[length] == '=' ? word + length + 1 : NULL;
    for (; table->name; table++) {
        if (strlen(table->name) == length && strncmp(word, table->name, length) == 0) {
            return table;
        }
    }
    return NULL;
}

bool app_options_parse(const struct app_option *table, void *options, char **words, char *message,
                       size_t size)
{
    for (char **word = words; *word; word++) {
        const char *value;
        const struct app_option *option = find(table, *word, &value);
        if (!option || (value && !option->value)) {
            snprintf(message, size, "unknown option '%s'; --help lists the options", *word);
            return false;
        }
        if (option->value && !value) {
            value = word[1] ? *++word : "";
        }
        const char *allowed = option->set(options, value);
        if (allowed) {
            snprintf(message, size, "%s '%s': must be %s", option->name, value, allowed);
            return false;
        }
    }
    return true;
}

void app_options_help(const struct app_option *table, FILE *file)
{
    for (; table->name; table++) {
        char words[40];
        snprintf(words, sizeof words, "%s %s", table->name, table->value ? table->value : "");
        fprintf(file, "  %-27s %s\n", words, table->meaning);
    }
}

bool app_number(const char *word, long most, int *number)
{
    char *end;
    long value = strtol(word, &end, 10);
    *number = (int)value;
    return end != word && *end == '\0' && value >= 1 && value <= most;
}
