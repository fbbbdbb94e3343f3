#include "sim/virtual/virtual_stations.h"

#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "sim/virtual/virtual_seats.h"

/* The seat that a new fiber belongs to: makecontext passes integers only. */
static _Thread_local struct strata_seat *entering;

static uint64_t draw(struct strata_crowd *crowd)
{
    crowd->random ^= crowd->random << 13;
    crowd->random ^= crowd->random >> 7;
    crowd->random ^= crowd->random << 17;
    return crowd->random;
}

/* The seat that runs next; NULL: none can. */
static struct strata_seat *pick(struct strata_crowd *crowd)
{
    if (crowd->nready == 0) {
        return NULL;
    }
    const int ranks = crowd->run->ranks;
    int *first = &crowd->ready[crowd->ready_first];
    if (crowd->run->seed) {
        int far = (int)(draw(crowd) % (uint64_t)crowd->nready);
        int *other = &crowd->ready[(crowd->ready_first + far) % ranks];
        int rank = *other;
        *other = *first;
        *first = rank;
    }
    int rank = *first;
    crowd->ready_first = (crowd->ready_first + 1) % ranks;
    crowd->nready--;
    return &crowd->seats[rank];
}

/* Switches from this seat to one that can go on, or home when none can. */
static void hand_over(struct strata_seat *seat, bool last)
{
    struct strata_crowd *crowd = seat->crowd;
    struct strata_seat *next = crowd->stopped ? NULL : pick(crowd);
    if (next != seat) {
        entering = next;
        strata_fiber_switch(&seat->fiber, next ? &next->fiber : &crowd->home, last);
    }
}

static int exchange(void *self, struct strata_round *round)
{
    struct strata_seat *seat = self;
    struct strata_crowd *crowd = seat->crowd;
    strata_seat_work(seat);
    int error = crowd->stopped ? crowd->stopped : strata_seat_post(seat, round);
    if (!error && seat->open > 0) {
        hand_over(seat, false);
    } else if (!error && crowd->run->seed && draw(crowd) % 2 == 0) {
        strata_crowd_ready(crowd, seat); /* let others go first */
        hand_over(seat, false);
    }
    seat->round = NULL;
    strata_seat_receive(seat);
    if (!strata_fiber_whole(&seat->fiber)) {
        crowd->stopped = STRATA_ERR_PLAN;
    }
    error = error ? error : seat->error;
    return error ? error : crowd->stopped;
}

static const struct strata_wire wire = {.exchange = exchange};

static void live(void)
{
    struct strata_seat *seat = entering;
    strata_fiber_entered();
    seat->status = seat->crowd->run->body(&seat->station, seat->crowd->run->context);
    strata_seat_work(seat);
    seat->finished = true;
    seat->crowd->finished++;
    hand_over(seat, true);
}

static void take_seats(struct strata_crowd *crowd, unsigned char *stacks)
{
    const struct strata_virtual_stations *run = crowd->run;
    for (int r = 0; r < run->ranks; r++) {
        struct strata_seat *seat = &crowd->seats[r];
        seat->crowd = crowd;
        seat->last = &seat->first;
        strata_station_init(&seat->station, &wire, seat, r, run->ranks);
        seat->station.allocations = r == run->failing_rank ? run->allocations : -1;
        strata_fiber_init(&seat->fiber, stacks + (size_t)r * strata_fiber_stack_bytes,
                          strata_fiber_stack_bytes, live);
        strata_crowd_ready(crowd, seat);
    }
}

static int describe_stuck(const struct strata_crowd *crowd, struct strata_diagnostic *message)
{
    int rank = 0;
    while (crowd->seats[rank].finished) {
        rank++;
    }
    const struct strata_round *round = crowd->seats[rank].round;
    return strata_fail(message, STRATA_ERR_PLAN,
                       "deadlock: %d of %d ranks wait; rank %d receives from %d and %d, sends to "
                       "%d and %d",
                       crowd->run->ranks - crowd->finished, crowd->run->ranks, rank,
                       round ? round->receive[0].peer : -1, round ? round->receive[1].peer : -1,
                       round ? round->send[0].peer : -1, round ? round->send[1].peer : -1);
}

/* All ranks' exchanges return an error, so that each rank releases its resources. */
static void send_home(struct strata_crowd *crowd)
{
    for (int r = 0; r < crowd->run->ranks; r++) {
        if (!crowd->seats[r].finished) {
            entering = &crowd->seats[r];
            strata_fiber_switch(&crowd->home, &crowd->seats[r].fiber, false);
        }
    }
}

static int run_all(struct strata_crowd *crowd, struct strata_diagnostic *message)
{
    int status = STRATA_OK;
    struct strata_seat *first = pick(crowd);
    entering = first;
    strata_fiber_switch(&crowd->home, &first->fiber, false);
    if (crowd->stopped) {
        status = strata_fail(message, STRATA_ERR_PLAN, "a virtual rank's stack was too small");
    } else if (crowd->finished < crowd->run->ranks) {
        status = describe_stuck(crowd, message);
    }
    if (status) {
        crowd->stopped = status;
        send_home(crowd);
    }
    int left = strata_seats_empty(crowd);
    if (!status && left > 0) {
        status = strata_fail(message, STRATA_ERR_PLAN, "%d messages were never received", left);
    }
    return status;
}

static void tell(const struct strata_crowd *crowd)
{
    for (int r = 0; r < crowd->run->ranks; r++) {
        if (crowd->run->status) {
            crowd->run->status[r] = crowd->seats[r].status;
        }
        if (crowd->run->usage) {
            crowd->run->usage[r] = crowd->seats[r].station.usage;
        }
        if (crowd->run->seconds) {
            crowd->run->seconds[r] = crowd->seats[r].hands.now;
        }
    }
}

int strata_virtual_stations_run(const struct strata_virtual_stations *run,
                                struct strata_diagnostic *message)
{
    struct strata_crowd crowd = {.run = run,
                                 .random = run->seed * 2654435761u + 88172645463325252u};
    size_t ranks = (size_t)run->ranks;
    int status = STRATA_ERR_MEMORY;
    unsigned char *stacks = strata_allocate(ranks, strata_fiber_stack_bytes);
    crowd.seats = strata_allocate(ranks, sizeof *crowd.seats);
    crowd.ready = strata_allocate(ranks, sizeof *crowd.ready);
    if (stacks && crowd.seats && crowd.ready) {
        take_seats(&crowd, stacks);
        status = run_all(&crowd, message);
        tell(&crowd);
    } else {
        strata_say(message, "no memory for %d virtual ranks", run->ranks);
    }
    strata_release(crowd.ready);
    strata_release(crowd.seats);
    strata_release(stacks);
    return status;
}
