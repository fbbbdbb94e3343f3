#include "intranode/still.h"

#include "core/base/clock.h"
#include "core/engine/broadcast_lengths.h"

bool strata_still(struct strata_still *still, const struct strata_execution *x)
{
    static const unsigned seldom = 1024;
    const struct strata_cursor *c = &x->cursor;
    const struct strata_still now = {c->at,
                                     c->depth > 0 ? c->counter[c->depth - 1] : 0,
                                     x->pending_member,
                                     x->pending_member < 0 ? 0 : x->pending_stamp,
                                     still->attempts + 1,
                                     still->differs_since};
    bool same = now.at == still->at && now.counter == still->counter &&
                now.member == still->member && now.stamp == still->stamp;
    *still = now;
    still->attempts = same ? now.attempts : 1;
    still->differs_since = same ? now.differs_since : 0;
    return still->attempts % seldom == 0;
}

bool strata_still_differs(struct strata_still *still, struct strata_execution *x)
{
    static const double patience = 1.0;
    if (!strata_broadcast_differs(x)) {
        return false;
    }
    still->differs_since = still->differs_since > 0 ? still->differs_since : strata_seconds();
    return strata_seconds() - still->differs_since > patience;
}
