/* What a call must have delivered. The code that builds a plan does not know the lengths of the
 * call. So, whatever they are, the plan must move every slice that a block may have, and every
 * distance at which a block may be direct, exactly once. */
#include "core/check/check_blocks.h"

int strata_check_deliver_slice(struct checker *k, struct check_rank *me, int source)
{
    int pass = me->cursor.pass;
    if (pass >= k->calls[me->call].slices) {
        return STRATA_OK; /* no block has so many slices */
    }
    if (me->delivered[source] == pass) {
        me->delivered[source]++;
        return STRATA_OK;
    }
    return strata_check_fail(k, me,
                             "copies out slice %d of the block from rank %d, but the next is %d",
                             pass, source, me->delivered[source]);
}

int strata_check_deliver_distance(struct checker *k, struct check_rank *me, int distance)
{
    if (!me->direct_done[distance]) {
        me->direct_done[distance] = 1;
        return STRATA_OK;
    }
    return strata_check_fail(k, me, "moves direct blocks at distance %d for the second time",
                             distance);
}

int strata_check_native(struct checker *k, struct check_rank *me, const struct strata_step *step)
{
    int status = STRATA_OK;
    (void)step;
    k->calls[me->call].natives++;
    for (int r = 0; r < k->ranks && !status; r++) {
        if (me->delivered[r] > 0) {
            return strata_check_fail(k, me, "delivers the block from rank %d again", r);
        }
        me->delivered[r] = k->calls[me->call].slices;
        status = strata_check_deliver_distance(k, me, r);
    }
    return status;
}

int strata_check_begin_call(struct checker *k, struct check_rank *me)
{
    strata_cursor_begin(&me->cursor, k->calls[me->call].plans[me->rank]);
    strata_check_expose_nothing(k, me);
    if (over_blocks(me)) {
        if (k->calls[me->call].began) {
            k->calls[me->call].began[me->rank] = me->clock[me->position];
        }
        return strata_check_stores_begin(k, me);
    }
    me->direct_last = -1;
    for (int r = 0; r < k->ranks; r++) {
        me->delivered[r] = 0;
        me->direct_done[r] = 0;
    }
    return STRATA_OK;
}

static int all_delivered(const struct checker *k, const struct check_rank *me)
{
    int slices = k->calls[me->call].slices;
    bool direct = plan_of(me)->limits.threshold < SIZE_MAX;
    for (int r = 0; r < k->ranks; r++) {
        if (me->delivered[r] != slices) {
            return strata_check_fail(k, me,
                                     "%d of %d slices of the block from rank %d were copied out",
                                     me->delivered[r], slices, r);
        }
        if (direct && !me->direct_done[r]) {
            return strata_check_fail(k, me, "direct blocks at distance %d were not moved", r);
        }
    }
    return STRATA_OK;
}

/* Checks what must hold at the end of the steps, and leaves the call. */
static int leave_call(struct checker *k, struct check_rank *me)
{
    static const char *const kind[] = {"lane", "direct"};
    for (int i = 0; i < STRATA_TRAFFIC_KINDS; i++) {
        if (me->unwaited[i]) {
            return strata_check_fail(k, me, "%s messages are still open: no wait for all of them",
                                     kind[i]);
        }
    }
    if (me->known_head >= 0) {
        return strata_check_fail(k, me, "lengths of items came, but the items were not received");
    }
    int status = over_blocks(me) ? strata_check_result(k, me) : all_delivered(k, me);
    status = status || !over_blocks(me) ? status : strata_check_long_taken(k, me);
    if (!status && is_staged(me)) {
        uint64_t *epoch = &me->ring[strata_check_ring(me)].epoch;
        *epoch += (uint64_t)plan_of(me)->limits.passes;
        status = strata_check_leave(k, me, *epoch - 1);
    }
    me->departed = true;
    return status;
}

/* A rank that exposes blocks waits: in plans over items for the members that it exposes blocks to,
 * in others until all members have left. Where a rank is absent, blocks are short enough not to be
 * exposed. */
static int get_back(struct checker *k, struct check_rank *me)
{
    if (!over_blocks(me)) {
        return strata_check_told(k, me);
    }
    int status = STRATA_OK;
    bool exposes = plan_of(me)->blocks.exposes && !k->options->absent;
    if (exposes || strata_check_direct_exposed(k, me)) {
        status = strata_check_call_departed(k, me);
    }
    return status ? status : strata_check_exposed_end(k, me);
}

int strata_check_end_call(struct checker *k, struct check_rank *me)
{
    int status = me->departed ? STRATA_OK : leave_call(k, me);
    status = status ? status : get_back(k, me);
    if (!status) {
        strata_check_stores_end(me);
        me->pass = 0;
        me->departed = false;
        me->call++;
    }
    if (!status && me->call < k->ncalls) {
        status = strata_check_begin_call(k, me);
    }
    return status;
}
