#include "api/call/prepared.h"

#include "api/attach/settings.h"
#include "api/call/call.h"
#include "api/call/long_blocks.h"
#include "api/types/reduction_operator.h"
#include "core/base/memory.h"
#include "core/engine/engine_sizes.h"
#include "core/engine/tape.h"

void strata_execution_equip(struct strata_execution *x, struct strata_group *g,
                            const struct strata_plan *plan)
{
    x->plan = plan;
    x->nodes = g->topology;
    x->memory = plan->exchange.staged ? &g->memory : NULL;
    x->transport = &strata_transport_mpi;
    x->transport_self = &g->transport;
    x->team = &g->team;
    x->check = g->capacity.check;
    x->fixed_scratch = strata_engine_fixed_scratch(plan, x->check);
}

struct strata_prepared *strata_prepared_create(struct strata_process *process,
                                               struct strata_group *g,
                                               const struct strata_plan *plan)
{
    struct strata_prepared *prepared = strata_allocate(1, sizeof *prepared);

    if (!prepared) {
        return NULL;
    }
    prepared->binding.process = process;
    prepared->binding.comm = g->comm;
    prepared->x.op = &prepared->binding.combination.base;
    strata_execution_equip(&prepared->x, g, plan);
    prepared->tape = strata_tape_create(plan, prepared->x.check);
    prepared->kept = strata_kept_arrays_create(plan->collective, g->ranks);
    return prepared;
}

void strata_prepared_forget_arrays(struct strata_prepared *prepared)
{
    strata_kept_arrays_destroy(prepared->kept);
    prepared->kept = NULL;
}

void strata_prepared_destroy(struct strata_prepared *prepared)
{
    if (prepared) {
        strata_tape_destroy(prepared->tape);
        strata_kept_arrays_destroy(prepared->kept);
        strata_release(prepared);
    }
}

/* Arrays of a call are kept by the group, too. */
static int find_arrays(struct strata_group *g)
{
    if (!g->arrays) {
        g->arrays = strata_allocate((size_t)g->ranks, STRATA_ARRAY_BYTES);
    }
    return g->arrays ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static int bind_call(struct strata_call *c)
{
    const struct strata_kept_arrays *kept = c->entry->prepared->kept;
    struct strata_group *g = c->state->group;
    struct strata_binding *binding = c->binding;
    struct strata_execution *x = c->x;
    int error = find_arrays(g);

    if (error != MPI_SUCCESS) {
        return error;
    }
    binding->arrays = kept ? kept->arrays : g->arrays;
    binding->arrays_bytes = (size_t)g->ranks * STRATA_ARRAY_BYTES;
    binding->arrays_used = 0;
    error = strata_bind(c->signature, binding, x);
    x->in_place = c->signature->in_place || c->signature->collective == STRATA_BCAST;
    x->direct = NULL;
    return error;
}

/* Whether the plan is all that a rank does in a gatherv or scatterv. */
static bool is_plain(const struct strata_call *c)
{
    return !(strata_long_blocks_apart(c) && strata_long_blocks_here(c));
}

/* Whether calls with the same arguments are always served alike, after a look at what their arrays
 * hold. All ranks must go on deciding alike, whether one of them remembers the call or not: so
 * nothing may have a part in the decision but arguments by value, those arrays, types that were not
 * deleted and predefined operators. Of arrays that are not kept only counts may, and they and
 * displacements alone have a part in the binding. */
static bool settled(const struct strata_call *c)
{
    const struct strata_prepared *prepared = c->entry->prepared;
    const struct strata_signature *s = &prepared->asked;

    if (strata_collective_one_knows(s->collective) && !is_plain(c)) {
        return false;
    }
    if (strata_collective_reduces(s->collective) && !strata_operator_predefined(s->op)) {
        return false;
    }
    return !strata_collective_info[s->collective].varying || prepared->kept ||
           s->collective == STRATA_ALLTOALLV || s->collective == STRATA_ALLGATHERV;
}

/* Whether what arrays hold says where this rank's own input is: in place, where it is a block of
 * the output. Then they are looked at when the call is bound. */
static bool own_in_arrays(const struct strata_call *c)
{
    return c->x->in_place && c->signature->collective == STRATA_ALLGATHERV;
}

int strata_prepare(struct strata_call *c)
{
    struct strata_prepared *prepared = c->entry->prepared;
    int error;

    prepared->remembered = NULL;
    prepared->proved = false;
    prepared->asked = *c->signature;
    c->signature = &prepared->asked;
    prepared->varies = strata_collective_info[c->signature->collective].varying;
    if (prepared->kept) {
        strata_keep_arrays(prepared->kept, c->signature);
    }
    error = bind_call(c);
    prepared->fits =
        error == MPI_SUCCESS && prepared->tape && strata_tape_fits(prepared->tape, &prepared->x);
    prepared->again = error == MPI_SUCCESS && !prepared->binding.holds && !own_in_arrays(c) &&
                      settled(c) && c->state->group->settings->shadows == 0 &&
                      !c->process->explain.on;
    prepared->changes = strata_changes_now(c->process);
    return error;
}
