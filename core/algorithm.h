/* What an algorithm is: one row of a table, three functions. */
#ifndef STRATA_CORE_ALGORITHM_H
#define STRATA_CORE_ALGORITHM_H

#include "core/builder.h"
#include "core/machine.h"
#include "core/plan.h"

#define STRATA_PARAMETERS 4 /* most parameters that an algorithm has */

/* A parameter of an algorithm, e.g. radix. */
struct strata_parameter {
    const char *name;
    int automatic; /* value when the user gives none; 0 lets selection choose among `choices` */
    int least, most;
    int choices[8]; /* values that selection tries, ended by 0 */
    const char *meaning;
};

/* Memory that a rank's communicator state offers, in bytes; equal on all ranks. */
struct strata_capacity {
    size_t slot;    /* one member's slot, one of its two halves */
    size_t landing; /* a node's store for received messages, all lanes */
    size_t scratch; /* private memory of a node's ranks together: pack buffers, and what flat plans
                       receive */
    size_t threshold;
    int passes;
    bool check; /* STRATA_CHECK: items carry the length of every block */
};

/* Everything a plan may depend on; all of it, but `rank`, is equal on all ranks. */
struct strata_problem {
    enum strata_collective collective;
    int rank;
    const struct strata_topology *topology; /* the communicator's */
    const struct strata_topology *flat;     /* every rank its own node; same ranks */
    struct strata_capacity capacity;
    double block_bytes; /* agreed mean size of a block, for pricing; plans never depend on it */
    int parameter[STRATA_PARAMETERS];
};

enum strata_level { STRATA_FLAT, STRATA_NODE_AWARE, STRATA_MPI };

struct strata_algorithm {
    const char *name;
    unsigned collectives; /* bit 1 << enum strata_collective */
    enum strata_level level;
    const char *summary;                                   /* one sentence */
    const char *paper;                                     /* where it comes from */
    const char *restrictions;                              /* in words; "none" */
    struct strata_parameter parameters[STRATA_PARAMETERS]; /* ended by a NULL name */
    /* NULL when the algorithm can be used, else the reason in words. Equal on all ranks. */
    const char *(*applicable)(const struct strata_problem *problem);
    /* What one call costs its busiest rank, in closed form: the plan is not built. */
    struct strata_cost (*cost)(const struct strata_problem *problem,
                               const struct strata_machine *machine);
    /* Appends problem->rank's steps. */
    void (*build)(const struct strata_problem *problem, struct strata_builder *builder);
};

/* Builds the plan: applicable, init, build, finish. name is made from the row and the parameters.
 */
int strata_algorithm_plan(const struct strata_algorithm *algorithm,
                          const struct strata_problem *problem, struct strata_plan **plan,
                          struct strata_message *message);

/* Writes "name:parameter=value,..." ("name" alone without parameters). */
void strata_algorithm_name(const struct strata_algorithm *algorithm, const int *parameter,
                           char *text, size_t size);

#endif
