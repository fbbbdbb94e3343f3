#include "core/engine/node_memory.h"

/* Slots begin on lines of their own, so that neighbours do not share one. */
static size_t on_lines(size_t bytes)
{
    return (bytes + STRATA_LINE - 1) / STRATA_LINE * STRATA_LINE;
}

size_t strata_node_memory_bytes(int members, size_t slot_bytes, size_t landing_bytes)
{
    return (size_t)members * (sizeof(struct strata_member) + STRATA_PLACES * on_lines(slot_bytes)) +
           on_lines(landing_bytes);
}

/* As if each place had been used once, and all these uses been left. */
static void clear(struct strata_node_memory *s)
{
    struct strata_member *mine = &s->member[s->me];
    s->use = s->all_left = STRATA_PLACES;
    atomic_store_explicit(&mine->left, strata_moment(s->use, 0), memory_order_relaxed);
    atomic_store_explicit(&mine->broken, 0, memory_order_relaxed);
    for (int signal = 0; signal < STRATA_SIGNALS; signal++) {
        atomic_store_explicit(&mine->bell[signal].sleepers, 0, memory_order_relaxed);
        atomic_store_explicit(&mine->bell[signal].rung, 0, memory_order_relaxed);
    }
    for (uint64_t use = 0; use < STRATA_PLACES; use++) {
        atomic_store_explicit(strata_node_memory_signal(s, s->me, use), 0, memory_order_relaxed);
    }
}

void strata_node_memory_init(struct strata_node_memory *s, void *base, int members, int me,
                             size_t slot_bytes, size_t landing_bytes)
{
    unsigned char *memory = base;
    size_t count = (size_t)members;
    *s = (struct strata_node_memory){.members = members, .me = me};
    s->slot_bytes = on_lines(slot_bytes);
    s->landing_bytes = on_lines(landing_bytes);
    s->member = base;
    s->slots = s->signals = memory + count * sizeof(struct strata_member);
    s->signal_bytes = s->slot_bytes;
    s->landing = s->slots + STRATA_PLACES * count * s->slot_bytes;
    clear(s);
}

void strata_node_memory_break(struct strata_node_memory *s, uint64_t use)
{
    _Atomic uint64_t *broken = &s->member[s->me].broken;
    if (atomic_load_explicit(broken, memory_order_relaxed) == 0) {
        atomic_store_explicit(broken, use, memory_order_release);
        if (s->wake) { /* whoever sleeps until I signal; and until I leave */
            s->wake(s, strata_moment(use, STRATA_SIGNAL_FAILED));
            s->wake(s, strata_moment(use, 0));
        }
    }
}
