/* The lengths of a call's blocks, as far as all ranks know them beforehand. */
#ifndef STRATA_API_CALL_SIZES_H
#define STRATA_API_CALL_SIZES_H

#include "api/call/call.h"

/* Whether all ranks know all lengths, or one length that holds for all blocks. Otherwise one rank
 * or two know a length, and an agreed size stands in. */
bool strata_sizes_known(enum strata_collective collective);
/* The bucket of a key's degree: 0 if ranks exchange bytes with half of the others, or with more. */
int strata_sizes_degree(uint64_t degree, int ranks);
/* Sets the key's sizes as they would be for a call with blocks, or a vector, of so many bytes. */
void strata_sizes_expect(struct strata_state *state, size_t bytes, struct strata_plan_key *key);
/* Sets the key's sizes to what all ranks know of this call. The key's collective is set. */
void strata_call_sizes(struct strata_call *c, struct strata_plan_key *key);
/* Finds the counts with which calls of this call's types have the key of its entry. False: the
 * arguments by value do not tell. */
bool strata_sizes_alike(const struct strata_call *c, struct strata_count_range *range);
/* After an alltoallv or alltoallw whose sizes differ from those of the last one: keeps the sizes
 * that its ranks agreed on for the next one. Without agreed sizes, those that are kept grow
 * older. */
void strata_sizes_take(struct strata_call *c, struct strata_call_statistics *statistics);
static inline bool strata_sizes_agree(enum strata_collective collective)
{
    return collective == STRATA_ALLTOALLV || collective == STRATA_ALLTOALLW;
}
/* Only the root of a gatherv or scatterv knows how long its blocks are. It tells the others in the
 * first call, and again every so many calls, for lengths may change; while they stay the same, and
 * calls are short, it tells them more rarely. The others look some calls later, an eighth of those
 * between two tellings. So a rank waits only if it is that far ahead of the root. */
enum { STRATA_SIZES_OLDEST = 1 << 10, STRATA_SIZES_LATER = STRATA_SIZES_OLD / 8 };
/* The sizes of one of the four collectives that have them. */
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
    if (strata_collective_one_knows(collective)) {
        struct strata_call_statistics *statistics = strata_sizes_of(state, collective);
        statistics->age += statistics->ask;
    }
}
/* Counts a call no longer if this error says that MPI refused it. */
void strata_sizes_unless_refused(struct strata_state *state, enum strata_collective collective,
                                 int error);
/* Whether the ranks must tell each other sizes in this call, so that it cannot be handed over at
 * once. */
static inline bool strata_sizes_due(struct strata_state *state, enum strata_collective collective)
{
    if (!strata_collective_one_knows(collective)) {
        return false;
    }
    const struct strata_call_statistics *statistics = strata_sizes_of(state, collective);
    return statistics->age >= statistics->due;
}
/* Tells the others the sizes, or looks at what they were told, if it is time. Collective; returns
 * an error. */
int strata_sizes_tell(struct strata_call *c);
/* Whether calls like the last one are counted, for ranks sent to few others in it. */
static inline bool strata_sizes_count(const struct strata_call_statistics *statistics)
{
    return statistics->sparse > 0 && statistics->sparse < statistics->needed;
}
/* Takes the sizes of a call that was served, on all ranks. */
static inline void strata_sizes_learn(struct strata_call *c)
{
    enum strata_collective collective = c->signature->collective;
    if (strata_sizes_agree(collective)) {
        struct strata_call_statistics *statistics = strata_sizes_of(c->state, collective);
        const struct strata_agreed *agreed = c->x ? &c->x->agreed : NULL;
        if (statistics->age > 0 || !agreed || !agreed->known || agreed->load != statistics->load ||
            agreed->largest != statistics->largest || strata_sizes_count(statistics)) {
            strata_sizes_take(c, statistics);
        }
    } else {
        strata_sizes_pass(c->state, collective);
    }
}

#endif
