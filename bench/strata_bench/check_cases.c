/* Checks the names and sizes of the options. */
#include <stdio.h>
#include <string.h>

#include "bench/strata_bench/cases.h"
#include "strata.h"

static bool is_collective(const struct options *o, const char *word)
{
    (void)o;
    const struct collective *c = collectives;
    while (c->name && strcmp(c->name, word) != 0) {
        c++;
    }
    return c->name || strcmp(word, "all") == 0;
}

static bool is_pattern(const struct options *o, const char *word)
{
    (void)o;
    const struct pattern *p = patterns;
    while (p->name && strcmp(p->name, word) != 0) {
        p++;
    }
    return p->name || strcmp(word, "all") == 0;
}

static bool is_form(const struct options *o, const char *word)
{
    (void)o;
    int form = 0;
    while (form < FORMS && strcmp(form_name[form], word) != 0) {
        form++;
    }
    return form < FORMS || strcmp(word, "all") == 0;
}

static bool is_algorithm(const struct options *o, const char *word)
{
    bool found = strcmp(o->algorithms, "all") == 0;
    for (const struct collective *c = collectives; c->name && !found; c++) {
        found = cases_listed(o->collectives, c->name) && cases_has(c, word);
    }
    return found;
}

static bool check_words(const struct options *o, const char *option, const char *list,
                        bool (*known)(const struct options *, const char *), char message[256])
{
    char word[96];
    const char *rest = list;
    while (options_word(&rest, word, sizeof word)) {
        if (!known(o, word)) {
            snprintf(message, 256, "%s '%.200s': ", option, *word ? word : list);
            return false;
        }
    }
    return true;
}

static bool check_sizes(const struct options *o, int ranks, char *message, size_t size)
{
    bool reduces = false;
    for (const struct collective *c = collectives; c->name; c++) {
        reduces = reduces || (c->reduces && cases_named(o->collectives, c->name));
    }
    for (int i = 0; i < o->nbytes; i++) {
        if (o->total && o->bytes[i] % ranks != 0) {
            snprintf(message, size, "--total '%d': must divide evenly among %d ranks", o->bytes[i],
                     ranks);
            return false;
        }
        int bytes = o->bytes[i] / (o->total ? ranks : 1);
        if (reduces && bytes % (int)sizeof(unsigned) != 0) {
            snprintf(message, size, "%s '%d': reductions add whole integers of %zu bytes",
                     o->total ? "--total" : "--bytes", o->bytes[i], sizeof(unsigned));
            return false;
        }
    }
    return true;
}

bool cases_check_options(const struct options *o, int ranks, char *message, size_t size)
{
    char text[256] = "";
    const char *rest = "must be all or of these; --help says more:";
    if (!check_words(o, "--collective", o->collectives, is_collective, text)) {
        int length = snprintf(message, size, "%s%s", text, rest);
        for (const struct collective *c = collectives; c->name && length < (int)size; c++) {
            length += snprintf(message + length, size - (size_t)length, " %s", c->name);
        }
        return false;
    }
    if (!check_words(o, "--pattern", o->patterns, is_pattern, text)) {
        int length = snprintf(message, size, "%s%s", text, rest);
        for (const struct pattern *p = patterns; p->name && length < (int)size; p++) {
            length += snprintf(message + length, size - (size_t)length, " %s", p->name);
        }
        return false;
    }
    if (!check_words(o, "--form", o->forms, is_form, text)) {
        snprintf(message, size, "%smust be all, blocking, nonblocking or persistent", text);
        return false;
    }
    if (!check_words(o, "--algorithm", o->algorithms, is_algorithm, text)) {
        snprintf(message, size,
                 "%smust be all, auto, native, or of the collectives chosen in `strata list`",
                 text);
        return false;
    }
    return check_sizes(o, ranks, message, size);
}

/* A refused choice is an error here, and the library has printed the allowed choices on standard
 * error. */
bool cases_check(const struct cases *cases, MPI_Comm comm, char *message, size_t size)
{
    bool good = true;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (int i = 0; i < cases->count && good; i++) {
        const struct bench_case *c = &cases->list[i];
        if (c->named) {
            good = strata_comm_force(comm, c->collective->name, c->algorithm) == MPI_SUCCESS;
            snprintf(message, size, "--algorithm '%s': refused for %s, as said above", c->algorithm,
                     c->collective->name);
        }
    }
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
    return good;
}
