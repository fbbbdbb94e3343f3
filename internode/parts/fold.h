/* Any number of ranks as a power of two of members, for exchanges by the bits of a member's number.
 * Let 2^n be the largest power of two that is at most P, and e = P - 2^n. Member j < e stands for
 * the two ranks 2j and 2j+1, of which one acts for both. Member j >= e is the rank j + e. So the
 * ranks of a member are neighbours, and members follow each other as ranks do. From Thakur,
 * Rabenseifner, Gropp, IJHPCA 19(1), 2005, section on reduce. */
#ifndef STRATA_INTERNODE_PARTS_FOLD_H
#define STRATA_INTERNODE_PARTS_FOLD_H

#include <stdbool.h>

struct strata_fold {
    int ranks;
    int members, bits; /* members = 2^bits */
    int extra;         /* members of two ranks */
    int chosen;        /* a rank that always acts; in the other pairs the lower rank does */
};

/* chosen: 0 where it does not matter. */
struct strata_fold strata_fold_of(int ranks, int chosen);

/* The rank that acts for a member. */
int strata_fold_rank(const struct strata_fold *fold, int member);
/* The member that a rank belongs to. */
int strata_fold_member(const struct strata_fold *fold, int rank);
/* The other rank of the pair, -1 for a member of one rank. */
int strata_fold_partner(const struct strata_fold *fold, int rank);

static inline bool strata_fold_acts(const struct strata_fold *fold, int rank)
{
    return strata_fold_rank(fold, strata_fold_member(fold, rank)) == rank;
}

/* The first rank of a member; the number of ranks for one past the last. */
static inline int strata_fold_first(const struct strata_fold *fold, int member)
{
    return member < fold->extra ? 2 * member : member + fold->extra;
}

#endif
