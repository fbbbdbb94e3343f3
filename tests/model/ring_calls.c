#include "tests/model/ring_calls.h"

#include <assert.h>
#include <string.h>

/* A member's program while it is written. */
struct author {
    const struct ring_model *model;
    struct ring_program *program;
    int turn, me;
    const struct ring_call *call;
};

static bool holds(const struct author *a, enum ring_rule rule)
{
    return ring_holds(&a->model->sequence, rule);
}

static uint8_t members_of(const struct author *a, int me, enum ring_who who)
{
    int members = a->model->sequence.members, root = a->call->root;
    int everybody = (1 << members) - 1, peers = everybody & ~(1 << me);
    int next = (me + 1) % members, previous = (me + members - 1) % members;
    switch (who) {
    case PEERS:
        return (uint8_t)peers;
    case THE_ROOT:
        return (uint8_t)(1 << root);
    case THE_OTHERS:
        return (uint8_t)(peers & ~(1 << root));
    case PREVIOUS:
        return (uint8_t)(me == root ? 0 : 1 << previous);
    case NEXT:
        return (uint8_t)(next == root ? 0 : 1 << next);
    case NOBODY:
        break;
    }
    return 0;
}

static void append(struct author *a, enum ring_operation operation, uint8_t who, int tick)
{
    assert(a->program->count < RING_OPS);
    a->program->ops[a->program->count++] = (struct ring_op){(uint8_t)operation, who, (uint8_t)tick};
}

static bool takes_part(const struct author *a, int me, const struct ring_line *line)
{
    return line->role == ALL || (line->role == ROOT) == (me == a->call->root);
}

static bool has(const struct ring_program *program, enum ring_operation operation)
{
    for (int i = 0; i < program->count; i++) {
        if (program->ops[i].operation == operation) {
            return true;
        }
    }
    return false;
}

static uint8_t declared(const struct author *a, uint8_t readers)
{
    return holds(a, RING_READERS_DECLARED) ? readers : readers & (uint8_t)(readers - 1);
}

/* The credit before an epoch's first write. */
static void append_credit(struct author *a, enum ring_operation write, uint8_t readers)
{
    bool slot = write == RING_op_write_slot;
    bool first = a->turn == 0 || a->model->call[a->turn - 1] != a->model->call[a->turn];
    a->program->writes = true;
    if (holds(a, slot ? RING_SLOT_CREDIT : RING_PAYLOAD_CREDIT) &&
        (first || holds(a, RING_CREDIT_EACH_USE))) {
        append(a, RING_op_credit, declared(a, readers), 0);
    }
}

static void append_receive(struct author *a)
{
    bool credit = holds(a, RING_LANDING_CREDIT), before = holds(a, RING_CREDIT_BEFORE_POST);
    if (credit && before) {
        append(a, RING_op_credit_landing, 0, 0);
    }
    append(a, RING_op_receive, 0, 0);
    if (credit && !before) {
        append(a, RING_op_credit_landing, 0, 0);
    }
}

static void append_line(struct author *a, const struct ring_line *line)
{
    uint8_t who = members_of(a, a->me, line->who);
    if (line->operation == RING_op_receive) {
        append_receive(a);
        return;
    }
    if (line->operation == RING_op_write_slot || line->operation == RING_op_write_payload) {
        append_credit(a, line->operation, who);
    }
    if (line->operation == RING_op_signal && a->model->sequence.hears &&
        !has(a->program, RING_op_credit)) {
        append(a, RING_op_credit, 0, 0);
    }
    append(a, line->operation, who, line->tick);
    if (line->operation == RING_op_await && !holds(a, RING_COVERS_TRUE) &&
        !has(a->program, RING_op_covers)) {
        append(a, RING_op_covers, 0, 0);
    }
}

/* END takes the place of the last operation, which then comes after END. */
static void end_too_early(struct author *a)
{
    struct ring_op *last = &a->program->ops[a->program->count - 2], end = last[1];
    last[1] = last[0];
    last[0] = end;
}

/* Where nothing follows the last signal, the signal and END are one store. */
static void append_end(struct author *a)
{
    struct ring_program *program = a->program;
    int last = program->count ? program->ops[program->count - 1].operation : RING_op_end;
    bool reads =
        last == RING_op_read_slots || last == RING_op_read_payloads || last == RING_op_read_landing;
    if (last == RING_op_end && !holds(a, RING_END_WITHOUT_STEPS)) {
        append(a, RING_op_read_slots, 0, 0); /* of nobody */
        return;
    }
    program->count -= last == RING_op_signal && a->model->sequence.together == 0;
    append(a, RING_op_end, 0, 0);
    if ((reads && !holds(a, RING_END_AFTER_READS)) ||
        (last == RING_op_sent && !holds(a, RING_END_AFTER_SENDS))) {
        end_too_early(a);
    }
}

/* The members that await me and so may see my status. */
static uint8_t awaiters(const struct author *a)
{
    uint8_t found = 0;
    for (int peer = 0; peer < a->model->sequence.members; peer++) {
        for (const struct ring_line *line = ring_lines[a->call->kind]; line->role; line++) {
            if (line->operation == RING_op_await && takes_part(a, peer, line) &&
                (members_of(a, peer, line->who) & 1 << a->me)) {
                found |= (uint8_t)(1 << peer);
            }
        }
    }
    return found;
}

static void append_failure(struct author *a)
{
    bool status_first = holds(a, RING_STATUS_BEFORE_END);
    if (holds(a, RING_STATUS_CREDIT)) {
        append(a, RING_op_credit_status, awaiters(a), 0);
    }
    if (status_first) {
        append(a, RING_op_status, 0, 0);
    }
    if (holds(a, RING_END_OF_FAILED)) {
        append(a, RING_op_end, 0, 0);
    }
    if (!status_first) {
        append(a, RING_op_status, 0, 0);
    }
}

/* The messages that were not withdrawn complete. */
static void append_late(struct author *a)
{
    for (int i = 0; i < a->program->failure; i++) {
        const struct ring_op *op = &a->program->ops[i];
        if (op->operation == RING_op_sent || op->operation == RING_op_received) {
            append(a, (enum ring_operation)op->operation, op->who, 0);
        }
    }
}

static void write_program(struct author *a)
{
    struct ring_program *program = a->program;
    program->count = 0;
    program->writes = false;
    for (const struct ring_line *line = ring_lines[a->call->kind]; line->role; line++) {
        if (takes_part(a, a->me, line)) {
            append_line(a, line);
        }
    }
    append_end(a);
    program->failure = program->count;
    append_failure(a);
    program->late = program->count;
    append_failure(a);
    append_late(a);
}

/* The number of the last use of this place with a landing; 0: none. */
static uint8_t landing_before(const struct ring_model *model, int turn, int me)
{
    bool anybody = ring_holds(&model->sequence, RING_LANDING_LAST_USE);
    for (int t = turn - 1; t >= 0; t--) {
        const struct ring_call *call = &model->sequence.calls[model->call[t]];
        bool landing = call->kind == RING_arrival || call->kind == RING_staged;
        if (landing && model->place[t] == model->place[turn] && (anybody || call->root == me)) {
            return model->number[t];
        }
    }
    return 0;
}

int ring_turns(const struct ring_sequence *sequence)
{
    int turns = 0;
    for (int c = 0; c < sequence->ncalls; c++) {
        turns += sequence->calls[c].epochs;
    }
    return turns;
}

/* Uses begin at R, and so do their numbers. */
static void number_turns(struct ring_model *model)
{
    const struct ring_sequence *sequence = &model->sequence;
    int next = sequence->depth;
    model->turns = 0;
    for (int c = 0; c < sequence->ncalls; c++) {
        for (int epoch = 0; epoch < sequence->calls[c].epochs; epoch++) {
            int turn = model->turns++;
            model->call[turn] = (uint8_t)c;
            model->number[turn] = (uint8_t)(next + epoch);
            model->place[turn] = (uint8_t)((next + epoch) % sequence->depth);
        }
        next += ring_holds(sequence, RING_NUMBER_EACH_USE) ? sequence->calls[c].epochs : 1;
    }
}

void ring_prepare(struct ring_model *model, const struct ring_sequence *sequence)
{
    memset(model, 0, sizeof(*model));
    model->sequence = *sequence;
    number_turns(model);
    for (int turn = 0; turn < model->turns; turn++) {
        for (int me = 0; me < sequence->members; me++) {
            struct author a = {model, &model->program[turn][me], turn, me,
                               &model->sequence.calls[model->call[turn]]};
            write_program(&a);
            model->landing_before[turn][me] = landing_before(model, turn, me);
        }
    }
}
