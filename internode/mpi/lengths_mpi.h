/* Messages of another length than their receiver expects, without MPI ever being asked to cut one:
 * Open MPI 4.1 writes all of a message from about 4 kB on, past the end of the receive buffer.
 *
 * A message that must have a certain length says it in its tag. So one of another length does not
 * match the receive, but lies there until somebody looks for it, and then comes to memory of its
 * own. The call's number is in the tag, too: what a call leaves behind meets no later receive.
 *
 * From the lowest bit on a tag holds: stream, kind and the two endpoints, the call's number, the
 * length. */
#ifndef STRATA_INTERNODE_MPI_LENGTHS_MPI_H
#define STRATA_INTERNODE_MPI_LENGTHS_MPI_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "internode/mpi/endpoints_mpi.h"

#define STRATA_STREAM_BITS 7

/* Of the messages of one stream and kind. */
struct strata_tags {
    const struct strata_endpoints *endpoints;
    int call; /* tag of this call's messages, before their length and which endpoints they are of */
    int call_bits, length_bits;
    int beside; /* calls of the stream that may be open at once; each has tags of its own */
};

void strata_tags_init(struct strata_tags *tags, const struct strata_endpoints *endpoints,
                      int stream);

/* The next call begins, after so many others; on all ranks alike. */
static inline void strata_tags_next(struct strata_tags *tags, unsigned others)
{
    const unsigned calls = (1u << STRATA_STREAM_BITS << tags->call_bits) - 1;
    const unsigned apart = (unsigned)tags->beside << STRATA_STREAM_BITS;
    tags->call = (int)(((unsigned)tags->call + (others + 1) * apart) & calls);
}

/* A stream's calls take turns at so many of these, of which `place` has call number place, place +
 * beside, and so on: a power of two, at most half of the calls that tags can tell apart, so that an
 * open call's message is told from one that was left behind. */
static inline void strata_tags_share(struct strata_tags *tags, int place, int beside)
{
    const int stream = tags->call & ((1 << STRATA_STREAM_BITS) - 1);
    const int calls = 1 << tags->call_bits;
    tags->beside = beside;
    tags->call = stream + ((place + calls - beside) % calls << STRATA_STREAM_BITS);
}

/* Whether only messages of so many bytes have their tag; longer ones share theirs with some. */
static inline bool strata_tag_tells(const struct strata_tags *tags, size_t bytes)
{
    return tags->length_bits > 0 && bytes < (size_t)1 << (tags->length_bits - 1);
}

/* Of a message that must have so many bytes. */
static inline int strata_tag_of(const struct strata_tags *tags, size_t bytes)
{
    const unsigned digits = (unsigned)(tags->length_bits - 1) & 31;
    size_t word = bytes;
    if (!strata_tag_tells(tags, bytes)) {
        const size_t half = (size_t)1 << digits;
        word = 0;
        for (size_t rest = bytes; rest > 0 && digits > 0; rest >>= digits) {
            word ^= rest & (half - 1); /* all of the length counts */
        }
        word |= half;
        word -= word == 2 * half - 1; /* which notices have */
    }
    return tags->call + (int)(word << (STRATA_STREAM_BITS + tags->call_bits));
}

struct strata_request_list;

/* Looks after one open receive after another: whether a message of another length came, which then
 * takes its place, or one that an earlier call left behind, which goes. Returns MPI's code. */
int strata_lengths_look(struct strata_request_list *list);
/* Where ranks disagree about which messages there are, and all have been sent: takes those that
 * nothing waits for as long as *more, and then withdraws the receives that nothing has met. *until
 * begins as 0. */
int strata_lengths_settle(struct strata_request_list *list, double *until, bool *more);
/* The message that came in place of entry i's is there: what fits goes where it was to go. */
void strata_lengths_deliver(struct strata_request_list *list, int i);

#endif
