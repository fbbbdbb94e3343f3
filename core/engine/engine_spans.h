/* Finds where the blocks of plans over blocks lie, in as few spans as possible. */
#ifndef STRATA_CORE_ENGINE_ENGINE_SPANS_H
#define STRATA_CORE_ENGINE_ENGINE_SPANS_H

#include "core/engine/engine_common.h"
#include "core/engine/engine_format.h"

/* Finds the span of a block of the input or the work store. */
void strata_span_of(const struct strata_execution *x, enum strata_store store, int number,
                    struct strata_span *span);

/* The table in a member's slot that says where the blocks lie that it exposes of one store; `side`
 * is STRATA_EXPOSES_INPUT or STRATA_EXPOSES_WORK. */
struct strata_loan *strata_loans_of(const struct strata_execution *x, int member, int side);
/* The table's entry for a block of STRATA_PEER_INPUT or STRATA_PEER_WORK. */
const struct strata_loan *strata_loan_of(const struct strata_execution *x, int store, int number);

/* Walks the blocks of a set, in set order, in as few spans as possible. */
struct strata_span_walk {
    const struct strata_execution *x;
    struct strata_set_iterator it; /* the runs to come */
    struct strata_run run;         /* the rest of the run that the walk is in */
};
void strata_spans_begin(struct strata_span_walk *walk, const struct strata_execution *x,
                        struct strata_set set);
/* Takes the next span of the run that the walk is in. */
void strata_spans_take(struct strata_span_walk *walk, struct strata_span *span);
static inline bool strata_spans_next(struct strata_span_walk *walk, struct strata_span *span)
{
    if (walk->run.count == 0 && !strata_set_next(&walk->it, &walk->run)) {
        return false;
    }
    strata_spans_take(walk, span);
    return true;
}

#endif
