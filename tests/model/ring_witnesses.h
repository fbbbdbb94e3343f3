/* For each rule a short sequence of calls that goes wrong without the rule. */
#ifndef STRATA_TESTS_MODEL_RING_WITNESSES_H
#define STRATA_TESTS_MODEL_RING_WITNESSES_H

#include "tests/model/ring_state.h"

struct ring_witness {
    struct ring_sequence sequence;
    enum ring_fault fault;
};

extern const struct ring_witness ring_witnesses[RING_RULE_COUNT];
extern const char *const ring_rule_name[RING_RULE_COUNT];

#endif
