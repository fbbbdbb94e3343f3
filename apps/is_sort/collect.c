/* The collectives that are not timed as the exchange. MPI's own know nothing of threads. */
#include "apps/is_sort/is.h"
#include "include/strata.h"

/* The numbers of all ranks, combined, in place of this rank's. */
void is_collect(struct is_sort *s, void *numbers, int count, MPI_Datatype type, MPI_Op op)
{
    if (s->mode == IS_MEMBERS) {
        strata_allreduce(MPI_IN_PLACE, numbers, count, type, op, s->comm);
    } else {
        MPI_Allreduce(MPI_IN_PLACE, numbers, count, type, op, s->comm);
    }
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
    if (s->mode == IS_MEMBERS) {
        strata_barrier(s->comm);
    } else {
        MPI_Barrier(s->comm);
    }
}
