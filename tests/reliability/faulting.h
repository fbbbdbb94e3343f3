/* What a program calls in faulting.c, which stands before the C library where LD_PRELOAD says
 * so. */
#ifndef STRATA_TESTS_RELIABILITY_FAULTING_H
#define STRATA_TESTS_RELIABILITY_FAULTING_H

#include <stdbool.h>

/* From now on the at-th call of this kind, from 1, fails in this process. */
void faulting_arm(const char *kind, long at);
/* Whether one has failed. */
bool faulting_come(void);
/* No call fails any more. Returns whether one has failed. */
bool faulting_disarm(void);

#endif
