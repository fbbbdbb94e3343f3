#include "sim/virtual/mailboxes.h"

#include <stdint.h>
#include <string.h>

#include "core/base/memory.h"

typedef struct strata_post post;
typedef struct strata_post_queue queue;

static void queue_init(queue *q)
{
    q->head = NULL;
    q->tail = &q->head;
}

static void queue_push(queue *q, post *p)
{
    p->next = NULL;
    *q->tail = p;
    q->tail = &p->next;
}

static post *queue_pop(queue *q)
{
    post *p = q->head;
    if (p) {
        q->head = p->next;
        q->tail = q->head ? q->tail : &q->head;
    }
    return p;
}

/* The first of a call. */
static post *queue_take(queue *q, unsigned call)
{
    post **link = &q->head;
    while (*link && (*link)->call != call) {
        link = &(*link)->next;
    }
    post *p = *link;
    if (p) {
        *link = p->next;
        q->tail = q->tail == &p->next ? link : q->tail;
    }
    return p;
}

static void post_free(post *p)
{
    if (p) {
        strata_release(p->owned);
        strata_release(p->spans);
        strata_release(p);
    }
}

static void queue_clear(queue *q)
{
    for (post *p = queue_pop(q); p; p = queue_pop(q)) {
        post_free(p->send);
        post_free(p);
    }
}

static size_t pairs_count(const struct strata_mailboxes *m)
{
    return (size_t)m->ranks * (size_t)m->ranks * STRATA_TRAFFIC_KINDS;
}

static struct strata_mail_pair *pair_of(struct strata_mailboxes *m, const post *p)
{
    size_t row = (size_t)p->source * (size_t)m->ranks + (size_t)p->destination;
    return &m->pairs[row * STRATA_TRAFFIC_KINDS + (size_t)p->kind];
}

static void init(struct strata_mailboxes *m)
{
    for (int r = 0; r < m->ranks; r++) {
        m->boxes[r] = (struct strata_mailbox){.all = m, .rank = r};
        queue_init(&m->boxes[r].arriving);
    }
    for (size_t i = 0; i < pairs_count(m); i++) {
        queue_init(&m->pairs[i].sends);
        queue_init(&m->pairs[i].recvs);
    }
}

int strata_mailboxes_create(int ranks, bool rendezvous, bool late, unsigned seed,
                            struct strata_mailboxes **mailboxes)
{
    struct strata_mailboxes *m = strata_allocate(1, sizeof *m);
    if (!m) {
        return STRATA_ERR_MEMORY;
    }
    *m = (struct strata_mailboxes){
        .ranks = ranks, .rendezvous = rendezvous, .late = late, .coin = seed};
    m->boxes = strata_allocate((size_t)ranks, sizeof *m->boxes);
    m->pairs = strata_allocate(pairs_count(m), sizeof *m->pairs);
    if (!m->boxes || !m->pairs) {
        strata_release(m->boxes);
        strata_release(m->pairs);
        strata_release(m);
        return STRATA_ERR_MEMORY;
    }
    init(m);
    *mailboxes = m;
    return STRATA_OK;
}

void strata_mailboxes_clear(struct strata_mailboxes *m)
{
    for (size_t i = 0; i < pairs_count(m); i++) {
        queue_clear(&m->pairs[i].sends);
        queue_clear(&m->pairs[i].recvs);
    }
    for (int r = 0; r < m->ranks; r++) {
        queue_clear(&m->boxes[r].arriving);
    }
    init(m);
}

void strata_mailboxes_destroy(struct strata_mailboxes *m)
{
    if (m) {
        strata_mailboxes_clear(m);
        strata_release(m->boxes);
        strata_release(m->pairs);
        strata_release(m);
    }
}

const post *strata_mailboxes_unmet(const struct strata_mailboxes *m)
{
    for (size_t i = 0; i < pairs_count(m); i++) {
        if (m->pairs[i].sends.head) {
            return m->pairs[i].sends.head;
        }
    }
    return NULL;
}

int strata_mailbox_open(const struct strata_mailbox *box)
{
    return box->open[STRATA_LANE_TRAFFIC] + box->open[STRATA_DIRECT_TRAFFIC];
}

/* The places of a message; `one` is memory for the only one. */
static int places_of(const post *p, bool sends, struct strata_span *one,
                     const struct strata_span **places)
{
    if (p->spans) {
        *places = p->spans;
        return p->nspots;
    }
    *one = (struct strata_span){.type = &strata_byte_type, .bytes = p->bytes};
    one->origin = sends ? (unsigned char *)(uintptr_t)p->data : p->plain;
    if (p->typed) {
        *one = strata_layout_span(&p->layout, 0);
    }
    *places = one;
    return 1;
}

/* The rest of a place after `passed` bytes. */
static struct strata_span rest_of(const struct strata_span *place, size_t passed)
{
    struct strata_span rest = *place;
    rest.skip += passed;
    rest.bytes -= passed;
    return rest;
}

static void move_bytes(const post *send, const post *recv)
{
    struct strata_span one_from, one_into;
    const struct strata_span *from, *into;
    int nfrom = places_of(send, true, &one_from, &from);
    int ninto = places_of(recv, false, &one_into, &into);
    size_t sent = 0, received = 0; /* of the current place on each side */
    for (int i = 0, j = 0; i < nfrom && j < ninto;) {
        struct strata_span source = rest_of(&from[i], sent), target = rest_of(&into[j], received);
        size_t bytes = source.bytes < target.bytes ? source.bytes : target.bytes;
        (void)strata_span_copy(&source, &target, bytes);
        bool all_sent = (sent += bytes) == from[i].bytes;
        bool all_received = (received += bytes) == into[j].bytes;
        sent = all_sent ? 0 : sent;
        received = all_received ? 0 : received;
        i += all_sent;
        j += all_received;
    }
}

static void complete(struct strata_mailboxes *m, int rank, enum strata_traffic kind)
{
    m->boxes[rank].complete[kind]++;
    m->events++;
}

static bool fits(const post *send, const post *recv)
{
    return !send->is_void &&
           (recv->exact ? send->bytes == recv->bytes : send->bytes <= recv->bytes);
}

static void arrive(struct strata_mailbox *box, post *recv)
{
    post *send = recv->send;
    move_bytes(send, recv);
    if (!fits(send, recv) && !box->error) {
        box->error =
            strata_fail(&box->message, STRATA_ERR_TRUNCATE,
                        "rank %d sent %zu bytes to rank %d, which expects %s%zu", send->source,
                        send->bytes, box->rank, recv->exact ? "" : "at most ", recv->bytes);
    }
    if (!send->owned) {
        complete(box->all, send->source, send->kind);
    }
    complete(box->all, box->rank, recv->kind);
    post_free(send);
    post_free(recv);
}

static bool arrives_now(struct strata_mailboxes *m)
{
    m->coin = m->coin * 6364136223846793005u + 1442695040888963407u;
    return !m->late || m->coin >> 63;
}

static int deliver(struct strata_mailbox *box, bool all)
{
    post *next = box->arriving.head;
    int delivered = 0;
    queue_init(&box->arriving);
    for (post *recv = next; recv; recv = next) {
        next = recv->next;
        if (all || arrives_now(box->all)) {
            arrive(box, recv);
            delivered++;
        } else {
            queue_push(&box->arriving, recv);
        }
    }
    return delivered;
}

void strata_mailbox_deliver(struct strata_mailbox *box)
{
    deliver(box, false);
}

int strata_mailboxes_flush(struct strata_mailboxes *m)
{
    int delivered = 0;
    for (int r = 0; r < m->ranks; r++) {
        delivered += deliver(&m->boxes[r], true);
    }
    return delivered;
}

static void meet(struct strata_mailboxes *m, post *send, post *recv)
{
    recv->send = send;
    queue_push(&m->boxes[recv->destination].arriving, recv);
}

int strata_mailbox_make_eager(struct strata_mailbox *box, post *send)
{
    send->owned = strata_allocate(send->bytes, 1);
    if (!send->owned) {
        return STRATA_ERR_MEMORY;
    }
    const post into = {.plain = send->owned, .bytes = send->bytes};
    move_bytes(send, &into);
    send->typed = false;
    strata_release(send->spans);
    send->spans = NULL;
    send->data = send->owned;
    complete(box->all, send->source, send->kind);
    return STRATA_OK;
}

void strata_mailbox_post_send(struct strata_mailbox *box, post *send)
{
    struct strata_mail_pair *pair = pair_of(box->all, send);
    post *recv = queue_take(&pair->recvs, send->call);
    if (recv) {
        meet(box->all, send, recv);
    } else {
        queue_push(&pair->sends, send);
    }
}

void strata_mailbox_post_recv(struct strata_mailbox *box, post *recv)
{
    struct strata_mail_pair *pair = pair_of(box->all, recv);
    post *send = queue_take(&pair->sends, recv->call);
    if (send) {
        meet(box->all, send, recv);
    } else {
        queue_push(&pair->recvs, recv);
    }
}

void strata_mailbox_settle(struct strata_mailbox *box)
{
    struct strata_mailboxes *m = box->all;
    post direct = {.destination = box->rank, .kind = STRATA_DIRECT_TRAFFIC};
    for (direct.source = 0; direct.source < m->ranks; direct.source++) {
        struct strata_mail_pair *pair = pair_of(m, &direct);
        for (post *send; (send = queue_take(&pair->sends, box->call));) {
            if (!send->owned) {
                complete(m, send->source, send->kind);
            }
            post_free(send);
        }
        for (post *recv = queue_pop(&pair->recvs); recv; recv = queue_pop(&pair->recvs)) {
            complete(m, box->rank, recv->kind);
            post_free(recv);
        }
    }
}

/* A send that cannot be copied is dropped: its buffer is about to go. */
static void keep_sends(struct strata_mailbox *box, queue *sends)
{
    queue kept;
    queue_init(&kept);
    for (post *send = queue_pop(sends); send; send = queue_pop(sends)) {
        if (send->owned || strata_mailbox_make_eager(box, send) == STRATA_OK) {
            queue_push(&kept, send);
        } else {
            post_free(send);
        }
    }
    queue_init(sends);
    for (post *send = queue_pop(&kept); send; send = queue_pop(&kept)) {
        queue_push(sends, send);
    }
}

void strata_mailbox_abandon(struct strata_mailbox *box)
{
    struct strata_mailboxes *m = box->all;
    strata_mailboxes_flush(m);
    for (int peer = 0; peer < m->ranks; peer++) {
        for (int kind = 0; kind < STRATA_TRAFFIC_KINDS; kind++) {
            enum strata_traffic k = (enum strata_traffic)kind;
            queue_clear(
                &pair_of(m, &(post){.source = peer, .destination = box->rank, .kind = k})->recvs);
            keep_sends(
                box,
                &pair_of(m, &(post){.source = box->rank, .destination = peer, .kind = k})->sends);
        }
    }
    memset(box->open, 0, sizeof box->open);
    memset(box->complete, 0, sizeof box->complete);
    m->events++;
}
