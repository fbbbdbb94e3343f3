/* Counts calls where they end. */
#include "preload/record/counts.h"

struct recorder_counts recorder_counts;

static void add(_Atomic uint64_t *sum, uint64_t value)
{
    atomic_fetch_add_explicit(sum, value, memory_order_relaxed);
}

/* A described call is none yet; a nonblocking one ends when it is completed. */
void recorder_count(uint64_t what, uint32_t served, uint64_t ticks)
{
    const int kind = (int)(what >> 16 & 0xff);
    const int form = (int)(what >> 40 & 0xff) & ~STRATA_RECORD_OWN;
    if (kind == STRATA_RECORD_WAIT) {
        add(&recorder_counts.waiting, ticks);
    } else if (kind < STRATA_RECORD_WAIT && form != STRATA_RECORD_DESCRIBED) {
        add(&recorder_counts.collectives, 1);
        add(&recorder_counts.by_mpi, served == STRATA_RECORD_NATIVE);
        add(&recorder_counts.by_strata, served >= STRATA_RECORD_FIRST_ALGORITHM);
        add(&recorder_counts.standing, form == STRATA_RECORD_BLOCKING ? ticks : 0);
    }
}
