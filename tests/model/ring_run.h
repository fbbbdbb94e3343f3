/* What ring_step.c, ring_operations.c and ring_credit.c share: struct ring_run, which says how far
 * a step has come that one member takes in one epoch, and the operations that steps are made of. */
#ifndef STRATA_TESTS_MODEL_RING_RUN_H
#define STRATA_TESTS_MODEL_RING_RUN_H

#include "tests/model/ring_state.h"

struct ring_run {
    const struct ring_model *model;
    struct ring_state *state;
    struct ring_member *self;
    const struct ring_program *program;
    int me, turn, place, number;
    uint8_t *at, *todo;
    enum ring_fault fault;
    bool over; /* the turn is closed */
};

/* The result of an operation. RING_MUST_WAIT: the member waits. RING_STAYS: the operation has set
 * the next one itself. RING_GOES_ON: the next operation follows. */
enum ring_outcome { RING_MUST_WAIT, RING_STAYS, RING_GOES_ON };

typedef enum ring_outcome ring_act(struct ring_run *run, const struct ring_op *op);

#define ROW(name, taken) ring_act ring_op_##name;
RING_OPERATIONS(ROW)
#undef ROW

/* The members that an operation of credit asks. */
uint8_t ring_readers(const struct ring_run *run, const struct ring_op *op);

/* A local peer's tick; learns what the tick proves. */
int ring_seen(struct ring_run *run, int peer, int place);

/* Takes what hearing a local peer proves of all. */
void ring_hear(struct ring_run *run);

/* Fails the member's call, which may have another epoch open. */
void ring_fail_call(struct ring_run *run);

/* Fails the member's epoch: its remaining operations are those of status and END. */
void ring_give_up(struct ring_run *run);

static inline bool run_holds(const struct ring_run *run, enum ring_rule rule)
{
    return ring_holds(&run->model->sequence, rule);
}

static inline int run_together(const struct ring_run *run)
{
    return run->model->sequence.together;
}

static inline uint8_t run_peers(const struct ring_run *run)
{
    return (uint8_t)(((1 << run->model->sequence.members) - 1) & ~(1 << run->me));
}

static inline int run_lowest(uint8_t members)
{
    return __builtin_ctz(members);
}

static inline bool run_call_failed(const struct ring_run *run, int member)
{
    return run->state->member[member].failed >> run->model->call[run->turn] & 1;
}

static inline void run_wrong(struct ring_run *run, enum ring_fault fault)
{
    if (run->fault == RING_FAULT_NONE) {
        run->fault = fault;
    }
}

#endif
