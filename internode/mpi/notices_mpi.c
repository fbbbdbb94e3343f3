#include "internode/mpi/notices_mpi.h"

static int tag_of(const struct strata_tags *tags)
{
    const int stream = tags->call & ((1 << STRATA_STREAM_BITS) - 1);
    const int longest = (1 << tags->length_bits) - 1;
    return stream + (longest << (STRATA_STREAM_BITS + tags->call_bits));
}

static bool has_notices(const struct strata_tags *tags)
{
    return tags->length_bits > 0;
}

void strata_notices_send(const struct strata_tags *tags)
{
    const struct strata_endpoints *all = tags->endpoints;
    for (int i = 0; i < all->count && has_notices(tags); i++) {
        const int rank = strata_endpoint_at(all, i).rank;
        MPI_Request request = MPI_REQUEST_NULL;
        if (rank != all->mine.rank &&
            PMPI_Isend(NULL, 0, MPI_BYTE, rank, tag_of(tags), all->comm, &request) == MPI_SUCCESS) {
            PMPI_Request_free(&request);
        }
    }
}

bool strata_notices_is(const struct strata_tags *tags, MPI_Status *seen)
{
    MPI_Count bytes = -1;
    return has_notices(tags) && seen->MPI_TAG == tag_of(tags) &&
           PMPI_Get_elements_x(seen, MPI_BYTE, &bytes) == MPI_SUCCESS && bytes == 0;
}

bool strata_notices_heard(const struct strata_tags *tags)
{
    MPI_Status seen;
    int there = 0;
    return has_notices(tags) &&
           PMPI_Iprobe(MPI_ANY_SOURCE, tag_of(tags), tags->endpoints->comm, &there, &seen) ==
               MPI_SUCCESS &&
           there && strata_notices_is(tags, &seen);
}
