/* A state of the model: what members share and what each keeps for itself, in bytes, so that equal
 * states are equal bytes. A member's shared lines and slots stand beside what is private to it.
 *
 * What a place holds is not bytes but the turn that wrote it, counted from 1, so a reader knows
 * whether it found what it came for. */
#ifndef STRATA_TESTS_MODEL_RING_STATE_H
#define STRATA_TESTS_MODEL_RING_STATE_H

#include <stddef.h>

#include "tests/model/ring_calls.h"

/* What is published: an epoch's number and a tick; END is the last. */
enum { RING_TICKS = 8, RING_END = RING_TICKS - 1 };
#define RING_VALUE(number, tick) (RING_TICKS * (number) + (tick))

enum { RING_CLOSED = 0xff, RING_UNDER_WAY = 0x80 };

struct ring_member {
    uint8_t closed;          /* turns before this one are */
    uint8_t failed;          /* calls, a bit each */
    uint8_t at[RING_OPEN];   /* operation of turn t: [t mod F]; RING_CLOSED */
    uint8_t todo[RING_OPEN]; /* members that the operation still waits for */
    uint8_t left[RING_MEMBERS];
    uint8_t wrote[RING_PLACES], readers[RING_PLACES];
    uint8_t tick[RING_PLACES], status[RING_PLACES], payload[RING_PLACES]; /* shared */
    uint8_t slot[RING_PLACES];                                            /* shared */
    uint8_t said; /* shared: the epochs up to this number were left, where they are said together */
    uint8_t reached[RING_TURNS]; /* nobody looks: the last tick before it failed */
};

struct ring_state {
    uint8_t landing[RING_PLACES]; /* RING_UNDER_WAY: a receive is posted */
    uint8_t failures;             /* of themselves */
    uint8_t unused[3];
    struct ring_member member[RING_MEMBERS];
};

static inline size_t ring_state_bytes(const struct ring_model *model)
{
    return offsetof(struct ring_state, member) +
           (size_t)model->sequence.members * sizeof(struct ring_member);
}

#define RING_FAULTS(X)                                                                             \
    X(NONE, "no fault")                                                                            \
    X(READ, "bytes of another use are read")                                                       \
    X(WRITE, "later bytes are overwritten")                                                        \
    X(GOES_ON, "a member goes on though a mate did not come so far")                               \
    X(ALARM, "a member sees a status where nobody failed")                                         \
    X(STUCK, "a use that nobody can go on with")

enum ring_fault {
#define ROW(name, sentence) RING_FAULT_##name,
    RING_FAULTS(ROW)
#undef ROW
        RING_FAULT_COUNT
};

void ring_begin(const struct ring_model *model, struct ring_state *state);

/* Whether this member's turn is open. */
bool ring_is_open(const struct ring_model *model, const struct ring_state *state, int me, int turn);

/* One step of a member in an open turn; *fault is set if it does wrong. False if it must wait: the
 * state is not one to go on from. */
bool ring_step(const struct ring_model *model, struct ring_state *state, int me, int turn,
               enum ring_fault *fault);

/* The member fails of itself in an open turn. False where it does not: it has failed already, has
 * published END, or as many as may have failed. */
bool ring_fail(const struct ring_model *model, struct ring_state *state, int me, int turn);

#endif
