#include "hier/choice.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "hier/registry.h"

/* A part of the text, shortened for messages. */
struct word {
    const char *text;
    int length;
};

static int shown(struct word word)
{
    return word.length < 60 ? word.length : 60;
}

static bool same(struct word word, const char *name)
{
    return (int)strlen(name) == word.length && strncmp(name, word.text, strlen(name)) == 0;
}

static void append(char *list, size_t size, const char *name)
{
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", name);
}

static int find_algorithm(struct word name, enum strata_collective collective,
                          const struct strata_algorithm **algorithm,
                          struct strata_diagnostic *message)
{
    char known[STRATA_DIAGNOSTIC_SIZE] = "auto";
    const struct strata_algorithm *row;
    for (int i = 0; (row = strata_registry_at(i)); i++) {
        if (row->collectives >> collective & 1) {
            append(known, sizeof known, row->name);
            if (same(name, row->name)) {
                *algorithm = row;
                return STRATA_OK;
            }
        }
    }
    return strata_fail(message, STRATA_ERR_SYNTAX, "\"%.*s\" is no algorithm of %s; there are: %s",
                       shown(name), name.text, strata_collective_name(collective), known);
}

/* The parameter's index, -1 with message when the algorithm has no such one. */
static int find_parameter(struct word name, const struct strata_algorithm *algorithm,
                          struct strata_diagnostic *message)
{
    char known[STRATA_DIAGNOSTIC_SIZE] = "";
    for (int i = 0; i < STRATA_PARAMETERS && algorithm->parameters[i].name; i++) {
        append(known, sizeof known, algorithm->parameters[i].name);
        if (same(name, algorithm->parameters[i].name)) {
            return i;
        }
    }
    strata_say(message, "%s has no parameter \"%.*s\"; it has: %s", algorithm->name, shown(name),
               name.text, *known ? known : "none");
    return -1;
}

/* A whole number, -1 when the word is none or too large. */
static int read_number(struct word word)
{
    long value = word.length > 0 ? 0 : -1;
    for (int i = 0; i < word.length && value >= 0; i++) {
        char digit = word.text[i];
        value = digit >= '0' && digit <= '9' ? 10 * value + (digit - '0') : -1;
        value = value > INT_MAX ? -1 : value;
    }
    return (int)value;
}

/* The value of that name; -1: none. */
static int find_word(struct word word, const struct strata_parameter *p)
{
    const char *name;
    for (int value = p->least; (name = strata_parameter_word(p, value)); value++) {
        if (same(word, name)) {
            return value;
        }
    }
    return -1;
}

/* The allowed values of a parameter: "NUMBER from 2 to 8", or its words. */
static void say_allowed(const struct strata_parameter *p, char *text, size_t size)
{
    const char *name = strata_parameter_word(p, p->least);
    if (!name) {
        snprintf(text, size, "NUMBER from %d to %d", p->least, p->most);
        return;
    }
    *text = '\0';
    for (int value = p->least; (name = strata_parameter_word(p, value)); value++) {
        append(text, size, name);
    }
}

/* "name=value" of the algorithm that is chosen already. */
static int read_parameter(struct word word, struct strata_choice *choice,
                          struct strata_diagnostic *message)
{
    char allowed[STRATA_DIAGNOSTIC_SIZE];
    struct word name = {word.text, (int)strcspn(word.text, "=,")};
    int index = find_parameter(name, choice->algorithm, message);
    if (index < 0) {
        return STRATA_ERR_SYNTAX;
    }
    const struct strata_parameter *p = &choice->algorithm->parameters[index];
    struct word given = {word.text + name.length + 1, word.length - name.length - 1};
    bool named = strata_parameter_word(p, p->least) != NULL;
    int value = named ? find_word(given, p) : read_number(given);
    if (value < p->least || value > strata_parameter_most(p)) {
        say_allowed(p, allowed, sizeof allowed);
        return strata_fail(message, STRATA_ERR_SYNTAX, "\"%.*s\": allowed is %s=%s (%s)",
                           shown(word), word.text, p->name, allowed, p->meaning);
    }
    choice->parameter[index] = value;
    return STRATA_OK;
}

int strata_choice_parse(const char *text, enum strata_collective collective,
                        struct strata_choice *choice, struct strata_diagnostic *message)
{
    static const char prefer[] = "prefer:";
    const bool preferred = strncmp(text, prefer, sizeof prefer - 1) == 0;
    struct strata_choice found = {.weight = preferred ? STRATA_PREFERRED : STRATA_FORCED};
    text += preferred ? sizeof prefer - 1 : 0;
    struct word word = {text, (int)strcspn(text, ":")};
    const char *at = text + word.length;
    int status = STRATA_OK;
    if (!same(word, "auto")) {
        status = find_algorithm(word, collective, &found.algorithm, message);
    } else if (*at) {
        status = strata_fail(message, STRATA_ERR_SYNTAX, "auto takes no parameters");
    }
    for (int i = 0; found.algorithm && i < STRATA_PARAMETERS; i++) {
        found.parameter[i] = found.algorithm->parameters[i].automatic;
    }
    while (status == STRATA_OK && found.algorithm && *at) {
        at++; /* ':' or ',' */
        word = (struct word){at, (int)strcspn(at, ",")};
        status = read_parameter(word, &found, message);
        at += word.length;
    }
    if (status == STRATA_OK) {
        *choice = found;
    }
    return status;
}
