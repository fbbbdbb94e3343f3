/* Marks a function for work that a call seldom does. Inside another function, such work would make
 * each call of that function save the registers that the work needs. */
#ifndef STRATA_CORE_BASE_SELDOM_H
#define STRATA_CORE_BASE_SELDOM_H

#define STRATA_SELDOM __attribute__((noinline, cold))

#endif
