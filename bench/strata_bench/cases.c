/* Makes the cases: every collective with each of its patterns, sizes and algorithms. */
#include "bench/strata_bench/cases.h"

#include <stdio.h>
#include <string.h>

#include "bench/measure.h"
#include "strata.h"

bool cases_named(const char *list, const char *name)
{
    char word[96];
    bool found = false;
    while (!found && options_word(&list, word, sizeof word)) {
        found = strcmp(word, name) == 0;
    }
    return found;
}

bool cases_listed(const char *list, const char *name)
{
    return cases_named(list, name) || cases_named(list, "all");
}

/* Whether the collective has the algorithm. Every collective has "auto". */
bool cases_has(const struct collective *c, const char *choice)
{
    size_t length = strcspn(choice, ":");
    const char *name;
    for (int i = 0; (name = strata_algorithm_at(c->name, i)); i++) {
        if (strlen(name) == length && strncmp(name, choice, length) == 0) {
            return true;
        }
    }
    return strcmp(choice, "auto") == 0;
}

static void add(struct cases *cases, const struct bench_case *one, const char *algorithm)
{
    if ((cases->count & (cases->count - 1)) == 0) { /* the capacity doubles */
        size_t room = cases->count > 0 ? 2 * (size_t)cases->count : 1;
        struct bench_case *list = measure_need(room * sizeof *list);
        memcpy(list, cases->list ? cases->list : one, (size_t)cases->count * sizeof *list);
        free(cases->list);
        cases->list = list;
    }
    struct bench_case *c = &cases->list[cases->count++];
    *c = *one;
    snprintf(c->algorithm, sizeof c->algorithm, "%s", algorithm);
    snprintf(c->name, sizeof c->name, "%s/%s/%d/%s%s%s", c->collective->name, c->pattern->name,
             c->bytes, algorithm, c->form == FORM_BLOCKING ? "" : "/",
             c->form == FORM_BLOCKING ? "" : form_name[c->form]);
}

static void add_algorithms(struct cases *cases, struct bench_case *one, const char *list)
{
    char word[sizeof one->algorithm];
    if (strcmp(list, "all") == 0) {
        const char *name;
        add(cases, one, "auto");
        for (int i = 0; (name = strata_algorithm_at(one->collective->name, i)); i++) {
            if (strcmp(name, "native") != 0) {
                add(cases, one, name);
            }
        }
        return;
    }
    while (options_word(&list, word, sizeof word)) {
        if (cases_has(one->collective, word)) {
            one->named = strcmp(word, "auto") != 0;
            add(cases, one, word);
        }
    }
}

/* Adds the cases of a collective. One without counts has equal blocks only, and a barrier has the
 * one size 0. */
static void add_collective(struct cases *cases, const struct options *o, int ranks,
                           struct bench_case *one)
{
    const bool empty = one->collective->send == PART_NONE && one->collective->recv == PART_NONE;
    for (const struct pattern *p = patterns; p->name; p++) {
        if ((p > patterns && one->collective->counts == COUNTS_NONE) ||
            !cases_listed(o->patterns, p->name)) {
            continue;
        }
        one->pattern = p;
        for (int i = 0; i < (empty ? 1 : o->nbytes); i++) {
            one->bytes = empty ? 0 : o->bytes[i] / (o->total ? ranks : 1);
            add_algorithms(cases, one, o->algorithms);
        }
    }
}

bool cases_create(struct cases *cases, const struct options *o, int ranks, char *message,
                  size_t size)
{
    *cases = (struct cases){NULL, 0};
    if (!cases_check_options(o, ranks, message, size)) {
        return false;
    }
    for (int form = 0; form < FORMS; form++) {
        for (const struct collective *c = collectives; c->name; c++) {
            struct bench_case one = {.form = (enum form)form, .collective = c};
            if (cases_listed(o->forms, form_name[form]) && cases_listed(o->collectives, c->name)) {
                add_collective(cases, o, ranks, &one);
            }
        }
    }
    if (cases->count == 0) {
        snprintf(message, size, "--pattern '%s': the collectives chosen have equal blocks only",
                 o->patterns);
    }
    return cases->count > 0;
}

void cases_destroy(struct cases *cases)
{
    free(cases->list);
    *cases = (struct cases){NULL, 0};
}
