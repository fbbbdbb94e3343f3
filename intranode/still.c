#include "intranode/still.h"

bool strata_still(struct strata_still *still, const struct strata_execution *x)
{
    static const unsigned seldom = 1024;
    const struct strata_cursor *c = &x->cursor;
    const struct strata_still now = {
        c->at, c->depth > 0 ? c->counter[c->depth - 1] : 0, x->pending_member,
        x->pending_member < 0 ? 0 : x->pending_stamp, still->attempts + 1};
    bool same = now.at == still->at && now.counter == still->counter &&
                now.member == still->member && now.stamp == still->stamp;
    *still = now;
    still->attempts = same ? now.attempts : 1;
    return still->attempts % seldom == 0;
}
