/* Follows a tape. */
#include <string.h>

#include "core/engine/engine_internal.h"
#include "core/engine/simulated_work.h"
#include "core/engine/tape.h"

static inline void copy_bytes(unsigned char *to, const unsigned char *from, size_t bytes, bool word)
{
    if (word) {
        memcpy(to, from, sizeof(uint64_t));
    } else {
        memcpy(to, from, bytes);
    }
    strata_charge_copy(bytes, 1);
}

static inline void move_all(struct strata_execution *x, const struct strata_tape_step *step)
{
    unsigned char *const *base = x->progress.base;
    for (const struct strata_move *move = step->moves; move < step->moves_end; move++) {
        unsigned char *from = base[move->from_base] + move->from;
        unsigned char *to = base[move->to_base] + move->to;
        if (move->word || move->operands == 0) {
            copy_bytes(to, from, move->bytes, move->word);
        } else {
            strata_combine_operands(x, from, to, move->operands);
        }
    }
}

/* False where a mate's slot has another length for me. */
static bool take_all(struct strata_execution *x, const struct strata_tape_step *step)
{
    const int me = x->ring->me, ranks = x->plan->topology->ranks;
    const size_t tables =
        sizeof(struct strata_slot_header) + ((size_t)ranks + 1) * sizeof(uint32_t);
    for (const struct strata_take *take = step->takes; take < step->takes_end; take++) {
        const unsigned char *slot = x->progress.base[STRATA_BASE_SLOTS] + take->slot;
        const struct strata_slot_header *header = (const void *)slot;
        const uint32_t *offset = (const uint32_t *)(const void *)(header + 1);
        strata_merge(x, header->largest, header->busiest);
        if (offset[me + 1] - offset[me] != take->bytes) {
            return false;
        }
        if (take->bytes > 0) { /* else the output may be NULL */
            slot += strata_slot_data(tables, strata_word_bytes(offset[ranks]));
            copy_bytes(x->output.base + take->to, slot + strata_word_bytes(offset[me]), take->bytes,
                       take->bytes == sizeof(uint64_t));
        }
    }
    return true;
}

static int run_step(struct strata_execution *x, const struct strata_tape_step *step)
{
    if (!step->moved) {
        return step->signals ? strata_run_signal(x, step->step)
                             : strata_await_members(x, step->step, step->awaits);
    }
    if (step->fills && strata_slot_open(x) == STRATA_PENDING) {
        return STRATA_PENDING;
    }
    if (x->progress.mate_failed) {
        return STRATA_TAPE_LEFT;
    }
    move_all(x, step);
    if (step->takes < step->takes_end && !take_all(x, step)) {
        return STRATA_TAPE_LEFT;
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
    int result = STRATA_OK;
    while (step < end && (result = run_step(x, step)) == STRATA_OK) {
        step++;
    }
    if (result != STRATA_OK) {
        x->progress.taped = (int)(step - x->tape->step);
        x->cursor.at = step->at;
    }
    return result;
}
