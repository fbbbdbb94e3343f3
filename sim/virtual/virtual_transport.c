#include "sim/virtual/virtual_transport.h"

#include <string.h>

#include "core/base/memory.h"
#include "sim/virtual/mailboxes.h"

enum { GARBAGE = 0xA5 };

static int reserve(void *self, int lane_requests, int direct_requests)
{
    struct strata_mailbox *box = self;
    box->room[STRATA_LANE_TRAFFIC] = lane_requests;
    box->room[STRATA_DIRECT_TRAFFIC] = direct_requests;
    box->call++;
    box->error = STRATA_OK;
    box->message.text[0] = '\0';
    return STRATA_OK;
}

/* Opens a request between two ranks, one of them `box`'s own. NULL after an error. */
static int open_post(struct strata_mailbox *box, int peer, bool sends, enum strata_traffic kind,
                     struct strata_post **post)
{
    if (peer < 0 || peer >= box->all->ranks) {
        return strata_fail(&box->message, STRATA_ERR_TRANSPORT, "rank %d names rank %d as its peer",
                           box->rank, peer);
    }
    if (box->open[kind] >= box->room[kind]) {
        return strata_fail(&box->message, STRATA_ERR_TRANSPORT,
                           "rank %d opens more requests than the %d it made room for", box->rank,
                           box->room[kind]);
    }
    *post = strata_allocate(1, sizeof **post);
    if (!*post) {
        return STRATA_ERR_MEMORY;
    }
    (*post)->source = sends ? box->rank : peer;
    (*post)->destination = sends ? peer : box->rank;
    (*post)->kind = kind;
    (*post)->call = box->call;
    box->open[kind]++;
    box->all->events++;
    return STRATA_OK;
}

/* The block's own layout, so that the caller's need not outlive the call. */
static void describe_block(struct strata_post *post, const struct strata_layout *layout, int block)
{
    post->typed = true;
    post->bytes = strata_layout_bytes(layout, block);
    post->layout = (struct strata_layout){.base = strata_layout_at(layout, block),
                                          .type = strata_layout_type(layout, block),
                                          .count = strata_layout_elements(layout, block)};
}

/* A request that could not be made after all. */
static int take_back(struct strata_mailbox *box, struct strata_post *post)
{
    box->open[post->kind]--;
    strata_release(post->spans);
    strata_release(post);
    return STRATA_ERR_MEMORY;
}

static int post_send(struct strata_mailbox *box, struct strata_post *send)
{
    if (!box->all->rendezvous && strata_mailbox_make_eager(box, send)) {
        return take_back(box, send);
    }
    strata_mailbox_post_send(box, send);
    return STRATA_OK;
}

static int virtual_send(void *self, int peer, const void *buffer, size_t bytes)
{
    struct strata_post *send;
    int status = open_post(self, peer, true, STRATA_LANE_TRAFFIC, &send);
    if (status) {
        return status;
    }
    send->data = buffer;
    send->bytes = bytes;
    return post_send(self, send);
}

static int virtual_send_void(void *self, int peer)
{
    struct strata_post *send;
    int status = open_post(self, peer, true, STRATA_LANE_TRAFFIC, &send);
    if (status) {
        return status;
    }
    send->is_void = true;
    return post_send(self, send);
}

static int virtual_send_block(void *self, int peer, const struct strata_layout *layout, int block)
{
    struct strata_post *send;
    int status = open_post(self, peer, true, STRATA_DIRECT_TRAFFIC, &send);
    if (status) {
        return status;
    }
    describe_block(send, layout, block);
    return post_send(self, send);
}

static int receive(struct strata_mailbox *self, int peer, void *buffer, size_t capacity, bool exact)
{
    struct strata_post *recv;
    int status = open_post(self, peer, false, STRATA_LANE_TRAFFIC, &recv);
    if (status) {
        return status;
    }
    recv->plain = buffer;
    recv->bytes = capacity;
    recv->exact = exact;
    if (capacity > 0) {
        memset(buffer, GARBAGE, capacity);
    }
    strata_mailbox_post_recv(self, recv);
    return STRATA_OK;
}

static int virtual_recv(void *self, int peer, void *buffer, size_t capacity)
{
    return receive(self, peer, buffer, capacity, false);
}

static int virtual_recv_exactly(void *self, int peer, void *buffer, size_t bytes)
{
    return receive(self, peer, buffer, bytes, true);
}

static int virtual_recv_block(void *self, int peer, const struct strata_layout *layout, int block)
{
    struct strata_post *recv;
    int status = open_post(self, peer, false, STRATA_DIRECT_TRAFFIC, &recv);
    if (status) {
        return status;
    }
    describe_block(recv, layout, block);
    recv->exact = true;
    strata_mailbox_post_recv(self, recv);
    return STRATA_OK;
}

/* Keeps the places, so that the caller's need not outlive the call. */
static int describe_spans(struct strata_post *post, const struct strata_span *spans, int nspots)
{
    post->spans = strata_allocate((size_t)nspots, sizeof *spans);
    if (!post->spans) {
        return STRATA_ERR_MEMORY;
    }
    memcpy(post->spans, spans, (size_t)nspots * sizeof *spans);
    post->nspots = nspots;
    for (int i = 0; i < nspots; i++) {
        post->bytes += spans[i].bytes;
    }
    return STRATA_OK;
}

static int virtual_send_spans(void *self, int peer, const struct strata_span *spans, int nspots)
{
    struct strata_post *send;
    int status = open_post(self, peer, true, STRATA_LANE_TRAFFIC, &send);
    if (status) {
        return status;
    }
    return describe_spans(send, spans, nspots) ? take_back(self, send) : post_send(self, send);
}

static void spoil(const struct strata_span *span)
{
    static const unsigned char garbage = GARBAGE;
    struct strata_span byte = *span;
    byte.bytes = 1;
    for (; byte.skip < span->skip + span->bytes; byte.skip++) {
        strata_span_unpack(&byte, &garbage);
    }
}

static int virtual_recv_spans(void *self, int peer, const struct strata_span *spans, int nspots)
{
    struct strata_post *recv;
    int status = open_post(self, peer, false, STRATA_LANE_TRAFFIC, &recv);
    if (status) {
        return status;
    }
    if (describe_spans(recv, spans, nspots)) {
        return take_back(self, recv);
    }
    recv->exact = true;
    for (int i = 0; i < nspots; i++) {
        spoil(&spans[i]);
    }
    strata_mailbox_post_recv(self, recv);
    return STRATA_OK;
}

static int test(void *self, enum strata_traffic kind, int *open)
{
    struct strata_mailbox *box = self;
    strata_mailbox_deliver(box);
    if (box->complete[kind] > 0) {
        box->all->events++;
    }
    box->open[kind] -= box->complete[kind];
    box->complete[kind] = 0;
    *open = box->open[kind];
    return box->error;
}

static int settle(void *self, int *open)
{
    strata_mailbox_settle(self);
    return test(self, STRATA_DIRECT_TRAFFIC, open);
}

static void abandon(void *self)
{
    strata_mailbox_abandon(self);
}

const struct strata_transport strata_transport_virtual = {
    .reserve = reserve,
    .recv = virtual_recv,
    .recv_exactly = virtual_recv_exactly,
    .send = virtual_send,
    .send_exactly = virtual_send,
    .send_void = virtual_send_void,
    .recv_block = virtual_recv_block,
    .send_block = virtual_send_block,
    .test = test,
    .settle = settle,
    .abandon = abandon,
};

const struct strata_transport strata_transport_virtual_spans = {
    .reserve = reserve,
    .recv = virtual_recv,
    .recv_exactly = virtual_recv_exactly,
    .recv_spans = virtual_recv_spans,
    .send = virtual_send,
    .send_exactly = virtual_send,
    .send_void = virtual_send_void,
    .send_spans = virtual_send_spans,
    .recv_block = virtual_recv_block,
    .send_block = virtual_send_block,
    .test = test,
    .settle = settle,
    .abandon = abandon,
};
