/* From the sides of a call to the stores of its plan (core/plan/plan.h). */
#include "api/call/bind.h"

#include "core/base/memory.h"

/* Only the root's buffer holds anything before a bcast, and it is never written. */
static bool holds_input(const struct strata_signature *s, const struct strata_side *side)
{
    bool broadcasts = s->collective == STRATA_BCAST && s->rank == s->root;

    return side == &s->send || s->in_place || broadcasts;
}

static int bind_sides(const struct strata_signature *s, struct strata_binding *binding)
{
    int error = MPI_SUCCESS;

    if (s->recv.part != STRATA_NONE) {
        binding->recv.side = &s->recv;
        error = strata_bind_side(s, binding, &binding->recv, holds_input(s, &s->recv));
    }
    if (error == MPI_SUCCESS && s->send.part != STRATA_NONE) {
        binding->send.side = &s->send;
        error = strata_bind_side(s, binding, &binding->send, true);
    }
    return error;
}

/* One block of a layout as a layout of its own. */
static struct strata_layout block_of(const struct strata_layout *l, int block)
{
    return (struct strata_layout){.base = strata_layout_at(l, block),
                                  .type = l->type,
                                  .count = strata_layout_elements(l, block),
                                  .handle = l->handle};
}

/* In place: all blocks are in one memory, and what is a rank's only one is its own of them; a
 * reduction's result goes to the beginning. */
static void bind_in_place(const struct strata_signature *s, struct strata_binding *binding)
{
    const struct strata_collective_info *info = &strata_collective_info[s->collective];
    const struct strata_bound *b = binding->recv.side ? &binding->recv : &binding->send;

    binding->input = binding->output = b->layout;
    if (info->input == STRATA_ONE) {
        binding->input = block_of(&b->layout, s->rank);
    }
    if (info->output == STRATA_ONE) {
        binding->output = block_of(&b->layout, s->rank);
        if (info->result != STRATA_COPIED) {
            binding->output.base = b->layout.base;
        }
    }
}

/* Vectors are cut by the plan: reductions between elements, others anywhere, for the ranks'
 * elements may differ. */
static void cut(const struct strata_signature *s, const struct strata_plan *plan,
                struct strata_layout *l)
{
    l->segments = (size_t)plan->blocks.count;
    l->unit = strata_collective_reduces(s->collective) ? l->type->size : 1;
}

/* What a block of the work store is, from the side that knows the blocks' lengths. Where it takes
 * two ranks to know (alltoallv) plans have no work store, and where it takes one (gatherv),
 * api/call/sizes.c finds them. */
static void find_work(const struct strata_signature *s, struct strata_binding *binding)
{
    const struct strata_collective_info *info = &strata_collective_info[s->collective];
    bool from_send = s->send.part > s->recv.part;
    const struct strata_layout *known = from_send ? &binding->send.layout : &binding->recv.layout;

    if (info->varying && (info->root != '-' || strata_collective_transposes(s->collective))) {
        return;
    }
    binding->work = *known;
    binding->work.base = NULL;
    binding->work.displs = NULL;
    if (info->result == STRATA_COPIED) {
        binding->element = strata_byte_type;
        binding->element.size = known->type->size;
        binding->element.extent = (ptrdiff_t)known->type->size;
        binding->work.type = &binding->element;
        binding->work.handle = NULL;
    } else {
        strata_operator_init(&binding->combination, s->op, from_send ? s->send.type : s->recv.type);
    }
}

int strata_bind(const struct strata_signature *s, const struct strata_plan *plan,
                struct strata_binding *binding)
{
    int error = bind_sides(s, binding);
    struct strata_bound *bounds[] = {&binding->send, &binding->recv};

    if (error != MPI_SUCCESS || s->collective == STRATA_BARRIER) {
        return error;
    }
    for (int i = 0; i < 2; i++) {
        if (bounds[i]->side && !strata_collective_info[s->collective].ranked) {
            cut(s, plan, &bounds[i]->layout);
        }
    }
    if (s->in_place || s->collective == STRATA_BCAST) {
        bind_in_place(s, binding);
    } else {
        binding->input = binding->send.layout;
        binding->output = binding->recv.layout;
    }
    find_work(s, binding);
    return MPI_SUCCESS;
}

int strata_deliver(const struct strata_signature *s, struct strata_binding *binding)
{
    bool broadcasts = s->collective == STRATA_BCAST && s->rank == s->root;

    return binding->recv.packed && !broadcasts ? strata_convert(s, binding, &binding->recv, false)
                                               : MPI_SUCCESS;
}

void strata_unbind(struct strata_binding *binding)
{
    struct strata_bound *bounds[] = {&binding->send, &binding->recv};

    for (int i = 0; i < 2; i++) {
        strata_release(bounds[i]->packed);
        strata_release(bounds[i]->counts);
        strata_release(bounds[i]->displs);
    }
}
