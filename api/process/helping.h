/* How threads help in a rank's calls (intranode/helpers.h): threads of a team that a call opens,
 * and threads of the program that enter a team (api/thread_team.c). */
#ifndef STRATA_API_PROCESS_HELPING_H
#define STRATA_API_PROCESS_HELPING_H

#include "intranode/helpers.h"

/* What a team of so many threads costs and brings in this process. */
struct strata_helping {
    int threads;       /* with the caller; 1: no call opens a team */
    size_t opens_from; /* a call that has so many bytes to share opens one; SIZE_MAX: none does */
    double opening;    /* what that takes, s; 0: it was not measured */
    struct strata_helpers_gain gain;
};

/* Finds that out, by measuring it the first time, which takes two milliseconds. told: what counts
 * in place of measured lengths (STRATA_TEAM_BYTES); 0: nothing. Inside a parallel region nothing
 * can be measured, and then no call opens a team. */
void strata_helping_find(int threads, size_t told, struct strata_helping *helping);
/* The threads that share this thread's copying, at a given time. told: as above. */
void strata_helping_workers(size_t told, struct strata_workers *workers);
/* Opens a team whose other threads help this one in work(argument), and closes it. */
void strata_helped(const struct strata_helping *helping, void (*work)(void *argument),
                   void *argument);
/* What opening and closing one takes, s. */
double strata_helped_opening(struct strata_helping *helping);
/* Makes the calling thread a helper, which waits that way, until *ended is `number`. Who ends it
 * rings the helpers' bell afterwards. */
void strata_help(struct strata_helpers *helpers, enum strata_wait_way way,
                 const _Atomic uint64_t *ended, uint64_t number, const char *awaited);

#endif
