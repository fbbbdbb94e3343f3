/* Messages of another length than their receiver expects. MPI is never asked to truncate one, for
 * Open MPI 4.1 writes all of a message of about 4 kB or more, past the end of the receive buffer.
 * The tag of a message of known length says this length. So a message of another length does not
 * match the receive; it waits until strata_lengths_look finds it, and is then received into memory
 * of its own. A void message has no bytes, and a tag of its own: no receive is for it, so it
 * completes its receiver's as one of a wrong length. The tag has the number of the call too, so a
 * message that a call leaves behind matches no later receive. A tag holds, from the lowest bit on:
 * stream, kind and the two endpoints, the number of the call, the length. */
#ifndef STRATA_INTERNODE_MPI_LENGTHS_MPI_H
#define STRATA_INTERNODE_MPI_LENGTHS_MPI_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "internode/mpi/endpoints_mpi.h"

#define STRATA_STREAM_BITS 7

/* What messages without bytes mean whose tags have, in place of a length, one that no other message
 * has. */
enum strata_tag_word {
    STRATA_TAG_NOTICE, /* the sender is out of step (internode/mpi/notices_mpi.h) */
    STRATA_TAG_VOID,   /* the sender has none of the bytes that are expected */
    STRATA_TAG_DIFFER, /* messages of this call differ from what is expected; for no receive */
    STRATA_TAG_WORDS
};

/* The tags of the messages of one stream and kind. */
struct strata_tags {
    const struct strata_endpoints *endpoints;
    int call; /* the tag of this call's messages, without their length and their endpoints */
    int call_bits, length_bits;
    int beside; /* calls of the stream that may be open at once; each has tags of its own */
};

void strata_tags_init(struct strata_tags *tags, const struct strata_endpoints *endpoints,
                      int stream);

/* Goes on to the next call, after skipping `others` calls. All ranks skip as many. */
static inline void strata_tags_next(struct strata_tags *tags, unsigned others)
{
    const unsigned calls = (1u << STRATA_STREAM_BITS << tags->call_bits) - 1;
    const unsigned apart = (unsigned)tags->beside << STRATA_STREAM_BITS;
    tags->call = (int)(((unsigned)tags->call + (others + 1) * apart) & calls);
}

/* The calls of a stream take turns at `beside` structs like this one: number `place` has the calls
 * place, place + beside, and so on. `beside` is a power of two and at most half of the calls that
 * tags can tell apart, so that a message of an open call differs from one that an earlier call left
 * behind. */
static inline void strata_tags_share(struct strata_tags *tags, int place, int beside)
{
    const int stream = tags->call & ((1 << STRATA_STREAM_BITS) - 1);
    const int calls = 1 << tags->call_bits;
    tags->beside = beside;
    tags->call = stream + ((place + calls - beside) % calls << STRATA_STREAM_BITS);
}

/* Whether all messages with this tag have `bytes` bytes. Longer messages share tags. */
static inline bool strata_tag_tells(const struct strata_tags *tags, size_t bytes)
{
    return tags->length_bits > 0 && bytes < (size_t)1 << (tags->length_bits - 1);
}

/* The tag of a message of `bytes` bytes. */
static inline int strata_tag_of(const struct strata_tags *tags, size_t bytes)
{
    const unsigned digits = (unsigned)(tags->length_bits - 1) & 31;
    size_t word = bytes;
    if (!strata_tag_tells(tags, bytes)) {
        const size_t half = (size_t)1 << digits;
        word = 0;
        for (size_t rest = bytes; rest > 0 && digits > 0; rest >>= digits) {
            word ^= rest & (half - 1); /* all bits of the length count */
        }
        word |= half;
        word -= word >= 2 * half - STRATA_TAG_WORDS ? STRATA_TAG_WORDS : 0;
    }
    return tags->call + (int)(word << (STRATA_STREAM_BITS + tags->call_bits));
}

/* The tag of a message without bytes that means `word`, in this call. Where tags have no lengths it
 * is that of any message. */
static inline int strata_tag_of_word(const struct strata_tags *tags, enum strata_tag_word word)
{
    const int length = tags->length_bits > 0 ? (1 << tags->length_bits) - 1 - (int)word : 0;
    return tags->call + (length << (STRATA_STREAM_BITS + tags->call_bits));
}

/* Whether a tag, of whatever stream and call, is that of a message that means `word`. */
static inline bool strata_tag_means(const struct strata_tags *tags, int tag,
                                    enum strata_tag_word word)
{
    return tags->length_bits > 0 && tag >> (STRATA_STREAM_BITS + tags->call_bits) ==
                                        (1 << tags->length_bits) - 1 - (int)word;
}

struct strata_request_list;

/* Each call examines the next open receive: has a message of another length arrived for it, or one
 * that an earlier call left behind? The first then takes the receive's place, the second is
 * dropped. Returns MPI's error code. */
int strata_lengths_look(struct strata_request_list *list);
/* For ranks that disagree about the messages of a call, when all messages have been sent: receives
 * those that no receive waits for while *more is set, and then withdraws the receives that no
 * message met. *until begins as 0. */
int strata_lengths_settle(struct strata_request_list *list, double *until, bool *more);
/* Called when the message that replaced entry i's has arrived: copies as much of it as fits to
 * entry i's buffer. */
void strata_lengths_deliver(struct strata_request_list *list, int i);
/* Looks for what the peer has told. Whether any rank has told that messages of this call differ. */
bool strata_lengths_heard(struct strata_request_list *list, int peer);

#endif
