#include "internode/mpi/notices_mpi.h"

static bool has_notices(const struct strata_tags *tags)
{
    return tags->length_bits > 0;
}

/* Notices of the stream that has this tag: of all kinds, and, where ranks have several endpoints,
 * of all pairs of them, for who is out of step is so for all. */
static int tag_of(const struct strata_tags *tags, int of)
{
    const int pairs = tags->endpoints->at ? STRATA_ENDPOINT_PAIRS : 1;
    struct strata_tags any = *tags;
    any.call = of & ((1 << STRATA_STREAM_BITS) - pairs * STRATA_TRAFFIC_KINDS);
    return strata_tag_of_word(&any, STRATA_TAG_NOTICE);
}

static void send_one(int rank, int tag, MPI_Comm comm)
{
    MPI_Request request = MPI_REQUEST_NULL;
    if (PMPI_Isend(NULL, 0, MPI_BYTE, rank, tag, comm, &request) == MPI_SUCCESS) {
        PMPI_Request_free(&request);
    }
}

void strata_notices_send(const struct strata_tags *tags)
{
    const struct strata_endpoints *all = tags->endpoints;
    for (int i = 0; i < all->count && has_notices(tags); i++) {
        send_one(strata_endpoint_at(all, i).rank, tag_of(tags, tags->call), all->comm);
    }
}

void strata_notices_tell(const struct strata_tags *tags, int to)
{
    const struct strata_endpoints *all = tags->endpoints;
    const struct strata_endpoint peer = strata_endpoint_at(all, to);
    if (has_notices(tags)) {
        send_one(peer.rank,
                 strata_tag_of_word(tags, STRATA_TAG_DIFFER) +
                     strata_endpoints_apart(all, peer, false),
                 strata_endpoints_comm(all, peer, false));
    }
}

bool strata_notices_heard(const struct strata_tags *tags, int of)
{
    int there = 0;
    return has_notices(tags) &&
           PMPI_Iprobe(MPI_ANY_SOURCE, tag_of(tags, of), tags->endpoints->comm, &there,
                       MPI_STATUS_IGNORE) == MPI_SUCCESS &&
           there;
}

bool strata_notices_is(const struct strata_tags *tags, int tag)
{
    return strata_tag_means(tags, tag, STRATA_TAG_NOTICE);
}

void strata_notices_keep(const struct strata_tags *tags, const MPI_Status *seen)
{
    const struct strata_endpoints *all = tags->endpoints;
    MPI_Request request = MPI_REQUEST_NULL;
    if (PMPI_Irecv(NULL, 0, MPI_BYTE, seen->MPI_SOURCE, seen->MPI_TAG, all->comm, &request) ==
        MPI_SUCCESS) {
        PMPI_Request_free(&request);
        send_one(all->mine.rank, seen->MPI_TAG, all->comm);
    }
}
