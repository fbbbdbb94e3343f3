/* The builder's arrays: sets, labels and steps grow by doubling until the plan is handed over. */
#include "core/plan/builder.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/plan/actions.h"

static void fail(struct strata_builder *b, int error, const char *reason)
{
    if (b->error == STRATA_OK) {
        b->error = error;
        b->reason = reason;
    }
}

/* Keeps the first reason; NULL: there is none. Returns whether there was no error yet. */
static bool refuse(struct strata_builder *b, const char *reason)
{
    if (reason) {
        fail(b, STRATA_ERR_PLAN, reason);
    }
    return b->error == STRATA_OK;
}

/* Makes room for `more` objects after the `used` ones; returns the array, which may have moved. */
static void *grow(struct strata_builder *b, void *array, int used, int more, int *capacity,
                  size_t size)
{
    if (b->error != STRATA_OK || more <= *capacity - used) {
        return array;
    }
    int64_t wanted = 2 * ((int64_t)used + more);
    void *larger = wanted <= INT32_MAX ? strata_reallocate(array, (size_t)wanted, size) : NULL;
    if (!larger) {
        fail(b, STRATA_ERR_MEMORY, strata_error_text(STRATA_ERR_MEMORY));
        return array;
    }
    *capacity = (int)wanted;
    return larger;
}

static bool is_word(const char *name)
{
    bool word = *name != '\0';
    for (; *name; name++) {
        word = word && isgraph((unsigned char)*name) && *name != '#' && *name != '"';
    }
    return word;
}

void strata_builder_init(struct strata_builder *b, enum strata_collective collective,
                         const char *name, int rank, const struct strata_topology *topology)
{
    *b = (struct strata_builder){.plan = strata_allocate(1, sizeof *b->plan)};
    if (!b->plan) {
        fail(b, STRATA_ERR_MEMORY, strata_error_text(STRATA_ERR_MEMORY));
        return;
    }
    struct strata_plan *plan = b->plan;
    plan->collective = collective;
    plan->rank = rank;
    plan->topology = topology;
    plan->limits.passes = 1;
    if (rank < 0 || rank >= topology->ranks) {
        refuse(b, "the plan's rank is not one of its topology");
    } else if (!is_word(name) || strlen(name) >= sizeof plan->name) {
        refuse(b, "the plan's name is not one word of fewer than 96 letters");
    } else {
        snprintf(plan->name, sizeof plan->name, "%s", name);
    }
}

static unsigned mark_of(const struct strata_plan *plan)
{
    unsigned call = (unsigned)plan->collective + STRATA_COLLECTIVE_COUNT * (unsigned)plan->root;
    return call & ((1u << STRATA_MARK_BITS) - 1);
}

int strata_builder_finish(struct strata_builder *b, struct strata_plan **plan)
{
    refuse(b, b->open > 0 ? "a repeat was not closed" : NULL);
    if (b->error == STRATA_OK) {
        if (strata_plan_over_blocks(b->plan)) {
            strata_posting_find(b->plan);
        }
        b->plan->mark = mark_of(b->plan);
        *plan = b->plan;
    } else {
        strata_plan_destroy(b->plan);
    }
    b->plan = NULL;
    return b->error;
}

void strata_build_limits(struct strata_builder *b, struct strata_limits limits)
{
    const char *reason = NULL;
    if (limits.passes < 1) {
        reason = "a call has one pass or more";
    } else if (limits.threshold / (size_t)limits.passes +
                   (limits.threshold % (size_t)limits.passes != 0) >
               limits.slice) {
        reason = "blocks up to the threshold do not fit in the passes";
    }
    if (refuse(b, reason)) {
        b->plan->limits = limits;
    }
}

void strata_build_exchange(struct strata_builder *b, struct strata_exchange exchange)
{
    bool good = exchange.lanes >= 0 && exchange.lane_items >= 0 && exchange.lane_messages >= 0;
    const char *reason = !good ? "an exchange has no negative figures"
                         : exchange.exposes && !exchange.staged
                             ? "only members that share memory lend each other blocks"
                             : NULL;
    if (refuse(b, reason)) {
        b->plan->exchange = exchange;
    }
}

/* The number of blocks in the shared store. Of a vector, which is in one piece, there is one for
 * each rank. */
static int shared_blocks(const struct strata_plan *plan)
{
    return strata_collective_info[plan->collective].ranked ? plan->topology->ranks : 1;
}

/* The number of passes in which the blocks in slots move once. Blocks that go in slices move in
 * every pass, which counts as one. */
static int slot_passes(const struct strata_plan *plan)
{
    return plan->limits.threshold == 0 && plan->limits.slice > 0 ? 1 : plan->limits.passes;
}

void strata_build_blocks(struct strata_builder *b, struct strata_blocks blocks)
{
    bool good = blocks.count >= 1 && blocks.work >= 0 && blocks.work_first >= 0 &&
                blocks.work_first < blocks.count;
    const char *reason = good ? NULL : "a plan over blocks has one or more, and work begins at one";
    if (b->error == STRATA_OK && blocks.shared && blocks.count != shared_blocks(b->plan)) {
        reason = "a plan with a shared store has one block, or one vector, for each rank";
    }
    if (b->error == STRATA_OK && !reason && blocks.slot != 0 &&
        (blocks.slot < 0 || blocks.count % blocks.slot != 0 ||
         blocks.count / blocks.slot != slot_passes(b->plan))) {
        reason = "the passes of a plan with blocks in slots do not move each of them once";
    }
    if (!reason && blocks.exposes && (blocks.slot != 0 || blocks.shared)) {
        reason = "a plan whose members lend each other blocks has none in slots";
    }
    if (!reason && blocks.work_alike && blocks.exposes & STRATA_EXPOSES_WORK) {
        reason = "work blocks that are all for one block are not lent";
    }
    if (!reason && blocks.ring != STRATA_LARGE_RING && !blocks.shared && blocks.slot == 0) {
        reason = "only plans with blocks in slots use another ring than the large one";
    }
    if (b->error == STRATA_OK && !reason && b->plan->exchange.exposes &&
        (b->plan->limits.threshold == 0 || !blocks.shared)) {
        reason = "a plan over blocks lends those above a threshold, beside others in slots";
    }
    if (!reason && blocks.once && (blocks.slot > 0) == blocks.shared) {
        reason = "a result that is there once in a node lies in the shared store, or in slots";
    }
    if (b->error == STRATA_OK && blocks.by_position && blocks.count != b->plan->topology->ranks) {
        reason = "a plan with blocks by position has one for each rank";
    }
    if (refuse(b, reason)) {
        b->plan->blocks = blocks;
        b->plan->exchange =
            (struct strata_exchange){.staged = blocks.shared || blocks.slot > 0 || blocks.exposes,
                                     .exposes = b->plan->exchange.exposes};
    }
}

int strata_build_no_memory(struct strata_builder *b)
{
    fail(b, STRATA_ERR_MEMORY, strata_error_text(STRATA_ERR_MEMORY));
    return -1;
}

static const char *set_refused(const struct strata_box *boxes, int nboxes)
{
    if (nboxes < 0) {
        return "a set has no fewer than no boxes";
    }
    for (int i = 0; i < nboxes; i++) {
        if (!strata_box_valid(&boxes[i])) {
            return "a box breaks its bounds";
        }
        if (boxes[i].space != boxes[0].space &&
            (boxes[i].store == STRATA_ITEMS || boxes[0].store == STRATA_ITEMS)) {
            return "the boxes of a set have one space";
        }
    }
    return NULL;
}

static bool is_last_set(const struct strata_plan *p, const struct strata_box *boxes, int nboxes)
{
    const struct strata_plan_set *last = p->nsets > 0 ? &p->sets[p->nsets - 1] : NULL;
    return last && last->nboxes == nboxes &&
           (nboxes == 0 ||
            memcmp(&p->boxes[last->first_box], boxes, (size_t)nboxes * sizeof *boxes) == 0);
}

int strata_build_set_of(struct strata_builder *b, const struct strata_box *boxes, int nboxes)
{
    struct strata_plan *p = b->plan;
    if (!refuse(b, set_refused(boxes, nboxes))) {
        return -1;
    }
    if (is_last_set(p, boxes, nboxes)) {
        return p->nsets - 1;
    }
    p->sets = grow(b, p->sets, p->nsets, 1, &b->sets_capacity, sizeof *p->sets);
    p->boxes = grow(b, p->boxes, p->nboxes, nboxes, &b->boxes_capacity, sizeof *p->boxes);
    if (b->error != STRATA_OK) {
        return -1;
    }
    if (nboxes > 0) {
        memcpy(p->boxes + p->nboxes, boxes, (size_t)nboxes * sizeof *boxes);
    }
    p->sets[p->nsets] = (struct strata_plan_set){.first_box = p->nboxes, .nboxes = nboxes};
    p->nboxes += nboxes;
    return p->nsets++;
}

int strata_build_set(struct strata_builder *b, struct strata_box box)
{
    return strata_build_set_of(b, &box, 1);
}

int strata_build_label(struct strata_builder *b, const char *text)
{
    struct strata_plan *p = b->plan;
    size_t size = strlen(text) + 1;
    const char *reason = size > STRATA_LABEL_SIZE ? "a label is too long" : NULL;
    for (const char *c = text; *c; c++) {
        reason = iscntrl((unsigned char)*c) ? "a label is one line of text" : reason;
    }
    if (refuse(b, reason)) {
        p->labels =
            grow(b, p->labels, p->labels_size, (int)size, &b->labels_capacity, sizeof *p->labels);
    }
    if (b->error != STRATA_OK) {
        return -1;
    }
    memcpy(p->labels + p->labels_size, text, size);
    p->labels_size += (int)size;
    return p->labels_size - (int)size;
}

/* Repeats open and close in step order; passes repeats do not nest. */
static const char *nesting_refused(struct strata_builder *b, const struct strata_step *step)
{
    bool passes = step->op == STRATA_STEP_REPEAT && step->count == 0;
    if (step->op == STRATA_STEP_END) {
        if (b->open == 0) {
            return "there is no repeat to close";
        }
        b->open--;
        b->passes_open = b->passes_open > b->open ? 0 : b->passes_open;
    } else if (step->op == STRATA_STEP_REPEAT) {
        if (b->open == STRATA_REPEAT_DEPTH) {
            return "repeats are nested too deep";
        }
        b->open++;
        if (passes && b->passes_open) {
            return "passes are repeated inside passes";
        }
        b->passes_open = passes ? b->open : b->passes_open;
    }
    return NULL;
}

void strata_build_step(struct strata_builder *b, struct strata_step step)
{
    struct strata_plan *p = b->plan;
    if (b->error != STRATA_OK || !refuse(b, strata_step_refused(p, &step)) ||
        !refuse(b, nesting_refused(b, &step))) {
        return;
    }
    p->steps = grow(b, p->steps, p->nsteps, 1, &b->steps_capacity, sizeof *p->steps);
    if (b->error == STRATA_OK) {
        p->steps[p->nsteps++] = step;
    }
}

void strata_build_phase(struct strata_builder *b, const char *format, ...)
{
    char text[STRATA_LABEL_SIZE + 1];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    int label = strata_build_label(b, text);
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_PHASE, .set = -1, .label = label});
}
