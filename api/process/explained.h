/* What STRATA_EXPLAIN remembers, under the process's lock: a record for each communicator, which
 * holds a record for each class of calls. Each live communicator has a record, and a bounded number
 * of freed ones have. */
#ifndef STRATA_API_PROCESS_EXPLAINED_H
#define STRATA_API_PROCESS_EXPLAINED_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/clock.h"
#include "core/engine/engine.h"
#include "core/plan/collective.h"

struct strata_later {
    uint64_t calls;
    double seconds, squares; /* of their seconds; sums */
};

static inline void strata_explained_add_later(struct strata_later *sum,
                                              const struct strata_later *more)
{
    sum->calls += more->calls;
    sum->seconds += more->seconds;
    sum->squares += more->squares;
}

/* A class of calls: one collective in one form on one communicator, served in one way, with blocks
 * (or vectors) in one bucket. */
struct strata_explained {
    struct strata_explained *next;
    enum strata_collective collective;
    int form;          /* enum strata_expected_form; only of blocking calls the time is known */
    int bucket;        /* the bucket of bytes: core/base/buckets.h */
    bool chosen, plan; /* a selection chose what served the calls; a plan served them */
    bool tried;        /* MPI's own served them to be timed beside a plan */
    bool crowded, roomless; /* ranks outnumber cores; no memory of the budget was left */
    int passes;             /* passes of the plan */
    char algorithm[96];     /* "native": MPI's own */
    char why[256];
    uint64_t calls;
    double seconds, waiting;   /* of all these calls together; for MPI's own no waiting is known */
    struct strata_later later; /* the calls after the first of a communicator */
    double predicted;          /* the estimated seconds of one call; 0: there is no estimate */
    struct strata_traffic_count count;
};

/* One communicator, or many freed ones of about the same size in one record. Figures that cannot be
 * added up are those of the largest. */
struct strata_explained_communicator {
    struct strata_explained_communicator *next, **link;
    uint64_t count; /* communicators in this record */
    char name[64];
    int ranks;
    int nodes; /* 0: the communicator was not attached */
    int here;  /* processes on this machine */
    int cpus;  /* processing units that these processes share */
    size_t node_bytes, scratch_bytes;
    struct strata_explained *calls;
    struct strata_explained *last[STRATA_COLLECTIVE_COUNT]; /* by collective: the class of the
                                                               last call */
    struct strata_traffic_count counted; /* the state's traffic that the classes hold already */
};

enum { STRATA_EXPLAINED_SIZES = 32 }; /* powers of two, by which freed communicators are sorted */

struct strata_explain {
    bool on;
    double loaded; /* time at which the library was preloaded; 0: the program links it */
    double init;   /* seconds in MPI_Init; 0: unknown */
    double begin;  /* time of the process's first call */
    struct strata_explained_communicator *communicators, **end;
    struct strata_explained_communicator *first_calls; /* calls on communicators without a state */
    struct strata_explained_communicator *freed[STRATA_EXPLAINED_SIZES]; /* by size; each holds
                                                                            many freed
                                                                            communicators */
    int kept; /* freed communicators that still have a record of their own */
};

/* Adds a new record at the end; NULL without memory. */
struct strata_explained_communicator *strata_explained_add(struct strata_explain *all);
/* Keeps the record of a freed communicator, alone or merged with others. */
void strata_explained_free(struct strata_explain *all, struct strata_explained_communicator *freed);
void strata_explained_release(struct strata_explain *all);

/* Adds one class with its calls to a communicator's record, which takes it over. */
void strata_explained_merge(struct strata_explained_communicator *into, struct strata_explained *e);

#endif
