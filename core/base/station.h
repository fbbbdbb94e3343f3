/* Messages between ranks whose algorithm depends on the data, so that no plan can be made of it: a
 * rank posts the messages of one round and waits for them. Who carries them (MPI, or virtual ranks)
 * is behind a table of functions. Rounds, messages, bytes and memory are counted here for all. */
#ifndef STRATA_CORE_BASE_STATION_H
#define STRATA_CORE_BASE_STATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STRATA_NOBODY = -1, STRATA_ANYBODY = -2 };

/* Messages of different channels do not match each other; those between two ranks on one channel
 * arrive in order. Receiving from anybody needs a channel on which nobody else's messages can
 * come. */
enum strata_channel {
    STRATA_CHANNEL_CHAIN,
    STRATA_CHANNEL_HOME, /* what became of an item, to whom it came from */
    STRATA_CHANNEL_JOIN, /* and the next ones, for each level of a radix sort: ends of a border */
    STRATA_CHANNEL_JOINED = STRATA_CHANNEL_JOIN + 40, /* and the next ones: answers to these */
    STRATA_CHANNELS = STRATA_CHANNEL_JOINED + 40
};

struct strata_outgoing {
    int peer; /* an address, or STRATA_NOBODY: no message */
    const void *bytes;
    size_t size;
};

struct strata_incoming {
    int peer; /* the same, or STRATA_ANYBODY */
    void *bytes;
    size_t capacity;
    size_t size; /* out */
};

#define STRATA_ROUND_MESSAGES 2 /* each way */

struct strata_round {
    int channel;
    struct strata_outgoing send[STRATA_ROUND_MESSAGES];
    struct strata_incoming receive[STRATA_ROUND_MESSAGES];
};

struct strata_wire {
    /* Returns when all messages of the round are there and all buffers may be used again. */
    int (*exchange)(void *self, struct strata_round *round);
    /* Optional, NULL where there is none: everybody gets everybody's bytes, in order of address,
     * total bytes in all. Collective over all addresses. */
    int (*allgather)(void *self, const void *mine, size_t size, void *all, size_t total);
};

struct strata_usage {
    uint64_t rounds, messages, bytes; /* messages and bytes: sent */
    size_t memory, peak;              /* allocated through the station: now, and at most */
};

/* A rank on a wire. */
struct strata_station {
    const struct strata_wire *wire;
    void *self;
    int address, addresses;    /* mine; those of the wire are 0 .. addresses-1 */
    struct strata_usage usage; /* since strata_station_init, or since somebody zeroed it */
    bool broken;               /* an exchange failed: nothing more is sent */
    long allocations;          /* that still succeed; negative: all. For tests of failures */
};

void strata_station_init(struct strata_station *station, const struct strata_wire *wire, void *self,
                         int address, int addresses);

/* One round; peers STRATA_NOBODY are left out. The first failure is the last round. */
int strata_station_exchange(struct strata_station *station, struct strata_round *round);

/* Counts memory that did not come from the next function; negative: no longer. */
void strata_station_count(struct strata_station *station, ptrdiff_t bytes);
/* Zeroed and counted memory, NULL without any. */
void *strata_station_allocate(struct strata_station *station, size_t bytes);
void strata_station_release(struct strata_station *station, void *memory); /* accepts NULL */

#endif
