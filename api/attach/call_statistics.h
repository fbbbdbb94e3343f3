/* Sizes that the ranks of a communicator agreed on in earlier calls. */
#ifndef STRATA_API_ATTACH_CALL_STATISTICS_H
#define STRATA_API_ATTACH_CALL_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

#include "api/attach/plan_table.h"
#include "core/plan/collective.h"

/* The sizes that an earlier alltoallv, alltoallw, gatherv or scatterv agreed on, or defaults that
 * stand in for them. */
struct strata_call_statistics {
    /* the buckets of the next call's key (struct strata_plan_key) */
    int bucket, most, degree;
    uint64_t load, largest; /* the most of all ranks; bytes of the largest block */
    int sparse;             /* calls in a row in which ranks sent to few others, as it was agreed */
    int widest;             /* the largest degree of these calls */
    int needed;             /* so many of them, and an exchange is taken for sparse */
    int age;                /* calls since the ranks agreed on the sizes */
    bool ask;               /* gatherv, scatterv: the ranks agree anew after `period` calls */
    int period;             /* calls from one agreement to the next */
    bool telling;           /* an agreement is under way */
    double told;            /* when this rank began the last one; 0: never */
    int due;                /* the age at which the ranks begin or end an agreement */
};
/* Statistics are kept for so many collectives; api/call/sizes.h says which. */
enum { STRATA_CALL_STATISTICS = STRATA_ALLTOALLW + 3 };

/* Bytes of a mean block while the ranks have agreed on none. */
enum { STRATA_FIRST_BLOCK = 256 };
/* Calls after which agreed sizes are too old. Plans without log rounds bring no new sizes, so the
 * default is tried again. */
enum { STRATA_SIZES_OLD = 64 };

/* An exchange is taken for sparse after so many calls in a row that were, after twice as many when
 * that was wrong, and so on. While it is taken for sparse, ranks may agree on nothing; then the
 * last few of these calls are awaited again. */
enum { STRATA_SPARSE_CALLS = 8, STRATA_SPARSE_MOST = 1 << 16, STRATA_SPARSE_AGAIN = 4 };

/* Forgets all agreed sizes, but not how often exchanges have been sparse. */
void strata_call_statistics_forget(struct strata_call_statistics *statistics);
/* Whether they are those for which the key's plan was chosen. */
static inline bool strata_call_statistics_same(const struct strata_call_statistics *statistics,
                                               const struct strata_plan_key *key)
{
    return statistics->bucket == key->bucket && statistics->most == key->most &&
           statistics->degree == key->degree;
}

#endif
