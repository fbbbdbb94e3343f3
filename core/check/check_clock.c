/* Vector clocks: which actions of other ranks are certain to have happened before mine, whatever
 * the interleaving. Only lane messages and awaited stamps give order. Direct messages depend on the
 * counts, and a rendezvous also makes a sender wait for its receiver. A plan that needed either
 * would be wrong in other calls, so neither gives order. */
#include "core/base/memory.h"
#include "core/check/check_blocks.h"

static bool room_for(void **array, int *capacity, int count, size_t size)
{
    if (count < *capacity) {
        return true;
    }
    int more = 2 * count + 16;
    void *grown = strata_reallocate(*array, (size_t)more, size);
    if (grown) {
        *array = grown;
        *capacity = more;
    }
    return grown;
}

/* A step is over: later actions of mine are not covered by messages and stamps that I have sent so
 * far. */
int strata_check_tick(struct checker *k, struct check_rank *me)
{
    if (!k->clocks) {
        return STRATA_OK;
    }
    int32_t now = me->clock[me->position];
    void *stamps = me->stamps;
    if (!room_for(&stamps, &me->stamps_capacity, now + 1, sizeof(*me->stamps))) {
        return STRATA_ERR_MEMORY;
    }
    me->stamps = stamps;
    me->stamps[now] = (struct check_stamp){.call = me->call, .at = me->cursor.at};
    me->clock[me->position] = now + 1;
    return STRATA_OK;
}

void strata_check_join(struct checker *k, struct check_rank *me, const int32_t *clock)
{
    if (!k->clocks || !clock) {
        return;
    }
    for (int p = 0; p < k->ranks; p++) {
        me->clock[p] = me->clock[p] < clock[p] ? clock[p] : me->clock[p];
    }
}

int strata_check_publish(struct checker *k, struct check_rank *me, uint64_t stamp)
{
    struct check_ring *ring = &me->ring[strata_check_ring(me)];
    void *published = ring->published;
    if (!room_for(&published, &ring->published_capacity, ring->npublished,
                  sizeof(*ring->published))) {
        return STRATA_ERR_MEMORY;
    }
    ring->published = published;
    int32_t *clock = strata_allocate((size_t)k->ranks, sizeof(*clock));
    if (!clock) {
        return STRATA_ERR_MEMORY;
    }
    for (int p = 0; p < k->ranks; p++) {
        clock[p] = me->clock[p];
    }
    ring->published[ring->npublished++] =
        (struct check_publication){.stamp = stamp, .clock = clock};
    return STRATA_OK;
}

const struct check_publication *
strata_check_published(const struct check_rank *me, const struct check_rank *member, uint64_t stamp)
{
    const struct check_ring *ring = &member->ring[strata_check_ring(me)];
    int low = 0, high = ring->npublished;
    while (low < high) {
        int middle = (low + high) / 2;
        if (ring->published[middle].stamp < stamp) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == ring->npublished) {
        return NULL;
    }
    const struct check_publication *found = &ring->published[low];
    return strata_stamp_epoch(found->stamp) == strata_stamp_epoch(stamp) ? found : NULL;
}

int strata_check_race(const struct checker *k, const struct check_rank *me, const char *what,
                      int position, int32_t time)
{
    int rank = k->nodes->rank_at[position];
    const struct check_rank *other = &k->rank[rank];
    bool over = time < other->clock[position]; /* otherwise its step is blocked half way */
    struct check_stamp stamp =
        over ? other->stamps[time] : (struct check_stamp){other->call, other->cursor.at};
    struct check_text step = strata_check_step_text(k, stamp.call, rank, stamp.at);
    return strata_check_fail(
        k, me,
        "race: %s, but nothing orders this after what rank %d does there in call %d "
        "at %s",
        what, rank, stamp.call, step.text);
}

int strata_check_all_before(const struct checker *k, const struct check_rank *me, const char *what,
                            const int32_t *time)
{
    const struct strata_topology *t = k->nodes;
    int node = t->node_of[me->rank];
    for (int p = t->first[node]; p < t->first[node + 1]; p++) {
        int32_t when = time[p - t->first[node]];
        if (when > me->clock[p]) {
            return strata_check_race(k, me, what, p, when);
        }
    }
    return STRATA_OK;
}

int strata_check_slot_write(struct checker *k, struct check_rank *me, int owner)
{
    struct check_slot *slot = strata_check_slot(k, me, owner);
    if (slot->written > me->clock[slot->writer]) {
        return strata_check_race(k, me, "writes a slot", slot->writer, slot->written);
    }
    slot->writer = me->position;
    slot->written = me->clock[me->position];
    return strata_check_all_before(k, me, "writes a slot", slot->read);
}

int strata_check_slot_read(struct checker *k, struct check_rank *me, int owner)
{
    struct check_slot *slot = strata_check_slot(k, me, owner);
    slot->read[k->nodes->local_of[me->rank]] = me->clock[me->position];
    return slot->written > me->clock[slot->writer]
               ? strata_check_race(k, me, "reads a slot", slot->writer, slot->written)
               : STRATA_OK;
}

int strata_check_cell_write(struct checker *k, struct check_rank *me, struct check_cell *cell)
{
    cell->written = me->clock[me->position];
    return strata_check_all_before(k, me, "writes a block of a slot", cell->read);
}

int strata_check_cell_read(struct checker *k, struct check_rank *me, int owner,
                           struct check_cell *cell)
{
    const int writer = strata_check_slot(k, me, owner)->writer;
    cell->read[k->nodes->local_of[me->rank]] = me->clock[me->position];
    return cell->written > me->clock[writer]
               ? strata_check_race(k, me, "reads a block of a slot", writer, cell->written)
               : STRATA_OK;
}

/* Checks that accesses of a lane's landing come before mine. Lanes lie apart within a call. In
 * different calls they may lie anywhere, so there any lane conflicts with any other. `writes`
 * selects writes instead of reads; lane -1 leaves my own call out. */
static int landing_before(struct checker *k, struct check_rank *me, int lane, bool writes,
                          const char *what)
{
    int status = STRATA_OK;
    int first = k->nodes->first[k->nodes->node_of[me->rank]];
    for (int c = 0; c < k->ncalls && !status; c++) {
        struct check_call *call = &k->calls[c];
        const int32_t *times = writes ? call->landing_write : call->landing_read;
        int row = c == me->call ? lane : call->common->exchange.lanes;
        if (times && row >= 0) {
            status =
                strata_check_all_before(k, me, what, times + (ptrdiff_t)row * k->ranks + first);
        }
    }
    return status;
}

/* The same for a landed block of a plan over blocks. Such blocks lie apart within their call, and
 * count as lanes for other calls. */
static int landing_block_before(struct checker *k, struct check_rank *me, int position, bool write)
{
    static const char *const what[] = {"reads a block in the landing", "writes it there"};
    const struct check_landing *landing = &k->landing[k->nodes->node_of[me->rank]];
    const struct check_landed *landed = &landing->block[position];
    int members = strata_topology_node_size(k->nodes, k->nodes->node_of[me->rank]);
    int status = landing_before(k, me, -1, true, what[write]);
    if (!status && check_landed_now(landed, me) && landed->written > me->clock[landed->writer]) {
        status = strata_check_race(k, me, what[write], landed->writer, landed->written);
    }
    if (status || !write) {
        return status;
    }
    status = landing_before(k, me, -1, false, what[write]);
    return status || !check_landed_now(landed, me)
               ? status
               : strata_check_all_before(k, me, what[write],
                                         landing->read + (ptrdiff_t)position * members);
}

static void landing_touch(struct checker *k, struct check_rank *me, int lane, int32_t *times)
{
    int32_t now = me->clock[me->position];
    int any = k->calls[me->call].common->exchange.lanes;
    times[(ptrdiff_t)lane * k->ranks + me->position] = now;
    times[(ptrdiff_t)any * k->ranks + me->position] = now;
}

int strata_check_landing_write(struct checker *k, struct check_rank *me, int lane)
{
    if (!is_staged(me)) {
        return STRATA_OK;
    }
    landing_touch(k, me, lane, k->calls[me->call].landing_write);
    int status = landing_before(k, me, lane, true, "writes a lane's table");
    return status ? status : landing_before(k, me, lane, false, "writes a lane's table");
}

int strata_check_landing_read(struct checker *k, struct check_rank *me, int lane)
{
    if (!is_staged(me)) {
        return STRATA_OK;
    }
    landing_touch(k, me, lane, k->calls[me->call].landing_read);
    return landing_before(k, me, lane, true, "reads a lane's table");
}

int strata_check_landing_block(struct checker *k, struct check_rank *me, int position, bool write)
{
    struct check_landing *landing = &k->landing[k->nodes->node_of[me->rank]];
    struct check_landed *landed = &landing->block[position];
    struct check_call *call = &k->calls[me->call];
    int members = strata_topology_node_size(k->nodes, k->nodes->node_of[me->rank]);
    int32_t *read = landing->read + (ptrdiff_t)position * members;
    int32_t now = me->clock[me->position];
    landing_touch(k, me, 0, write ? call->landing_write : call->landing_read);
    int status = landing_block_before(k, me, position, write);
    if (status || !write) {
        read[k->nodes->local_of[me->rank]] = now;
        return status;
    }
    bool first = !check_landed_now(landed, me);
    for (int m = 0; m < members && first; m++) {
        read[m] = 0;
    }
    if (first) {
        landed->block = (struct check_block){.value = {0, 0}};
    }
    landed->call = me->call;
    landed->pass = me->cursor.pass;
    landed->writer = me->position;
    landed->written = now;
    return STRATA_OK;
}
