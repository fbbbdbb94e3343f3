/* A sequence of calls, and each member's program of operations for each epoch. */
#ifndef STRATA_TESTS_MODEL_RING_CALLS_H
#define STRATA_TESTS_MODEL_RING_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/model/ring_kinds.h"
#include "tests/model/ring_rules.h"

/* The limits of the model. All counts fit into bytes. */
enum {
    RING_MEMBERS = 4,
    RING_PLACES = 4,
    RING_OPEN = 2,   /* open uses of a member */
    RING_CALLS = 5,  /* calls of a sequence */
    RING_TURNS = 13, /* uses of a sequence */
    RING_OPS = 24    /* operations of a member in one epoch */
};

struct ring_op {
    uint8_t operation;
    uint8_t who;  /* a bit for each member */
    uint8_t tick; /* to signal or to await */
};

/* The operations of one member in one epoch. */
struct ring_program {
    struct ring_op ops[RING_OPS];
    int count;
    int failure; /* where a failing member continues */
    int late;    /* where a failing member continues that does not withdraw its messages */
    bool writes; /* the member writes its slot or payload */
};

struct ring_call {
    enum ring_kind kind;
    int root;
    int epochs;
};

struct ring_sequence {
    int members, depth, open;
    int failures; /* how many members may fail spontaneously */
    enum ring_rule without;
    bool everybody; /* credit comes from all, for the epoch R before, whoever reads */
    /* With `everybody`: who hears a member takes it that all have left the epoch R before. Members
     * need credit for each signal then. */
    bool hears;
    bool recent; /* credit is first looked for in a local peer's latest place */
    /* With `everybody`: one store states that so many epochs are left; 0: each END does. */
    int together;
    bool fine; /* each operation is a step of its own */
    int ncalls;
    struct ring_call calls[RING_CALLS];
};

/* A prepared sequence. A turn is an epoch, counted from 0. Its number is the number that members
 * publish. */
struct ring_model {
    struct ring_sequence sequence;
    int turns;
    uint8_t number[RING_TURNS], place[RING_TURNS], call[RING_TURNS];
    /* The number of the place's last epoch with a landing, or 0. */
    uint8_t landing_before[RING_TURNS][RING_MEMBERS];
    struct ring_program program[RING_TURNS][RING_MEMBERS];
};

static inline bool ring_holds(const struct ring_sequence *sequence, enum ring_rule rule)
{
    return sequence->without != rule;
}

/* The number of uses of all calls. */
int ring_turns(const struct ring_sequence *sequence);

/* Prepares a sequence of at most RING_TURNS uses. */
void ring_prepare(struct ring_model *model, const struct ring_sequence *sequence);

#endif
