/* What a rank works at between two messages, told to builds that simulate time (STRATA_SIMULATED):
 * there it is added up, and paid for in simulated time before the rank's next message. Elsewhere
 * these functions are empty. */
#ifndef STRATA_CORE_ENGINE_SIMULATED_WORK_H
#define STRATA_CORE_ENGINE_SIMULATED_WORK_H

#include <stddef.h>

#ifdef STRATA_SIMULATED
/* bytes copied in so many pieces that lie apart. */
void strata_charge_copy(size_t bytes, size_t pieces);
/* So many flags seen beside another one, read in one sweep. */
void strata_charge_flags(size_t flags);
/* Two items compared that are so many bytes, both together. */
void strata_charge_compare(size_t bytes);
/* So many bytes hashed. */
void strata_charge_hash(size_t bytes);
/* Pays: simulated time goes on. Before whatever others can see of this rank. */
void strata_charge_pay(void);
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
