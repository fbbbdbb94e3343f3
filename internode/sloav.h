/* SLOAV's rounds, for whoever composes them: flat over ranks, or on each lane over nodes. */
#ifndef STRATA_INTERNODE_SLOAV_H
#define STRATA_INTERNODE_SLOAV_H

#include "core/algorithm.h"

struct strata_sloav {
    const struct strata_topology *topology; /* the nodes that exchange; flat: every rank its own */
    int rank;
    int lanes; /* tables; this rank runs those that it leads on its node */
    int radix; /* >= 2 */
};

/* The largest group of messages between two waits. */
struct strata_stage {
    int messages;
    int64_t items;
};

/* Messages and items that a leader sends, and receives, on one lane: a closed form of nodes, radix.
 */
void strata_sloav_volume(int nodes, int radix, struct strata_exchange *exchange,
                         struct strata_stage *stage);

/* Appends index, rounds and waits for all lanes that the rank leads. */
void strata_sloav_rounds(struct strata_builder *b, const struct strata_sloav *sloav);

/* What these rounds cost a rank that leads `led` lanes, with items of `bytes` bytes in `pieces`
 * blocks; copies are those into messages. */
struct strata_cost strata_sloav_cost(int nodes, int radix, int led, double bytes, double pieces,
                                     const struct strata_machine *machine);

#endif
