/* What virtual ranks expose to each other: they share one memory. */
#ifndef STRATA_SIM_VIRTUAL_VIRTUAL_PEERS_H
#define STRATA_SIM_VIRTUAL_VIRTUAL_PEERS_H

#include "core/engine/peer_memory.h"

/* One member in three has memory that can be loaded from, the next has memory that must be copied
 * by a call, and the third forbids to read it. */
extern const struct strata_peer_memory strata_virtual_peers;

#endif
