/* A choice of an algorithm, and its text form: "auto", "native", "leaders:leaders=1,radix=2",
 * "prefer:ring". */
#ifndef STRATA_HIER_CHOICE_H
#define STRATA_HIER_CHOICE_H

#include <string.h>

#include "core/plan/algorithm.h"

/* How much a choice counts. One that is preferred passes the tests of those that costs choose;
 * where it fails costs choose. One that is forced is taken wherever it applies, else the native
 * one. */
enum strata_weight {
    STRATA_FORCED,
    STRATA_PREFERRED,
    STRATA_TIMED, /* preferred by a table */
    STRATA_TRIED  /* preferred by a trial, which times it */
};

/* algorithm is NULL for "auto". Parameters that the text does not name have their automatic
 * value. */
struct strata_choice {
    const struct strata_algorithm *algorithm;
    int parameter[STRATA_PARAMETERS];
    enum strata_weight weight;
};

/* Whether an algorithm is forced. */
static inline bool strata_choice_forces(const struct strata_choice *choice)
{
    return choice->algorithm && choice->weight == STRATA_FORCED;
}

/* Whether the native collective is forced. */
static inline bool strata_choice_native(const struct strata_choice *choice)
{
    return strata_choice_forces(choice) && choice->algorithm->level == STRATA_MPI;
}

/* Whether both are of the same algorithm and parameters, whatever they count. */
static inline bool strata_choice_same_plan(const struct strata_choice *a,
                                           const struct strata_choice *b)
{
    return a->algorithm == b->algorithm &&
           memcmp(a->parameter, b->parameter, sizeof a->parameter) == 0;
}

static inline bool strata_choice_same(const struct strata_choice *a, const struct strata_choice *b)
{
    return a->weight == b->weight && strata_choice_same_plan(a, b);
}

/* "prefer:NAME" is preferred, else the choice is forced. STRATA_ERR_SYNTAX: message names the wrong
 * word and lists the right ones. */
int strata_choice_parse(const char *text, enum strata_collective collective,
                        struct strata_choice *choice, struct strata_diagnostic *message);

#endif
