/* Messages between ranks whose algorithm depends on the data, so that no plan can describe it: a
 * rank posts the messages of one round and waits for them. A table of functions hides who carries
 * them, MPI or virtual ranks. The station counts rounds, messages, bytes and memory for all of
 * them. */
#ifndef STRATA_CORE_BASE_STATION_H
#define STRATA_CORE_BASE_STATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STRATA_NOBODY = -1, STRATA_ANYBODY = -2 };

/* Messages of different channels do not match each other. Messages between two ranks on one channel
 * arrive in order. A rank may receive from anybody only on a channel that no other messages use. */
enum strata_channel {
    STRATA_CHANNEL_CHAIN,
    STRATA_CHANNEL_HOME, /* Tells the rank that an item came from what became of the item. */
    /* This channel and the next ones, for each level of a radix sort: ends of a border. */
    STRATA_CHANNEL_JOIN,
    /* This channel and the next ones: answers to the messages of JOIN. */
    STRATA_CHANNEL_JOINED = STRATA_CHANNEL_JOIN + 40,
    STRATA_CHANNELS = STRATA_CHANNEL_JOINED + 40
};

struct strata_outgoing {
    int peer; /* an address, or STRATA_NOBODY: no message */
    const void *bytes;
    size_t size;
};

struct strata_incoming {
    int peer; /* an address, STRATA_NOBODY or STRATA_ANYBODY */
    void *bytes;
    size_t capacity;
    size_t size; /* out: bytes of the message that came */
};

#define STRATA_ROUND_MESSAGES 2 /* each way */

struct strata_round {
    int channel;
    struct strata_outgoing send[STRATA_ROUND_MESSAGES];
    struct strata_incoming receive[STRATA_ROUND_MESSAGES];
};

struct strata_wire {
    /* Returns when all messages of the round have come and all buffers may be used again. */
    int (*exchange)(void *self, struct strata_round *round);
    /* Optional; NULL: the wire has no such function. Gives every rank the bytes of every rank, in
     * order of address, `total` bytes in all. Collective over all addresses. */
    int (*allgather)(void *self, const void *mine, size_t size, void *all, size_t total);
};

struct strata_usage {
    uint64_t rounds, messages, bytes; /* rounds; messages and bytes that were sent */
    /* Items compared, bytes hashed, pieces copied; bytes that were compared or copied. */
    uint64_t compared, hashed, pieces, touched;
    size_t memory, peak; /* bytes allocated through the station: now, and the most at one time */
};

/* A rank on a wire. */
struct strata_station {
    const struct strata_wire *wire; /* carries the messages */
    void *self;                     /* the wire's first argument */
    int address, addresses;         /* this rank's; all are 0 .. addresses-1 */
    struct strata_usage usage;      /* counted since strata_station_init, or since it was zeroed */
    bool broken;                    /* an exchange failed: nothing more is sent */
    long allocations; /* allocations that still succeed; negative: all. For tests of failures */
};

void strata_station_init(struct strata_station *station, const struct strata_wire *wire, void *self,
                         int address, int addresses);

/* Runs one round and leaves out peers that are STRATA_NOBODY. After the first failure no round
 * sends anything. */
int strata_station_exchange(struct strata_station *station, struct strata_round *round);

/* Counts memory that did not come from strata_station_allocate; negative: the memory is gone. */
void strata_station_count(struct strata_station *station, ptrdiff_t bytes);
/* Zeroed and counted memory; NULL: there is none. */
void *strata_station_allocate(struct strata_station *station, size_t bytes);
void strata_station_release(struct strata_station *station, void *memory); /* accepts NULL */

#endif
