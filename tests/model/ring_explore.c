#include "tests/model/ring_explore.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const unsigned char *state, size_t bytes)
{
    uint64_t hash = 0x9e3779b97f4a7c15u;
    for (size_t at = 0; at < bytes; at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, state + at, sizeof(word));
        hash = (hash ^ word) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return hash;
}

static void *resized(void *block, size_t count, size_t size)
{
    void *larger = realloc(block, count * size);
    if (!larger) {
        perror("ring_explore");
        abort();
    }
    return larger;
}

static unsigned char *state_at(const struct ring_explorer *e, size_t number)
{
    return e->states + number * e->bytes;
}

/* The bucket that holds this state, or the empty bucket for it. */
static uint32_t *bucket_of(const struct ring_explorer *e, const unsigned char *state)
{
    size_t bucket = hash_of(state, e->bytes) & (e->buckets - 1);
    while (e->table[bucket] && memcmp(state_at(e, e->table[bucket] - 1), state, e->bytes) != 0) {
        bucket = (bucket + 1) & (e->buckets - 1);
    }
    return &e->table[bucket];
}

static void grow(struct ring_explorer *e)
{
    e->buckets = e->buckets ? 2 * e->buckets : 1 << 12;
    e->table = resized(e->table, e->buckets, sizeof(*e->table));
    memset(e->table, 0, e->buckets * sizeof(*e->table));
    for (long i = 0; i < e->result.states; i++) {
        *bucket_of(e, state_at(e, (size_t)i)) = (uint32_t)i + 1;
    }
}

static void add(struct ring_explorer *e, const struct ring_state *state)
{
    uint32_t *bucket = bucket_of(e, (const unsigned char *)state);
    if (*bucket) {
        return;
    }
    size_t number = (size_t)e->result.states++, needed = (number + 1) * e->bytes;
    if (needed > e->room) {
        e->room = 2 * needed;
        e->states = resized(e->states, e->room, 1);
    }
    memcpy(state_at(e, number), state, e->bytes);
    *bucket = (uint32_t)number + 1;
    if (2 * (size_t)e->result.states > e->buckets) {
        grow(e);
    }
}

/* Adds all next states of this member. Returns whether its oldest turn has any, apart from
 * failing. */
static bool advance(struct ring_explorer *e, const struct ring_state *from, int me)
{
    const struct ring_model *model = e->model;
    bool moves = false;
    int oldest = from->member[me].closed;
    for (int turn = oldest; turn < oldest + model->sequence.open; turn++) {
        if (!ring_is_open(model, from, me, turn)) {
            continue;
        }
        struct ring_state state = *from;
        if (ring_step(model, &state, me, turn, &e->result.fault)) {
            moves |= turn == oldest;
            e->result.steps++;
            add(e, &state);
        }
        if (e->result.fault) {
            break;
        }
        state = *from;
        if (ring_fail(model, &state, me, turn)) {
            e->result.steps++;
            add(e, &state);
        }
    }
    return moves;
}

static int oldest_turn(const struct ring_model *model, const struct ring_state *state)
{
    int oldest = model->turns;
    for (int me = 0; me < model->sequence.members; me++) {
        oldest = state->member[me].closed < oldest ? state->member[me].closed : oldest;
    }
    return oldest;
}

/* From every state some member must be able to go on in the oldest turn that is open anywhere. Then
 * no wait points to a later turn, and there is no deadlock. */
static void explore_from(struct ring_explorer *e, const struct ring_state *state)
{
    int oldest = oldest_turn(e->model, state);
    bool moves = oldest == e->model->turns;
    e->result.ends += moves;
    for (int me = 0; me < e->model->sequence.members && !e->result.fault; me++) {
        bool in_turn = advance(e, state, me);
        moves |= in_turn && state->member[me].closed == oldest;
    }
    if (!moves && !e->result.fault) {
        e->result.fault = RING_FAULT_STUCK;
    }
}

struct ring_result ring_explore(struct ring_explorer *e, const struct ring_sequence *sequence)
{
    struct ring_model model;
    struct ring_state state;
    ring_prepare(&model, sequence);
    ring_begin(&model, &state);
    e->model = &model;
    e->bytes = ring_state_bytes(&model);
    e->result = (struct ring_result){0};
    e->buckets = 0;
    grow(e);
    add(e, &state);
    for (long i = 0; i < e->result.states && !e->result.fault; i++) {
        memcpy(&state, state_at(e, (size_t)i), e->bytes);
        explore_from(e, &state);
    }
    e->model = NULL;
    return e->result;
}

void ring_explorer_fini(struct ring_explorer *e)
{
    free(e->states);
    free(e->table);
    *e = (struct ring_explorer){0};
}
