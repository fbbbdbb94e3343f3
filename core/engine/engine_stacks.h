/* Blocks side by side in private memory: their lengths and addresses. */
#ifndef STRATA_CORE_ENGINE_ENGINE_STACKS_H
#define STRATA_CORE_ENGINE_ENGINE_STACKS_H

#include "core/engine/engine_progress.h"

/* Bytes of block i of a stack. */
static inline size_t strata_stack_block_bytes(const struct strata_stack *s, int i)
{
    int block = (int)(((int64_t)s->first + (s->alike ? 0 : i)) % s->count);
    return strata_layout_bytes(s->shape, s->number ? s->number[block] : block);
}

/* Elements of the stack before block i. */
static inline size_t strata_stack_elements_before(const struct strata_stack *s, int i)
{
    if (s->at) {
        return s->at[i];
    }
    const struct strata_layout *shape = s->shape;
    size_t number = (size_t)s->first + (size_t)i, count = (size_t)s->count;
    if (!shape->segments) {
        return (size_t)i * (strata_layout_bytes(shape, 0) / s->type->size);
    }
    if (s->alike) {
        return (size_t)i * (strata_stack_block_bytes(s, 0) / s->type->size);
    }
    size_t whole = shape->count * shape->type->size;
    size_t bytes = number / count * whole + strata_layout_cut(shape, number % count) -
                   strata_layout_cut(shape, (size_t)s->first);
    return bytes / s->type->size;
}

static inline struct strata_span strata_stack_span(const struct strata_stack *s, int first,
                                                   int count)
{
    size_t before = strata_stack_elements_before(s, first),
           end = strata_stack_elements_before(s, first + count);
    return (struct strata_span){.origin = s->origin + before * (size_t)s->type->extent,
                                .type = s->type,
                                .bytes = (end - before) * s->type->size};
}

#endif
