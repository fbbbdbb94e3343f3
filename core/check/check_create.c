/* The checker's memory. strata_check_create allocates and zeroes all of it; strata_check_destroy
 * frees as much of it as exists. */
#include "core/base/memory.h"
#include "core/check/check_blocks.h"

/* Allocates a rank's state about the members that it exposes blocks to, and takes blocks from. */
static bool create_owner(const struct checker *k, struct check_rank *me)
{
    size_t members = k->nodes ? (size_t)k->nodes->largest : 0;
    me->lent_read = strata_allocate(members, sizeof(*me->lent_read));
    me->told = strata_allocate(members, sizeof(*me->told));
    me->took = strata_allocate(members, sizeof(*me->took));
    return me->lent_read && me->told && me->took;
}

static bool create_rank(struct checker *k, int rank)
{
    struct check_rank *me = &k->rank[rank];
    me->rank = rank;
    me->position = k->nodes ? strata_topology_position(k->nodes, rank) : rank;
    me->open_head = me->known_head = -1;
    size_t sources = k->any_items ? (size_t)k->ranks : 0;
    me->delivered = strata_allocate(sources, sizeof(*me->delivered));
    me->direct_done = strata_allocate(sources, sizeof(*me->direct_done));
    me->clock = strata_allocate(k->clocks ? (size_t)k->ranks : 0, sizeof(*me->clock));
    if (!create_owner(k, me) || !me->delivered || !me->direct_done || !me->clock) {
        return false;
    }
    if (k->clocks) {
        me->clock[me->position] = 1; /* time 0 means never */
        for (int ring = 0; ring < STRATA_RINGS; ring++) {
            me->ring[ring].epoch = me->ring[ring].all_departed =
                strata_check_depth((enum strata_ring_kind)ring);
        }
    }
    return true;
}

static bool create_tables(struct check_table **tables, int count, int nodes)
{
    *tables = strata_allocate((size_t)count, sizeof(**tables));
    for (int i = 0; *tables && i < count; i++) {
        (*tables)[i].call = -1;
        (*tables)[i].entry = strata_allocate((size_t)nodes, sizeof(*(*tables)[i].entry));
        if (!(*tables)[i].entry) {
            return false;
        }
    }
    return *tables;
}

static bool create_cells(const struct checker *k, struct check_slot *slot)
{
    slot->cell = strata_allocate((size_t)k->most_cells, sizeof(*slot->cell));
    for (int i = 0; slot->cell && i < k->most_cells; i++) {
        slot->cell[i].read = strata_allocate((size_t)k->nodes->largest, sizeof(int32_t));
        if (!slot->cell[i].read) {
            return false;
        }
    }
    return slot->cell;
}

/* The number of slots kept of a ring; 0: no call uses it. */
static int slots_of(const struct checker *k, int ring)
{
    return k->epochs[ring] ? (int)strata_check_depth((enum strata_ring_kind)ring) * k->ranks : 0;
}

static bool create_slots(struct checker *k, int ring)
{
    struct check_slot *slots = strata_allocate((size_t)slots_of(k, ring), sizeof(*slots));
    k->slots[ring] = slots;
    for (int i = 0; slots && i < slots_of(k, ring); i++) {
        struct check_slot *slot = &slots[i];
        slot->call = -1;
        slot->holds = strata_allocate((size_t)k->ranks, sizeof(*slot->holds));
        slot->read = strata_allocate((size_t)k->nodes->largest, sizeof(*slot->read));
        if (!slot->holds || !slot->read || !create_cells(k, slot)) {
            return false;
        }
    }
    return slots;
}

static bool create_landing(struct checker *k, struct check_call *call)
{
    size_t cells = ((size_t)call->common->exchange.lanes + 1) * (size_t)k->ranks;
    call->landing_read = strata_allocate(cells, sizeof(*call->landing_read));
    call->landing_write = strata_allocate(cells, sizeof(*call->landing_write));
    return call->landing_read && call->landing_write;
}

/* Allocates the memory that the node's members share, if some call is staged. */
static bool create_shared(struct checker *k)
{
    for (int c = 0; c < k->ncalls; c++) {
        const struct strata_plan *common = k->calls[c].common;
        k->epochs[common->blocks.ring] = k->epochs[common->blocks.ring] || common->exchange.staged;
        if (common->exchange.staged && !create_landing(k, &k->calls[c])) {
            return false;
        }
    }
    k->nstaged = k->nodes->nodes * k->staged_lanes;
    k->landing = strata_allocate((size_t)k->nodes->nodes, sizeof(*k->landing));
    bool done = k->landing && create_tables(&k->staged, k->nstaged, k->nodes->nodes);
    for (int ring = 0; ring < STRATA_RINGS; ring++) {
        done = done && create_slots(k, ring);
    }
    return done;
}

/* Allocates the times when each rank began a barrier. */
static bool create_beginnings(struct checker *k)
{
    bool done = true;
    for (int c = 0; c < k->ncalls; c++) {
        if (strata_check_is_barrier(k->calls[c].common)) {
            k->calls[c].began = strata_allocate((size_t)k->ranks, sizeof(*k->calls[c].began));
            done = done && k->calls[c].began;
        }
    }
    return done;
}

int strata_check_create(struct checker *k)
{
    bool done = create_beginnings(k);
    k->free_message = -1;
    k->rank = strata_allocate((size_t)k->ranks, sizeof(*k->rank));
    for (int r = 0; done && k->rank && r < k->ranks; r++) {
        done = create_rank(k, r);
    }
    done = done && k->rank && (!k->nodes || create_shared(k));
    done = done && (!k->any_flat || create_tables(&k->flat, k->ranks, k->ranks));
    if (!done) {
        return STRATA_ERR_MEMORY;
    }
    int status = STRATA_OK;
    for (int r = 0; r < k->ranks && !status; r++) {
        status = strata_check_begin_call(k, &k->rank[r]);
    }
    return status;
}

static void destroy_rank(struct check_rank *me)
{
    for (int ring = 0; ring < STRATA_RINGS; ring++) {
        for (int i = 0; i < me->ring[ring].npublished; i++) {
            strata_release(me->ring[ring].published[i].clock);
        }
        strata_release(me->ring[ring].published);
    }
    strata_check_stores_end(me);
    strata_release(me->open);
    strata_release(me->stamps);
    strata_release(me->clock);
    strata_release(me->lent_read);
    strata_release(me->told);
    strata_release(me->took);
    strata_release(me->direct_done);
    strata_release(me->delivered);
}

static void destroy_tables(struct check_table *tables, int count)
{
    for (int i = 0; tables && i < count; i++) {
        strata_release(tables[i].entry);
    }
    strata_release(tables);
}

static void destroy_messages(struct checker *k)
{
    for (int i = 0; i < k->nmessages; i++) {
        strata_release(k->messages[i].symbols);
        strata_release(k->messages[i].values);
        strata_release(k->messages[i].clock);
    }
    strata_release(k->messages);
}

static void destroy_slot(const struct checker *k, struct check_slot *slot)
{
    for (int i = 0; slot->cell && i < k->most_cells; i++) {
        strata_release(slot->cell[i].read);
    }
    strata_release(slot->cell);
    strata_release(slot->holds);
    strata_release(slot->read);
}

static void destroy_slots(struct checker *k)
{
    for (int ring = 0; ring < STRATA_RINGS; ring++) {
        for (int i = 0; k->slots[ring] && i < slots_of(k, ring); i++) {
            destroy_slot(k, &k->slots[ring][i]);
        }
        strata_release(k->slots[ring]);
    }
}

static void destroy_landings(struct checker *k)
{
    for (int n = 0; k->landing && n < k->nodes->nodes; n++) {
        strata_release(k->landing[n].block);
        strata_release(k->landing[n].read);
    }
    strata_release(k->landing);
}

static void destroy_calls(struct checker *k)
{
    for (int c = 0; k->calls && c < k->ncalls; c++) {
        strata_release(k->calls[c].landing_read);
        strata_release(k->calls[c].landing_write);
        strata_release(k->calls[c].expected);
        strata_release(k->calls[c].began);
    }
    strata_release(k->calls);
}

void strata_check_destroy(struct checker *k)
{
    destroy_messages(k);
    destroy_slots(k);
    destroy_landings(k);
    destroy_tables(k->staged, k->nstaged);
    destroy_tables(k->flat, k->ranks);
    for (int r = 0; k->rank && r < k->ranks; r++) {
        destroy_rank(&k->rank[r]);
    }
    strata_release(k->rank);
    destroy_calls(k);
    for (int kind = 0; kind < STRATA_TRAFFIC_KINDS; kind++) {
        strata_pair_table_fini(&k->queues[kind]);
    }
}
