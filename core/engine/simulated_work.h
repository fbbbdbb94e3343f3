/* A rank's work between two messages, told to builds that simulate time (STRATA_SIMULATED). There
 * the work is added up, and the rank pays for it in simulated time before its next message. In
 * other builds these functions are empty. */
#ifndef STRATA_CORE_ENGINE_SIMULATED_WORK_H
#define STRATA_CORE_ENGINE_SIMULATED_WORK_H

#include <stddef.h>

#ifdef STRATA_SIMULATED
/* Charges a copy of `bytes` bytes in `pieces` pieces that lie apart. */
void strata_charge_copy(size_t bytes, size_t pieces);
/* Charges `flags` flags that are read beside another one, in one sweep. */
void strata_charge_flags(size_t flags);
/* Charges the comparison of two items that have `bytes` bytes together. */
void strata_charge_compare(size_t bytes);
/* Charges the hash of `bytes` bytes. */
void strata_charge_hash(size_t bytes);
/* Pays: simulated time goes on. Called before any action of this rank that others can see. */
void strata_charge_pay(void);

/* Charges so many seconds. */
void strata_charge_seconds(double seconds);
/* Returns the seconds that are owed, which nobody owes any more. */
double strata_charge_take(void);

/* Seconds for each byte copied, piece copied, further flag of a sweep, comparison, visit of a
 * number, and team of threads that is opened and closed; properties of the rank's host. */
struct strata_simulated_costs {
    double copy, copy_block, flag, compare, visit, team;
};
const struct strata_simulated_costs *strata_simulated_costs(void);
#else
static inline void strata_charge_copy(size_t bytes, size_t pieces)
{
    (void)bytes;
    (void)pieces;
}

static inline void strata_charge_flags(size_t flags)
{
    (void)flags;
}

static inline void strata_charge_compare(size_t bytes)
{
    (void)bytes;
}

static inline void strata_charge_hash(size_t bytes)
{
    (void)bytes;
}

static inline void strata_charge_pay(void)
{
}
#endif

#endif
