#include "intranode/still.h"

#include "core/base/clock.h"
#include "core/engine/broadcast_lengths.h"

/* A clock is read seldom, because most waits are short. */
static bool is_late(struct strata_still *still)
{
    static const unsigned attempts = 16;
    static const double patience = 0.05;
    const double last = still->looked_at;
    if (still->attempts % attempts != 0) {
        return false;
    }
    const double now = strata_seconds();
    const bool late = last > 0 && now - last > patience;
    still->looked_at = late || last <= 0 ? now : last;
    return late;
}

bool strata_still(struct strata_still *still, const struct strata_execution *x)
{
    static const unsigned seldom = 1024;
    const struct strata_cursor *c = &x->cursor;
    const struct strata_still now = {c->at,
                                     c->depth > 0 ? c->counter[c->depth - 1] : 0,
                                     x->pending_member,
                                     x->pending_member < 0 ? 0 : x->pending_stamp,
                                     still->attempts + 1,
                                     still->looked_at,
                                     still->differs_since};
    bool same = now.at == still->at && now.counter == still->counter &&
                now.member == still->member && now.stamp == still->stamp;
    *still = now;
    if (!same) {
        still->attempts = 1;
        still->looked_at = still->differs_since = 0;
    }
    return is_late(still) || still->attempts % seldom == 0;
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
