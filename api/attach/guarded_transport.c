/* The transport of endpoints whose threads may not call MPI at any time: each message is posted and
 * tested by strata_by_mpi. */
#include "api/attach/guarded_transport.h"

#include <stdint.h>

#include "api/process/by_mpi.h"

/* A call of the transport on its way to a thread that may make it. */
struct transport_call {
    struct strata_transport_mpi *self;
    int peer, count;
    void *buffer;
    size_t bytes;
    const struct strata_span *spans;
    const struct strata_layout *layout;
    enum strata_traffic kind;
    int *open;
};

static const struct strata_transport *const plain = &strata_transport_mpi;

static int reserve(void *self, int lane_requests, int direct_requests)
{
    return plain->reserve(self, lane_requests, direct_requests); /* calls no MPI */
}

static void skip(void *self)
{
    plain->skip(self);
}

static int do_receive(void *argument)
{
    const struct transport_call *c = argument;
    return plain->recv(c->self, c->peer, c->buffer, c->bytes);
}

static int receive(void *self, int peer, void *buffer, size_t capacity)
{
    struct transport_call c = {.self = self, .peer = peer, .buffer = buffer, .bytes = capacity};
    return strata_by_mpi(do_receive, &c);
}

static int do_send(void *argument)
{
    const struct transport_call *c = argument;
    return plain->send(c->self, c->peer, c->buffer, c->bytes);
}

static int send(void *self, int peer, const void *buffer, size_t bytes)
{
    struct transport_call c = {
        .self = self, .peer = peer, .buffer = (void *)(uintptr_t)buffer, .bytes = bytes};
    return strata_by_mpi(do_send, &c);
}

static int do_receive_exactly(void *argument)
{
    const struct transport_call *c = argument;
    return plain->recv_exactly(c->self, c->peer, c->buffer, c->bytes);
}

static int receive_exactly(void *self, int peer, void *buffer, size_t bytes)
{
    struct transport_call c = {.self = self, .peer = peer, .buffer = buffer, .bytes = bytes};
    return strata_by_mpi(do_receive_exactly, &c);
}

static int do_send_exactly(void *argument)
{
    const struct transport_call *c = argument;
    return plain->send_exactly(c->self, c->peer, c->buffer, c->bytes);
}

static int send_exactly(void *self, int peer, const void *buffer, size_t bytes)
{
    struct transport_call c = {
        .self = self, .peer = peer, .buffer = (void *)(uintptr_t)buffer, .bytes = bytes};
    return strata_by_mpi(do_send_exactly, &c);
}

static int do_send_void(void *argument)
{
    const struct transport_call *c = argument;
    return plain->send_void(c->self, c->peer);
}

static int send_void(void *self, int peer)
{
    struct transport_call c = {.self = self, .peer = peer};
    return strata_by_mpi(do_send_void, &c);
}

static int do_receive_spans(void *argument)
{
    const struct transport_call *c = argument;
    return plain->recv_spans(c->self, c->peer, c->spans, c->count);
}

static int receive_spans(void *self, int peer, const struct strata_span *spans, int nspots)
{
    struct transport_call c = {.self = self, .peer = peer, .spans = spans, .count = nspots};
    return strata_by_mpi(do_receive_spans, &c);
}

static int do_send_spans(void *argument)
{
    const struct transport_call *c = argument;
    return plain->send_spans(c->self, c->peer, c->spans, c->count);
}

static int send_spans(void *self, int peer, const struct strata_span *spans, int nspots)
{
    struct transport_call c = {.self = self, .peer = peer, .spans = spans, .count = nspots};
    return strata_by_mpi(do_send_spans, &c);
}

static int do_receive_block(void *argument)
{
    const struct transport_call *c = argument;
    return plain->recv_block(c->self, c->peer, c->layout, c->count);
}

static int receive_block(void *self, int peer, const struct strata_layout *layout, int block)
{
    struct transport_call c = {.self = self, .peer = peer, .layout = layout, .count = block};
    return strata_by_mpi(do_receive_block, &c);
}

static int do_send_block(void *argument)
{
    const struct transport_call *c = argument;
    return plain->send_block(c->self, c->peer, c->layout, c->count);
}

static int send_block(void *self, int peer, const struct strata_layout *layout, int block)
{
    struct transport_call c = {.self = self, .peer = peer, .layout = layout, .count = block};
    return strata_by_mpi(do_send_block, &c);
}

static int do_test(void *argument)
{
    const struct transport_call *c = argument;
    return plain->test(c->self, c->kind, c->open);
}

/* A thread without open messages only lets MPI make progress. It does not wait for its turn to do
 * that, nor for the main thread, which does it itself. */
static int test(void *self, enum strata_traffic kind, int *open)
{
    struct strata_transport_mpi *t = self;
    struct transport_call c = {.self = self, .kind = kind, .open = open};
    if (t->kind[STRATA_LANE_TRAFFIC].open + t->kind[STRATA_DIRECT_TRAFFIC].open > 0) {
        return strata_by_mpi(do_test, &c);
    }
    *open = 0;
    (void)strata_by_mpi_at_once(do_test, &c);
    return t->failed[kind] || !t->wrong[kind] ? t->failed[kind] : STRATA_ERR_TRUNCATE;
}

static int do_settle(void *argument)
{
    const struct transport_call *c = argument;
    return plain->settle(c->self, c->open);
}

static int settle(void *self, int *open)
{
    struct transport_call c = {.self = self, .open = open};
    return strata_by_mpi(do_settle, &c);
}

static int do_lost(void *argument)
{
    return plain->lost(argument);
}

static bool lost(void *self)
{
    return strata_by_mpi(do_lost, self) != 0;
}

static bool differs(const void *self, enum strata_traffic kind, struct strata_difference *first)
{
    return plain->differs(self, kind, first);
}

static int do_tell(void *argument)
{
    const struct transport_call *c = argument;
    plain->tell(c->self, c->peer);
    return STRATA_OK;
}

static void tell(void *self, int peer)
{
    struct transport_call c = {.self = self, .peer = peer};
    (void)strata_by_mpi(do_tell, &c);
}

static int do_told(void *argument)
{
    const struct transport_call *c = argument;
    return plain->told(c->self, c->peer);
}

static bool told(void *self, int peer)
{
    struct transport_call c = {.self = self, .peer = peer};
    return strata_by_mpi(do_told, &c);
}

static int do_abandon(void *argument)
{
    plain->abandon(argument);
    return STRATA_OK;
}

static void abandon(void *self)
{
    (void)strata_by_mpi(do_abandon, self);
}

const struct strata_transport strata_guarded_transport = {.reserve = reserve,
                                                          .skip = skip,
                                                          .recv = receive,
                                                          .send = send,
                                                          .recv_exactly = receive_exactly,
                                                          .send_exactly = send_exactly,
                                                          .send_void = send_void,
                                                          .recv_spans = receive_spans,
                                                          .send_spans = send_spans,
                                                          .recv_block = receive_block,
                                                          .send_block = send_block,
                                                          .test = test,
                                                          .settle = settle,
                                                          .lost = lost,
                                                          .tell = tell,
                                                          .told = told,
                                                          .differs = differs,
                                                          .abandon = abandon};

static int do_break(void *argument)
{
    strata_transport_mpi_break(argument);
    return STRATA_OK;
}

void strata_guarded_transport_break(struct strata_transport_mpi *t)
{
    (void)strata_by_mpi(do_break, t);
}
