/* What STRATA_EXPLAIN remembers, under the process's lock: a record for each communicator, and in
 * it one for each class of calls. They are as many as the communicators that live, and a bounded
 * number more. */
#ifndef STRATA_API_PROCESS_EXPLAINED_H
#define STRATA_API_PROCESS_EXPLAINED_H

#include <stdbool.h>
#include <stdint.h>

#include "core/engine/engine.h"
#include "core/plan/collective.h"

/* Calls of one collective, in one form, on one communicator that took the same way, with blocks (or
 * vectors) in the same bucket. */
struct strata_explained {
    struct strata_explained *next;
    enum strata_collective collective;
    int form;               /* enum strata_expected_form: only of calls that block is time known */
    int bucket;             /* of bytes: core/base/buckets.h */
    bool chosen, plan;      /* by a selection; it was a plan */
    bool crowded, roomless; /* ranks outnumber cores; no memory of the budget was left */
    int passes;             /* that the plan is cut into */
    char algorithm[96];     /* "native": MPI's own */
    char why[256];
    uint64_t calls;
    double seconds, waiting; /* of these all calls together; of MPI's own no waiting is known */
    double predicted;        /* one call's cost; 0: it has none */
    struct strata_traffic_count count;
};

/* One communicator; or those of about the same size that were freed after many others, of which
 * the figures that do not add up are those of the largest. */
struct strata_explained_communicator {
    struct strata_explained_communicator *next, **link;
    uint64_t count; /* of communicators */
    char name[64];
    int ranks;
    int nodes; /* 0: it was not attached */
    int here;  /* processes on this machine */
    int cpus;  /* processing units that these processes share */
    size_t node_bytes, scratch_bytes;
    struct strata_explained *calls;
    struct strata_explained *last[STRATA_COLLECTIVE_COUNT]; /* where the last call of each went */
    struct strata_traffic_count counted;                    /* of the state, so far */
};

enum { STRATA_EXPLAINED_SIZES = 32 }; /* powers of two of ranks */

struct strata_explain {
    bool on;
    double loaded; /* when a preloaded library was; 0: it is linked with */
    double init;   /* s in MPI_Init; 0: not seen */
    double begin;  /* of the process's first call */
    struct strata_explained_communicator *communicators, **end;
    struct strata_explained_communicator *first_calls; /* of communicators without a state */
    struct strata_explained_communicator *freed[STRATA_EXPLAINED_SIZES]; /* many in one */
    int kept;                                                            /* freed ones by name */
};

/* Seconds of the clock that tallies use. */
double strata_explain_now(void);

/* A new one, at the end; NULL without memory. */
struct strata_explained_communicator *strata_explained_add(struct strata_explain *all);
/* What is said of one that is freed stays, in its own record or in one with others. */
void strata_explained_free(struct strata_explain *all, struct strata_explained_communicator *freed);
void strata_explained_release(struct strata_explain *all);

/* Adds one class with its calls to a communicator's; takes it over. */
void strata_explained_merge(struct strata_explained_communicator *into, struct strata_explained *e);

#endif
