#include "core/engine/node_memory.h"

/* Slots begin on lines of their own, so that neighbours do not share one. */
static size_t on_lines(size_t bytes)
{
    return (bytes + STRATA_LINE - 1) / STRATA_LINE * STRATA_LINE;
}

size_t strata_node_memory_bytes(int members, size_t slot_bytes, size_t landing_bytes)
{
    size_t count = (size_t)members;
    return count * sizeof(struct strata_flag) + 2 * count * on_lines(slot_bytes) +
           on_lines(landing_bytes);
}

void strata_node_memory_init(struct strata_node_memory *s, void *base, int members, int me,
                             size_t slot_bytes, size_t landing_bytes)
{
    unsigned char *memory = base;
    size_t count = (size_t)members;
    *s = (struct strata_node_memory){.members = members, .me = me};
    s->slot_bytes = on_lines(slot_bytes);
    s->landing_bytes = on_lines(landing_bytes);
    s->flags = (struct strata_flag *)base;
    s->slots = memory + count * sizeof(struct strata_flag);
    s->landing = s->slots + 2 * count * s->slot_bytes;
}
