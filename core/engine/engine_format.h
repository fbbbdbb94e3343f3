/* The engine's view of slots and messages; core/plan/formats.h has their headers. */
#ifndef STRATA_CORE_ENGINE_ENGINE_FORMAT_H
#define STRATA_CORE_ENGINE_ENGINE_FORMAT_H

#include "core/engine/engine_sizes.h"

/* The parts of a slot of a plan over items. */
struct strata_slot {
    struct strata_slot_header *header; /* the slot's first bytes */
    uint32_t *offset; /* where the part for each node and lane begins in the data */
    /* The bytes that the owner expects of each position; NULL: there is no such table. */
    uint32_t *expect;
    uint32_t *length;    /* the length of each block in slot order; NULL: there is no such table */
    size_t tables;       /* bytes up to the end of the tables */
    unsigned char *data; /* the first block's bytes */
};

/* A receive of items that is not waited for, or lengths whose items have not come yet. */
struct strata_open_recv {
    int32_t lane;          /* the lane that the items belong to */
    int32_t items;         /* the number of items in the message */
    int32_t peer;          /* the endpoint that sends it */
    uint8_t part;          /* enum strata_how: the part of the items that this message brings */
    bool arrived;          /* STRATA_LENGTHS: the lengths have come */
    struct strata_set set; /* the items */
    size_t head;           /* where header and lengths lie, from the lane's beginning */
    size_t data;           /* where the items lie, from the lane's beginning */
    uint32_t *kept;        /* kept lengths, or memory for them; NULL: lengths are not kept */
};

_Static_assert(sizeof(struct strata_open_recv) <= STRATA_OPEN_RECV_BYTES,
               "scratch has room for it");

/* A message of blocks that is posted, and is unpacked at the wait. */
struct strata_open_blocks {
    struct strata_set set; /* the blocks */
    unsigned char *packed; /* the message */
    size_t bytes;          /* bytes of the message */
};

/* A length word of items and staged blocks has 32 bits: bytes and, above them, a count of the
 * direct blocks that the bytes leave out. So words add up, and if only one end of a block takes it
 * for direct, the sums of the two ends differ. A direct block counts 1, twice that where its source
 * is not the first of its node, and twice again where its destination is not the first of the
 * lane's. The count is modulo 8. So neither a single block goes unseen, nor all blocks of a source
 * or of a destination. */
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
