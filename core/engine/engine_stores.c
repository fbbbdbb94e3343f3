/* The private memory that the stores of plans over blocks take. */
#include <stdint.h>
#include <string.h>

#include "core/engine/engine_blocks.h"
#include "core/engine/engine_direct.h"
#include "core/engine/engine_moving.h"
#include "core/engine/engine_stacks.h"
#include "core/engine/single_copy.h"

_Static_assert(offsetof(struct strata_slot_header, load) <= STRATA_SHARED_FIRST,
               "what comes before a small block fits");

static bool reduces(const struct strata_execution *x)
{
    return strata_collective_reduces(x->plan->collective);
}

static size_t sum_blocks(const struct strata_stack *s, int blocks)
{
    size_t bytes = 0;
    for (int i = 0; i < blocks; i++) {
        bytes += strata_stack_block_bytes(s, i);
    }
    return bytes / s->type->size;
}

/* How far an element's pieces reach before its origin, and beyond its extent. */
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
    bool found = s->at || strata_layout_regular(s->shape);
    size_t elements = found ? strata_stack_elements_before(s, blocks) : sum_blocks(s, blocks);
    return strata_align(elements * (size_t)s->type->extent + left + right, 16);
}

static size_t table_bytes(const struct strata_stack *s, int blocks)
{
    return strata_layout_regular(s->shape)
               ? 0
               : strata_align(((size_t)blocks + 1) * sizeof(size_t), 16);
}

static struct strata_stack stack_of(const struct strata_execution *x,
                                    const struct strata_layout *shape, int first)
{
    bool by_position = shape == &x->work && x->plan->blocks.by_position;
    return (struct strata_stack){.shape = shape,
                                 .type = reduces(x) ? x->work.type : &strata_byte_type,
                                 .first = first,
                                 .count = x->plan->blocks.count,
                                 .number = by_position ? x->plan->topology->rank_at : NULL};
}

static struct strata_stack work_stack_of(const struct strata_execution *x)
{
    struct strata_stack work = stack_of(x, &x->work, x->plan->blocks.work_first);
    work.alike = x->plan->blocks.work_alike;
    return work;
}

/* Whether the input is saved: it is read after it was written over, or it is exposed and local
 * peers could not read it as it lies. */
static bool saves_input(const struct strata_execution *x)
{
    const struct strata_plan *plan = x->plan;
    return (x->in_place && plan->blocks.keeps_input) || x->progress.input_pieces == SIZE_MAX;
}

/* Pieces of the input that are listed for local peers. */
static size_t listed(const struct strata_execution *x)
{
    return saves_input(x) ? 0 : x->progress.input_pieces;
}

/* Bytes of the list of open messages. */
static size_t open_bytes(const struct strata_execution *x)
{
    size_t messages = (size_t)x->plan->posting.messages;
    return strata_align(messages * sizeof(struct strata_open_blocks), 16);
}

static size_t spans_bytes(const struct strata_execution *x)
{
    size_t items = (size_t)x->plan->posting.typed_items;
    return strata_align(items * sizeof(struct strata_span), 16);
}

/* Bytes of the table of the blocks in the node memory. */
static size_t node_table_bytes(const struct strata_execution *x)
{
    bool table = x->plan->exchange.staged && !strata_layout_regular(&x->work);
    table = table && !strata_lengths_told(x->plan) && !x->plan->blocks.exposes;
    size_t places = (size_t)x->plan->blocks.count + 1;
    return table ? strata_align(places * sizeof(size_t), 16) : 0;
}

size_t strata_stores_bytes(struct strata_execution *x)
{
    const struct strata_blocks *b = &x->plan->blocks;
    x->progress.input_pieces = strata_exposed_pieces(x);
    size_t bytes = open_bytes(x) + spans_bytes(x) + node_table_bytes(x);
    if (b->work > 0) {
        struct strata_stack work = work_stack_of(x);
        bytes += table_bytes(&work, b->work) + stack_bytes(&work, b->work);
    }
    if (saves_input(x)) {
        struct strata_stack input = stack_of(x, &x->input, 0);
        int blocks = strata_input_blocks(x->plan);
        bytes += table_bytes(&input, blocks) + stack_bytes(&input, blocks);
    }
    bytes += x->long_blocks ? strata_align(strata_direct_scratch(x), 16) : 0;
    return bytes + (b->exposes ? strata_exposing_bytes(listed(x)) : 0);
}

/* Takes the next part of scratch. */
static void *take(unsigned char **at, size_t bytes)
{
    void *part = *at;
    *at += bytes;
    return part;
}

/* Gives a stack its table, where it needs one. */
static void sum_up(struct strata_stack *s, int blocks, unsigned char **at)
{
    if (!strata_layout_regular(s->shape)) {
        size_t *table = take(at, table_bytes(s, blocks));
        table[0] = 0;
        for (int i = 0; i < blocks; i++) {
            table[i + 1] = table[i] + strata_stack_block_bytes(s, i) / s->type->size;
        }
        s->at = table;
    }
}

/* Gives a stack its table and its memory. */
static void place(struct strata_stack *s, int blocks, unsigned char **at)
{
    size_t left;
    sum_up(s, blocks, at);
    reach(s->type, &left);
    s->origin = (unsigned char *)take(at, stack_bytes(s, blocks)) + left;
}

/* Finds where the blocks of a slot lie: in the signal's line, if they fit there. */
static void find_slots(struct strata_execution *x, unsigned char **at)
{
    struct strata_stack *slots = &x->progress.slot_stack;
    int blocks = x->plan->blocks.count;
    *slots = stack_of(x, &x->work, 0);
    sum_up(slots, blocks, at);
    size_t most = strata_stack_elements_before(slots, blocks) * slots->type->size;
    x->progress.blocks_total = most;
    x->progress.slot_first =
        most <= STRATA_SHARED_HEAD - STRATA_SHARED_FIRST ? STRATA_SHARED_FIRST : STRATA_SHARED_HEAD;
}

/* Saves all blocks of the input, or my only one. */
static void save_input(struct strata_execution *x)
{
    for (int i = 0; i < strata_input_blocks(x->plan); i++) {
        struct strata_span from = strata_layout_span(&x->input, i);
        struct strata_span to = strata_stack_span(&x->progress.input_stack, i, 1);
        strata_share_spans(x, &from, &to);
        x->count.copied += from.bytes;
    }
}

/* Finds where the blocks in the node memory begin, and their bytes together. */
static void find_node(struct strata_execution *x, unsigned char **at)
{
    const struct strata_topology *t = x->plan->topology;
    size_t bytes = node_table_bytes(x);
    x->progress.first_peer = t->first[strata_my_node(x)];
    x->progress.shared_at = NULL;
    x->progress.blocks_total = 0;
    if (x->plan->blocks.slot > 0) {
        find_slots(x, at);
    } else if (bytes > 0) {
        size_t *table = take(at, bytes);
        table[0] = 0;
        for (int p = 0; p < t->ranks; p++) {
            table[p + 1] = table[p] + strata_layout_bytes(&x->work, t->rank_at[p]);
        }
        x->progress.shared_at = table;
        x->progress.blocks_total = table[t->ranks];
    } else if (x->plan->blocks.shared && !strata_lengths_told(x->plan)) {
        x->progress.blocks_total = (size_t)t->ranks * strata_layout_bytes(&x->work, 0);
    }
    if (strata_lengths_told(x->plan) && x->plan->exchange.staged) {
        x->progress.blocks_total = strata_said_of_longest(x);
    }
}

void strata_stores_begin(struct strata_execution *x)
{
    const struct strata_plan *plan = x->plan;
    unsigned char *at = x->scratch;
    x->progress.one_input = strata_one_input(plan);
    x->progress.one_output = strata_one_output(plan);
    x->progress.open_blocks = take(&at, open_bytes(x));
    x->progress.nopen_blocks = 0;
    x->progress.spans = take(&at, spans_bytes(x));
    find_node(x, &at);
    x->progress.work_stack = work_stack_of(x);
    x->progress.input_stack = stack_of(x, &x->input, 0);
    if (plan->blocks.work > 0) {
        place(&x->progress.work_stack, plan->blocks.work, &at);
    }
    if (saves_input(x)) {
        place(&x->progress.input_stack, strata_input_blocks(plan), &at);
        save_input(x);
    }
    if (plan->blocks.exposes) {
        at = strata_take_exposing(x, listed(x), at);
    }
    if (x->long_blocks) {
        x->progress.exposes = true;
        x->progress.saved = strata_take_direct_space(x, at);
        at = strata_save_direct(x);
        at += -(uintptr_t)at % 16;
    }
    x->progress.pack = at;
}
