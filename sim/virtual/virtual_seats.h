/* Private to the virtual stations: their mailboxes. */
#ifndef STRATA_SIM_VIRTUAL_VIRTUAL_SEATS_H
#define STRATA_SIM_VIRTUAL_VIRTUAL_SEATS_H

#include "sim/virtual/fiber.h"
#include "sim/virtual/virtual_stations.h"

struct strata_seat;

/* A message that was sent before its receive was posted. */
struct strata_letter {
    struct strata_letter *next;
    int source;
    int channel;
    size_t size;
    double arrival;             /* s */
    const void *bytes;          /* the sender's bytes (rendezvous), or a copy of them behind this
                                   struct */
    struct strata_seat *sender; /* rendezvous: the sender, which waits */
};

struct strata_seat {
    struct strata_fiber fiber;
    struct strata_station station;
    struct strata_crowd *crowd;
    struct strata_round *round;          /* the current exchange's; else NULL */
    bool pending[STRATA_ROUND_MESSAGES]; /* receives of the round that are open */
    int open;                            /* open receives, and sends by rendezvous */
    struct strata_letter *first, **last; /* letters that were sent to it */
    int error;                           /* the error of a message to it */
    bool finished;
    int status;
    struct strata_hands {
        double now;               /* s */
        double sending;           /* until when its messages leave, s */
        double latest;            /* when the last message of the round came, s */
        int came;                 /* messages of the round */
        struct strata_usage paid; /* local work that has taken time */
    } hands;                      /* of its clock */
};

struct strata_crowd {
    const struct strata_virtual_stations *run;
    struct strata_seat *seats;
    int *ready; /* ranks that can go on: [ready_first .. ready_first + nready) modulo ranks */
    int ready_first, nready, finished;
    uint64_t random;
    int stopped; /* an error: no rank waits any more */
    struct strata_fiber home;
};

/* The rank's clock goes on by its local work, and by the messages that came. */
void strata_seat_work(struct strata_seat *seat);
void strata_seat_receive(struct strata_seat *seat);
/* Posts a round: receives take the letters that are there; sends go to the ranks that wait for
 * them, or into mailboxes. */
int strata_seat_post(struct strata_seat *seat, struct strata_round *round);
void strata_crowd_ready(struct strata_crowd *crowd, const struct strata_seat *seat);
/* The number of letters that no receive took. */
int strata_seats_empty(struct strata_crowd *crowd);

#endif
