/* Whether an execution moves. */
#ifndef STRATA_INTRANODE_STILL_H
#define STRATA_INTRANODE_STILL_H

#include "core/engine/engine.h"

/* How long an execution has stood still; at first all 0. */
struct strata_still {
    int at, counter, member; /* where */
    uint64_t moment;
    unsigned attempts; /* since something last moved */
};

/* After an attempt that left it pending. Returns whether it has stood so long that it is worth a
 * look whether what it waits for can come at all; now and then. */
bool strata_still(struct strata_still *still, const struct strata_execution *x);

#endif
