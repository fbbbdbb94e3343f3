#include "internode/mpi/transport_mpi.h"

#include <stdint.h>

#include "core/base/memory.h"
#include "core/engine/simulated_work.h"
#include "internode/mpi/failed_mpi.h"
#include "internode/mpi/notices_mpi.h"

void strata_transport_mpi_init(struct strata_transport_mpi *t,
                               const struct strata_endpoints *endpoints, int stream)
{
    *t = (struct strata_transport_mpi){
        .endpoints = *endpoints, .idle = MPI_REQUEST_NULL, .keeper = t};
    for (int kind = 0; kind < STRATA_TRAFFIC_KINDS; kind++) {
        strata_tags_init(&t->kind[kind].tags, &t->endpoints, stream + kind);
    }
}

void strata_transport_mpi_share(struct strata_transport_mpi *t, struct strata_transport_mpi *first,
                                int place, int beside)
{
    t->keeper = first;
    for (int kind = 0; kind < STRATA_TRAFFIC_KINDS; kind++) {
        strata_tags_share(&t->kind[kind].tags, place, beside);
    }
}

int strata_transport_mpi_shares(const struct strata_transport_mpi *t, int most)
{
    const int bits = t->kind[STRATA_LANE_TRAFFIC].tags.call_bits;
    const int shares = bits > 0 ? 1 << (bits - 1) : 1;
    return shares < most ? shares : most;
}

int strata_transport_mpi_missing(const struct strata_transport_mpi *t, bool *receive)
{
    int peer = -1;
    *receive = false;
    for (int kind = 0; kind < STRATA_TRAFFIC_KINDS; kind++) {
        const struct strata_request_list *list = &t->kind[kind];
        for (int i = 0; i < list->used && !*receive; i++) {
            if (list->requests[i] != MPI_REQUEST_NULL) {
                peer = list->entries[i].peer;
                *receive = list->entries[i].receive;
            }
        }
    }
    return peer;
}

void strata_transport_mpi_fini(struct strata_transport_mpi *t)
{
    for (int kind = 0; kind < STRATA_TRAFFIC_KINDS; kind++) {
        strata_requests_fini(&t->kind[kind]);
    }
    strata_requests_end_idle(&t->idle);
    if (t->span_types) {
        strata_span_types_fini(t->span_types);
        strata_release(t->span_types);
        t->span_types = NULL;
    }
}

/* An error of MPI stays. "Message truncated" does not: the message is complete. */
static int fail(struct strata_transport_mpi *t, enum strata_traffic kind, int mpi_error)
{
    int class = mpi_error;
    PMPI_Error_class(mpi_error, &class);
    if (class == MPI_ERR_TRUNCATE) {
        t->wrong[kind] = true;
    } else {
        t->failed[kind] = STRATA_ERR_TRANSPORT;
    }
    return t->failed[kind];
}

static int reserve(void *self, int lane_requests, int direct_requests)
{
    struct strata_transport_mpi *t = self;
    for (int kind = 0; kind < STRATA_TRAFFIC_KINDS; kind++) {
        strata_tags_next(&t->kind[kind].tags, t->skipped);
        t->wrong[kind] = false;
        t->kind[kind].difference.known = t->kind[kind].told = false;
    }
    t->skipped = 0;
    t->settled_at = 0;
    int status = strata_requests_reserve(&t->kind[STRATA_LANE_TRAFFIC], lane_requests);
    if (!status) {
        status = strata_requests_reserve(&t->kind[STRATA_DIRECT_TRAFFIC], direct_requests);
    }
    return status;
}

int strata_transport_mpi_reserve(struct strata_transport_mpi *t,
                                 const int requests[STRATA_TRAFFIC_KINDS])
{
    int status = STRATA_OK;
    for (int kind = 0; kind < STRATA_TRAFFIC_KINDS && status == STRATA_OK; kind++) {
        status = strata_requests_reserve(&t->kind[kind], requests[kind]);
    }
    return status;
}

static void skip(void *self)
{
    struct strata_transport_mpi *t = self;
    t->skipped++;
}

/* The place of the next request; NULL, with the error kept, when it cannot be posted. reserve was
 * given the number of requests, so a missing place is an error of Strata, and reported as such. */
static MPI_Request *next_request(struct strata_transport_mpi *t, enum strata_traffic kind)
{
    MPI_Request *request = t->failed[kind] ? NULL : strata_requests_next(&t->kind[kind]);
    if (!request) {
        fail(t, kind, MPI_ERR_INTERN);
    }
    return request;
}

/* Posts the described message at `at`, and frees the description. */
static int post(struct strata_transport_mpi *t, enum strata_traffic kind, void *at,
                struct strata_description *d, struct strata_request_entry entry)
{
    const struct strata_tags *tags = &t->kind[kind].tags;
    const struct strata_endpoint peer = strata_endpoint_at(&t->endpoints, entry.peer);
    const int usual = entry.is_void ? strata_tag_of_word(tags, STRATA_TAG_VOID) : tags->call;
    const int tag = (entry.exact ? strata_tag_of(tags, entry.bytes) : usual) +
                    strata_endpoints_apart(&t->endpoints, peer, entry.receive);
    const MPI_Comm comm = strata_endpoints_comm(&t->endpoints, peer, entry.receive);
    MPI_Request *request = next_request(t, kind);
    int error = MPI_SUCCESS;
    strata_charge_pay();
    if (request) {
        error = entry.receive ? PMPI_Irecv(at, d->count, d->type, peer.rank, tag, comm, request)
                              : PMPI_Isend(at, d->count, d->type, peer.rank, tag, comm, request);
    }
    entry.exact = entry.exact && entry.receive;
    strata_forget(d);
    if (!request) {
        return t->failed[kind];
    }
    if (error) {
        return fail(t, kind, error);
    }
    strata_requests_add(&t->kind[kind], entry);
    return STRATA_OK;
}

/* Lane traffic to or from one place. */
static int post_bytes(struct strata_transport_mpi *t, void *buffer,
                      struct strata_request_entry entry)
{
    struct strata_description d;
    int error = strata_describe_bytes(entry.bytes, &d);
    if (error) {
        strata_forget(&d);
        return fail(t, STRATA_LANE_TRAFFIC, error);
    }
    return post(t, STRATA_LANE_TRAFFIC, buffer, &d, entry);
}

static int receive(void *self, int peer, void *buffer, size_t capacity)
{
    struct strata_request_entry entry = {.receive = true, .peer = peer, .bytes = capacity};
    return post_bytes(self, buffer, entry);
}

static int receive_exactly(void *self, int peer, void *buffer, size_t bytes)
{
    struct strata_request_entry entry = {
        .receive = true, .exact = true, .peer = peer, .bytes = bytes, .buffer = buffer};
    return post_bytes(self, buffer, entry);
}

static int send(void *self, int peer, const void *buffer, size_t bytes)
{
    struct strata_request_entry entry = {.peer = peer, .bytes = bytes};
    return post_bytes(self, (void *)(uintptr_t)buffer, entry);
}

static int send_exactly(void *self, int peer, const void *buffer, size_t bytes)
{
    struct strata_request_entry entry = {.exact = true, .peer = peer, .bytes = bytes};
    return post_bytes(self, (void *)(uintptr_t)buffer, entry);
}

static int send_void(void *self, int peer)
{
    struct strata_request_entry entry = {.is_void = true, .peer = peer};
    return post_bytes(self, NULL, entry);
}

/* Lane traffic to or from several places. */
static int post_spans(struct strata_transport_mpi *t, const struct strata_span *spans, int nspots,
                      struct strata_request_entry entry)
{
    struct strata_description d;
    struct strata_span_types **types = &t->keeper->span_types;
    if (!*types) {
        *types = strata_allocate(1, sizeof **types);
    }
    int error = *types ? strata_describe_spans(*types, spans, nspots, &d) : MPI_ERR_NO_MEM;
    if (error) {
        return fail(t, STRATA_LANE_TRAFFIC, error);
    }
    for (int i = 0; i < nspots; i++) {
        entry.bytes += spans[i].bytes;
    }
    return post(t, STRATA_LANE_TRAFFIC, MPI_BOTTOM, &d, entry);
}

static int receive_spans(void *self, int peer, const struct strata_span *spans, int nspots)
{
    struct strata_request_entry entry = {.receive = true, .exact = true, .peer = peer};
    return post_spans(self, spans, nspots, entry);
}

static int send_spans(void *self, int peer, const struct strata_span *spans, int nspots)
{
    struct strata_request_entry entry = {.exact = true, .peer = peer};
    return post_spans(self, spans, nspots, entry);
}

/* A whole block in the caller's own layout. */
static int post_block(struct strata_transport_mpi *t, const struct strata_layout *layout, int block,
                      struct strata_request_entry entry)
{
    struct strata_description d;
    int error = strata_describe(layout, block, &d);
    if (error) {
        strata_forget(&d);
        return fail(t, STRATA_DIRECT_TRAFFIC, error);
    }
    entry.bytes = strata_layout_bytes(layout, block);
    return post(t, STRATA_DIRECT_TRAFFIC, strata_layout_at(layout, block), &d, entry);
}

static int receive_block(void *self, int peer, const struct strata_layout *layout, int block)
{
    struct strata_request_entry entry = {.receive = true, .exact = true, .peer = peer};
    return post_block(self, layout, block, entry);
}

static int send_block(void *self, int peer, const struct strata_layout *layout, int block)
{
    struct strata_request_entry entry = {.exact = true, .peer = peer};
    return post_block(self, layout, block, entry);
}

/* Where no request of this kind is open, one of the other kind may be: a sender may wait until its
 * receiver finds a message of a wrong length. */
static int test(void *self, enum strata_traffic kind, int *open)
{
    struct strata_transport_mpi *t = self;
    enum strata_traffic other =
        kind == STRATA_LANE_TRAFFIC ? STRATA_DIRECT_TRAFFIC : STRATA_LANE_TRAFFIC;
    enum strata_traffic tested = t->kind[kind].open > 0 ? kind : other;
    if (t->kind[tested].open > 0) {
        int error = strata_requests_test(&t->kind[tested]);
        if (error) {
            fail(t, tested, error);
        }
    } else {
        strata_requests_progress(&t->idle);
    }
    *open = t->kind[kind].open;
    return t->failed[kind] || !t->wrong[kind] ? t->failed[kind] : STRATA_ERR_TRUNCATE;
}

static int settle(void *self, int *open)
{
    struct strata_transport_mpi *t = self;
    bool more = false;
    int error = strata_lengths_settle(&t->kind[STRATA_DIRECT_TRAFFIC], &t->settled_at, &more);
    if (error) {
        fail(t, STRATA_DIRECT_TRAFFIC, error);
    }
    error = test(self, STRATA_DIRECT_TRAFFIC, open);
    *open += more;
    return error;
}

static bool has_heard(const struct strata_transport_mpi *t)
{
    const struct strata_tags *tags = &t->kind[STRATA_LANE_TRAFFIC].tags;
    return strata_notices_heard(tags, tags->call);
}

static bool lost(void *self)
{
    const struct strata_transport_mpi *t = self;
    return has_heard(t) || strata_failed_any(t->endpoints.comm) ||
           strata_revoked(t->endpoints.served);
}

static void tell(void *self, int peer)
{
    const struct strata_transport_mpi *t = self;
    strata_notices_tell(&t->kind[STRATA_LANE_TRAFFIC].tags, peer);
}

static bool told(void *self, int peer)
{
    struct strata_transport_mpi *t = self;
    return strata_lengths_heard(&t->kind[STRATA_LANE_TRAFFIC], peer);
}

void strata_transport_mpi_break(struct strata_transport_mpi *t)
{
    if (!has_heard(t)) { /* who told that told all */
        strata_notices_send(&t->kind[STRATA_LANE_TRAFFIC].tags);
    }
}

static bool differs(const void *self, enum strata_traffic kind, struct strata_difference *first)
{
    const struct strata_transport_mpi *t = self;
    *first = t->kind[kind].difference;
    return first->known;
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

#define SAME                                                                                       \
    .reserve = reserve, .skip = skip, .recv = receive, .send = send, .send_exactly = send_exactly, \
    .recv_exactly = receive_exactly, .send_void = send_void, .recv_block = receive_block,          \
    .send_block = send_block, .test = test, .settle = settle, .lost = lost, .tell = tell,          \
    .told = told, .differs = differs, .abandon = abandon

const struct strata_transport strata_transport_mpi = {SAME, .recv_spans = receive_spans,
                                                      .send_spans = send_spans};
const struct strata_transport strata_transport_mpi_packing = {SAME};
