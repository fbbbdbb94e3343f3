/* Who exchanges between nodes on one lane of a node-aware plan over blocks: one leader for each
 * node, who contributes the blocks of the node's members that the lane serves. */
#ifndef STRATA_HIER_LANE_PARTY_H
#define STRATA_HIER_LANE_PARTY_H

#include "core/plan/party.h"

/* Lane j of L carries the blocks of members with local index i = j mod L; a node of m members leads
 * it by its member j mod m. A node with no more than j members has nothing on lane j. */
struct strata_lane {
    const struct strata_topology *topology;
    int lanes, lane;
};

/* The lane's leaders in the order of their nodes; a contribution is a set of the shared store. The
 * lane must outlive the party; `rank` is one of the leaders. */
struct strata_party strata_party_lane(const struct strata_lane *lane, int rank);

#endif
