/* STRATA_EXPLAIN: what served this rank's calls, why, and what it took, told in MPI_Finalize. Calls
 * that are explained are not remembered, so each one comes through strata_dispatch. */
#ifndef STRATA_API_REPORT_EXPLAIN_H
#define STRATA_API_REPORT_EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/engine/engine.h"
#include "core/plan/collective.h"
#include "intranode/wait.h"

struct strata_call;
struct strata_process;
struct strata_state;

/* Calls of one collective on one communicator that took the same way, with blocks (or vectors) in
 * the same power of two. */
struct strata_explained {
    struct strata_explained *next;
    enum strata_collective collective;
    int bucket;             /* of bytes: 0, or 2^(bucket-1) up to 2^bucket - 1 */
    bool chosen, plan;      /* by a selection; it was a plan */
    bool crowded, roomless; /* ranks outnumber cores; no memory of the budget was left */
    int passes;             /* that the plan is cut into */
    char algorithm[96];     /* "native": MPI's own */
    char why[256];
    uint64_t calls;
    double seconds, waiting; /* of these all calls together */
    double predicted;        /* one call's price; 0: it has none */
    struct strata_traffic_count count;
};

/* One communicator; or those of about the same size that were freed after many others, of which
 * the figures that do not add up are those of the largest. */
struct strata_explained_communicator {
    struct strata_explained_communicator *next, **link;
    uint64_t count; /* of communicators */
    char name[64];
    int ranks, nodes, here; /* nodes 0: it was not attached; processes on this machine, */
    int cpus;               /* which share so many processing units */
    size_t node_bytes, scratch_bytes;
    struct strata_explained *calls;
    struct strata_explained *last[STRATA_COLLECTIVE_COUNT]; /* where the last call of each went */
    struct strata_traffic_count counted;                    /* of the state, so far */
};

enum { STRATA_EXPLAINED_SIZES = 32 }; /* powers of two of ranks */

struct strata_explain {
    bool on;
    double begin; /* of the process's first call */
    struct strata_explained_communicator *communicators, **end;
    struct strata_explained_communicator *first_calls; /* of communicators without a state */
    struct strata_explained_communicator *freed[STRATA_EXPLAINED_SIZES]; /* many in one */
    int kept;                                                            /* freed ones by name */
    struct strata_wait_tally tally;
};

/* Seconds of the clock that the tally uses. */
double strata_explain_now(void);
/* Begins, if the configuration asks for it. */
void strata_explain_begin(struct strata_process *process);
/* A call that is over: it began then, and had waited so long before. Local. */
void strata_explain_call(const struct strata_call *call, double begin, double waited);
/* Of all waits of this process so far. */
double strata_explain_waited(const struct strata_process *process);
/* Before a call by MPI's own on a communicator without a state; 0: none is explained. */
double strata_explain_first_begin(const struct strata_process *process);
/* Such a call that is over: it began then. */
void strata_explain_first_call(struct strata_process *process, enum strata_collective collective,
                               double begin);
/* A communicator's state is about to be gone. Local. */
void strata_explain_freed(struct strata_process *process, struct strata_state *state);
/* In MPI_Finalize; collective where all ranks of MPI_COMM_WORLD are known to do so. */
void strata_explain_finish(struct strata_process *process);

#endif
