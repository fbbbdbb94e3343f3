/* The table of functions that move the engine's messages: internode/mpi/transport_mpi, or
 * sim/virtual/virtual_transport. */
#ifndef STRATA_CORE_ENGINE_TRANSPORT_H
#define STRATA_CORE_ENGINE_TRANSPORT_H

#include "core/base/error.h"
#include "core/engine/layout.h"

/* Two kinds of messages. They do not match each other, and are waited for separately. */
enum strata_traffic { STRATA_LANE_TRAFFIC, STRATA_DIRECT_TRAFFIC, STRATA_TRAFFIC_KINDS };

/* A message of a peer whose length is not the one that it must have. */
struct strata_difference {
    bool known;
    bool is_void; /* nothing came, for the peer had nothing to send */
    int peer;
    size_t came, expected;
};

/* Moves messages between endpoints; a peer is an endpoint. Messages of one kind between two
 * endpoints keep their order. Functions return STRATA_OK or an error. Buffers stay valid and
 * unwritten until the request is complete.
 *
 * A message whose length its receiver does not expect completes nevertheless. Bytes of it that fit
 * may or may not be there, and nothing is written elsewhere. From then on until the next call test
 * returns STRATA_ERR_TRUNCATE, and every function works as before. After any other error only
 * abandon may be called. */
struct strata_transport {
    /* Makes room for so many open requests of each kind. All ranks call it before a call's first
     * message. */
    int (*reserve)(void *self, int lane_requests, int direct_requests);
    /* Called instead of reserve for a call that is over and had no message here, because other
     * ranks may have reserved for it. NULL: calls need not be told apart. */
    void (*skip)(void *self);
    int (*recv)(void *self, int peer, void *buffer, size_t capacity);
    int (*send)(void *self, int peer, const void *buffer, size_t bytes);
    /* Lane traffic of exactly `bytes` bytes: both ends give the length. */
    int (*recv_exactly)(void *self, int peer, void *buffer, size_t bytes);
    int (*send_exactly)(void *self, int peer, const void *buffer, size_t bytes);
    /* In place of send_exactly, where this rank has none of the bytes that the peer expects: a void
     * message completes the peer's receive as one of a wrong length, of whatever length. */
    int (*send_void)(void *self, int peer);
    /* The same from or to several spans, without a copy; NULL: the transport cannot. */
    int (*recv_spans)(void *self, int peer, const struct strata_span *spans, int nspots);
    int (*send_spans)(void *self, int peer, const struct strata_span *spans, int nspots);
    /* A whole block in the caller's own layout, as direct traffic. */
    int (*recv_block)(void *self, int peer, const struct strata_layout *layout, int block);
    int (*send_block)(void *self, int peer, const struct strata_layout *layout, int block);
    /* Makes progress; *open = requests of that kind that are not complete. */
    int (*test)(void *self, enum strata_traffic kind, int *open);
    /* Called instead of testing direct traffic by a rank that knows that ranks disagree about which
     * blocks are direct, and that all of these have been sent. Receives messages that it does not
     * expect, and withdraws receives that no message meets. */
    int (*settle)(void *self, int *open);
    /* Whether a peer has said that it is out of step, or MPI that a peer has failed, so that
     * messages may never come. A rank asks when its call has stood still for long. NULL: nobody
     * says so. */
    bool (*lost)(void *self);
    /* Tells the peer that messages of this call are not as long as their receivers expect. NULL:
     * peers cannot be told. */
    void (*tell)(void *self, int peer);
    /* Looks for what the peer has told. Whether any peer has told so of this call. Asked like
     * `lost`. NULL: it is not known. */
    bool (*told)(void *self, int peer);
    /* Gives the first message of a wrong length in this call; false: it is not known. NULL: it
     * never is. */
    bool (*differs)(const void *self, enum strata_traffic kind, struct strata_difference *first);
    /* After an error: withdraws open receives, and lets open sends complete. */
    void (*abandon)(void *self);
};

#endif
