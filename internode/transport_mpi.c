#include "internode/transport_mpi.h"

#include <limits.h>

#include "internode/describe_mpi.h"

void strata_transport_mpi_init(struct strata_transport_mpi *t, MPI_Comm comm, int tag)
{
    *t = (struct strata_transport_mpi){.comm = comm, .tag = tag, .mpi_error = MPI_SUCCESS};
}

void strata_transport_mpi_fini(struct strata_transport_mpi *t)
{
    for (int kind = 0; kind < STRATA_TRAFFIC_KINDS; kind++) {
        strata_requests_fini(&t->kind[kind]);
    }
}

/* Keeps the first error of each kind; MPI's "message truncated" is the one that has a name of its
 * own. */
static int fail(struct strata_transport_mpi *t, enum strata_traffic kind, int mpi_error)
{
    int class = mpi_error;
    PMPI_Error_class(mpi_error, &class);
    t->mpi_error = t->mpi_error ? t->mpi_error : mpi_error;
    if (!t->failed[kind]) {
        t->failed[kind] = class == MPI_ERR_TRUNCATE ? STRATA_ERR_TRUNCATE : STRATA_ERR_TRANSPORT;
    }
    return t->failed[kind];
}

static int reserve(void *self, int lane_requests, int direct_requests)
{
    struct strata_transport_mpi *t = self;
    int status = strata_requests_reserve(&t->kind[STRATA_LANE_TRAFFIC], lane_requests);
    if (!status) {
        status = strata_requests_reserve(&t->kind[STRATA_DIRECT_TRAFFIC], direct_requests);
    }
    return status;
}

/* Where the next request goes; NULL with the error kept when it cannot be posted. A plan's limits
 * keep messages below INT_MAX bytes, and reserve was told how many there are: either is a mistake
 * of ours, reported as such. */
static MPI_Request *next_request(struct strata_transport_mpi *t, enum strata_traffic kind,
                                 size_t count)
{
    MPI_Request *request = t->failed[kind] ? NULL : strata_requests_next(&t->kind[kind]);
    if (count > INT_MAX) {
        fail(t, kind, MPI_ERR_COUNT);
        request = NULL;
    } else if (!request) {
        fail(t, kind, MPI_ERR_INTERN);
    }
    return request;
}

static int posted(struct strata_transport_mpi *t, enum strata_traffic kind, int mpi_error,
                  struct strata_request_note note)
{
    if (mpi_error) {
        return fail(t, kind, mpi_error);
    }
    strata_requests_add(&t->kind[kind], note);
    return STRATA_OK;
}

static int receive(void *self, int peer, void *buffer, size_t capacity)
{
    const enum strata_traffic kind = STRATA_LANE_TRAFFIC;
    struct strata_transport_mpi *t = self;
    MPI_Request *request = next_request(t, kind, capacity);
    if (!request) {
        return t->failed[kind];
    }
    int error =
        PMPI_Irecv(buffer, (int)capacity, MPI_BYTE, peer, t->tag + (int)kind, t->comm, request);
    struct strata_request_note note = {.receive = true, .bytes = capacity};
    return posted(t, kind, error, note);
}

static int send(void *self, int peer, const void *buffer, size_t bytes)
{
    const enum strata_traffic kind = STRATA_LANE_TRAFFIC;
    struct strata_transport_mpi *t = self;
    MPI_Request *request = next_request(t, kind, bytes);
    if (!request) {
        return t->failed[kind];
    }
    int error =
        PMPI_Isend(buffer, (int)bytes, MPI_BYTE, peer, t->tag + (int)kind, t->comm, request);
    struct strata_request_note note = {.bytes = bytes};
    return posted(t, kind, error, note);
}

/* A whole block in the caller's own layout, in either direction. */
static int post_block(struct strata_transport_mpi *t, int peer, const struct strata_layout *layout,
                      int block, bool receives)
{
    const enum strata_traffic kind = STRATA_DIRECT_TRAFFIC;
    const int tag = t->tag + (int)kind;
    void *at = strata_layout_at(layout, block);
    struct strata_description d;
    MPI_Request *request = next_request(t, kind, 0);
    if (!request) {
        return t->failed[kind];
    }
    int error = strata_describe(layout, block, &d);
    if (!error) {
        error = receives ? PMPI_Irecv(at, d.count, d.type, peer, tag, t->comm, request)
                         : PMPI_Isend(at, d.count, d.type, peer, tag, t->comm, request);
    }
    strata_forget(&d);
    struct strata_request_note note = {
        .receive = receives, .exact = receives, .bytes = strata_layout_bytes(layout, block)};
    return posted(t, kind, error, note);
}

static int receive_block(void *self, int peer, const struct strata_layout *layout, int block)
{
    return post_block(self, peer, layout, block, true);
}

static int send_block(void *self, int peer, const struct strata_layout *layout, int block)
{
    return post_block(self, peer, layout, block, false);
}

/* Looks for arrived messages without receiving any: all that MPI offers to say "make progress". */
static int progress(struct strata_transport_mpi *t)
{
    int found;
    return PMPI_Iprobe(MPI_ANY_SOURCE, t->tag, t->comm, &found, MPI_STATUS_IGNORE);
}

static int test(void *self, enum strata_traffic kind, int *open)
{
    struct strata_transport_mpi *t = self;
    struct strata_request_list *list = &t->kind[kind];
    int error = list->open > 0 ? strata_requests_test(list) : progress(t);
    *open = list->open;
    return error ? fail(t, kind, error) : t->failed[kind];
}

static void abandon(void *self)
{
    static const double patience = 5.0; /* seconds; a send that will be received takes less */
    struct strata_transport_mpi *t = self;
    for (int kind = 0; kind < STRATA_TRAFFIC_KINDS; kind++) {
        strata_requests_abandon(&t->kind[kind], patience);
        t->failed[kind] = STRATA_OK;
    }
}

const struct strata_transport strata_transport_mpi = {
    .reserve = reserve,
    .recv = receive,
    .send = send,
    .recv_block = receive_block,
    .send_block = send_block,
    .test = test,
    .abandon = abandon,
};
