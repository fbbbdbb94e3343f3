/* An algorithm is one row of a table: its facts, and the functions that select it, estimate it and
 * build its plans. */
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
    /* Bytes of the longest block, as far as all ranks know it; 0: they know nothing. A plan has no
     * more passes than that block needs. A block that turns out to be longer goes directly. */
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

/* Everything that a plan may depend on. All fields but `rank` are equal on all ranks. */
struct strata_problem {
    enum strata_collective collective;
    int rank;
    const struct strata_topology *topology; /* the communicator's */
    const struct strata_topology *flat;     /* the same ranks, each on a node of its own */
    struct strata_capacity capacity;
    int root;         /* of rooted collectives; else 0 */
    bool commutative; /* reductions: whether the operator's order may be changed */
    bool left_fold;   /* reductions: the algorithm must combine from left to right */
    bool once;        /* the algorithm must leave the result once in a node's memory */
    bool bulky;       /* reductions: operands are too long to lie in slots */
    bool native_size; /* STRATA_SIZES leaves calls of this size to native collectives */
    bool plans_only;  /* no native collective can serve the call: several endpoints are one rank */
    /* The torus or mesh that the user says the communicator's ranks lie on; NULL: the user says
     * none. */
    const struct strata_torus *torus;
    /* The size that ranks agree on. It serves costs alone: plans never depend on it. For ranked
     * collectives it is the mean block, for others the vector. */
    double block_bytes;
    /* The greatest size that all ranks know; 0: they know none.
     *   allgather(v), gather, scatter, alltoall   the longest block
     *   alltoallv, alltoallw                      the longest block that an earlier call agreed on
     *   reduce_scatter(_block)                    all blocks together
     *   others                                    the vector */
    size_t most_bytes;
    /* alltoallv, alltoallw: the most other ranks with which a rank exchanged bytes in earlier
     * calls, for costs alone; 0: with most of them, or it is not known. */
    int degree;
    /* How many times as long as the mean block the longest one is, both as powers of two, for
     * tables of timed choices alone; 0: not known, or blocks have one length. */
    double unevenness;
    int parameter[STRATA_PARAMETERS];
    /* The call is nonblocking or persistent: other calls may be in progress at the same time. */
    bool nonblocking;
    /* The call must use messages alone. If it used the node memory, its epochs there would have no
     * fixed order among those of other calls. */
    bool messages_only;
    /* The blocks that members read from each other lie in memory that all of them have mapped. */
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
    bool classic; /* MPI libraries have this algorithm, or one as good, and select it themselves */
    bool knows_nodes; /* its cost tells messages inside a node from messages between nodes */
    bool torus;       /* it follows the shape in problem->torus, where there is one */
    bool keeps_order; /* reductions: operands are combined in the order of ranks */
    /* Reductions: operands are combined strictly from left to right; a node-aware algorithm does so
     * where there is one node. Flat algorithms are slower for it, so selection takes them only
     * where the same bits are asked for. */
    bool left_fold;
    /* Reductions that combine from left to right: of more than two ranks each begins with another
     * one's operand where the operator commutes and no left fold is asked for. */
    bool begins_apart;
    /* Rooted collectives: a rank waits only for ranks nearer to the root in the order of ranks (in
     * a gather and a reduce, farther from it), as in the trees of MPI libraries. Selection takes no
     * others for short calls: docs/decisions/crossed-calls.md. */
    bool outward;
    bool once;    /* the result lies once in a node: for calls that ask for it */
    bool returns; /* allgather: a rank that has a block may be sent the block again */
    /* Whether, in gatherv and scatterv, no rank passes on a block whose length it does not know. */
    bool no_forwarding;
    /* Where a node's ranks share cores, `auto` selects the algorithm also below the sizes of
     * hier/tuning.c, as long as all blocks lie in the small ring. Some of its ranks wait for no
     * other, so they make many calls in one turn on the core. */
    bool goes_ahead;
    /* The facts in words. They stand here alone: the comment at the head of the file says how the
     * algorithm works. */
    const char *summary;      /* one sentence */
    const char *paper;        /* authors, place, year; "none" */
    const char *title;        /* of the paper; NULL: none */
    const char *restrictions; /* "none" */
    const char *rounds_text, *volume_text, *scratch_text;
    struct strata_parameter parameters[STRATA_PARAMETERS]; /* ended by a NULL name */
    /* NULL when the algorithm can be used, else the reason in words. The answer is equal on all
     * ranks. */
    const char *(*applicable)(const struct strata_problem *problem);
    /* Ranked collectives: the most bytes of a block that the algorithm can move at once. A longer
     * block moves in slices, one in each pass: the algorithm gets the problem of one slice, and
     * need not know of the others. 0: no slice fits. NULL: the algorithm never cuts blocks. */
    size_t (*slice)(const struct strata_problem *problem);
    /* The cost of one call for its busiest rank, in closed form, without building the plan. NULL:
     * the cost follows from the formula. */
    struct strata_cost (*cost)(const struct strata_problem *problem,
                               const struct strata_machine *machine);
    /* Round `number`, from 0, of all ranks, or rounds that are alike; false behind the last. Where
     * several ranks share a node and its adapter, these rounds give the cost of messages. NULL, or
     * no round 0: the cost function or the formula gives it there too. */
    bool (*round)(const struct strata_problem *problem, int number,
                  struct strata_flat_round *round);
    /* Appends problem->rank's steps. */
    void (*build)(const struct strata_problem *problem, struct strata_builder *builder);
    /* Plans over blocks: rounds, messages and volume. Tests compare them with the plans. */
    struct strata_formula (*formula)(const struct strata_problem *problem);
};

/* NULL when the algorithm serves the problem with these parameters and the operator's order, else
 * the reason in words. */
const char *strata_algorithm_refusal(const struct strata_algorithm *algorithm,
                                     const struct strata_problem *problem);

/* Whether the algorithm combines strictly from left to right in this problem. */
bool strata_algorithm_folds(const struct strata_algorithm *algorithm,
                            const struct strata_problem *problem);
/* Whether the algorithm's order of combining permits selection to take it. */
bool strata_algorithm_folds_as_asked(const struct strata_algorithm *algorithm,
                                     const struct strata_problem *problem);

/* Whether it is outward with the problem's parameters. */
bool strata_algorithm_outward(const struct strata_algorithm *algorithm,
                              const struct strata_problem *problem);

/* Builds the plan: checks that the algorithm serves the problem, then runs init, build and finish.
 * The plan's name is made from the algorithm and the parameters. */
int strata_algorithm_plan(const struct strata_algorithm *algorithm,
                          const struct strata_problem *problem, struct strata_plan **plan,
                          struct strata_diagnostic *message);

/* Writes "name:parameter=value,..." ("name" alone without parameters). A parameter that has its
 * automatic value is left out. */
void strata_algorithm_name(const struct strata_algorithm *algorithm, const int *parameter,
                           char *text, size_t size);

#endif
