#include "sim/virtual/virtual_seats.h"

#include <string.h>

#include "core/base/memory.h"

void strata_crowd_ready(struct strata_crowd *crowd, const struct strata_seat *seat)
{
    int place = (crowd->ready_first + crowd->nready++) % crowd->run->ranks;
    crowd->ready[place] = seat->station.address;
}

void strata_seat_work(struct strata_seat *seat)
{
    const struct strata_virtual_clock *clock = seat->crowd->run->clock;
    const struct strata_usage *all = &seat->station.usage, *paid = &seat->hands.paid;
    if (clock) {
        seat->hands.now += (double)(all->compared - paid->compared) * clock->compare +
                           (double)(all->hashed - paid->hashed) * 3 * clock->visit +
                           (double)(all->pieces - paid->pieces) * clock->copy_block +
                           (double)(all->touched - paid->touched) * clock->copy;
        seat->hands.paid = *all;
    }
}

void strata_seat_receive(struct strata_seat *seat)
{
    const struct strata_virtual_clock *clock = seat->crowd->run->clock;
    struct strata_hands *hands = &seat->hands;
    if (clock) {
        hands->now = hands->latest > hands->now ? hands->latest : hands->now;
        hands->now += hands->came * clock->overhead;
        hands->latest = 0;
        hands->came = 0;
    }
}

/* When a message that leaves now is there. */
static double arrival(struct strata_seat *from, int to, size_t bytes)
{
    const struct strata_virtual_clock *clock = from->crowd->run->clock;
    struct strata_hands *hands = &from->hands;
    if (!clock) {
        return 0;
    }
    const int rank = from->station.address;
    const bool here = rank / clock->per_node == to / clock->per_node;
    hands->now += clock->overhead;
    hands->sending = hands->now > hands->sending ? hands->now : hands->sending;
    hands->sending += (double)bytes * (here ? clock->byte_node : clock->byte);
    return hands->sending + clock->way(clock->self, rank, to);
}

static void one_done(struct strata_seat *seat, const struct strata_seat *running)
{
    seat->open--;
    if (seat->open == 0 && seat != running) {
        strata_crowd_ready(seat->crowd, seat);
    }
}

static void deliver(struct strata_seat *to, int i, const void *bytes, size_t size, double when)
{
    struct strata_incoming *in = &to->round->receive[i];
    if (size > in->capacity) {
        to->error = STRATA_ERR_TRUNCATE;
        size = in->capacity;
    }
    if (size > 0) {
        memcpy(in->bytes, bytes, size);
    }
    in->size = size;
    to->pending[i] = false;
    to->hands.latest = when > to->hands.latest ? when : to->hands.latest;
    to->hands.came += to->crowd->run->clock != NULL;
}

static bool takes(const struct strata_seat *seat, int i, int source, int channel)
{
    int peer = seat->round->receive[i].peer;
    return seat->pending[i] && seat->round->channel == channel &&
           (peer == source || peer == STRATA_ANYBODY);
}

/* The earliest letter for this receive. */
static void look_into_mailbox(struct strata_seat *seat, int i)
{
    struct strata_letter **at = &seat->first;
    while (*at && !takes(seat, i, (*at)->source, (*at)->channel)) {
        at = &(*at)->next;
    }
    struct strata_letter *letter = *at;
    if (letter) {
        deliver(seat, i, letter->bytes, letter->size, letter->arrival);
        *at = letter->next;
        seat->last = letter->next ? seat->last : at;
        one_done(seat, seat);
        if (letter->sender) {
            one_done(letter->sender, seat);
        }
        strata_release(letter);
    }
}

static int leave_letter(struct strata_seat *from, struct strata_seat *to,
                        const struct strata_outgoing *out, int channel, double when)
{
    bool rendezvous = from->crowd->run->rendezvous;
    struct strata_letter *letter =
        strata_allocate(1, sizeof *letter + (rendezvous ? 0 : out->size));
    if (!letter) {
        return STRATA_ERR_MEMORY;
    }
    *letter = (struct strata_letter){.source = from->station.address,
                                     .channel = channel,
                                     .size = out->size,
                                     .arrival = when,
                                     .bytes = rendezvous ? out->bytes : letter + 1,
                                     .sender = rendezvous ? from : NULL};
    if (!rendezvous && out->size > 0) {
        memcpy(letter + 1, out->bytes, out->size);
    }
    from->open += rendezvous;
    *to->last = letter;
    to->last = &letter->next;
    return STRATA_OK;
}

static int send(struct strata_seat *from, const struct strata_outgoing *out, int channel)
{
    struct strata_seat *to = &from->crowd->seats[out->peer];
    const double when = arrival(from, out->peer, out->size);
    for (int i = 0; to->round && i < STRATA_ROUND_MESSAGES; i++) {
        if (takes(to, i, from->station.address, channel)) {
            deliver(to, i, out->bytes, out->size, when);
            one_done(to, from);
            return STRATA_OK;
        }
    }
    return leave_letter(from, to, out, channel, when);
}

int strata_seat_post(struct strata_seat *seat, struct strata_round *round)
{
    int error = STRATA_OK;
    seat->round = round;
    seat->open = 0;
    for (int i = 0; i < STRATA_ROUND_MESSAGES; i++) {
        seat->pending[i] = round->receive[i].peer != STRATA_NOBODY;
        seat->open += seat->pending[i];
        round->receive[i].size = 0;
    }
    for (int i = 0; i < STRATA_ROUND_MESSAGES; i++) {
        if (seat->pending[i]) {
            look_into_mailbox(seat, i);
        }
    }
    for (int i = 0; !error && i < STRATA_ROUND_MESSAGES; i++) {
        if (round->send[i].peer != STRATA_NOBODY) {
            error = send(seat, &round->send[i], round->channel);
        }
    }
    return error;
}

int strata_seats_empty(struct strata_crowd *crowd)
{
    int left = 0;
    for (int r = 0; r < crowd->run->ranks; r++) {
        while (crowd->seats[r].first) {
            struct strata_letter *letter = crowd->seats[r].first;
            crowd->seats[r].first = letter->next;
            strata_release(letter);
            left++;
        }
    }
    return left;
}
