/* The short form of `strata tune machine`: messages between two nodes, timed while a communicator
 * is attached. */
#include <float.h>
#include <string.h>

#include "api/attach/group.h"
#include "api/attach/measured_host.h"
#include "api/attach/message_pair.h"
#include "core/base/memory.h"

/* No longer message is begun then: attaching must not take long. */
static const double MOST_SECONDS = 30e-3;

enum { TIMES = sizeof(struct strata_message_times) / sizeof(double) };

/* The rank with which this one exchanges messages, as one of the first ranks of the first two
 * nodes; -1: it exchanges none. */
static int peer_of(const struct strata_group *g)
{
    const int first = strata_topology_rank(g->topology, 0, 0);
    const int second = strata_topology_rank(g->topology, 1, 0);
    return g->rank == first ? second : g->rank == second ? first : -1;
}

/* Times the messages if both ranks have memory. Returns MPI's code. *alone: the ranks did not agree
 * on that, and no further agreement may meet theirs. */
static int time_messages(struct strata_group *g, struct strata_message_times *times, bool *alone)
{
    const int peer = peer_of(g);
    const struct strata_message_pair pair =
        peer < 0 ? (struct strata_message_pair){.group = g} : strata_message_pair_of(g, peer);
    int able = peer < 0 || pair.buffer;
    bool in_time = true;
    int error = strata_group_agree(g, &able, 1, MPI_INT, MPI_MIN);
    *alone = error != MPI_SUCCESS;
    if (!*alone && able && peer >= 0) {
        error = strata_message_pair_time(&pair, MOST_SECONDS, times, &in_time);
    }
    if (error == MPI_SUCCESS || *alone) { /* else MPI may still write there */
        strata_release(pair.buffer);
    }
    return error;
}

int strata_network_measure(struct strata_group *group, struct strata_message_times *times)
{
    double word[TIMES + 1]; /* the last one: -1 where this rank's messages failed */
    for (int i = 0; i < TIMES; i++) {
        word[i] = DBL_MAX;
    }
    memcpy(times, word, sizeof *times);
    bool alone;
    const int error = time_messages(group, times, &alone);
    memcpy(word, times, sizeof *times);
    word[TIMES] = error == MPI_SUCCESS ? 0 : -1;
    if (alone || strata_group_agree(group, word, TIMES + 1, MPI_DOUBLE, MPI_MIN) != MPI_SUCCESS) {
        return STRATA_ERR_TRANSPORT;
    }
    return strata_message_pair_take(group, word, TIMES, times);
}
