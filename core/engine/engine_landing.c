/* Receives lane messages: finds where they land, and updates the table when they have come. An
 * item's entry points into the message that brought it; nothing is copied. */
#include <string.h>

#include "core/engine/engine_epochs.h"
#include "core/engine/engine_items.h"

/* Takes the next part of the lane's landing area. No part is given back within a pass. */
static size_t take_area(struct strata_execution *x, int lane, size_t bytes)
{
    size_t area = strata_align(x->progress.landing_used[lane], 8);
    x->progress.landing_used[lane] = area + bytes;
    return area;
}

static const uint32_t *lengths_of(const struct strata_execution *x,
                                  const struct strata_open_recv *r)
{
    const struct strata_message_header *header = (void *)(strata_lane_at(x, r->lane) + r->head);
    return strata_lengths_known(x) ? r->kept : (const uint32_t *)(const void *)(header + 1);
}

/* Finds the lengths that belong to the data of this step: the first that came on the lane from its
 * peer. */
static struct strata_open_recv *announced(struct strata_execution *x,
                                          const struct strata_step *step)
{
    for (int i = 0; i < x->progress.nopen_recv; i++) {
        struct strata_open_recv *r = &x->progress.open_recv[i];
        if (r->arrived && r->lane == step->lane && r->peer == step->peer) {
            return r;
        }
    }
    return NULL;
}

/* Receives as many bytes as the lengths say. read_head has found that they are not too many. */
static int recv_known(struct strata_execution *x, struct strata_open_recv *r)
{
    size_t bytes = 0;
    for (int i = 0; i < r->items; i++) {
        bytes += strata_word_bytes(lengths_of(x, r)[i]);
    }
    r->part = STRATA_DATA;
    r->arrived = false;
    r->data = take_area(x, r->lane, bytes);
    if (bytes == 0 && strata_lengths_known(x)) {
        return STRATA_OK; /* the sender sends nothing either */
    }
    x->progress.posted[STRATA_LANE_TRAFFIC]++;
    return x->transport->recv_exactly(x->transport_self, r->peer,
                                      strata_lane_at(x, r->lane) + r->data, bytes);
}

/* Adds a receive that begins with lengths, or whose lengths are known. */
static struct strata_open_recv *open_recv(struct strata_execution *x,
                                          const struct strata_step *step)
{
    struct strata_open_recv *r = &x->progress.open_recv[x->progress.nopen_recv++];
    struct strata_set set = strata_cursor_set(&x->cursor);
    int64_t items = strata_set_count(set);
    *r = (struct strata_open_recv){.lane = step->lane,
                                   .items = (int32_t)items,
                                   .peer = step->peer,
                                   .part = step->how,
                                   .arrived = strata_lengths_known(x),
                                   .set = set};
    if (x->kept) {
        r->kept = x->kept->word + x->progress.kept_used;
        x->progress.kept_used += (size_t)items;
    }
    return r;
}

static int recv_lengths(struct strata_execution *x, struct strata_open_recv *r)
{
    bool whole = r->part == STRATA_WHOLE;
    size_t head = strata_message_data((size_t)r->items);
    size_t bytes = whole ? strata_message_worst(x->plan, x->check, r->items) : head;
    r->head = take_area(x, r->lane, bytes);
    r->data = r->head + head;
    unsigned char *buffer = strata_lane_at(x, r->lane) + r->head;
    x->progress.posted[STRATA_LANE_TRAFFIC]++;
    return whole ? x->transport->recv(x->transport_self, r->peer, buffer, bytes)
                 : x->transport->recv_exactly(x->transport_self, r->peer, buffer, bytes);
}

int strata_recv_items(struct strata_execution *x, const struct strata_step *step)
{
    struct strata_open_recv *r;
    if (step->how == STRATA_DATA) {
        r = announced(x, step);
        return r ? recv_known(x, r) : STRATA_ERR_PLAN;
    }
    r = open_recv(x, step);
    if (!strata_lengths_known(x)) {
        return recv_lengths(x, r);
    }
    return step->how == STRATA_WHOLE ? recv_known(x, r) : STRATA_OK;
}

/* Merges the sizes that came with the lengths, and checks that no item is longer than there is room
 * for. */
static int read_head(struct strata_execution *x, const struct strata_open_recv *r)
{
    const struct strata_message_header *header = (void *)(strata_lane_at(x, r->lane) + r->head);
    size_t worst = strata_item_worst(x->plan, x->check);
    strata_merge(x, header->largest, header->load);
    for (int i = 0; i < r->items; i++) {
        if (strata_word_bytes(lengths_of(x, r)[i]) > worst) {
            return STRATA_ERR_TRANSPORT;
        }
    }
    if (r->kept) {
        memcpy(r->kept, lengths_of(x, r), (size_t)r->items * sizeof *r->kept);
    }
    return STRATA_OK;
}

/* Makes the entries of items that have arrived point to them. */
static void land(struct strata_execution *x, const struct strata_open_recv *r)
{
    struct strata_entry *entry = strata_entries(strata_lane_at(x, r->lane));
    const uint32_t *length = lengths_of(x, r);
    uint64_t at = r->data;
    struct strata_set_iterator it;
    struct strata_run run;
    for (strata_set_begin(&it, r->set); strata_set_next(&it, &run);) {
        for (int k = run.first; k < run.first + run.count; k++, length++) {
            entry[k] = (struct strata_entry){at, *length, 1};
            at += strata_word_bytes(*length);
        }
    }
}

/* Lengths stay on the list until their data are waited for. */
int strata_land_items(struct strata_execution *x)
{
    int error = STRATA_OK, kept = 0;
    for (int i = 0; i < x->progress.nopen_recv && error == STRATA_OK; i++) {
        struct strata_open_recv *r = &x->progress.open_recv[i];
        if (r->part != STRATA_DATA && !r->arrived) {
            error = read_head(x, r);
        }
        if (r->part == STRATA_LENGTHS) {
            r->arrived = true;
            x->progress.open_recv[kept++] = *r;
        } else if (error == STRATA_OK) {
            land(x, r);
        }
    }
    x->progress.nopen_recv = kept;
    return error;
}
