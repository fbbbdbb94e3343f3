/* The step of one member in one epoch.
 *
 * A step is some accesses to slots, payloads and the landing, and then one store or wait of a tick.
 * Larger steps lose nothing. An access tells nobody anything. A step of another member between the
 * access and the store could as well come before the accesses or after the store, and would find or
 * do the same wrong. A wait is a step of its own, because accesses before it would be late. Where
 * members may fail, each operation is a step, because a failure may come between any two.
 *
 * Messages under way need no steps either. What a turn wrote never comes back, so a message that
 * finds the right turn at its beginning and at its end would find it at any time between. */
#include <string.h>

#include "tests/model/ring_run.h"

static const struct {
    ring_act *act;
    enum ring_class taken;
} operations[RING_OPERATION_COUNT] = {
#define ROW(name, taken) {ring_op_##name, RING_##taken},
    RING_OPERATIONS(ROW)
#undef ROW
};

static struct ring_run run_of(const struct ring_model *model, struct ring_state *state, int me,
                              int turn)
{
    struct ring_member *self = &state->member[me];
    int thread = turn % model->sequence.open;
    return (struct ring_run){.model = model,
                             .state = state,
                             .self = self,
                             .program = &model->program[turn][me],
                             .me = me,
                             .turn = turn,
                             .place = model->place[turn],
                             .number = model->number[turn],
                             .at = &self->at[thread],
                             .todo = &self->todo[thread]};
}

static void go_to(struct ring_run *run, int at)
{
    const struct ring_op *op = &run->program->ops[at];
    bool credit = op->operation <= RING_op_credit_status;
    *run->at = (uint8_t)at;
    *run->todo = credit ? ring_readers(run, op) : op->operation == RING_op_await ? op->who : 0;
}

/* Whether messages are open: all are posted and none is complete. */
static bool under_way(const struct ring_run *run)
{
    int posts = 0, completes = 0;
    for (int i = 0; i < run->program->failure; i++) {
        int operation = run->program->ops[i].operation, done = i < *run->at;
        bool post = operation == RING_op_send || operation == RING_op_receive;
        bool complete = operation == RING_op_sent || operation == RING_op_received;
        posts += post && !done ? -RING_OPS : post;
        completes += complete && done ? RING_OPS : complete;
    }
    return posts > 0 && completes == posts;
}

static bool ended(const struct ring_run *run)
{
    for (int i = 0; i < *run->at && i < run->program->count; i++) {
        if (run->program->ops[i].operation == RING_op_end) {
            return true;
        }
    }
    return *run->at == RING_CLOSED;
}

void ring_give_up(struct ring_run *run)
{
    bool late = !run_holds(run, RING_WITHDRAWN) && under_way(run);
    go_to(run, late ? run->program->late : run->program->failure);
}

/* Fails the call, which may have another epoch open. */
void ring_fail_call(struct ring_run *run)
{
    const struct ring_model *model = run->model;
    int first = run->self->closed, call = model->call[run->turn];
    run->self->failed |= (uint8_t)(1 << call);
    for (int turn = first; turn < first + model->sequence.open && turn < model->turns; turn++) {
        struct ring_run other = run_of(model, run->state, run->me, turn);
        if (model->call[turn] == call && !ended(&other)) {
            ring_give_up(&other);
        }
    }
}

static void open_turn(const struct ring_run *run, int turn)
{
    if (turn < run->model->turns) {
        struct ring_run opened = run_of(run->model, run->state, run->me, turn);
        go_to(&opened, 0);
        if (run_call_failed(&opened, run->me)) {
            ring_give_up(&opened);
        }
    }
}

static void close_turn(struct ring_run *run)
{
    int open = run->model->sequence.open;
    if (!run->program->writes && !run_holds(run, RING_READERS_KEPT)) {
        run->self->wrote[run->place] = (uint8_t)run->number;
        run->self->readers[run->place] = 0;
    }
    run->over = true;
    *run->at = RING_CLOSED;
    *run->todo = 0;
    while (run->self->closed < run->model->turns &&
           run->self->at[run->self->closed % open] == RING_CLOSED) {
        open_turn(run, run->self->closed++ + open);
    }
}

static void next(struct ring_run *run)
{
    int at = *run->at + 1;
    if (at == run->program->failure || at == run->program->late || at == run->program->count) {
        close_turn(run);
    } else {
        go_to(run, at);
    }
}

bool ring_step(const struct ring_model *model, struct ring_state *state, int me, int turn,
               enum ring_fault *fault)
{
    struct ring_run run = run_of(model, state, me, turn);
    bool accessed = false, ends = false;
    bool fine = model->sequence.fine || model->sequence.failures > 0;
    while (!ends) {
        const struct ring_op *op = &run.program->ops[*run.at];
        enum ring_class taken = operations[op->operation].taken;
        if (taken == RING_WAIT && accessed) {
            break;
        }
        enum ring_outcome outcome = operations[op->operation].act(&run, op);
        if (outcome == RING_MUST_WAIT) {
            return false;
        }
        if (outcome == RING_GOES_ON) {
            next(&run);
        }
        accessed |= taken == RING_ACCESS;
        ends = outcome == RING_STAYS || taken == RING_STORE || run.over || (accessed && fine);
    }
    *fault = run.fault;
    return true;
}

bool ring_fail(const struct ring_model *model, struct ring_state *state, int me, int turn)
{
    struct ring_run run = run_of(model, state, me, turn);
    if (state->failures == model->sequence.failures || run_call_failed(&run, me) || ended(&run)) {
        return false;
    }
    state->failures++;
    ring_fail_call(&run);
    return true;
}

bool ring_is_open(const struct ring_model *model, const struct ring_state *state, int me, int turn)
{
    const struct ring_member *self = &state->member[me];
    int open = model->sequence.open;
    return turn >= self->closed && turn < self->closed + open && turn < model->turns &&
           self->at[turn % open] != RING_CLOSED;
}

void ring_begin(const struct ring_model *model, struct ring_state *state)
{
    memset(state, 0, sizeof(*state));
    for (int me = 0; me < model->sequence.members; me++) {
        struct ring_run run = run_of(model, state, me, 0);
        memset(run.self->left, model->sequence.depth - 1, sizeof(run.self->left));
        run.self->said = (uint8_t)(model->sequence.depth - 1);
        for (int turn = 0; turn < model->sequence.open; turn++) {
            open_turn(&run, turn);
        }
    }
}
