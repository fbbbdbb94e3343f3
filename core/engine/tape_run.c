/* Follows a tape. */
#include <string.h>

#include "core/base/seldom.h"
#include "core/engine/engine_combine.h"
#include "core/engine/engine_epochs.h"
#include "core/engine/engine_format.h"
#include "core/engine/engine_steps.h"
#include "core/engine/engine_walk.h"
#include "core/engine/simulated_work.h"
#include "core/engine/tape_making.h"

#define ALWAYS inline __attribute__((always_inline))

struct pair {
    uint64_t word[2];
};

/* Copies the first and the last bytes of a block, which may overlap: no loop, and no call. */
#define COPY_ENDS(type)                                                                            \
    do {                                                                                           \
        type first, last;                                                                          \
        memcpy(&first, from, sizeof first);                                                        \
        memcpy(&last, from + bytes - sizeof last, sizeof last);                                    \
        memcpy(to, &first, sizeof first);                                                          \
        memcpy(to + bytes - sizeof last, &last, sizeof last);                                      \
    } while (0)

/* Copies a block. Most blocks of small calls have a number or two. */
static inline void copy_bytes(unsigned char *to, const unsigned char *from, size_t bytes)
{
    if (bytes == sizeof(uint64_t)) {
        memcpy(to, from, sizeof(uint64_t));
    } else if (bytes > 2 * sizeof(struct pair) || bytes < sizeof(uint32_t)) {
        memcpy(to, from, bytes);
    } else if (bytes > sizeof(struct pair)) {
        COPY_ENDS(struct pair);
    } else if (bytes > sizeof(uint64_t)) {
        COPY_ENDS(uint64_t);
    } else {
        COPY_ENDS(uint32_t);
    }
    strata_charge_copy(bytes, 1);
}

/* The values that a run reads again and again. */
struct run {
    struct strata_execution *x;
    const struct strata_tape *tape;
    struct strata_ring *ring;
    uint64_t epoch;
    unsigned char *signals; /* member 0's signal of the epoch */
    unsigned char *base[STRATA_BASES];
};

static inline void move_all(const struct run *run, const struct strata_tape_step *step)
{
    for (const struct strata_move *move = step->moves; move < step->moves_end; move++) {
        unsigned char *from = run->base[move->from_base] + move->from;
        unsigned char *to = run->base[move->to_base] + move->to;
        if (move->bytes > 0) {
            copy_bytes(to, from, move->bytes);
        } else {
            strata_combine_operands(run->x, from, to, move->operands, move->folds);
        }
    }
}

static inline uint32_t word_at(const unsigned char *slot, size_t at)
{
    return *(const uint32_t *)(const void *)(slot + at);
}

/* Takes my blocks from the slots. False: a local peer's slot has another length for me. */
static ALWAYS bool take_all(const struct run *run, const struct strata_tape_step *step)
{
    const struct strata_slot_words *words = &run->tape->words;
    struct strata_agreed *agreed = &run->x->agreed;
    for (const struct strata_take *take = step->takes; take < step->takes_end; take++) {
        const unsigned char *slot = run->base[STRATA_BASE_SLOTS] + take->slot;
        const struct strata_slot_header *header = (const void *)slot;
        const uint32_t first = word_at(slot, words->mine);
        agreed->largest = header->largest > agreed->largest ? header->largest : agreed->largest;
        agreed->load = strata_load_most(agreed->load, header->load);
        if (word_at(slot, words->mine + sizeof first) - first != take->bytes) {
            return false;
        }
        if (take->bytes > 0) { /* the output of an empty block may be NULL */
            size_t end = words->near + strata_word_bytes(word_at(slot, words->end));
            slot += (end > STRATA_CACHE_LINE ? words->far : words->near) + strata_word_bytes(first);
            copy_bytes(run->base[STRATA_BASE_OUTPUT] + take->to, slot, take->bytes);
        }
    }
    return true;
}

/* Whether all awaited members have published the stamp itself, with blocks as long as expected. */
static inline bool have_come(const struct run *run, const struct strata_tape_step *step)
{
    const uint64_t stamp = strata_stamp(run->epoch, step->awaited) + strata_call_mark(run->x->plan);
    for (const struct strata_coming *c = step->coming; c < step->coming_end; c++) {
        const _Atomic uint64_t *at = (void *)(run->signals + c->signal);
        const uint64_t *said = (const void *)(run->base[STRATA_BASE_SLOTS] + c->said);
        /* pairs with strata_ring_publish */
        if (atomic_load_explicit(at, memory_order_acquire) != stamp ||
            (step->compares && *said != c->expected)) {
            return false;
        }
    }
    return true;
}

/* Looks at the awaited members in full: some are not there yet, went on, have failed or have blocks
 * of other lengths. */
static STRATA_SELDOM int look(struct strata_execution *x, const struct strata_step *await)
{
    x->progress.peer_failed = false;
    x->progress.blocks_total = x->tape->blocks_total;
    x->cursor.pass = 0;
    int result = strata_await_members(x, await, strata_awaited_by(x->plan, await));
    return result == STRATA_OK && x->progress.peer_failed ? STRATA_TAPE_LEFT : result;
}

static inline int await_all(const struct run *run, const struct strata_tape_step *step)
{
    if (!have_come(run, step)) {
        return look(run->x, step->await);
    }
    if (step->heard) {
        run->ring->all_departed = run->epoch;
    }
    return STRATA_OK;
}

static inline void give_signal(const struct run *run, const struct strata_tape_step *step)
{
    struct strata_slot_header *header = (void *)(run->base[STRATA_BASE_SLOTS] + run->tape->slot);
    if (step->describes) {
        header->total = run->tape->blocks_total;
    }
    if (step->signals_all) {
        run->ring->all_departed = run->epoch;
    }
    strata_ring_publish(run->ring, (void *)(run->signals + run->tape->signal),
                        strata_stamp(run->epoch, step->signal) + strata_call_mark(run->x->plan));
}

static inline bool is_open(const struct run *run)
{
    uint64_t epoch = run->epoch - run->ring->depth_mask;
    return run->ring->all_departed >= epoch || strata_wait_until_open(run->x, epoch) == STRATA_OK;
}

/* Runs a step of the tape. No member heard of so far has failed. */
static ALWAYS int run_step(const struct run *run, const struct strata_tape_step *step)
{
    int result = step->await ? await_all(run, step) : STRATA_OK;
    if (result != STRATA_OK) {
        return result;
    }
    if (step->opens && !is_open(run)) {
        return STRATA_PENDING;
    }
    move_all(run, step);
    if (step->takes < step->takes_end && !take_all(run, step)) {
        return STRATA_TAPE_LEFT;
    }
    if (step->signal != 0) {
        give_signal(run, step);
    }
    return STRATA_OK;
}

/* Starts a call. The sizes are this member's until it hears of others. */
static inline void start(struct strata_execution *x)
{
    const struct strata_tape *tape = x->tape;
    strata_find_epoch(x);
    x->progress.status = STRATA_OK;
    x->agreed = (struct strata_agreed){false, tape->largest, tape->load};
    x->count = (struct strata_traffic_count){0};
    x->abandoned = false;
}

/* Ends a call as a walk without errors ends. */
static inline int end(const struct run *run)
{
    struct strata_execution *x = run->x;
    strata_leave_epoch(x, run->ring, run->epoch);
    run->ring->epoch = run->epoch + 1;
    x->agreed.known = run->tape->agrees;
    x->count.copied = run->tape->copied;
    if (x->transport->skip) {
        x->transport->skip(x->transport_self);
    }
    return x->progress.status;
}

/* Stops the tape. The walk that takes over finds the call as if it had been walked so far. */
static STRATA_SELDOM int stop(struct strata_execution *x, const struct strata_tape_step *step,
                              int result)
{
    x->progress.taped = (int)(step - x->tape->step);
    x->count.copied = 0;
    for (const struct strata_tape_step *done = x->tape->step; done < step; done++) {
        x->count.copied += done->copied;
    }
    return strata_walk_from_tape(x, step->at, result);
}

static ALWAYS int follow(struct strata_execution *x, int first)
{
    struct run run = {x, x->tape, x->ring, x->progress.epoch, NULL, {NULL}};
    const struct strata_tape_step *step = &run.tape->step[first];
    const struct strata_tape_step *last = &run.tape->step[run.tape->nsteps];
    run.signals =
        run.ring->signals + strata_ring_index(run.ring, 0, run.epoch) * run.ring->signal_bytes;
    strata_tape_bases(x, run.base);
    run.base[STRATA_BASE_TABLES] = run.tape->tables;
    for (; step < last; step++) {
        int result = run_step(&run, step);
        if (result != STRATA_OK) {
            return stop(x, step, result);
        }
    }
    return end(&run);
}

void strata_tape_start(struct strata_execution *x)
{
    start(x);
    x->progress.taped = 0;
}

int strata_tape_call(struct strata_execution *x)
{
    start(x);
    return follow(x, 0);
}

int strata_tape_go_on(struct strata_execution *x)
{
    return follow(x, x->progress.taped);
}
