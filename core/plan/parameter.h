/* A parameter of an algorithm, such as radix. Its values are numbers, words, or other
 * algorithms. */
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
    const char *words[8]; /* names of the values: value i is words[i - 1]; ended by NULL */
    /* Where values are algorithms: returns algorithm number `value` (from 1), whose name is the
     * value's name; NULL after the last. Selection tries all of them; most, choices and words are
     * not given. */
    const struct strata_algorithm *(*algorithm)(int value);
    /* Whether selection tries all choices where there are several nodes, although the parameter has
     * an automatic value for one node. */
    bool across;
    /* The greatest value with which the algorithm is outward (core/plan/algorithm.h); 0: with all.
     * And whether it is so with all where the root is the first rank of its node and the ranks of a
     * node follow each other. */
    int outward;
    bool outward_in_rows;
};

/* The greatest value. */
int strata_parameter_most(const struct strata_parameter *parameter);

/* The index-th value that selection tries; 0 after the last. */
int strata_parameter_choice(const struct strata_parameter *parameter, int index);

/* The name of a value; NULL where values are numbers, or the value is not allowed. */
const char *strata_parameter_word(const struct strata_parameter *parameter, int value);

#endif
