/* MPI's own collectives, by the arguments that the user gave. */
#include "api/signature.h"

static int native_alltoall(const struct strata_signature *s)
{
    return PMPI_Alltoall(s->send.buffer, s->send.count, s->send.type, s->recv.buffer, s->recv.count,
                         s->recv.type, s->comm);
}

static int native_alltoallv(const struct strata_signature *s)
{
    return PMPI_Alltoallv(s->send.buffer, s->send.counts, s->send.displs, s->send.type,
                          s->recv.buffer, s->recv.counts, s->recv.displs, s->recv.type, s->comm);
}

static int (*const native[STRATA_COLLECTIVE_COUNT])(const struct strata_signature *) = {
    [STRATA_ALLTOALL] = native_alltoall,
    [STRATA_ALLTOALLV] = native_alltoallv,
};

int strata_native_call(const struct strata_signature *signature)
{
    return native[signature->collective](signature);
}
