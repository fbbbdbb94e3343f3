#include "core/config.h"

#include <stdlib.h>
#include <string.h>

enum kind { KIND_TEXT, KIND_CHOICE, KIND_SIZE, KIND_INT };
enum scope { SCOPE_AGREED, SCOPE_LOCAL };

struct row {
    const char *variable, *value, *allowed, *meaning;
    enum kind kind;
    enum scope scope;
    size_t offset, size;
};

#define MEMBER_SIZE(field) sizeof(((struct strata_config *)NULL)->field)
#define CONFIG_ROW(field, kind, variable, value, scope, allowed, meaning)                          \
    {variable,                                                                                     \
     value,                                                                                        \
     allowed,                                                                                      \
     meaning,                                                                                      \
     KIND_##kind,                                                                                  \
     SCOPE_##scope,                                                                                \
     offsetof(struct strata_config, field),                                                        \
     MEMBER_SIZE(field)},

static const struct row rows[] = {STRATA_CONFIG_TABLE(CONFIG_ROW)};
enum { ROWS = sizeof rows / sizeof *rows };
_Static_assert(ROWS <= 32, "from_environment has a bit for each row");

static const char prefix[] = "STRATA_";

static const void *field_of(const struct strata_config *config, const struct row *row)
{
    return (const unsigned char *)config + row->offset;
}

static void set_field(struct strata_config *config, const struct row *row, const void *value)
{
    memcpy((unsigned char *)config + row->offset, value, row->size);
}

/* Reads digits, and where suffixes are allowed one of K, M, G; *end is where it stops. */
static bool read_number(const char *text, bool suffixes, int64_t *value, const char **end)
{
    static const char letters[] = "KMG";
    const char *at = text;
    int64_t number = 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        if (number > (INT64_MAX - 9) / 10) {
            return false;
        }
        number = 10 * number + (*at - '0');
    }
    if (at == text) {
        return false;
    }
    const char *letter = suffixes && *at ? strchr(letters, *at) : NULL;
    for (int i = 0; letter && i <= letter - letters; i++) {
        if (number > INT64_MAX / 1024) {
            return false;
        }
        number *= 1024;
    }
    *value = number;
    *end = at + (letter != NULL);
    return true;
}

/* allowed is "LEAST .. MOST". */
static bool number_allowed(const struct row *row, int64_t value)
{
    int64_t least = 0, most = 0;
    const char *end;
    bool suffixes = row->kind == KIND_SIZE;
    return read_number(row->allowed, suffixes, &least, &end) &&
           read_number(strstr(row->allowed, ".. ") + 3, suffixes, &most, &end) && value >= least &&
           value <= most;
}

/* allowed is "WORD | WORD | ..." */
static bool word_allowed(const struct row *row, const char *word)
{
    size_t length = strlen(word);
    const char *at = row->allowed;
    while (at) {
        size_t here = strcspn(at, " ");
        if (here == length && strncmp(at, word, length) == 0) {
            return true;
        }
        at = strstr(at, "| ");
        at = at ? at + 2 : NULL;
    }
    return false;
}

/* Sets the field from text; false, with the field as it was, when the text is not allowed. */
static bool set_from_text(struct strata_config *config, const struct row *row, const char *text)
{
    if (row->kind == KIND_INT || row->kind == KIND_SIZE) {
        int64_t value = 0;
        const char *end = text;
        if (!read_number(text, row->kind == KIND_SIZE, &value, &end) || *end ||
            !number_allowed(row, value)) {
            return false;
        }
        set_field(config, row, &value);
        return true;
    }
    char value[MEMBER_SIZE(topo)] = "";
    if (strlen(text) >= sizeof value || (row->kind == KIND_CHOICE && !word_allowed(row, text))) {
        return false;
    }
    memcpy(value, text, strlen(text));
    set_field(config, row, value);
    return true;
}

static int least_of(int a, int b)
{
    return a < b ? a : b;
}

/* Letters to insert, delete or change to make one name of the other; of long names the beginning.
 */
static int name_distance(const char *from, const char *to)
{
    enum { LONGEST = 64 };
    int row[LONGEST + 1];
    int width = least_of((int)strlen(to), LONGEST), height = least_of((int)strlen(from), LONGEST);
    for (int j = 0; j <= width; j++) {
        row[j] = j;
    }
    for (int i = 1; i <= height; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= width; j++) {
            int changed = diagonal + (from[i - 1] != to[j - 1]);
            diagonal = row[j];
            row[j] = least_of(changed, 1 + least_of(row[j], row[j - 1]));
        }
    }
    return row[width];
}

static void complain_unknown(const char *entry, int length, strata_complain *complain,
                             void *context)
{
    char name[80], sentence[256];
    int closest = 0;
    snprintf(name, sizeof name, "%.*s", length, entry);
    for (int i = 1; i < ROWS; i++) {
        if (name_distance(name, rows[i].variable) < name_distance(name, rows[closest].variable)) {
            closest = i;
        }
    }
    snprintf(sentence, sizeof sentence, "%s is not a variable of Strata; the closest one is %s",
             name, rows[closest].variable);
    complain(context, sentence);
}

static void complain_value(const struct row *row, const char *text, strata_complain *complain,
                           void *context)
{
    char sentence[512];
    if (row->kind == KIND_TEXT) {
        snprintf(sentence, sizeof sentence,
                 "%s is \"%.40s...\", longer than %zu characters; the default \"%s\" is used",
                 row->variable, text, row->size - 1, row->value);
    } else {
        snprintf(sentence, sizeof sentence,
                 "%s is \"%.60s\", but allowed is %s (%s); the default %s is used", row->variable,
                 text, row->allowed, row->meaning, row->value);
    }
    complain(context, sentence);
}

static void read_row(struct strata_config *config, int index, const char *text,
                     strata_complain *complain, void *context)
{
    if (set_from_text(config, &rows[index], text)) {
        config->from_environment |= UINT32_C(1) << index;
    } else {
        complain_value(&rows[index], text, complain, context);
    }
}

/* The row of "NAME=value", ROWS when there is none. */
static int find_row(const char *entry, size_t length)
{
    int index = 0;
    while (index < ROWS && (strlen(rows[index].variable) != length ||
                            strncmp(rows[index].variable, entry, length) != 0)) {
        index++;
    }
    return index;
}

void strata_config_read_from(struct strata_config *config, const char *const *environment,
                             strata_complain *complain, void *context)
{
    uint32_t seen = 0; /* of a name given twice the first counts, as in getenv */
    memset(config, 0, sizeof *config);
    for (int i = 0; i < ROWS; i++) {
        set_from_text(config, &rows[i], rows[i].value);
    }
    for (; *environment; environment++) {
        const char *entry = *environment;
        size_t length = strcspn(entry, "=");
        if (strncmp(entry, prefix, sizeof prefix - 1) != 0 || entry[length] == '\0') {
            continue;
        }
        int index = find_row(entry, length);
        if (index == ROWS) {
            complain_unknown(entry, (int)length, complain, context);
        } else if (entry[length + 1] && !(seen >> index & 1)) {
            seen |= UINT32_C(1) << index;
            read_row(config, index, entry + length + 1, complain, context);
        }
    }
}

extern char **environ;

void strata_config_read(struct strata_config *config, strata_complain *complain, void *context)
{
    static const char *const nothing[] = {NULL};
    strata_config_read_from(config, environ ? (const char *const *)environ : nothing, complain,
                            context);
}

void strata_config_adopt(struct strata_config *config, const struct strata_config *from)
{
    for (int i = 0; i < ROWS; i++) {
        uint32_t bit = UINT32_C(1) << i;
        if (rows[i].scope == SCOPE_AGREED) {
            set_field(config, &rows[i], field_of(from, &rows[i]));
            config->from_environment =
                (config->from_environment & ~bit) | (from->from_environment & bit);
        }
    }
}

/* As users write it: whole multiples of 1024 with a letter. */
static void number_text(const struct row *row, int64_t value, char *text, size_t size)
{
    static const char letters[] = {0, 'K', 'M', 'G'};
    int power = 0;
    while (row->kind == KIND_SIZE && power < 3 && value > 0 && value % 1024 == 0) {
        value /= 1024;
        power++;
    }
    snprintf(text, size, power ? "%lld%c" : "%lld", (long long)value, letters[power]);
}

void strata_config_print(const struct strata_config *config, FILE *file)
{
    for (int i = 0; i < ROWS; i++) {
        const struct row *row = &rows[i];
        char number[32];
        const char *text = field_of(config, row);
        if (row->kind == KIND_INT || row->kind == KIND_SIZE) {
            int64_t value;
            memcpy(&value, text, sizeof value);
            number_text(row, value, number, sizeof number);
            text = number;
        }
        fprintf(file, "%-20s = %-10s %-12s %s\n%-48s%s\n", row->variable, *text ? text : "(empty)",
                config->from_environment >> i & 1 ? "environment" : "default", row->meaning, "",
                row->allowed);
    }
}
