/* The steps that both families of plans have: messages, copies, and waits for messages. */
#include "core/engine/engine_steps.h"

#include "core/base/seldom.h"
#include "core/engine/broadcast_lengths.h"
#include "core/engine/engine_family.h"
#include "core/engine/single_copy.h"

int strata_run_send_blocks(struct strata_execution *x, const struct strata_step *step)
{
    return strata_family_of(x->plan)->send(x, step);
}

int strata_run_recv_blocks(struct strata_execution *x, const struct strata_step *step)
{
    return strata_family_of(x->plan)->receive(x, step);
}

int strata_run_copy(struct strata_execution *x, const struct strata_step *step)
{
    return strata_family_of(x->plan)->copy(x, step);
}

static STRATA_SELDOM void note_difference(struct strata_execution *x, enum strata_traffic kind)
{
    struct strata_difference first = {.known = false};
    const char *label = strata_cursor_label(&x->cursor);
    bool known = x->transport->differs && x->transport->differs(x->transport_self, kind, &first);
    if (x->plan->collective == STRATA_BCAST && x->progress.status == STRATA_OK && !first.is_void) {
        strata_tell_other_vector(x);
    }
    if (first.is_void) {
        strata_note_other_vector(x, first.peer, STRATA_NO_VECTOR);
    } else if (known) {
        strata_record_error(
            x, STRATA_ERR_TRUNCATE,
            "rank %d: a message of rank %d has %zu bytes, where %zu are expected, in "
            "step %d (%s)",
            x->plan->rank, first.peer, first.came, first.expected, x->cursor.at, label);
    } else {
        strata_record_error(x, STRATA_ERR_TRUNCATE,
                            "rank %d: a message is not as long as expected in step %d (%s)",
                            x->plan->rank, x->cursor.at, label);
    }
}

/* Tests for messages. A message of a wrong length is noted, and counts as complete. */
static int test_messages(struct strata_execution *x, enum strata_traffic kind, int *open)
{
    bool settles = kind == STRATA_DIRECT_TRAFFIC && x->progress.directs_differ;
    int error = settles ? x->transport->settle(x->transport_self, open)
                        : x->transport->test(x->transport_self, kind, open);
    if (error == STRATA_ERR_TRUNCATE) {
        note_difference(x, kind);
        error = STRATA_OK;
    }
    return error;
}

/* Processes the messages that have arrived. Packed messages may be written over from now on. */
static int land(struct strata_execution *x)
{
    int error = strata_family_of(x->plan)->land(x);
    x->progress.pack_used = 0;
    return error;
}

/* If only one end of a block takes it for direct, the message never comes, or comes unexpected. The
 * lengths have shown this before any rank waits for direct blocks. When the lengths came, all ranks
 * had sent their direct blocks. */
int strata_run_wait(struct strata_execution *x, const struct strata_step *step)
{
    int open = 0;
    enum strata_traffic kind = step->direct ? STRATA_DIRECT_TRAFFIC : STRATA_LANE_TRAFFIC;
    int taken = step->direct && step->count == 0 ? strata_take_direct(x) : STRATA_OK;
    if (taken != STRATA_OK) {
        return taken;
    }
    int posted = x->progress.posted[kind] + (step->direct && x->progress.directs_differ);
    bool few = step->count > 0 && posted <= step->count;
    if (posted + step->count + step->direct == 0 && x->progress.nopen_recv > 0) {
        return land(x); /* the items are known to be empty */
    }
    if (posted == 0 || few) {
        return STRATA_OK;
    }
    int error = test_messages(x, kind, &open);
    x->progress.posted[kind] = open;
    if (error == STRATA_OK && open > step->count) {
        x->pending_member = -1;
        return step->direct && !strata_in_step(x) ? x->progress.status : STRATA_PENDING;
    }
    x->progress.directs_differ = x->progress.directs_differ && !step->direct;
    return error == STRATA_OK && !step->direct && open == 0 ? land(x) : error;
}

int strata_run_native(struct strata_execution *x, const struct strata_step *step)
{
    (void)x;
    (void)step;
    return STRATA_ERR_UNSUPPORTED; /* the caller runs MPI's own collective instead of the engine */
}
