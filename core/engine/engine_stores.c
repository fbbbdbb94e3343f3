/* Stores of plans over blocks: where each block lies, and the private memory they take. */
#include <string.h>

#include "core/engine/engine_internal.h"

static bool reduces(const struct strata_execution *x)
{
    return strata_collective_reduces(x->plan->collective);
}

/* Whether block 0 of the side is the only one, this rank's own. */
static bool has_one_input(const struct strata_plan *plan)
{
    return strata_input_of(plan->collective, plan->rank, plan->root) == STRATA_ONE;
}

static bool has_one_output(const struct strata_plan *plan)
{
    return strata_output_of(plan->collective, plan->rank, plan->root) == STRATA_ONE;
}

/* Bytes of block i of a stack. */
static size_t block_bytes(const struct strata_stack *s, int i)
{
    return strata_layout_bytes(s->shape, (int)(((int64_t)s->first + i) % s->count));
}

/* Whether its blocks' places follow from their number alone. */
static bool closed_form(const struct strata_layout *shape)
{
    return !shape->counts && !shape->lengths && !shape->types;
}

/* Elements of the stack before block i. */
static size_t elements_before(const struct strata_stack *s, int i)
{
    if (s->at) {
        return s->at[i];
    }
    const struct strata_layout *shape = s->shape;
    size_t number = (size_t)s->first + (size_t)i, count = (size_t)s->count;
    if (!shape->segments) {
        return (size_t)i * shape->count * (shape->type->size / s->type->size);
    }
    size_t whole = shape->count * shape->type->size;
    size_t bytes = number / count * whole + strata_layout_cut(shape, number % count) -
                   strata_layout_cut(shape, (size_t)s->first);
    return bytes / s->type->size;
}

static size_t sum_blocks(const struct strata_stack *s, int blocks)
{
    size_t bytes = 0;
    for (int i = 0; i < blocks; i++) {
        bytes += block_bytes(s, i);
    }
    return bytes / s->type->size;
}

/* How far an element's pieces reach to the left of its origin, and beyond its extent. */
static size_t reach(const struct strata_type *type, size_t *left)
{
    ptrdiff_t least = 0, most = type->extent;
    for (size_t p = 0; p < type->npieces; p++) {
        const struct strata_piece *piece = &type->pieces[p];
        ptrdiff_t end = piece->offset + (ptrdiff_t)piece->length;
        least = piece->offset < least ? piece->offset : least;
        most = end > most ? end : most;
    }
    *left = strata_align((size_t)-least, 16); /* the origin is aligned as in any memory */
    return (size_t)(most - type->extent);
}

static size_t stack_bytes(const struct strata_stack *s, int blocks)
{
    size_t left, right = reach(s->type, &left);
    bool found = s->at || closed_form(s->shape);
    size_t elements = found ? elements_before(s, blocks) : sum_blocks(s, blocks);
    return strata_align(elements * (size_t)s->type->extent + left + right, 16);
}

static size_t table_bytes(const struct strata_stack *s, int blocks)
{
    return closed_form(s->shape) ? 0 : strata_align(((size_t)blocks + 1) * sizeof(size_t), 16);
}

static struct strata_stack stack_of(const struct strata_execution *x,
                                    const struct strata_layout *shape, int first)
{
    return (struct strata_stack){.shape = shape,
                                 .type = reduces(x) ? x->work.type : &strata_byte_type,
                                 .first = first,
                                 .count = x->plan->blocks.count};
}

static bool saves_input(const struct strata_execution *x)
{
    return x->in_place && x->plan->blocks.keeps_input;
}

/* Bytes of block `index` of a store. Which one of a side is this rank's only one follows from the
 * plan: scratch is sized before a call begins. */
static size_t block_length(const struct strata_execution *x, int store, int index)
{
    const struct strata_plan *plan = x->plan;
    const struct strata_layout *l = &x->work;
    bool by_position =
        store == STRATA_SHARED || store == STRATA_INPUT_AT || store == STRATA_OUTPUT_AT;
    index = by_position ? plan->topology->rank_at[index] : index;
    if (store == STRATA_WORK) {
        index = (int)(((int64_t)plan->blocks.work_first + index) % plan->blocks.count);
    } else if (store == STRATA_INPUT || store == STRATA_INPUT_AT) {
        l = &x->input;
        index = has_one_input(plan) ? 0 : index;
    } else if (store != STRATA_SHARED) {
        l = &x->output;
        index = has_one_output(plan) ? 0 : index;
    }
    return strata_layout_bytes(l, index);
}

static size_t message_bytes(const struct strata_execution *x, struct strata_set set)
{
    struct strata_set_iterator it;
    struct strata_run run;
    size_t bytes = 0;
    for (strata_set_begin(&it, set); strata_set_next(&it, &run);) {
        for (int i = run.first; i < run.first + run.count; i++) {
            bytes += block_length(x, run.store, i);
        }
    }
    return bytes;
}

/* Packed bytes of the largest stage, block by block. */
static size_t largest_stage(const struct strata_execution *x)
{
    size_t stage = 0, most = 0;
    struct strata_cursor cursor;
    const struct strata_step *step;
    strata_cursor_begin(&cursor, x->plan);
    for (; (step = strata_cursor_step(&cursor)); strata_cursor_advance(&cursor)) {
        if (step->op == STRATA_STEP_SEND_BLOCKS || step->op == STRATA_STEP_RECV_BLOCKS) {
            stage += strata_align(message_bytes(x, strata_cursor_set(&cursor)), 16);
        } else if (step->op == STRATA_STEP_WAIT && !step->direct && step->count == 0) {
            stage = 0;
        }
        most = stage > most ? stage : most;
    }
    return most;
}

/* A side whose blocks lie side by side, so that a run of them is never packed; or that is not there. */
static bool plain(const struct strata_layout *l)
{
    return !l->type || (!l->displs && l->type->contiguous);
}

/* Bytes of the longest block of a side that has a closed form; 0: it is not there. */
static size_t longest(const struct strata_layout *l)
{
    size_t bytes = l->type ? l->count * l->type->size : 0;
    /* a segment is at most one unit longer than the mean */
    return l->segments > 1 ? bytes / l->segments + l->unit : bytes;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The sides may disagree about lengths, by a mistake of the caller's: what is packed has room. */
static size_t pack_bytes(const struct strata_execution *x)
{
    const struct strata_posting *p = &x->plan->posting;
    const struct strata_layout *in = &x->input, *out = &x->output, *work = &x->work;
    if (!closed_form(in) || !closed_form(out) || !closed_form(work)) {
        return largest_stage(x);
    }
    bool all_plain = plain(in) && plain(out) && plain(work) && !x->plan->blocks.shared;
    size_t items = (size_t)(all_plain ? p->split_items : p->items);
    size_t bytes = larger(longest(work), larger(longest(in), longest(out)));
    return items * bytes + 16 * (size_t)p->messages;
}

/* Lists of open messages, and of the places of one. */
static size_t open_bytes(const struct strata_execution *x)
{
    size_t messages = (size_t)x->plan->posting.messages;
    return strata_align(messages * sizeof(struct strata_open_blocks), 16);
}

static size_t spots_bytes(const struct strata_execution *x)
{
    size_t items = (size_t)x->plan->posting.typed_items;
    return strata_align(items * sizeof(struct strata_spot), 16);
}

static size_t shared_table_bytes(const struct strata_execution *x)
{
    bool table = x->plan->blocks.shared && !closed_form(&x->work);
    size_t places = (size_t)x->plan->topology->ranks + 1;
    return table ? strata_align(places * sizeof(size_t), 16) : 0;
}

size_t strata_engine_block_scratch(const struct strata_execution *x)
{
    const struct strata_blocks *b = &x->plan->blocks;
    size_t bytes = open_bytes(x) + spots_bytes(x) + shared_table_bytes(x);
    if (b->work > 0) {
        struct strata_stack work = stack_of(x, &x->work, b->work_first);
        bytes += table_bytes(&work, b->work) + stack_bytes(&work, b->work);
    }
    if (saves_input(x)) {
        struct strata_stack input = stack_of(x, &x->input, 0);
        bytes += table_bytes(&input, b->count) + stack_bytes(&input, b->count);
    }
    return bytes + pack_bytes(x);
}

void strata_engine_shared_need(const struct strata_plan *plan, const struct strata_layout *work,
                               size_t *slot, size_t *landing)
{
    const struct strata_topology *t = plan->topology;
    size_t longest = 0;
    *landing = 0;
    for (int rank = 0; rank < t->ranks; rank++) {
        size_t bytes = strata_layout_bytes(work, rank);
        longest = bytes > longest ? bytes : longest;
        *landing += t->node_of[rank] == t->node_of[plan->rank] ? 0 : bytes;
    }
    *slot = STRATA_SHARED_HEAD + longest;
}

/* Takes the next part of scratch. */
static void *take(unsigned char **at, size_t bytes)
{
    void *part = *at;
    *at += bytes;
    return part;
}

/* Gives a stack its table, where it needs one, and its memory. */
static void place(struct strata_stack *s, int blocks, unsigned char **at)
{
    size_t left;
    if (!closed_form(s->shape)) {
        size_t *table = take(at, table_bytes(s, blocks));
        table[0] = 0;
        for (int i = 0; i < blocks; i++) {
            table[i + 1] = table[i] + block_bytes(s, i) / s->type->size;
        }
        s->at = table;
    }
    reach(s->type, &left);
    s->origin = (unsigned char *)take(at, stack_bytes(s, blocks)) + left;
}

static struct strata_spot stack_spot(const struct strata_stack *s, int first, int count)
{
    size_t before = elements_before(s, first), end = elements_before(s, first + count);
    return (struct strata_spot){.origin = s->origin + before * (size_t)s->type->extent,
                                .type = s->type,
                                .bytes = (end - before) * s->type->size};
}

/* All blocks, or my only one. */
static void save_input(struct strata_execution *x)
{
    const struct strata_plan *plan = x->plan;
    int first = x->one_input ? plan->rank : 0;
    int end = x->one_input ? plan->rank + 1 : plan->blocks.count;
    for (int i = first; i < end; i++) {
        struct strata_spot from = strata_layout_spot(&x->input, x->one_input ? 0 : i);
        struct strata_spot to = stack_spot(&x->input_stack, i, 1);
        strata_spot_copy(&from, &to);
        x->count.copied += from.bytes;
    }
}

/* Where the blocks of the shared store begin, if that has no closed form. */
static void find_shared(struct strata_execution *x, unsigned char **at)
{
    const struct strata_topology *t = x->plan->topology;
    size_t bytes = shared_table_bytes(x);
    x->shared_at = NULL;
    if (bytes > 0) {
        size_t *table = take(at, bytes);
        table[0] = 0;
        for (int p = 0; p < t->ranks; p++) {
            table[p + 1] = table[p] + strata_layout_bytes(&x->work, t->rank_at[p]);
        }
        x->shared_at = table;
    }
}

void strata_stores_begin(struct strata_execution *x)
{
    const struct strata_plan *plan = x->plan;
    unsigned char *at = x->scratch;
    x->one_input = has_one_input(plan);
    x->one_output = has_one_output(plan);
    x->open_blocks = take(&at, open_bytes(x));
    x->nopen_blocks = 0;
    x->spots = take(&at, spots_bytes(x));
    find_shared(x, &at);
    x->work_stack = stack_of(x, &x->work, plan->blocks.work_first);
    x->input_stack = stack_of(x, &x->input, 0);
    if (plan->blocks.work > 0) {
        place(&x->work_stack, plan->blocks.work, &at);
    }
    if (saves_input(x)) {
        place(&x->input_stack, plan->blocks.count, &at);
        save_input(x);
    }
    x->pack = at;
}

/* A member's block in its slot, others behind each other in the landing. */
static struct strata_spot shared_spot(const struct strata_execution *x, int position)
{
    const struct strata_topology *t = x->plan->topology;
    int node = strata_my_node(x), first = t->first[node], end = t->first[node + 1];
    struct strata_spot spot = {.type = &strata_byte_type};
    spot.bytes = strata_layout_bytes(&x->work, t->rank_at[position]);
    if (position >= first && position < end) {
        spot.origin = strata_node_memory_slot(x->memory, position - first, x->epoch);
        spot.skip = STRATA_SHARED_HEAD;
    } else if (x->shared_at) {
        size_t own = position < first ? 0 : x->shared_at[end] - x->shared_at[first];
        spot.origin = x->memory->landing;
        spot.skip = x->shared_at[position] - own;
    } else {
        spot.origin = x->memory->landing;
        spot.skip = (size_t)(position < first ? position : position - (end - first)) * spot.bytes;
    }
    return spot;
}

/* Blocks first .. first+count-1 of a side in one spot, where that can be; *count is how many. */
static struct strata_spot side_spot(const struct strata_layout *l, bool one, int first, int *count)
{
    struct strata_spot spot = strata_layout_spot(l, one ? 0 : first);
    if (one || !closed_form(l) || l->displs) {
        *count = 1;
    } else if (l->segments) {
        spot.bytes = strata_layout_cut(l, (size_t)first + (size_t)*count) - spot.skip;
    } else {
        spot.bytes *= (size_t)*count;
    }
    return spot;
}

void strata_spots_begin(struct strata_spot_walk *walk, const struct strata_execution *x,
                        struct strata_set set)
{
    walk->x = x;
    walk->run.count = 0;
    strata_set_begin(&walk->it, set);
}

bool strata_spots_next(struct strata_spot_walk *walk, struct strata_spot *spot)
{
    const struct strata_execution *x = walk->x;
    struct strata_run *run = &walk->run;
    if (run->count == 0 && !strata_set_next(&walk->it, run)) {
        return false;
    }
    int count = run->count, *rank_at = x->plan->topology->rank_at;
    bool by_position = run->store == STRATA_INPUT_AT || run->store == STRATA_OUTPUT_AT;
    int first = by_position ? rank_at[run->first] : run->first;
    count = by_position ? 1 : count;
    if (run->store == STRATA_WORK) {
        *spot = stack_spot(&x->work_stack, first, count);
    } else if (run->store == STRATA_SHARED) {
        *spot = shared_spot(x, first);
        count = 1;
    } else if (run->store == STRATA_OUTPUT || run->store == STRATA_OUTPUT_AT) {
        *spot = side_spot(&x->output, x->one_output, first, &count);
    } else if (x->input_stack.origin) {
        *spot = stack_spot(&x->input_stack, first, count);
    } else {
        *spot = side_spot(&x->input, x->one_input, first, &count);
    }
    run->first += count;
    run->count -= count;
    return true;
}
