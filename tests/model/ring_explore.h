/* All states of a sequence of calls, whoever takes the next step. */
#ifndef STRATA_TESTS_MODEL_RING_EXPLORE_H
#define STRATA_TESTS_MODEL_RING_EXPLORE_H

#include "tests/model/ring_state.h"

struct ring_result {
    enum ring_fault fault;
    long states, steps; /* until the first fault */
    long ends;          /* states in which all have closed everything */
};

/* Memory for one exploration after the other; all zero at first. */
struct ring_explorer {
    const struct ring_model *model;
    size_t bytes; /* of a state */
    unsigned char *states;
    uint32_t *table; /* open addresses: a state's number + 1, or 0 */
    size_t room, buckets;
    struct ring_result result;
};

/* Breadth first. Every state is kept whole, so none is taken for another. Ends the program where
 * there is no memory. */
struct ring_result ring_explore(struct ring_explorer *explorer,
                                const struct ring_sequence *sequence);

void ring_explorer_fini(struct ring_explorer *explorer);

#endif
