/* How long a call's blocks are: what all ranks know beforehand. */
#ifndef STRATA_API_CALL_SIZES_H
#define STRATA_API_CALL_SIZES_H

#include "api/call/call.h"

/* Whether all ranks know all lengths, or one that holds for all. Else lengths are the business of
 * one rank or of two, and a figure that all hold alike stands in. */
bool strata_sizes_known(enum strata_collective collective);
/* What all ranks would know of a call with blocks, or a vector, of so many bytes. */
void strata_sizes_expect(struct strata_state *state, size_t bytes, struct strata_plan_key *key);
/* What all ranks know of this call's sizes goes into the key, whose collective is set. */
void strata_call_sizes(struct strata_call *c, struct strata_plan_key *key);
/* Which calls with this one's types have the key of its entry. False: the arguments' values do not
 * tell. */
bool strata_sizes_alike(const struct strata_call *c, struct strata_count_range *range);
/* After an alltoallv or alltoallw whose figures are not those of the one before: keeps what its
 * ranks agreed on for the next one, or lets what there is grow old. */
void strata_sizes_take(struct strata_call *c, struct strata_call_statistics *statistics);
static inline bool strata_sizes_agree(enum strata_collective collective)
{
    return collective == STRATA_ALLTOALLV || collective == STRATA_ALLTOALLW;
}
/* Only the root of a gatherv or scatterv knows how long its blocks are: it tells the others in the
 * first call and, as they may change, in every so-manieth: the more seldom the longer they have
 * not, for telling makes all wait for all. They look some calls later, so that nobody waits who is
 * less than that behind. */
enum { STRATA_SIZES_OLDEST = 1 << 10, STRATA_SIZES_LATER = 8 };
static inline bool strata_sizes_asked(enum strata_collective collective)
{
    return collective == STRATA_GATHERV || collective == STRATA_SCATTERV;
}
/* Of one of the four collectives; not to be read of others. */
static inline struct strata_call_statistics *strata_sizes_of(struct strata_state *state,
                                                             enum strata_collective collective)
{
    int own = collective <= STRATA_ALLTOALLW ? (int)collective
              : collective == STRATA_GATHERV ? STRATA_ALLTOALLW + 1
                                             : STRATA_ALLTOALLW + 2;
    return &state->statistics[own];
}
/* Counts a call. */
static inline void strata_sizes_pass(struct strata_state *state, enum strata_collective collective)
{
    if (strata_sizes_asked(collective)) {
        struct strata_call_statistics *statistics = strata_sizes_of(state, collective);
        statistics->age += statistics->ask;
    }
}
/* Whether that must not be: its ranks are to tell each other sizes. */
static inline bool strata_sizes_due(struct strata_state *state, enum strata_collective collective)
{
    if (!strata_sizes_asked(collective)) {
        return false;
    }
    const struct strata_call_statistics *statistics = strata_sizes_of(state, collective);
    return statistics->ask &&
           statistics->age >= statistics->period + (statistics->telling ? STRATA_SIZES_LATER : 0);
}
/* Tells the others, or looks what they were told, where it is due. Collective; returns an error. */
int strata_sizes_tell(struct strata_call *c);
/* Of a call that was served, on all ranks. */
static inline void strata_sizes_learn(struct strata_call *c)
{
    enum strata_collective collective = c->signature->collective;
    if (strata_sizes_agree(collective)) {
        struct strata_call_statistics *statistics = strata_sizes_of(c->state, collective);
        const struct strata_agreed *agreed = c->x ? &c->x->agreed : NULL;
        if (statistics->age > 0 || !agreed || !agreed->known ||
            agreed->busiest != statistics->busiest || agreed->largest != statistics->largest) {
            strata_sizes_take(c, statistics);
        }
    } else {
        strata_sizes_pass(c->state, collective);
    }
}

#endif
