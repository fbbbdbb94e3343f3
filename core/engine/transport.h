/* What the engine asks of whoever moves its messages: internode/mpi/transport_mpi, or
 * sim/virtual/virtual_transport. */
#ifndef STRATA_CORE_ENGINE_TRANSPORT_H
#define STRATA_CORE_ENGINE_TRANSPORT_H

#include "core/base/error.h"
#include "core/engine/layout.h"

/* Two kinds of messages, told apart on the wire and waited for apart. */
enum strata_traffic { STRATA_LANE_TRAFFIC, STRATA_DIRECT_TRAFFIC, STRATA_TRAFFIC_KINDS };

/* A message of a peer, of another length than it must have. */
struct strata_difference {
    bool known;
    int peer;
    size_t came, expected;
};

/* How messages move between endpoints, which is what a peer is. Order between two of them is kept
 * for each kind. Functions return STRATA_OK or an error; buffers stay valid and unwritten until the
 * request is complete.
 *
 * A message of another length than its receiver expects is complete nevertheless, as others are:
 * what of it fits is there or not, and nothing is written elsewhere. test returns
 * STRATA_ERR_TRUNCATE from then on until the next call, and every function works as before. After
 * any other error only abandon may be called. */
struct strata_transport {
    /* Makes room for that many open requests of each kind; called before a call's first message, by
     * all ranks. */
    int (*reserve)(void *self, int lane_requests, int direct_requests);
    /* Instead, of a call that is over and had no message here: other ranks may have reserved for
     * it. NULL: calls need not be told apart. */
    void (*skip)(void *self);
    int (*recv)(void *self, int peer, void *buffer, size_t capacity);
    int (*send)(void *self, int peer, const void *buffer, size_t bytes);
    /* Lane traffic that must bring `bytes` bytes, no fewer: both ends say so. */
    int (*recv_exactly)(void *self, int peer, void *buffer, size_t bytes);
    int (*send_exactly)(void *self, int peer, const void *buffer, size_t bytes);
    /* The same from or to several places, without a copy; NULL: this transport cannot. */
    int (*recv_spans)(void *self, int peer, const struct strata_span *spans, int nspots);
    int (*send_spans)(void *self, int peer, const struct strata_span *spans, int nspots);
    /* A whole block in the caller's own layout, as direct traffic. */
    int (*recv_block)(void *self, int peer, const struct strata_layout *layout, int block);
    int (*send_block)(void *self, int peer, const struct strata_layout *layout, int block);
    /* Moves things on; *open = requests of that kind not complete. */
    int (*test)(void *self, enum strata_traffic kind, int *open);
    /* Instead of testing direct traffic, by a rank that knows that ranks disagree about which
     * blocks are direct, and that all have been sent: takes those that it does not expect, and
     * withdraws receives that nothing meets. */
    int (*settle)(void *self, int *open);
    /* Whether a peer has told that it is out of step, so that what it was to send may never come;
     * asked where a call has stood still for long. NULL: nobody tells. */
    bool (*lost)(void *self);
    /* The first message of a wrong length in this call; false: what it brought is not known. NULL:
     * it never is. */
    bool (*differs)(const void *self, enum strata_traffic kind, struct strata_difference *first);
    /* After an error: withdraws open receives, lets open sends complete. */
    void (*abandon)(void *self);
};

#endif
