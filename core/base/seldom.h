/* What a call does seldom stands in functions of its own, for the compiler saves the registers that
 * they need in each call of a function that they are a part of. */
#ifndef STRATA_CORE_BASE_SELDOM_H
#define STRATA_CORE_BASE_SELDOM_H

#define STRATA_SELDOM __attribute__((noinline, cold))

#endif
