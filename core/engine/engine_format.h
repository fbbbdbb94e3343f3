/* Slots and messages as the engine sees them; core/plan/formats.h says how they begin. */
#ifndef STRATA_CORE_ENGINE_ENGINE_FORMAT_H
#define STRATA_CORE_ENGINE_ENGINE_FORMAT_H

#include "core/engine/engine_sizes.h"

/* A slot of a plan over items, taken apart. */
struct strata_slot {
    struct strata_slot_header *header; /* the slot's first bytes */
    uint32_t *offset;    /* where the part for each node and lane begins in the data */
    uint32_t *expect;    /* what the owner expects of each position; NULL: there is no such table */
    uint32_t *length;    /* the length of each block in slot order; NULL: there is no such table */
    size_t tables;       /* bytes up to the end of the tables */
    unsigned char *data; /* the first block's bytes */
};

/* A receive of items that is not waited for; or lengths that have come before their items. */
struct strata_open_recv {
    int32_t lane;          /* the lane that the items belong to */
    int32_t items;         /* how many items the message has */
    int32_t peer;          /* the endpoint that sends it */
    uint8_t part;          /* enum strata_how: what of the items this message brings */
    bool arrived;          /* STRATA_LENGTHS: the lengths have come */
    struct strata_set set; /* the items */
    size_t head;           /* where header and lengths lie, from the lane's beginning */
    size_t data;           /* where the items lie, from the lane's beginning */
    uint32_t *kept;        /* the same lengths, or memory for them; NULL: they are not kept */
};

_Static_assert(sizeof(struct strata_open_recv) <= STRATA_OPEN_RECV_BYTES,
               "scratch has room for it");

/* A message of blocks that was posted, and is unpacked at the wait. */
struct strata_open_blocks {
    struct strata_set set; /* the blocks */
    unsigned char *packed; /* where the message lies */
    size_t bytes;          /* how long it is */
};

/* The lengths of items and staged blocks have 32 bits: bytes, and above them a sum of the direct
 * blocks that are left out there. So words add up, and ranks of which only one takes a block for
 * direct find that out, too. A block counts once where its source is the first of its node, else
 * twice, and that once or twice for its destination among those of the lane: modulo 8 neither one
 * block goes unseen, nor all of a source or of a destination. */
static inline uint32_t strata_word_bytes(uint32_t word)
{
    return word & (STRATA_MOST_ITEM - 1);
}

static inline uint32_t strata_length_word(const struct strata_limits *limits, size_t bytes,
                                          int pass, bool first_source, bool first_destination)
{
    uint32_t direct = STRATA_MOST_ITEM << !first_source << !first_destination;
    return bytes > limits->threshold ? direct : (uint32_t)strata_slice(limits, bytes, pass);
}

#endif
