/* A state of the model, as bytes, so that equal states have equal bytes. It has the members' shared
 * lines and slots, and the private data of each.
 *
 * A place holds the turn that wrote it, counted from 1, in place of data. So a reader knows whether
 * it found the right data. */
#ifndef STRATA_TESTS_MODEL_RING_STATE_H
#define STRATA_TESTS_MODEL_RING_STATE_H

#include <stddef.h>

#include "tests/model/ring_calls.h"

/* Members publish an epoch's number and a tick; END is the last tick. */
enum { RING_TICKS = 8, RING_END = RING_TICKS - 1 };
#define RING_VALUE(number, tick) (RING_TICKS * (number) + (tick))

enum { RING_CLOSED = 0xff, RING_UNDER_WAY = 0x80 };

struct ring_member {
    uint8_t closed;          /* all turns before this one are closed */
    uint8_t failed;          /* a bit for each call */
    uint8_t at[RING_OPEN];   /* [t mod F]: the operation of turn t, or RING_CLOSED */
    uint8_t todo[RING_OPEN]; /* the members that the operation still waits for */
    uint8_t left[RING_MEMBERS];
    uint8_t wrote[RING_PLACES], readers[RING_PLACES];
    uint8_t tick[RING_PLACES], status[RING_PLACES], payload[RING_PLACES]; /* shared */
    uint8_t slot[RING_PLACES];                                            /* shared */
    /* Shared: with `together`, the epochs up to this number are left. */
    uint8_t said;
    uint8_t reached[RING_TURNS]; /* for the judge only: the last tick before the member failed */
};

struct ring_state {
    uint8_t landing[RING_PLACES]; /* RING_UNDER_WAY: a receive is posted */
    uint8_t failures;             /* the members that have failed spontaneously */
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

/* Whether this turn of the member is open. */
bool ring_is_open(const struct ring_model *model, const struct ring_state *state, int me, int turn);

/* Takes one step of a member in an open turn, and sets *fault where the step is wrong. Returns
 * false where the member must wait; the state is then not a next state. */
bool ring_step(const struct ring_model *model, struct ring_state *state, int me, int turn,
               enum ring_fault *fault);

/* Fails the member spontaneously in an open turn. Returns false where that is not possible: it has
 * failed or published END already, or no more members may fail. */
bool ring_fail(const struct ring_model *model, struct ring_state *state, int me, int turn);

#endif
