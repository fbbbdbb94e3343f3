/* Whether an execution makes progress. */
#ifndef STRATA_INTRANODE_STILL_H
#define STRATA_INTRANODE_STILL_H

#include "core/engine/engine.h"

/* How long an execution has made no progress; at first all 0. */
struct strata_still {
    int at, counter, member; /* where it waits */
    uint64_t stamp;
    unsigned attempts;    /* attempts since the last progress */
    double looked_at;     /* when the caller was last told to check, or began to wait */
    double differs_since; /* when it was found since then that vectors differ; 0: it was not */
};

/* Call it after an attempt that left the execution pending. Returns, now and then, whether it has
 * waited so long that the caller should check whether the awaited signal or message can still come:
 * after many attempts, or after some time, for on a crowded machine an attempt may take 50 ms. */
bool strata_still(struct strata_still *still, const struct strata_execution *x);
/* Whether such an execution is a broadcast whose ranks disagree about the length of the vector
 * (core/engine/broadcast_lengths.h), and has waited for a second since this was found: longer than
 * for ranks that come to its end in step. */
bool strata_still_differs(struct strata_still *still, struct strata_execution *x);

#endif
