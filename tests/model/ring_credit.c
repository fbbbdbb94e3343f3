/* The knowledge of members about each other, and their waits before they write. */
#include "tests/model/ring_run.h"

static void learn(struct ring_run *run, int peer, int left)
{
    if (left > run->self->left[peer]) {
        run->self->left[peer] = (uint8_t)left;
    }
}

/* A member must close all epochs up to this one before it opens epoch `number`. */
static int proved_left(const struct ring_run *run, int number)
{
    return number - run->model->sequence.open + !run_holds(run, RING_PROVES_EARLIER);
}

int ring_seen(struct ring_run *run, int peer, int place)
{
    int value = run->state->member[peer].tick[place];
    if (run_together(run) == 0) {
        learn(run, peer, proved_left(run, value / RING_TICKS));
    }
    return value;
}

void ring_hear(struct ring_run *run)
{
    const struct ring_sequence *sequence = &run->model->sequence;
    for (int peer = 0; peer < sequence->members && sequence->hears; peer++) {
        learn(run, peer, run->number - sequence->depth + !run_holds(run, RING_HEARING_EARLIER));
    }
}

/* The epoch that the readers must have left. */
static int last_epoch(const struct ring_run *run, const struct ring_op *op)
{
    if (run->model->sequence.everybody) {
        return run->number - run->model->sequence.depth;
    }
    return op->operation == RING_op_credit_landing ? run->model->landing_before[run->turn][run->me]
                                                   : run->self->wrote[run->place];
}

uint8_t ring_readers(const struct ring_run *run, const struct ring_op *op)
{
    if (run->model->sequence.everybody || op->operation == RING_op_credit_landing) {
        return run_peers(run);
    }
    return run->self->wrote[run->place] == run->number ? 0 : run->self->readers[run->place];
}

static void take_place(struct ring_run *run, const struct ring_op *op)
{
    if (op->operation != RING_op_credit_landing) {
        uint8_t kept =
            run->self->wrote[run->place] == run->number ? run->self->readers[run->place] : 0;
        run->self->wrote[run->place] = (uint8_t)run->number;
        run->self->readers[run->place] = kept | op->who;
    }
}

static bool has_left(struct ring_run *run, int peer, int last)
{
    int depth = run->model->sequence.depth;
    if (run_together(run) > 0) {
        learn(run, peer, run->state->member[peer].said);
        return run->self->left[peer] >= last;
    }
    if (run->model->sequence.recent) {
        ring_seen(run, peer, (run->number - 1) % depth);
    }
    return run->self->left[peer] >= last ||
           ring_seen(run, peer, run->place) >= RING_VALUE(last, RING_END);
}

enum ring_outcome ring_op_credit(struct ring_run *run, const struct ring_op *op)
{
    int last = last_epoch(run, op);
    while (*run->todo) {
        int peer = run_lowest(*run->todo);
        bool known = run->self->left[peer] >= last;
        if (!known && !has_left(run, peer, last)) {
            return RING_MUST_WAIT;
        }
        *run->todo &= (uint8_t)(*run->todo - 1);
        if (!known) {
            return RING_STAYS;
        }
    }
    take_place(run, op);
    return RING_GOES_ON;
}

enum ring_outcome ring_op_credit_landing(struct ring_run *run, const struct ring_op *op)
{
    return ring_op_credit(run, op);
}

enum ring_outcome ring_op_credit_status(struct ring_run *run, const struct ring_op *op)
{
    return ring_op_credit(run, op);
}

enum ring_outcome ring_op_covers(struct ring_run *run, const struct ring_op *op)
{
    (void)op;
    for (int peer = 0; peer < run->model->sequence.members; peer++) {
        learn(run, peer, proved_left(run, run->number));
    }
    return RING_GOES_ON;
}
