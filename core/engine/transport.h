/* What the engine asks of whoever moves its messages: internode/mpi/transport_mpi, or
 * sim/virtual/virtual_transport. */
#ifndef STRATA_CORE_ENGINE_TRANSPORT_H
#define STRATA_CORE_ENGINE_TRANSPORT_H

#include "core/base/error.h"
#include "core/engine/layout.h"

/* Two kinds of messages, told apart on the wire and waited for apart. */
enum strata_traffic { STRATA_LANE_TRAFFIC, STRATA_DIRECT_TRAFFIC, STRATA_TRAFFIC_KINDS };

/* How messages move. Order between two ranks is kept for each kind. Functions return STRATA_OK or
 * an error; buffers stay valid and unwritten until the request is complete. */
struct strata_transport {
    /* Makes room for that many open requests of each kind; called before a call's first message. */
    int (*reserve)(void *self, int lane_requests, int direct_requests);
    int (*recv)(void *self, int peer, void *buffer, size_t capacity);
    int (*send)(void *self, int peer, const void *buffer, size_t bytes);
    /* Lane traffic that must bring `bytes` bytes, no fewer. */
    int (*recv_exactly)(void *self, int peer, void *buffer, size_t bytes);
    /* The same from or to several places, without a copy; NULL: this transport cannot. */
    int (*recv_spots)(void *self, int peer, const struct strata_spot *spots, int nspots);
    int (*send_spots)(void *self, int peer, const struct strata_spot *spots, int nspots);
    /* A whole block in the caller's own layout, as direct traffic. */
    int (*recv_block)(void *self, int peer, const struct strata_layout *layout, int block);
    int (*send_block)(void *self, int peer, const struct strata_layout *layout, int block);
    /* Moves things on; *open = requests of that kind not complete. */
    int (*test)(void *self, enum strata_traffic kind, int *open);
    /* After an error: withdraws open receives, lets open sends complete. */
    void (*abandon)(void *self);
};

#endif
