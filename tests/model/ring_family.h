/* Families of sequences: all calls in all orders. */
#ifndef STRATA_TESTS_MODEL_RING_FAMILY_H
#define STRATA_TESTS_MODEL_RING_FAMILY_H

#include "tests/model/ring_calls.h"

/* All sequences of so many calls: of each kind, with each root, of one epoch and of one more than
 * the ring has places. */
struct ring_family {
    int members, depth, open, failures, ncalls;
    bool everybody, hears, recent; /* these fields and the next are as in a sequence */
    int together;
};

long ring_family_size(const struct ring_family *family);

/* The sequence of this number, with no rule left out. Returns false where it is another sequence
 * with renamed members, because the rules number no members, or where it has more than RING_TURNS
 * uses. */
bool ring_family_at(const struct ring_family *family, long number, struct ring_sequence *sequence);

#endif
