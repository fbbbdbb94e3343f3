/* The operations of a member on the shared state. */
#include "tests/model/ring_run.h"

/* Whether the member knows that the call failed, and has not given up yet. */
static bool goes_on_failed(const struct ring_run *run)
{
    return run_call_failed(run, run->me) && *run->at < run->program->failure;
}

static void write_turn(struct ring_run *run, uint8_t *place)
{
    if ((*place & ~RING_UNDER_WAY) > run->turn + 1) {
        run_wrong(run, RING_FAULT_WRITE);
    }
    *place = (uint8_t)(run->turn + 1);
}

static void read_turn(struct ring_run *run, uint8_t place)
{
    if (place != run->turn + 1 && !goes_on_failed(run)) {
        run_wrong(run, RING_FAULT_READ);
    }
}

enum ring_outcome ring_op_write_slot(struct ring_run *run, const struct ring_op *op)
{
    (void)op;
    write_turn(run, &run->self->slot[run->place]);
    return RING_GOES_ON;
}

enum ring_outcome ring_op_write_payload(struct ring_run *run, const struct ring_op *op)
{
    (void)op;
    write_turn(run, &run->self->payload[run->place]);
    return RING_GOES_ON;
}

enum ring_outcome ring_op_read_slots(struct ring_run *run, const struct ring_op *op)
{
    for (uint8_t who = op->who; who; who &= (uint8_t)(who - 1)) {
        read_turn(run, run->state->member[run_lowest(who)].slot[run->place]);
    }
    return RING_GOES_ON;
}

enum ring_outcome ring_op_read_payloads(struct ring_run *run, const struct ring_op *op)
{
    for (uint8_t who = op->who; who; who &= (uint8_t)(who - 1)) {
        read_turn(run, run->state->member[run_lowest(who)].payload[run->place]);
    }
    return RING_GOES_ON;
}

enum ring_outcome ring_op_read_landing(struct ring_run *run, const struct ring_op *op)
{
    (void)op;
    read_turn(run, run->state->landing[run->place]);
    return RING_GOES_ON;
}

enum ring_outcome ring_op_send(struct ring_run *run, const struct ring_op *op)
{
    return ring_op_read_slots(run, op);
}

enum ring_outcome ring_op_sent(struct ring_run *run, const struct ring_op *op)
{
    return ring_op_read_slots(run, op);
}

enum ring_outcome ring_op_receive(struct ring_run *run, const struct ring_op *op)
{
    (void)op;
    write_turn(run, &run->state->landing[run->place]);
    run->state->landing[run->place] |= RING_UNDER_WAY;
    return RING_GOES_ON;
}

enum ring_outcome ring_op_received(struct ring_run *run, const struct ring_op *op)
{
    (void)op;
    write_turn(run, &run->state->landing[run->place]);
    return RING_GOES_ON;
}

static void publish(struct ring_run *run, int tick)
{
    bool with_payload =
        *run->at > 0 && run->program->ops[*run->at - 1].operation == RING_op_write_payload;
    if (!with_payload && !run_holds(run, RING_TICK_ALONE)) {
        run->self->payload[run->place] = 0;
    }
    if (!run_call_failed(run, run->me)) {
        run->self->reached[run->turn] = (uint8_t)tick;
    }
    run->self->tick[run->place] = (uint8_t)RING_VALUE(run->number, tick);
}

enum ring_outcome ring_op_signal(struct ring_run *run, const struct ring_op *op)
{
    publish(run, op->tick);
    return RING_GOES_ON;
}

enum ring_outcome ring_op_status(struct ring_run *run, const struct ring_op *op)
{
    (void)op;
    run->self->status[run->place] = (uint8_t)run->number;
    return RING_GOES_ON;
}

/* States in one store that several epochs are left. */
static void say_left(struct ring_run *run)
{
    bool failing = *run->at >= run->program->failure;
    bool in_time = run_holds(run, RING_LEAVING_IN_TIME);
    int each = in_time ? run_together(run) : run->model->sequence.depth + 1;
    bool due = run_holds(run, RING_LEAVING_SAID) && (run->number + 1) % each == 0;
    if (failing ? run_holds(run, RING_LEAVING_OF_FAILED) : due) {
        run->self->said = (uint8_t)(run->number + !run_holds(run, RING_LEAVING_LEFT));
    }
    if (failing) {
        publish(run, RING_END);
    }
}

enum ring_outcome ring_op_end(struct ring_run *run, const struct ring_op *op)
{
    (void)op;
    if (goes_on_failed(run)) {
        ring_give_up(run);
        return RING_STAYS;
    }
    if (run_together(run) > 0) {
        say_left(run);
    } else {
        publish(run, RING_END);
    }
    return RING_GOES_ON;
}

static bool sees_status(struct ring_run *run, int peer)
{
    int status = run->state->member[peer].status[run->place];
    bool mine = run_holds(run, RING_STATUS_OF_ITS_USE) ? status == run->number : status != 0;
    return mine && run_holds(run, RING_STATUS_LOOKED_AT);
}

/* Whether the member fails where it must. The member itself cannot know that. */
static void judge(struct ring_run *run, int peer, int tick, bool failed)
{
    if (failed && !run_call_failed(run, peer)) {
        run_wrong(run, RING_FAULT_ALARM);
    }
    if (!failed && !goes_on_failed(run) && run->state->member[peer].reached[run->turn] < tick) {
        run_wrong(run, RING_FAULT_GOES_ON);
    }
}

static void fail_too(struct ring_run *run, const struct ring_op *op)
{
    for (int i = *run->at; i < run->program->failure && !run_holds(run, RING_COVERS_GOOD); i++) {
        if (run->program->ops[i].operation == RING_op_covers) {
            ring_op_covers(run, op);
        }
    }
    if (run_holds(run, RING_FAILS_AT_ONCE)) {
        ring_fail_call(run);
    } else {
        run->self->failed |= (uint8_t)(1 << run->model->call[run->turn]);
    }
}

enum ring_outcome ring_op_await(struct ring_run *run, const struct ring_op *op)
{
    if (!*run->todo) {
        return RING_GOES_ON;
    }
    int peer = run_lowest(*run->todo);
    int value = run->state->member[peer].tick[run->place];
    int awaited = RING_VALUE(run->number, op->tick);
    if (run_holds(run, RING_WAIT_AT_LEAST) ? value < awaited : value != awaited) {
        return RING_MUST_WAIT;
    }
    *run->todo &= (uint8_t)(*run->todo - 1);
    ring_seen(run, peer, run->place);
    bool failed = sees_status(run, peer);
    judge(run, peer, op->tick, failed);
    if (failed) {
        fail_too(run, op);
    } else {
        ring_hear(run);
    }
    return RING_STAYS;
}
