/* Two ranks of a group time messages of several lengths, in both directions at once. The least time
 * of each counts, for every disturbance makes it longer. */
#ifndef STRATA_API_ATTACH_MESSAGE_PAIR_H
#define STRATA_API_ATTACH_MESSAGE_PAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "api/process/host_parameters.h"

struct strata_group;

/* Bytes of the longest message. */
#define STRATA_MESSAGE_PAIR_LONG (STRATA_HOST_SHORT << (STRATA_HOST_SIZES - 1))

/* One of two ranks. */
struct strata_message_pair {
    struct strata_group *group;
    int peer; /* the other one's rank */
    bool first;
    unsigned char
        *buffer;    /* owned, two parts of STRATA_MESSAGE_PAIR_LONG bytes; NULL: without memory */
    uint64_t *word; /* [2] behind them: what this rank tells, and is told */
};

/* This rank and its peer. The caller releases the buffer, unless an error leaves it to MPI. */
struct strata_message_pair strata_message_pair_of(struct strata_group *group, int peer);

/* Keeps the smaller time. A clock may stand still for a moment, so 0 does not count. */
void strata_least_time(double *least, double seconds);

/* Takes the least times of all ranks, behind which stands -1 if a message of some rank failed, else
 * 0: messages may be on their way then, and the group is broken. Returns an error. Local. */
int strata_message_pair_take(struct strata_group *group, const double *least, int count,
                             void *times);

/* Both ranks call these together. Each returns MPI's code, as strata_group_swap does. */

/* Tells the other rank a word, and learns the other's. */
int strata_message_pair_words(const struct strata_message_pair *pair, uint64_t mine,
                              uint64_t *theirs);
/* Times messages, the longer ones last. Where `most` seconds are over by the first rank's clock, no
 * further one is begun, and *in_time is false on both. */
int strata_message_pair_time(const struct strata_message_pair *pair, double most,
                             struct strata_message_times *times, bool *in_time);

#endif
