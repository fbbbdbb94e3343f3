/* A choice of an algorithm, and its text form: "auto", "native", "leaders:leaders=1,radix=2". */
#ifndef STRATA_HIER_CHOICE_H
#define STRATA_HIER_CHOICE_H

#include <string.h>

#include "core/plan/algorithm.h"

/* algorithm is NULL for "auto". Parameters that the text does not name have their automatic
 * value. */
struct strata_choice {
    const struct strata_algorithm *algorithm;
    int parameter[STRATA_PARAMETERS];
};

/* Whether the choice is the native collective. */
static inline bool strata_choice_native(const struct strata_choice *choice)
{
    return choice->algorithm && choice->algorithm->level == STRATA_MPI;
}

static inline bool strata_choice_same(const struct strata_choice *a, const struct strata_choice *b)
{
    return a->algorithm == b->algorithm &&
           memcmp(a->parameter, b->parameter, sizeof a->parameter) == 0;
}

/* STRATA_ERR_SYNTAX: message names the wrong word and lists the right ones. */
int strata_choice_parse(const char *text, enum strata_collective collective,
                        struct strata_choice *choice, struct strata_diagnostic *message);

#endif
