/* Explores all states of a sequence of calls, for all orders of the members' steps. */
#ifndef STRATA_TESTS_MODEL_RING_EXPLORE_H
#define STRATA_TESTS_MODEL_RING_EXPLORE_H

#include "tests/model/ring_state.h"

struct ring_result {
    enum ring_fault fault;
    long states, steps; /* up to the first fault */
    long ends;          /* states in which all members have closed all turns */
};

/* The memory of explorations, one after another; all zero at first. */
struct ring_explorer {
    const struct ring_model *model;
    size_t bytes; /* the bytes of a state */
    unsigned char *states;
    uint32_t *table; /* open addressing: a state's number + 1, or 0 */
    size_t room, buckets;
    struct ring_result result;
};

/* Explores breadth first. Every state is stored whole, so that no two are confused. Ends the
 * program where memory is short. */
struct ring_result ring_explore(struct ring_explorer *explorer,
                                const struct ring_sequence *sequence);

void ring_explorer_fini(struct ring_explorer *explorer);

#endif
