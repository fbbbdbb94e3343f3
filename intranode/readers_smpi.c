/* Simulated ranks do not read another rank's memory: that would cost no simulated time. */
#include "intranode/readers.h"

void strata_readers_offer(const struct strata_node_memory *memory)
{
    (void)memory;
}

struct strata_readers *strata_readers_create(const struct strata_node_memory *memory,
                                             const int *world)
{
    (void)world;
    (void)memory;
    return NULL;
}

void strata_readers_destroy(struct strata_readers *readers)
{
    (void)readers;
}

const struct strata_peer_memory *strata_readers_peers(const struct strata_readers *readers)
{
    (void)readers;
    return NULL;
}
