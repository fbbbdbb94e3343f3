/* What members know of each other, and what they wait for before they write. */
#include "tests/model/ring_run.h"

static void learn(struct ring_run *run, int mate, int left)
{
    if (left > run->self->left[mate]) {
        run->self->left[mate] = (uint8_t)left;
    }
}

/* All uses that a member has to have closed before it opens this one. */
static int proved_left(const struct ring_run *run, int number)
{
    return number - run->model->sequence.open + !run_holds(run, RING_PROVES_EARLIER);
}

int ring_seen(struct ring_run *run, int mate, int place)
{
    int value = run->state->member[mate].tick[place];
    if (run_together(run) == 0) {
        learn(run, mate, proved_left(run, value / RING_TICKS));
    }
    return value;
}

/* The use that readers must have left, and who they are. */
static int last_use(const struct ring_run *run, const struct ring_op *op)
{
    if (run->model->sequence.everybody) {
        return run->number - run->model->sequence.places;
    }
    return op->operation == RING_op_credit_landing ? run->model->landing_before[run->turn][run->me]
                                                   : run->self->wrote[run->place];
}

uint8_t ring_readers(const struct ring_run *run, const struct ring_op *op)
{
    if (run->model->sequence.everybody || op->operation == RING_op_credit_landing) {
        return run_mates(run);
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

static bool has_left(struct ring_run *run, int mate, int last)
{
    int places = run->model->sequence.places;
    if (run_together(run) > 0) {
        learn(run, mate, run->state->member[mate].said);
        return run->self->left[mate] >= last;
    }
    if (run->model->sequence.recent) {
        ring_seen(run, mate, (run->number - 1) % places);
    }
    return run->self->left[mate] >= last ||
           ring_seen(run, mate, run->place) >= RING_VALUE(last, RING_END);
}

enum ring_outcome ring_op_credit(struct ring_run *run, const struct ring_op *op)
{
    int last = last_use(run, op);
    while (*run->todo) {
        int mate = run_lowest(*run->todo);
        bool known = run->self->left[mate] >= last;
        if (!known && !has_left(run, mate, last)) {
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
    for (int mate = 0; mate < run->model->sequence.members; mate++) {
        learn(run, mate, proved_left(run, run->number));
    }
    return RING_GOES_ON;
}
