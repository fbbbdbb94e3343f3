#include "core/engine/node_memory.h"

/* Rounds up to whole lines, so that neighbouring slots do not share a line. */
static size_t on_lines(size_t bytes)
{
    return (bytes + STRATA_LINE - 1) / STRATA_LINE * STRATA_LINE;
}

static size_t slots_bytes(const struct strata_node_memory_sizes *sizes, enum strata_ring_kind kind,
                          int members)
{
    return (size_t)members * strata_ring_depth_of(sizes, kind) * on_lines(sizes->slot[kind]);
}

static size_t members_bytes(int members, size_t slot_bytes)
{
    return slot_bytes > 0 ? (size_t)members * sizeof(struct strata_member) : 0;
}

size_t strata_node_memory_bytes(int members, const struct strata_node_memory_sizes *sizes)
{
    size_t bytes = on_lines(sizes->landing);
    for (int kind = 0; kind < STRATA_RINGS; kind++) {
        bytes += members_bytes(members, sizes->slot[kind]) +
                 slots_bytes(sizes, (enum strata_ring_kind)kind, members);
    }
    return bytes;
}

void strata_node_memory_parts(int members, const struct strata_node_memory_sizes *sizes,
                              strata_node_memory_part *visit, void *context)
{
    size_t landing = on_lines(sizes->landing), m = (size_t)members;
    for (int i = 0; i < STRATA_RINGS * members; i++) {
        size_t bytes = members_bytes(1, sizes->slot[i / members]);
        visit(context, bytes, i % members, STRATA_WRITES_ALONE);
    }
    for (int i = 0; i < STRATA_RINGS * members; i++) {
        size_t bytes = slots_bytes(sizes, (enum strata_ring_kind)(i / members), 1);
        visit(context, bytes, i % members, STRATA_WRITES_ALONE);
    }
    for (size_t i = 0; i < m; i++) {
        visit(context, landing * (i + 1) / m - landing * i / m, (int)i, STRATA_WRITE_TURNS_UP_TO);
    }
}

/* Sets the ring as if each slot had been used in one epoch, and all members had left these
 * epochs. */
static void clear(struct strata_ring *r)
{
    struct strata_member *mine = &r->member[r->me];
    r->epoch = r->all_departed = r->depth;
    atomic_store_explicit(&mine->departed, strata_stamp(r->epoch, 0), memory_order_relaxed);
    atomic_store_explicit(&mine->looked, 0, memory_order_relaxed);
    atomic_store_explicit(&mine->broken, 0, memory_order_relaxed);
    atomic_store_explicit(&mine->gone, 0, memory_order_relaxed);
    atomic_store_explicit(&mine->ask.asked, 0, memory_order_relaxed);
    atomic_store_explicit(&mine->ask.answered, 0, memory_order_relaxed);
    atomic_store_explicit(&mine->ask.asks, 0, memory_order_relaxed);
    for (int signal = 0; signal < STRATA_SIGNALS; signal++) {
        atomic_store_explicit(&mine->bell[signal].sleepers, 0, memory_order_relaxed);
        atomic_store_explicit(&mine->bell[signal].rung, 0, memory_order_relaxed);
    }
    for (uint64_t epoch = 0; epoch < r->depth; epoch++) {
        atomic_store_explicit(strata_ring_signal(r, r->me, epoch), 0, memory_order_relaxed);
    }
}

static void init_ring(struct strata_ring *r, unsigned char *member, unsigned char *slots,
                      size_t slot_bytes)
{
    r->slot_bytes = r->signal_bytes = on_lines(slot_bytes);
    if (slot_bytes > 0) {
        r->member = (void *)member;
        r->slots = r->signals = slots;
        clear(r);
    }
}

void strata_node_memory_init(struct strata_node_memory *s, void *base, int members, int me,
                             const struct strata_node_memory_sizes *sizes)
{
    unsigned char *member = base, *slots = base;
    *s = (struct strata_node_memory){.landing_bytes = on_lines(sizes->landing)};
    for (int kind = 0; kind < STRATA_RINGS; kind++) {
        slots += members_bytes(members, sizes->slot[kind]);
    }
    for (int kind = 0; kind < STRATA_RINGS; kind++) {
        struct strata_ring *r = &s->ring[kind];
        size_t slot_bytes = sizes->slot[kind];
        *r = (struct strata_ring){.members = members, .me = me};
        r->depth = strata_ring_depth_of(sizes, (enum strata_ring_kind)kind);
        r->depth_mask = r->depth - 1;
        r->leaves = r->depth >= 4 ? r->depth / 4 - 1 : 0;
        init_ring(r, member, slots, slot_bytes);
        member += members_bytes(members, slot_bytes);
        slots += slots_bytes(sizes, (enum strata_ring_kind)kind, members);
    }
    s->landing = slots;
}

bool strata_node_memory_leave(struct strata_node_memory *s, int member)
{
    /* Guards no other memory: the count of the memory's users does. */
    return atomic_exchange_explicit(&s->ring[STRATA_LARGE_RING].member[member].gone, 1,
                                    memory_order_relaxed) == 0;
}

bool strata_node_memory_broken(const struct strata_node_memory *s)
{
    /* A member says that it is broken in every ring. */
    const struct strata_ring *r = &s->ring[STRATA_LARGE_RING];
    int member = 0;
    while (member < r->members && !strata_ring_lost(r, member, UINT64_MAX)) {
        member++;
    }
    return member < r->members;
}

static void break_ring(struct strata_ring *r)
{
    struct strata_member *mine = &r->member[r->me];
    if (atomic_load_explicit(&mine->broken, memory_order_relaxed) == 0) {
        /* This member has left all epochs before r->epoch, but may not have said so of the last of
         * them (leaves in node_memory.h). It says so now, because it will not later. Otherwise a
         * member that waits for it (look_who_left, strata_direct_taken) would wait for ever. */
        atomic_store_explicit(&mine->departed, strata_stamp(r->epoch, 0), memory_order_release);
        atomic_store_explicit(&mine->broken, r->epoch, memory_order_release);
        /* Before this member writes over blocks that it exposed (lost_peer). */
        atomic_thread_fence(memory_order_release);
        if (r->wake) { /* wakes members that sleep until I signal, or until I leave */
            r->wake(r, strata_stamp(r->epoch, STRATA_SIGNAL_FAILED));
            r->wake(r, strata_stamp(r->epoch, 0));
        }
    }
}

void strata_node_memory_break(struct strata_node_memory *s)
{
    for (int kind = 0; kind < STRATA_RINGS; kind++) {
        if (s->ring[kind].member) {
            break_ring(&s->ring[kind]);
        }
    }
}
