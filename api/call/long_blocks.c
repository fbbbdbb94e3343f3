#include "api/call/long_blocks.h"

#include <string.h>

#include "api/call/run.h"
#include "core/engine/engine_sizes.h"

/* As an alltoallv has them whose only destination, or source, is the root. */
struct long_blocks {
    struct strata_call *call;
    size_t threshold;
    struct strata_layout *all, *one; /* of the call: the root's side, and each rank's own block */
    struct strata_execution x;
};

static void *array_of(const struct long_blocks *b, size_t size)
{
    return strata_binding_array(b->call->binding, b->call->signature->ranks, size);
}

/* The blocks of `l` that are longer than the threshold, or those that are not; others are empty. In
 * place the root's own block is where it belongs. */
static struct strata_layout only(const struct long_blocks *b, const struct strata_layout *l,
                                 int blocks, bool longer)
{
    size_t *lengths = array_of(b, sizeof *lengths);
    struct strata_layout part = *l;
    int stays = longer && b->call->x->in_place ? b->call->signature->rank : -1;

    for (int i = 0; i < blocks; i++) {
        bool wanted = i != stays && (strata_layout_bytes(l, i) > b->threshold) == longer;
        lengths[i] = wanted ? strata_layout_elements(l, i) : 0;
    }
    part.lengths = lengths;
    return part;
}

/* My own block as the one for the root, or from it. */
static struct strata_layout mine_alone(const struct long_blocks *b)
{
    const struct strata_signature *s = b->call->signature;
    size_t *lengths = array_of(b, sizeof *lengths);
    strata_place *places = array_of(b, sizeof *places);
    struct strata_layout part = *b->one;

    memset(lengths, 0, (size_t)s->ranks * sizeof *lengths);
    memset(places, 0, (size_t)s->ranks * sizeof *places);
    lengths[s->root] = strata_layout_elements(b->one, 0);
    part.lengths = lengths;
    part.places = places;
    return part;
}

static int send(struct long_blocks *b)
{
    const struct strata_signature *s = b->call->signature;
    const bool root = s->rank == s->root, stays = root && b->call->x->in_place;
    struct strata_layout none = {.type = &strata_byte_type}, all = none, one = none;
    struct strata_execution *x = &b->x;

    if (root) {
        all = only(b, b->all, s->ranks, true);
    }
    if (!stays && strata_layout_bytes(b->one, 0) > b->threshold) {
        one = mine_alone(b);
    }
    *x = *b->call->x;
    x->plan = b->call->entry->kept->rank_to_rank;
    x->memory = NULL;
    x->tape = NULL;
    x->in_place = x->check = false;
    x->fixed_scratch = strata_engine_fixed_scratch(x->plan, x->check);
    x->input = s->collective == STRATA_GATHERV ? one : all;
    x->output = s->collective == STRATA_GATHERV ? all : one;
    return strata_call_execute(b->call, x, strata_call_scratch_bytes(x));
}

static void leave_out(struct long_blocks *b)
{
    const struct strata_signature *s = b->call->signature;

    if (s->rank == s->root) {
        *b->all = only(b, b->all, s->ranks, false);
    }
    *b->one = only(b, b->one, 1, false);
    b->call->x->work = only(b, &b->call->x->work, s->ranks, false);
}

int strata_long_blocks_move(struct strata_call *c)
{
    const bool gathers = c->signature->collective == STRATA_GATHERV;
    struct long_blocks b = {.call = c, .threshold = c->x->plan->limits.threshold};
    int error;

    b.all = gathers ? &c->x->output : &c->x->input;
    b.one = gathers ? &c->x->input : &c->x->output;
    error = send(&b);
    if (error == MPI_SUCCESS) {
        leave_out(&b);
    }
    return error;
}
