/* Private to the radix method: the borders between parts of a chain that were sorted separately. */
#ifndef STRATA_INTERNODE_SPLIT_RADIX_JOIN_H
#define STRATA_INTERNODE_SPLIT_RADIX_JOIN_H

#include "internode/split/split.h"

#define STRATA_RADIX_DIGIT  4  /* bits of a digit */
#define STRATA_RADIX_LEVELS 17 /* digits of a 64-bit key, and one more */

/* The rank on each side of a border tells the border's agent its address, and gets the other's. The
 * agent is the first rank, before it was sorted, of the part to the right. */
struct strata_border {
    int level; /* level of the cut that made it; -1: the end of the chain */
    int agent;
};

struct strata_radix {
    struct strata_border border[STRATA_SIDES];
    bool agent[STRATA_RADIX_LEVELS]; /* this rank is the agent of a border of that level */
    int levels;
};

/* group: on entry rank and size are final, and left and right are the neighbours inside this rank's
 * own part. */
int strata_radix_join(struct strata_station *station, const struct strata_radix *radix,
                      struct strata_chain_links *group);

#endif
