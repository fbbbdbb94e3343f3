/* A sequence of calls, and what members make of it: a program of operations for each epoch. */
#ifndef STRATA_TESTS_MODEL_RING_CALLS_H
#define STRATA_TESTS_MODEL_RING_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/model/ring_kinds.h"
#include "tests/model/ring_rules.h"

/* What the model goes up to; all that it counts fits into bytes. */
enum {
    RING_MEMBERS = 4,
    RING_PLACES = 4,
    RING_OPEN = 2,   /* uses open at once on a member */
    RING_CALLS = 5,  /* in a sequence */
    RING_TURNS = 13, /* uses in a sequence */
    RING_OPS = 24    /* in a member's program of one epoch */
};

struct ring_op {
    uint8_t operation;
    uint8_t who;  /* members, a bit each */
    uint8_t tick; /* signalled or awaited */
};

/* Of one member in one epoch. */
struct ring_program {
    struct ring_op ops[RING_OPS];
    int count;
    int failure; /* where a member that fails goes on, */
    int late;    /* and where one that does not withdraw what it has posted */
    bool writes; /* its slot or payload */
};

struct ring_call {
    enum ring_kind kind;
    int root;
    int epochs;
};

struct ring_sequence {
    int members, depth, open;
    int failures; /* members that may fail of themselves */
    enum ring_rule without;
    bool everybody; /* credit is asked of all for the epoch R before, whoever reads what */
    bool recent;    /* credit is looked for first in a local peer's latest place */
    /* with everybody: so many epochs are said together to be left; 0: each by END */
    int together;
    bool fine; /* each operation is a step */
    int ncalls;
    struct ring_call calls[RING_CALLS];
};

/* A sequence made ready. A turn is an epoch, counted from 0; its number is what members publish. */
struct ring_model {
    struct ring_sequence sequence;
    int turns;
    uint8_t number[RING_TURNS], place[RING_TURNS], call[RING_TURNS];
    uint8_t landing_before[RING_TURNS][RING_MEMBERS]; /* the number of its last epoch, or 0 */
    struct ring_program program[RING_TURNS][RING_MEMBERS];
};

static inline bool ring_holds(const struct ring_sequence *sequence, enum ring_rule rule)
{
    return sequence->without != rule;
}

/* The uses of all calls. */
int ring_turns(const struct ring_sequence *sequence);

/* There are at most RING_TURNS. */
void ring_prepare(struct ring_model *model, const struct ring_sequence *sequence);

#endif
