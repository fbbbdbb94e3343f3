/* Families of sequences: all calls in all orders. */
#ifndef STRATA_TESTS_MODEL_RING_FAMILY_H
#define STRATA_TESTS_MODEL_RING_FAMILY_H

#include "tests/model/ring_calls.h"

/* All sequences of so many calls: of each kind, with each root, of one epoch and of one more than
 * there are places. */
struct ring_family {
    int members, depth, open, failures, ncalls;
    bool everybody, recent; /* as in a sequence; so the next */
    int together;
};

long ring_family_size(const struct ring_family *family);

/* The sequence of this number; without anything left out. False where it is another one with the
 * members renamed, as members have no numbers in the rules, or has more than RING_TURNS uses. */
bool ring_family_at(const struct ring_family *family, long number, struct ring_sequence *sequence);

#endif
