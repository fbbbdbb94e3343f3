/* Broadcasts whose ranks have vectors of different lengths, which is a mistake of the program's.
 * The root waits for nobody, so it never learns of it. A rank that learns of it has an error
 * (STRATA_ERR_TRUNCATE), and says so to those that it passes the vector on to: by void messages,
 * and in its slot. So no rank takes for the root's vector what is not.
 *
 * Ranks choose a plan by the bucket of their vector's length. Where plans are alike, all ranks come
 * to their end in step. Otherwise messages and signals do not come that a rank awaits, or mean
 * something else. A rank that has waited for long asks whether this is so, and then gives up the
 * call (intranode/still.h). */
#ifndef STRATA_CORE_ENGINE_BROADCAST_LENGTHS_H
#define STRATA_CORE_ENGINE_BROADCAST_LENGTHS_H

#include "core/engine/engine_common.h"

/* What the slot of a member says in place of its vector's length. */
#define STRATA_NO_VECTOR UINT64_MAX

/* Whether this rank has none of the vector that others expect of it. */
static inline bool strata_lacks_vector(const struct strata_execution *x)
{
    return x->progress.status != STRATA_OK && x->plan->collective == STRATA_BCAST;
}

/* Notes that a rank's vector has `said` bytes, or that it has none. The call ends here if the other
 * rank's plan may be another one. */
void strata_note_other_vector(struct strata_execution *x, int rank, uint64_t said);
/* Tells all ranks that a message has another length: some of them may await messages that do not
 * come, with no other sign of it. */
void strata_tell_other_vector(struct strata_execution *x);

/* Whether ranks disagree about the length of the vector of a pending broadcast, as far as signs
 * tell. Then the error is noted. */
bool strata_broadcast_differs(struct strata_execution *x);

#endif
