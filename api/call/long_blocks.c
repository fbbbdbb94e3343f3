#include "api/call/long_blocks.h"

#include <string.h>

#include "api/call/execute.h"
#include "core/engine/engine_sizes.h"

/* How a block moves between the root and a rank. PLANNED: with the call's plan. KEPT: inside the
 * root's own memory. EXPOSED: by a single copy, in the root's node. SENT: in a message. */
enum way { PLANNED, KEPT, EXPOSED, SENT };

/* The long blocks of a call, as an alltoallv has them in which the root is the only source or
 * destination. */
struct long_blocks {
    struct strata_call *call;
    const struct strata_plan *plan;
    bool gathers, root;
    struct strata_layout *all, *one; /* the call's layouts: the root's side; the block of each
                                        rank */
    struct strata_execution x;
};

static const struct strata_layout none = {.type = &strata_byte_type};

static void *array_of(const struct long_blocks *b, size_t size)
{
    return strata_binding_array(b->call->binding, b->call->signature->ranks, size);
}

/* How a block of so many bytes moves between this rank and another. */
static enum way way_of(const struct long_blocks *b, int other, size_t bytes)
{
    return bytes <= b->plan->limits.threshold       ? PLANNED
           : other == b->call->signature->rank      ? KEPT
           : strata_plan_exposes_to(b->plan, other) ? EXPOSED
                                                    : SENT;
}

/* Lays out the blocks of `l`, one for each rank, that move in this way; the others become empty.
 * Returns whether there are any. */
static bool take(const struct long_blocks *b, const struct strata_layout *l, int blocks,
                 enum way way, struct strata_layout *part)
{
    size_t *lengths = array_of(b, sizeof *lengths);
    bool any = false;
    for (int i = 0; i < blocks; i++) {
        bool wanted = way_of(b, i, strata_layout_bytes(l, i)) == way;
        lengths[i] = wanted ? strata_layout_elements(l, i) : 0;
        any = any || wanted;
    }
    *part = *l;
    part->lengths = lengths;
    return any;
}

/* Lays out my own block as the block for the root, or from it. */
static struct strata_layout mine_alone(const struct long_blocks *b)
{
    const struct strata_signature *s = b->call->signature;
    size_t *lengths = array_of(b, sizeof *lengths);
    strata_displacement *displacements = array_of(b, sizeof *displacements);
    struct strata_layout part = *b->one;
    memset(lengths, 0, (size_t)s->ranks * sizeof *lengths);
    memset(displacements, 0, (size_t)s->ranks * sizeof *displacements);
    lengths[s->root] = strata_layout_elements(b->one, 0);
    part.lengths = lengths;
    part.displacements = displacements;
    return part;
}

/* Lays out this rank's blocks that move in this way: all ranks' blocks at the root, and a rank's
 * own block elsewhere. Returns whether there are any. */
static bool part_of(const struct long_blocks *b, enum way way, struct strata_layout *part)
{
    const struct strata_signature *s = b->call->signature;
    if (b->root) {
        return take(b, b->all, s->ranks, way, part);
    }
    bool any = way_of(b, s->root, strata_layout_bytes(b->one, 0)) == way;
    *part = any ? mine_alone(b) : none;
    return any;
}

static int send(struct long_blocks *b)
{
    struct strata_execution *x = &b->x;
    struct strata_layout part;
    part_of(b, SENT, &part);
    *x = *b->call->x;
    x->plan = b->call->entry->kept->rank_to_rank;
    x->memory = NULL;
    x->tape = NULL;
    x->in_place = x->check = false;
    x->fixed_scratch = strata_engine_fixed_scratch(x->plan, x->check);
    x->input = b->gathers == b->root ? none : part;
    x->output = b->gathers == b->root ? part : none;
    return strata_call_execute(b->call, x, strata_engine_scratch(x));
}

static void expose(struct long_blocks *b)
{
    struct strata_layout *direct = b->call->binding->long_blocks;
    struct strata_layout part;
    if (part_of(b, EXPOSED, &part)) {
        direct[0] = b->gathers == b->root ? none : part;
        direct[1] = b->gathers == b->root ? part : none;
        b->call->x->long_blocks = direct;
    }
}

/* Copies the root's own block, unless it is in place. */
static void keep(const struct long_blocks *b)
{
    const int root = b->call->signature->root;
    if (b->root && !b->call->x->in_place &&
        way_of(b, root, strata_layout_bytes(b->one, 0)) == KEPT) {
        if (b->gathers) {
            strata_layout_copy(b->one, 0, b->all, root);
        } else {
            strata_layout_copy(b->all, root, b->one, 0);
        }
        b->call->state->count.copied += strata_layout_bytes(b->one, 0);
    }
}

static void leave_out(struct long_blocks *b)
{
    const struct strata_signature *s = b->call->signature;
    if (b->root) {
        take(b, b->all, s->ranks, PLANNED, b->all);
    }
    take(b, b->one, 1, PLANNED, b->one);
    take(b, &b->call->x->work, s->ranks, PLANNED, &b->call->x->work);
}

bool strata_long_blocks_here(const struct strata_call *c)
{
    const struct strata_side *side = strata_telling_side(c->signature);
    const struct strata_bound *bound =
        side == &c->signature->send ? &c->binding->send : &c->binding->recv;
    return (size_t)side->most * bound->layout.type->size > c->x->plan->limits.threshold;
}

int strata_long_blocks_move(struct strata_call *c)
{
    const struct strata_signature *s = c->signature;
    struct long_blocks b = {.call = c, .plan = c->x->plan, .root = s->rank == s->root};
    int error = MPI_SUCCESS;
    b.gathers = s->collective == STRATA_GATHERV;
    b.all = b.gathers ? &c->x->output : &c->x->input;
    b.one = b.gathers ? &c->x->input : &c->x->output;
    if (c->entry->kept->rank_to_rank) {
        error = send(&b);
    }
    /* a rank that passes blocks on was told their lengths */
    if (error == MPI_SUCCESS && (c->entry->lengths_first || strata_long_blocks_here(c))) {
        keep(&b);
        expose(&b);
        leave_out(&b);
    }
    return error;
}
