/* What an algorithm is: one row of a table, three functions. */
#ifndef STRATA_CORE_PLAN_ALGORITHM_H
#define STRATA_CORE_PLAN_ALGORITHM_H

#include "core/plan/builder.h"
#include "core/plan/formula.h"
#include "core/plan/parameter.h"
#include "core/plan/plan.h"
#include "core/topology/torus.h"

/* Memory that a rank's communicator state offers; equal on all ranks. */
struct strata_capacity {
    /* Bytes of one member's slot in the large ring. */
    size_t slot;
    /* Bytes of a node's store for received messages, of all lanes together. */
    size_t landing;
    /* Bytes of the private memory of a node's ranks together: buffers to pack in, and what flat
     * plans receive. */
    size_t scratch;
    /* Bytes of the longest block that is staged. */
    size_t threshold;
    /* The most passes that a plan may have. */
    int passes;
    /* Bytes of the longest block, as far as all ranks know; 0: nothing is known. A plan has no more
     * passes than that block needs; a block that is longer all the same goes directly. */
    size_t longest;
    /* Whether items carry the length of every block (STRATA_CHECK). */
    bool check;
    /* Bytes of a slot of the small ring; 0: there is no small ring. */
    size_t small;
    /* Slots of a member in the small ring. */
    unsigned depth;
    /* Bytes of a slot of the middle ring; 0: there is no middle ring. */
    size_t middle;
    /* Whether members of a node can read each other's own memory, and may. */
    bool single_copy;
};

/* Everything a plan may depend on; all of it, but `rank`, is equal on all ranks. */
struct strata_problem {
    enum strata_collective collective;
    int rank;
    const struct strata_topology *topology; /* the communicator's */
    const struct strata_topology *flat;     /* the same ranks, each on a node of its own */
    struct strata_capacity capacity;
    int root;         /* of rooted collectives; else 0 */
    bool commutative; /* reductions: whether the operator's order may be changed */
    bool left_fold;   /* reductions: only algorithms will do that combine from left to right */
    bool once;        /* only algorithms will do that leave the result once in a node's memory */
    bool bulky;       /* reductions: operands are too long to lie in slots */
    bool native_size; /* STRATA_SIZES leaves calls of this size native */
    /* The shape given, over the communicator's ranks; NULL: none was given. */
    const struct strata_torus *torus;
    /* The size that ranks agree on, for costs alone: plans never depend on it. Of ranked
     * collectives the mean block, of others the vector. */
    double block_bytes;
    /* The greatest size that all ranks know; 0: they know none. Of allgather(v), gather, scatter
     * and alltoall the longest block; of alltoallv and alltoallw the longest block that an earlier
     * call agreed on; of a reduce_scatter all blocks together; of others the vector. */
    size_t most_bytes;
    int parameter[STRATA_PARAMETERS];
    /* nonblocking or persistent: other calls may be in progress at the same time */
    bool nonblocking;
    /* The call must do with messages: its use of the node's memory would have no fixed order among
     * the uses of other calls. */
    bool messages_only;
    /* Blocks that members read from each other lie in memory that all have mapped. */
    bool mapped;
    bool lengths_known; /* gatherv, scatterv: all ranks know all lengths before the call */
};

struct strata_cost;    /* core/cost/machine_cost.h */
struct strata_machine; /* core/cost/machine.h */

enum strata_level { STRATA_FLAT, STRATA_NODE_AWARE, STRATA_MPI };

struct strata_algorithm {
    const char *name;
    unsigned collectives; /* bit 1 << enum strata_collective */
    enum strata_level level;
    bool classic;     /* MPI libraries have it, or one as good, and choose among those themselves */
    bool knows_nodes; /* its cost knows which of its messages stay inside nodes */
    bool torus;       /* it follows the shape in problem->torus, where there is one */
    bool keeps_order; /* reductions: operands are combined in the order of ranks */
    /* Reductions: operands are combined strictly from left to right; by a node-aware algorithm
     * where there is one node. Flat algorithms pay for it, so they are chosen only where it is
     * asked for. */
    bool left_fold;
    bool once;    /* the result lies once in a node: only where that is asked for */
    bool returns; /* allgather: who has a block may be sent it */
    /* gatherv, scatterv: nobody passes on a block whose length it does not know */
    bool no_forwarding;
    /* Where a node's ranks share cores, `auto` chooses it also below the sizes of hier/tuning.c, as
     * long as all blocks lie in the small ring: some of its ranks wait for no other, and make many
     * calls in their turn on the core. */
    bool goes_ahead;
    /* The facts in words. They stand here alone: the head of the file says how it works. */
    const char *summary;      /* one sentence */
    const char *paper;        /* authors, place, year; "none" */
    const char *title;        /* of the paper; NULL: none */
    const char *restrictions; /* "none" */
    const char *rounds_text, *volume_text, *scratch_text;
    struct strata_parameter parameters[STRATA_PARAMETERS]; /* ended by a NULL name */
    /* NULL when the algorithm can be used, else the reason in words. Equal on all ranks. */
    const char *(*applicable)(const struct strata_problem *problem);
    /* Ranked collectives: the most bytes of a block that it can move at once. Where a block may be
     * longer it moves in slices, one in each pass: the algorithm sees the slices' problem, and need
     * not know. 0: no slice fits. NULL: blocks are not cut. */
    size_t (*slice)(const struct strata_problem *problem);
    /* What one call costs its busiest rank, in closed form: the plan is not built. NULL: as its
     * formula says. */
    struct strata_cost (*cost)(const struct strata_problem *problem,
                               const struct strata_machine *machine);
    /* Appends problem->rank's steps. */
    void (*build)(const struct strata_problem *problem, struct strata_builder *builder);
    /* Plans over blocks: rounds, messages and volume, which tests hold against the plans. */
    struct strata_formula (*formula)(const struct strata_problem *problem);
};

/* NULL when the algorithm serves the problem (its operator's order too) with these parameters, else
 * the reason in words. */
const char *strata_algorithm_refusal(const struct strata_algorithm *algorithm,
                                     const struct strata_problem *problem);

/* Whether the algorithm combines strictly from left to right there. */
bool strata_algorithm_folds(const struct strata_algorithm *algorithm,
                            const struct strata_problem *problem);
/* Whether it is chosen, as far as it goes by that. */
bool strata_algorithm_folds_as_asked(const struct strata_algorithm *algorithm,
                                     const struct strata_problem *problem);

/* Builds the plan: applicable, init, build, finish. name is made from the algorithm and the
 * parameters.
 */
int strata_algorithm_plan(const struct strata_algorithm *algorithm,
                          const struct strata_problem *problem, struct strata_plan **plan,
                          struct strata_diagnostic *message);

/* Writes "name:parameter=value,..." ("name" alone without parameters). Those that have the value
 * they have when nobody gives one are left out. */
void strata_algorithm_name(const struct strata_algorithm *algorithm, const int *parameter,
                           char *text, size_t size);

#endif
