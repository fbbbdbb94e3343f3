#include "internode/parts/fold.h"

struct strata_fold strata_fold_of(int ranks, int chosen)
{
    struct strata_fold fold = {.ranks = ranks, .members = 1, .chosen = chosen};
    while (fold.members <= ranks / 2) {
        fold.members *= 2;
        fold.bits++;
    }
    fold.extra = ranks - fold.members;
    return fold;
}

int strata_fold_member(const struct strata_fold *fold, int rank)
{
    return rank < 2 * fold->extra ? rank / 2 : rank - fold->extra;
}

int strata_fold_rank(const struct strata_fold *fold, int member)
{
    bool chosen = strata_fold_member(fold, fold->chosen) == member;
    return chosen ? fold->chosen : strata_fold_first(fold, member);
}

int strata_fold_partner(const struct strata_fold *fold, int rank)
{
    return rank < 2 * fold->extra ? rank ^ 1 : -1;
}
