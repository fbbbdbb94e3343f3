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

/* A function of the transport, and the call of the plain one that the other thread makes; behind
 * these what the call needs. */
#define GUARDED(type, name, parameters, made, ...)                                                 \
    static int do_##name(void *argument)                                                           \
    {                                                                                              \
        const struct transport_call *c = argument;                                                 \
        return plain->made;                                                                        \
    }                                                                                              \
                                                                                                   \
    static type name parameters                                                                    \
    {                                                                                              \
        struct transport_call c = {.self = self, __VA_ARGS__};                                     \
        return strata_by_mpi(do_##name, &c);                                                       \
    }
#define SENT .peer = peer, .buffer = (void *)(uintptr_t)buffer, .bytes = bytes

GUARDED(int, receive, (void *self, int peer, void *buffer, size_t bytes),
        recv(c->self, c->peer, c->buffer, c->bytes), .peer = peer, .buffer = buffer, .bytes = bytes)
GUARDED(int, send, (void *self, int peer, const void *buffer, size_t bytes),
        send(c->self, c->peer, c->buffer, c->bytes), SENT)
GUARDED(int, receive_exactly, (void *self, int peer, void *buffer, size_t bytes),
        recv_exactly(c->self, c->peer, c->buffer, c->bytes), .peer = peer, .buffer = buffer,
        .bytes = bytes)
GUARDED(int, send_exactly, (void *self, int peer, const void *buffer, size_t bytes),
        send_exactly(c->self, c->peer, c->buffer, c->bytes), SENT)
GUARDED(int, send_void, (void *self, int peer), send_void(c->self, c->peer), .peer = peer)
GUARDED(int, receive_spans, (void *self, int peer, const struct strata_span *spans, int nspots),
        recv_spans(c->self, c->peer, c->spans, c->count), .peer = peer, .spans = spans,
        .count = nspots)
GUARDED(int, send_spans, (void *self, int peer, const struct strata_span *spans, int nspots),
        send_spans(c->self, c->peer, c->spans, c->count), .peer = peer, .spans = spans,
        .count = nspots)
GUARDED(int, receive_block, (void *self, int peer, const struct strata_layout *layout, int block),
        recv_block(c->self, c->peer, c->layout, c->count), .peer = peer, .layout = layout,
        .count = block)
GUARDED(int, send_block, (void *self, int peer, const struct strata_layout *layout, int block),
        send_block(c->self, c->peer, c->layout, c->count), .peer = peer, .layout = layout,
        .count = block)
GUARDED(int, settle, (void *self, int *open), settle(c->self, c->open), .open = open)
GUARDED(bool, lost, (void *self), lost(c->self), .peer = 0)
GUARDED(bool, told, (void *self, int peer), told(c->self, c->peer), .peer = peer)

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
