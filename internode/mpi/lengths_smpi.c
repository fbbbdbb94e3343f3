/* Simulated clusters: lengths are not told, for SMPI cuts what is too long. */
#include "internode/mpi/requests_mpi.h"

void strata_tags_init(struct strata_tags *tags, const struct strata_endpoints *endpoints,
                      int stream)
{
    *tags = (struct strata_tags){.endpoints = endpoints, .call = stream, .beside = 1};
}

/* Looking again lets no time go on, so nobody looks for what is not expected. */
int strata_lengths_settle(struct strata_request_list *list, double *until, bool *more)
{
    (void)until;
    *more = false;
    strata_requests_abandon(list, 0);
    return MPI_SUCCESS;
}
