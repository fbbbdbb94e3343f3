/* The forms of a collective's call, and the series of times of each. */
#ifndef STRATA_BENCH_STRATA_BENCH_FORMS_H
#define STRATA_BENCH_STRATA_BENCH_FORMS_H

#include "bench/measure.h"
#include "bench/strata_bench/exchange.h"

enum form { FORM_BLOCKING, FORM_NONBLOCKING, FORM_PERSISTENT, FORMS };

/* The series. A batch of each series that the form has follows the other, again and again. */
enum series {
    OURS, /* blocking: the call; nonblocking: beside a computation; persistent: start and wait */
    /* As OURS, by MPI; persistent: MPI's blocking call, for not every MPI has persistent ones. */
    MPIS,
    MPIS_AGAIN,    /* as MPIS, to show the noise */
    OURS_OTHER,    /* nonblocking: waited for at once; persistent: Strata's blocking call */
    MPIS_OTHER,    /* nonblocking: waited for at once; persistent: MPI's own persistent call */
    COMPUTATION,   /* nonblocking: the computation alone */
    CALLED_SERIES, /* the series above fill batches; the next ones are timed once before each */
    OURS_INIT = CALLED_SERIES, /* persistent: the initialisation */
    MPIS_INIT,
    SERIES
};

/* The data of a batch's calls. */
struct work {
    struct exchange *exchange;
    struct bench_request request[2]; /* persistent: Strata's and MPI's */
    long parts, part; /* nonblocking: the parts of the computation, and the units of each */
};

extern const char *const form_name[FORMS];
/* NULL where the form has no such series, or where this MPI has no such call that works. */
measure_call *form_call(const struct collective *c, enum form form, enum series series);

/* Whether the form delivers the same bits as MPI's own blocking call on all ranks. A persistent
 * call must do so in a second start too. Collective. */
bool form_same(struct exchange *e, enum form form);

/* Makes the computation take so many seconds, with a test between two parts. Collective. */
void work_compute(struct work *w, double seconds, int tests);
/* Persistent: describes both calls anew, and measures this on the slowest rank; MPI's time is 0
 * where MPI has no such call. Collective. */
void work_describe(struct work *w, double *ours, double *mpis);
void work_forget(struct work *w);

#endif
