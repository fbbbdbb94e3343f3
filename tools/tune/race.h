/* A race: the algorithms of a collective, timed in turn on all ranks. */
#ifndef STRATA_TOOLS_TUNE_RACE_H
#define STRATA_TOOLS_TUNE_RACE_H

#include <stdbool.h>

#include "tools/tune/performed.h"

/* The first two in every race: what costs choose, and MPI's own. What an earlier launch found comes
 * third, where it may serve. */
enum { RACE_UNTUNED, RACE_NATIVE, RACE_FIRST_OTHER };
enum { RACE_MOST = 64, RACE_LAST = 20 };

struct racer {
    char name[96]; /* as strata_comm_force takes it */
    double sample[RACE_LAST], median;
    int samples;
};

struct race {
    struct tool_performed call;
    const char *collective;
    struct racer racer[RACE_MOST];
    int racers;
    char earlier[96]; /* what an earlier launch found; "": there was none, or costs choose */
    int firsts;       /* that race to the end */
    int kept;         /* the one of the earlier launch; 0: it does not race */
    double seconds;   /* for the whole race */
    int error;        /* MPI's, on this rank */
    bool native_may;  /* a table may leave this call to MPI's own */
};

/* Lets all algorithms of the collective race for race->seconds, on MPI_COMM_WORLD. The caller has
 * set call, collective, earlier and seconds; everything else is 0. */
void race_run(struct race *race, enum strata_collective collective);
/* The fastest of those that are surely faster than what costs choose; else what costs choose. */
const struct racer *race_winner(const struct race *race);
/* What an earlier launch found, if it is surely faster than what costs choose again; else NULL. */
const struct racer *race_kept(const struct race *race);

#endif
