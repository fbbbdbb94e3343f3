/* The collectives that are not timed as the exchange. */
#include "apps/common/collect.h"
#include "apps/is_sort/is.h"

void is_collect(struct is_sort *s, void *numbers, int count, MPI_Datatype type, MPI_Op op)
{
    app_collect(s->comm, s->mode == IS_MEMBERS, numbers, count, type, op);
}

void is_add_totals(struct is_sort *s, enum is_exchange exchange)
{
    app_collect(s->comm, s->mode == IS_MEMBERS || exchange == IS_STRATA, s->totals,
                is_buckets(s->class), MPI_INT64_T, MPI_SUM);
}

void is_collect_before(struct is_sort *s, int mine, int *most)
{
    if (s->mode == IS_MEMBERS) {
        strata_exscan(&mine, most, 1, MPI_INT, MPI_MAX, s->comm);
    } else {
        MPI_Exscan(&mine, most, 1, MPI_INT, MPI_MAX, s->comm);
    }
}

void is_meet(struct is_sort *s)
{
    app_meet(s->comm, s->mode == IS_MEMBERS);
}
