/* What a rank's recorded calls come to: counted from when a tool asks for it. */
#ifndef STRATA_PRELOAD_RECORD_COUNTS_H
#define STRATA_PRELOAD_RECORD_COUNTS_H

#include "preload/record/recorder.h"

struct recorder_counts {
    _Atomic uint64_t collectives, by_strata, by_mpi; /* calls that have ended */
    _Atomic uint64_t standing, waiting; /* ticks in blocking collectives; in waits for requests */
};
extern struct recorder_counts recorder_counts __attribute__((visibility("hidden")));

/* From now on all calls are counted. */
void recorder_count_begin(void);
/* Counts a call that has ended after so many ticks: what it was and what served it, as its entry
 * has them. */
void recorder_count(uint64_t what, uint32_t served, uint64_t ticks);

#endif
