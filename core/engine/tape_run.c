/* Follows a tape. */
#include <string.h>

#include "core/engine/engine_internal.h"
#include "core/engine/simulated_work.h"
#include "core/engine/tape.h"

/* Most blocks of small calls are a number. */
static inline void copy_bytes(unsigned char *to, const unsigned char *from, size_t bytes)
{
    if (bytes == sizeof(uint64_t)) {
        memcpy(to, from, sizeof(uint64_t));
    } else {
        memcpy(to, from, bytes);
    }
    strata_charge_copy(bytes, 1);
}

static void move_all(struct strata_execution *x, const struct strata_tape_step *step)
{
    unsigned char *const *base = x->progress.base;
    const struct strata_move *move = &x->tape->move[step->first_move];
    const struct strata_move *end = &x->tape->move[step->end_move];
    for (; move < end; move++) {
        unsigned char *from = base[move->from_base] + move->from;
        unsigned char *to = base[move->to_base] + move->to;
        if (move->operands > 0) {
            strata_combine_operands(x, from, to, move->operands);
        } else {
            copy_bytes(to, from, move->bytes);
        }
    }
}

/* False where the mate's slot has another length for me. */
static bool take(struct strata_execution *x, const struct strata_take *take)
{
    const struct strata_topology *t = x->plan->topology;
    const int me = x->ring->me;
    unsigned char *slot = strata_ring_slot(x->ring, take->member, x->progress.use);
    const struct strata_slot_header *header = (const void *)slot;
    const uint32_t *offset = (const uint32_t *)(const void *)(header + 1);
    size_t tables = (size_t)((const unsigned char *)(offset + t->ranks + 1) - slot);
    strata_merge(x, header->largest, header->busiest);
    if (offset[me + 1] - offset[me] != take->bytes) {
        return false;
    }
    if (take->bytes > 0) { /* else the output may be NULL */
        copy_bytes(x->output.base + take->to,
                   slot + strata_slot_data(tables, strata_word_bytes(offset[t->ranks])) +
                       strata_word_bytes(offset[me]),
                   take->bytes);
    }
    return true;
}

static int run_step(struct strata_execution *x, const struct strata_tape_step *step)
{
    if (!step->moved) {
        return step->signals ? strata_run_signal(x, step->step) : strata_run_await(x, step->step);
    }
    if (step->fills && strata_slot_open(x) == STRATA_PENDING) {
        return STRATA_PENDING;
    }
    if (x->progress.mate_failed) {
        return STRATA_LEFT;
    }
    move_all(x, step);
    for (int i = step->first_take; i < step->end_take; i++) {
        if (!take(x, &x->tape->take[i])) {
            return STRATA_LEFT;
        }
    }
    x->count.copied += step->copied;
    return STRATA_OK;
}

void strata_tape_bases(const struct strata_execution *x, unsigned char **base)
{
    base[STRATA_BASE_INPUT] = x->input.base;
    base[STRATA_BASE_OUTPUT] = x->output.base;
    base[STRATA_BASE_SLOTS] = strata_ring_slot(x->ring, 0, x->progress.use);
    base[STRATA_BASE_LANDING] = x->memory->landing;
}

void strata_tape_start(struct strata_execution *x)
{
    const struct strata_tape *tape = x->tape;
    x->progress.taped = 0;
    x->progress.largest = tape->largest;
    x->progress.busiest = tape->busiest;
    x->progress.blocks_total = tape->blocks_total;
    strata_tape_bases(x, x->progress.base);
    x->progress.base[STRATA_BASE_TABLES] = tape->tables;
}

int strata_tape_run(struct strata_execution *x)
{
    const struct strata_tape_step *step = &x->tape->step[x->progress.taped];
    const struct strata_tape_step *end = &x->tape->step[x->tape->nsteps];
    for (; step < end; step++) {
        x->cursor.at = step->at;
        int result = run_step(x, step);
        if (result != STRATA_OK) {
            return result;
        }
        x->progress.taped++;
    }
    return STRATA_OK;
}
