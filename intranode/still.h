/* Whether an execution makes progress. */
#ifndef STRATA_INTRANODE_STILL_H
#define STRATA_INTRANODE_STILL_H

#include "core/engine/engine.h"

/* How long an execution has made no progress; at first all 0. */
struct strata_still {
    int at, counter, member; /* where it waits */
    uint64_t stamp;
    unsigned attempts; /* attempts since the last progress */
};

/* Call it after an attempt that left the execution pending. Returns, now and then, whether it has
 * waited so long that the caller should check whether the awaited signal or message can still come.
 */
bool strata_still(struct strata_still *still, const struct strata_execution *x);

#endif
