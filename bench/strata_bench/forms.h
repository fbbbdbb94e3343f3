/* The forms of a collective's call, and what is timed of each, in turn. */
#ifndef STRATA_BENCH_STRATA_BENCH_FORMS_H
#define STRATA_BENCH_STRATA_BENCH_FORMS_H

#include "bench/measure.h"
#include "bench/strata_bench/exchange.h"

enum form { FORM_BLOCKING, FORM_NONBLOCKING, FORM_PERSISTENT, FORMS };

/* What is timed: a batch of each that a form has, one after the other, again and again. */
enum series {
    OURS,          /* the call; beside a computation; started and waited for */
    MPIS,          /* MPI's own: the same, but the call that blocks beside a persistent one, for not
                     every MPI has those */
    MPIS_AGAIN,    /* the same once more: what noise alone gives */
    OURS_OTHER,    /* nonblocking: waited for at once; persistent: our call that blocks */
    MPIS_OTHER,    /* nonblocking: waited for at once; persistent: MPI's own that is */
    COMPUTATION,   /* nonblocking: alone */
    CALLED_SERIES, /* those above fill batches; these are timed once before each: */
    OURS_INIT = CALLED_SERIES, /* persistent: the initialisation */
    MPIS_INIT,
    SERIES
};

/* What a batch's calls read. */
struct work {
    struct exchange *exchange;
    struct bench_request request[2]; /* persistent: ours, MPI's */
    long parts, part;                /* nonblocking: of the computation, and units in each */
};

extern const char *const form_name[FORMS];
/* NULL where the form has no such series, or this MPI no such calls that work. */
measure_call *form_call(const struct collective *c, enum form form, enum series series);

/* Whether the form delivers what MPI's own call that blocks does, to the last bit, on all ranks; a
 * persistent one in a second start, too. Collective. */
bool form_same(struct exchange *e, enum form form);

/* The computation is to take so many seconds, and has a test between two parts. Collective. */
void work_compute(struct work *w, double seconds, int tests);
/* Persistent: describes both calls anew, and tells how long it took the slowest rank; MPI's is 0
 * where there is none. Collective. */
void work_describe(struct work *w, double *ours, double *mpis);
void work_forget(struct work *w);

#endif
