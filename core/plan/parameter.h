/* A parameter of an algorithm, e.g. radix: a number, a word, or another algorithm's row. */
#ifndef STRATA_CORE_PLAN_PARAMETER_H
#define STRATA_CORE_PLAN_PARAMETER_H

#include <stdbool.h>

#define STRATA_PARAMETERS 4 /* most parameters that an algorithm has */

struct strata_algorithm;

struct strata_parameter {
    const char *name;
    int automatic; /* value when the user gives none; 0 lets selection choose among `choices` */
    int least, most;
    int choices[8]; /* values that selection tries, ended by 0 */
    const char *meaning;
    const char *words[8]; /* where values have names: value i is words[i - 1]; ended by NULL */
    /* Where values are rows of the registry: value i is the i-th of them (from 1), by its name;
     * NULL after the last. Selection tries all, and most, choices and words are not given. */
    const struct strata_algorithm *(*algorithm)(int value);
    /* Whether selection tries all choices where there are several nodes, although one choice is
     * automatic in one node. */
    bool across;
};

/* The greatest value. */
int strata_parameter_most(const struct strata_parameter *parameter);

/* The index-th value that selection tries; 0 after the last. */
int strata_parameter_choice(const struct strata_parameter *parameter, int index);

/* The name of a value; NULL where values are numbers, and of no value. */
const char *strata_parameter_word(const struct strata_parameter *parameter, int value);

#endif
