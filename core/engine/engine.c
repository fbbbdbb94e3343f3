/* The engine: a call follows its tape if it has one, or else its plan is walked. */
#include "core/engine/engine.h"

#include "core/engine/engine_walk.h"
#include "core/engine/tape.h"

int strata_engine_start(struct strata_execution *x)
{
    if (x->tape) {
        strata_tape_start(x);
        return STRATA_OK;
    }
    return strata_walk_start(x);
}

int strata_engine_advance(struct strata_execution *x)
{
    if (x->tape) {
        return strata_tape_go_on(x);
    }
    return strata_walk_advance(x);
}

int strata_engine_begin(struct strata_execution *x)
{
    if (x->tape) {
        return strata_tape_call(x);
    }
    int error = strata_walk_start(x);
    if (error != STRATA_OK) {
        x->abandoned = true;
        return error;
    }
    return strata_engine_advance(x);
}

unsigned char *strata_engine_work(const struct strata_execution *x)
{
    return x->progress.work_stack.origin;
}
