/* The rows of the configuration table, and their values as text. */
#include "core/base/config_rows.h"

#include <ctype.h>
#include <string.h>

#define MEMBER_SIZE(field) sizeof(((struct strata_config *)NULL)->field)
#define CONFIG_ROW(field, kind, variable, value, scope, allowed, meaning)                          \
    {variable,                                                                                     \
     value,                                                                                        \
     allowed,                                                                                      \
     meaning,                                                                                      \
     STRATA_KIND_##kind,                                                                           \
     STRATA_SCOPE_##scope,                                                                         \
     offsetof(struct strata_config, field),                                                        \
     MEMBER_SIZE(field)},

const struct strata_config_row strata_config_rows[] = {STRATA_CONFIG_TABLE(CONFIG_ROW)};

static const void *field_of(const struct strata_config *config, const struct strata_config_row *row)
{
    return (const unsigned char *)config + row->offset;
}

static void set_field(struct strata_config *config, const struct strata_config_row *row,
                      const void *value)
{
    memcpy((unsigned char *)config + row->offset, value, row->size);
}

/* Reads digits alone; NULL: there are none, or the number is too large. */
static const char *digits(const char *at, int64_t *number)
{
    const char *begin = at;
    for (*number = 0; *at >= '0' && *at <= '9'; at++) {
        if (*number > (INT64_MAX - 9) / 10) {
            return NULL;
        }
        *number = 10 * *number + (*at - '0');
    }
    return at > begin ? at : NULL;
}

/* Reads "K", "KB", "KiB" or "B" alone, in upper or lower case; *power is the power of 1024. */
static const char *unit(const char *at, int *power)
{
    static const char letters[] = "kmg";
    const char *letter = *at ? strchr(letters, tolower((unsigned char)*at)) : NULL;
    *power = letter ? (int)(letter - letters) + 1 : 0;
    at += letter != NULL;
    if (letter && tolower((unsigned char)at[0]) == 'i' && tolower((unsigned char)at[1]) == 'b') {
        return at + 2;
    }
    return at + (tolower((unsigned char)*at) == 'b');
}

bool strata_config_number(const char *text, bool suffixes, int64_t *value, const char **end)
{
    int64_t number;
    int power = 0;
    const char *at = digits(text, &number);
    if (!at) {
        return false;
    }
    at = suffixes ? unit(at, &power) : at;
    if (number > INT64_MAX >> (10 * power)) {
        return false;
    }
    *value = number << (10 * power);
    *end = at;
    return true;
}

/* row->allowed is "LEAST .. MOST". */
static bool number_allowed(const struct strata_config_row *row, int64_t value)
{
    int64_t least = 0, most = 0;
    const char *end;
    bool suffixes = row->kind == STRATA_KIND_SIZE;
    return strata_config_number(row->allowed, suffixes, &least, &end) &&
           strata_config_number(strstr(row->allowed, ".. ") + 3, suffixes, &most, &end) &&
           value >= least && value <= most;
}

/* Checks the text behind a word and its colon: "[:FILE]" allows any name, "[:N]" a number from
 * 1. */
static bool rest_allowed(const char *form, const char *rest)
{
    int64_t value = 0;
    const char *end;
    if (strncmp(form, "[:N]", strlen("[:N]")) != 0) {
        return *form == '[' && *rest;
    }
    return strata_config_number(rest, false, &value, &end) && !*end && value > 0;
}

/* row->allowed is "WORD | WORD | ...". */
static bool word_allowed(const struct strata_config_row *row, const char *word)
{
    size_t length = strcspn(word, ":");
    const char *at = row->allowed;
    while (at) {
        size_t here = strcspn(at, " [");
        if (here == length && strncmp(at, word, length) == 0 &&
            (!word[length] || rest_allowed(at + here, word + length + 1))) {
            return true;
        }
        at = strstr(at, "| ");
        at = at ? at + 2 : NULL;
    }
    return false;
}

bool strata_config_set(struct strata_config *config, const struct strata_config_row *row,
                       const char *text)
{
    if (row->kind == STRATA_KIND_INT || row->kind == STRATA_KIND_SIZE) {
        int64_t value = 0;
        const char *end = text;
        if (!strata_config_number(text, row->kind == STRATA_KIND_SIZE, &value, &end) || *end ||
            !number_allowed(row, value)) {
            return false;
        }
        set_field(config, row, &value);
        return true;
    }
    char value[MEMBER_SIZE(topo)] = "";
    size_t length = strlen(text);
    if (length >= sizeof value || (row->kind == STRATA_KIND_CHOICE && !word_allowed(row, text))) {
        return false;
    }
    snprintf(value, sizeof value, "%s", text);
    set_field(config, row, value);
    return true;
}

/* Writes the value as users do: a whole multiple of 1024 gets a letter. */
static void number_text(const struct strata_config_row *row, int64_t value, char *text, size_t size)
{
    static const char letters[] = {0, 'K', 'M', 'G'};
    int power = 0;
    while (row->kind == STRATA_KIND_SIZE && power < 3 && value > 0 && value % 1024 == 0) {
        value /= 1024;
        power++;
    }
    snprintf(text, size, power ? "%lld%c" : "%lld", (long long)value, letters[power]);
}

const char *strata_config_text(const struct strata_config *config,
                               const struct strata_config_row *row, char *buffer, size_t size)
{
    const char *text = field_of(config, row);
    if (row->kind == STRATA_KIND_TEXT || row->kind == STRATA_KIND_CHOICE) {
        return text;
    }
    int64_t value;
    memcpy(&value, text, sizeof value);
    number_text(row, value, buffer, size);
    return buffer;
}

const char *strata_config_text_of(const struct strata_config *config, const char *variable)
{
    const struct strata_config_row *row = strata_config_rows;
    while (strcmp(row->variable, variable) != 0) {
        row++;
    }
    return field_of(config, row);
}
