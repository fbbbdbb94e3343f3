/* Makes the stores of a call's plan (core/plan/plan.h) from the sides of the call. */
#include "api/call/bind.h"

#include "core/base/memory.h"

/* Whether the engine reads the side's contents. Before a bcast only the root's buffer holds data,
 * and it is never written. */
static bool holds_input(const struct strata_signature *s, const struct strata_side *side)
{
    bool broadcasts = s->collective == STRATA_BCAST && s->rank == s->root;
    return side == &s->send || s->in_place || broadcasts;
}

static int bind_significant(const struct strata_signature *s, const struct strata_side *side,
                            struct strata_binding *binding, struct strata_bound *bound)
{
    bound->layout = (struct strata_layout){.base = NULL};
    bound->side = side->part != STRATA_NONE ? side : NULL;
    return bound->side ? strata_bind_side(s, binding, bound, holds_input(s, side)) : MPI_SUCCESS;
}

static int bind_sides(const struct strata_signature *s, struct strata_binding *binding)
{
    int error = bind_significant(s, &s->recv, binding, &binding->recv);
    return error == MPI_SUCCESS ? bind_significant(s, &s->send, binding, &binding->send) : error;
}

/* One block of a layout as a layout of its own. */
static struct strata_layout block_of(const struct strata_layout *l, int block)
{
    return (struct strata_layout){.base = strata_layout_at(l, block),
                                  .type = l->type,
                                  .count = strata_layout_elements(l, block),
                                  .handle = l->handle};
}

/* Binds a call in place, where all blocks lie in one memory. A rank's single block is its own one
 * of them, and the result of a reduction goes to the beginning. */
static void bind_in_place(const struct strata_signature *s, const struct strata_binding *binding,
                          struct strata_execution *x)
{
    const struct strata_collective_info *info = &strata_collective_info[s->collective];
    const struct strata_bound *b = binding->recv.side ? &binding->recv : &binding->send;
    x->input = x->output = b->layout;
    if (info->input == STRATA_ONE) {
        x->input = block_of(&b->layout, s->rank);
    }
    if (info->output == STRATA_ONE) {
        x->output = block_of(&b->layout, s->rank);
        if (info->result != STRATA_COPIED) {
            x->output.base = b->layout.base;
        }
    }
}

/* Lets the plan cut the vector into segments: between elements in a reduction, and anywhere else in
 * other collectives, where ranks may have different elements. */
static void cut(const struct strata_signature *s, const struct strata_plan *plan,
                struct strata_layout *l)
{
    l->segments = (size_t)plan->blocks.count;
    l->unit = strata_collective_reduces(s->collective) ? l->type->size : 1;
}

static int find_operator(const struct strata_signature *s, struct strata_binding *binding,
                         const struct strata_side *side, const struct strata_layout *known)
{
    const struct strata_datatype *datatype = NULL;
    int error;
    if (!binding->send.packed && !binding->recv.packed) {
        strata_operator_init(&binding->combination, s->op, side->type, known->type->extent);
        return MPI_SUCCESS;
    }
    error = strata_datatype_find(binding->process, side->type, binding->comm, &datatype);
    return error == MPI_SUCCESS ? strata_operator_init_packed(&binding->combination, s->op,
                                                              side->type, datatype, binding->comm)
                                : error;
}

/* Lays out the work store, with the blocks of the side that knows their lengths. Where only two
 * ranks together know a length (alltoallv), plans have no work store. Where only the root knows
 * (gatherv), api/call/lengths.c finds the lengths. */
static int find_work(const struct strata_signature *s, struct strata_binding *binding,
                     struct strata_execution *x)
{
    const struct strata_collective_info *info = &strata_collective_info[s->collective];
    const struct strata_side *side = strata_telling_side(s);
    const struct strata_layout *known =
        side == &s->send ? &binding->send.layout : &binding->recv.layout;
    if (info->varying && (info->root != '-' || strata_collective_transposes(s->collective))) {
        x->work = (struct strata_layout){.base = NULL};
        return MPI_SUCCESS;
    }
    x->work = *known;
    x->work.base = NULL;
    x->work.displs = NULL;
    x->work.displacements = NULL;
    if (info->result != STRATA_COPIED) {
        return find_operator(s, binding, side, known);
    }
    x->work.type = strata_binding_element(binding, known->type->size);
    x->work.handle = NULL;
    return MPI_SUCCESS;
}

int strata_bind(const struct strata_signature *s, struct strata_binding *binding,
                struct strata_execution *x)
{
    int error = bind_sides(s, binding);
    struct strata_bound *bounds[] = {&binding->send, &binding->recv};
    if (error != MPI_SUCCESS || s->collective == STRATA_BARRIER) {
        x->work = (struct strata_layout){.type = &strata_byte_type};
        return error;
    }
    for (int i = 0; i < 2; i++) {
        if (bounds[i]->side && !strata_collective_info[s->collective].ranked) {
            cut(s, x->plan, &bounds[i]->layout);
        }
    }
    if (s->in_place || s->collective == STRATA_BCAST) {
        bind_in_place(s, binding, x);
    } else {
        x->input = binding->send.layout;
        x->output = binding->recv.layout;
    }
    error = find_work(s, binding, x);
    strata_engine_slice(x, 0);
    return error;
}

int strata_bind_again(const struct strata_signature *s, const struct strata_binding *binding)
{
    const struct strata_bound *bounds[] = {&binding->recv, &binding->send};
    int error = MPI_SUCCESS;
    for (int i = 0; error == MPI_SUCCESS && i < 2; i++) {
        if (bounds[i]->packed && holds_input(s, bounds[i]->side)) {
            error = strata_convert(s, binding, bounds[i], true);
        }
    }
    return error;
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
    if (!binding->holds) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        struct strata_bound *b = bounds[i];
        strata_release(b->packed);
        strata_release(b->lengths);
        strata_release(b->displacements);
        b->packed = NULL;
        b->lengths = NULL;
        b->displacements = NULL;
    }
    strata_operator_fini(&binding->combination);
    binding->holds = false;
}
