#include "core/cost/machine_file.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/found_file.h"
#include "core/base/name_values.h"
#include "core/base/number.h"

/* The words of a file: first those that must be there, then the parameters. */
enum { HOST, DATE, MPI, COMMAND, MACHINE, END, FIRST_PARAMETER };

static const struct {
    const char *name, *meaning;
} words[] = {[HOST] = {"host", ""},         [DATE] = {"date", ""},       [MPI] = {"mpi", ""},
             [COMMAND] = {"command", ""},   [MACHINE] = {"machine", ""}, [END] = {"end", ""},
#define WORD_ROW(field, meaning) {#field, meaning},
             STRATA_MACHINE_TABLE(WORD_ROW)
#undef WORD_ROW
};

enum { WORDS = sizeof words / sizeof *words };

struct reading {
    struct strata_machine machine;
    bool seen[WORDS];
};

static int find_word(const char *name)
{
    int word = 0;
    while (word < WORDS && strcmp(words[word].name, name) != 0) {
        word++;
    }
    return word;
}

/* A time of more than a second is a slip, such as 1.5 for 1.5e-6; what is no time has a bound that
 * keeps prices finite. */
static double most_of(int word)
{
    return strstr(words[word].meaning, ", s") ? 1 : 1e9;
}

static int take_parameter(struct reading *r, int word, const char *value,
                          struct strata_diagnostic *message)
{
    char text[128];
    const char *name = words[word].name;
    if (!r->seen[MACHINE]) {
        return strata_fail(message, STRATA_ERR_SYNTAX, "%s stands before machine = NAME", name);
    }
    snprintf(text, sizeof text, "auto:%s=%.64s", name, value);
    if (strlen(value) <= 64 && !strchr(value, ',') && strata_number(value, NULL) <= most_of(word) &&
        strata_machine_parse_on(&r->machine, text, &r->machine, NULL) == STRATA_OK) {
        return STRATA_OK;
    }
    return strata_fail(message, STRATA_ERR_SYNTAX,
                       "%s is \"%.60s\", but allowed is a number of %d to %g", name, value,
                       strcmp(name, "ports") == 0, most_of(word));
}

static int take_head(struct reading *r, int word, const char *value,
                     struct strata_diagnostic *message)
{
    if (word == END ? *value != '\0' : *value == '\0') {
        return strata_fail(message, STRATA_ERR_SYNTAX, "%s has %s value", words[word].name,
                           *value ? "a" : "no");
    }
    if (word == MACHINE && strpbrk(value, "/:")) {
        return strata_fail(message, STRATA_ERR_SYNTAX, "machine is \"%.60s\", %s", value,
                           strchr(value, '/') ? "another file" : "more than a name");
    }
    return word == MACHINE ? strata_machine_parse(value, &r->machine, message) : STRATA_OK;
}

static int take(void *context, const char *name, const char *value,
                struct strata_diagnostic *message)
{
    struct reading *r = context;
    int word = find_word(name);
    if (word == WORDS) {
        return strata_fail(message, STRATA_ERR_SYNTAX,
                           "\"%.60s\" is no parameter of a machine (strata list machines), nor "
                           "host, date, mpi, command, machine, end",
                           name);
    }
    if (r->seen[word] || r->seen[END]) {
        return strata_fail(message, STRATA_ERR_SYNTAX, "%s stands %s", name,
                           r->seen[word] ? "there twice" : "behind end");
    }
    int status = (word < FIRST_PARAMETER ? take_head : take_parameter)(r, word, value, message);
    r->seen[word] = true;
    return status;
}

/* Keeps what was read if it is all there. */
static int finish(const struct reading *r, int status, struct strata_machine *machine,
                  struct strata_diagnostic *message)
{
    for (int word = 0; status == STRATA_OK && word < FIRST_PARAMETER; word++) {
        if (!r->seen[word]) {
            status = strata_fail(message, STRATA_ERR_SYNTAX, "%s is missing", words[word].name);
        }
    }
    if (status == STRATA_OK) {
        *machine = r->machine;
    }
    return status;
}

int strata_machine_file_parse(const char *text, size_t size, struct strata_machine *machine,
                              struct strata_diagnostic *message)
{
    struct reading r = {.seen = {false}};
    int status = strata_name_values_parse(text, size, take, &r, message);
    return finish(&r, status, machine, message);
}

static int read_file(void *context, const char *path, struct strata_diagnostic *message)
{
    struct strata_machine_found *found = context;
    struct reading r = {.seen = {false}};
    int status = strata_name_values_read(path, take, &r, message);
    return finish(&r, status, &found->machine, message);
}

int strata_machine_find(const char *text, struct strata_machine_found *found,
                        struct strata_diagnostic *message)
{
    char named[PATH_MAX];
    int length = strata_machine_file_of(text);
    bool any = strcspn(text, ":") == strlen("auto") && strncmp(text, "auto", strlen("auto")) == 0;
    *found = (struct strata_machine_found){.path = ""};
    if (length == 0 && !any) {
        return STRATA_OK;
    }
    snprintf(named, sizeof named, "%.*s", length, text);
    return strata_find_file(any ? NULL : named, "machine", read_file, found, found->path, message);
}

int strata_machine_read(const char *text, struct strata_machine *machine,
                        struct strata_diagnostic *message)
{
    struct strata_machine_found found;
    int status = STRATA_OK;
    if (strata_machine_file_of(text) == 0) {
        return strata_machine_parse(text, machine, message);
    }
    status = strata_machine_find(text, &found, message);
    return status == STRATA_OK ? strata_machine_parse_on(&found.machine, text, machine, message)
                               : status;
}
