#include "api/attach/message_pair.h"

#include <mpi.h>
#include <string.h>

#include "api/attach/group.h"
#include "api/attach/group_swap.h"
#include "core/base/memory.h"

enum {
    ROUNDS = 3, /* the fastest one counts */
    LONG = STRATA_MESSAGE_PAIR_LONG,
    KEPT = sizeof(uint64_t[2]) /* bytes for a word of each rank */
};

struct strata_message_pair strata_message_pair_of(struct strata_group *group, int peer)
{
    unsigned char *buffer = strata_allocate(1, 2 * LONG + KEPT);
    return (struct strata_message_pair){
        .group = group,
        .peer = peer,
        .first = group->rank < peer,
        .buffer = buffer,
        .word = (uint64_t *)(void *)(buffer ? buffer + 2 * LONG : NULL)};
}

void strata_least_time(double *least, double seconds)
{
    *least = seconds > 0 && seconds < *least ? seconds : *least;
}

int strata_message_pair_take(struct strata_group *group, const double *least, int count,
                             void *times)
{
    if (least[count] < 0) {
        group->broken = true;
        return STRATA_ERR_UNSUPPORTED;
    }
    memcpy(times, least, (size_t)count * sizeof *least);
    return STRATA_OK;
}

static int exchange(const struct strata_message_pair *p, int bytes)
{
    return strata_group_swap(p->group, p->peer, p->buffer, p->buffer + LONG, bytes);
}

int strata_message_pair_words(const struct strata_message_pair *pair, uint64_t mine,
                              uint64_t *theirs)
{
    uint64_t *word = pair->word;
    word[0] = mine;
    int error = strata_group_swap(pair->group, pair->peer, &word[0], &word[1], sizeof mine);
    *theirs = word[1];
    return error;
}

/* A rank that has lost its core meanwhile would wait too long, and would measure the scheduler. The
 * first rank decides for both. */
static int is_in_time(const struct strata_message_pair *p, double end, bool *go)
{
    uint64_t theirs = 0;
    bool mine = PMPI_Wtime() < end;
    int error = strata_message_pair_words(p, mine, &theirs);
    *go = p->first ? mine : theirs != 0;
    return error;
}

/* Both ranks write their bytes, agree that there is time, and begin together. */
static int time_exchanges(const struct strata_message_pair *p, int bytes, double end,
                          double *seconds, bool *go)
{
    int error = MPI_SUCCESS;
    for (int i = 0; error == MPI_SUCCESS && *go && i < ROUNDS; i++) {
        memset(p->buffer, i, (size_t)bytes);
        error = is_in_time(p, end, go);
        if (error == MPI_SUCCESS && *go) {
            double begin = PMPI_Wtime();
            error = exchange(p, bytes);
            strata_least_time(seconds, PMPI_Wtime() - begin);
        }
    }
    return error;
}

int strata_message_pair_time(const struct strata_message_pair *pair, double most,
                             struct strata_message_times *times, bool *in_time)
{
    memset(pair->buffer, 0, (size_t)2 * LONG);
    int error = exchange(pair, 1); /* MPI may make a connection first */
    const double end = PMPI_Wtime() + most;
    *in_time = true;
    if (error == MPI_SUCCESS) {
        error = time_exchanges(pair, 8, end, &times->message, in_time);
    }
    for (int i = 0; error == MPI_SUCCESS && i < STRATA_HOST_SIZES; i++) {
        error = time_exchanges(pair, STRATA_HOST_SHORT << i, end, &times->sized[i], in_time);
    }
    return error;
}
