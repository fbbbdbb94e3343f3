/* Direct blocks go from their sender to their receiver, in the caller's own datatypes. */
#include "core/engine/engine_direct.h"

#include "core/engine/engine_moving.h"
#include "core/engine/engine_steps.h"
#include "core/engine/single_copy.h"

size_t strata_direct_scratch(const struct strata_execution *x)
{
    const struct strata_plan *plan = x->plan;
    const struct strata_layout *out = strata_direct_out(x);
    size_t sum = 0;
    if (!x->in_place && !plan->exchange.exposes) {
        return 0;
    }
    for (int rank = 0; rank < plan->topology->ranks; rank++) {
        bool direct = rank != plan->rank && strata_is_direct(x, out, rank);
        sum += direct && strata_is_saved(x, rank) ? strata_layout_bytes(out, rank) : 0;
    }
    return sum + strata_direct_room(x);
}

static int rank_at(const struct strata_execution *x, int distance)
{
    int ranks = x->plan->topology->ranks;
    return (x->plan->rank + distance + ranks) % ranks;
}

/* Saves blocks in the order of their distance. Sends and loans use them in the same order. */
unsigned char *strata_save_direct(struct strata_execution *x)
{
    const struct strata_layout *out = strata_direct_out(x);
    unsigned char *to = x->progress.saved;
    for (int distance = 1; distance < x->plan->topology->ranks; distance++) {
        int rank = rank_at(x, distance);
        if (strata_is_direct(x, out, rank) && strata_is_saved(x, rank)) {
            size_t bytes = strata_layout_bytes(out, rank);
            const struct strata_span from = strata_layout_span(out, rank);
            const struct strata_span into = {to, &strata_byte_type, 0, bytes};
            strata_share_spans(x, &from, &into);
            x->count.copied += bytes;
            to += bytes;
        }
    }
    x->progress.saving = true;
    return to;
}

/* Sends the direct block for a rank. A saved block is plain bytes, which the NULL handle tells the
 * transport. */
static int send_direct(struct strata_execution *x, int rank)
{
    size_t bytes = strata_layout_bytes(&x->input, rank);
    struct strata_layout saved = {.base = x->progress.saved + x->progress.saved_used,
                                  .type = &strata_byte_type};
    saved.count = bytes;
    x->progress.saved_used += strata_is_saved(x, rank) ? bytes : 0;
    if (strata_plan_exposes_to(x->plan, rank)) {
        return STRATA_OK;
    }
    x->progress.posted[STRATA_DIRECT_TRAFFIC]++;
    strata_count_message(x, rank, bytes);
    return x->in_place ? x->transport->send_block(x->transport_self, rank, &saved, 0)
                       : x->transport->send_block(x->transport_self, rank, &x->input, rank);
}

/* Receives the direct block of a rank. A block that a local peer exposes is read later. */
static int receive_direct(struct strata_execution *x, int rank)
{
    if (strata_plan_exposes_to(x->plan, rank)) {
        return STRATA_OK;
    }
    x->progress.posted[STRATA_DIRECT_TRAFFIC]++;
    return x->transport->recv_block(x->transport_self, rank, &x->output, rank);
}

/* My own block goes from buffer to buffer. */
static void copy_own(struct strata_execution *x)
{
    const int me = x->plan->rank;
    struct strata_span from = strata_layout_span(&x->input, me);
    struct strata_span into = strata_layout_span(&x->output, me);
    x->count.copied += from.bytes;
    from.bytes = strata_least(from.bytes, into.bytes);
    strata_share_spans(x, &from, &into);
}

/* Sends or receives the direct blocks at the set's distances. My own is copied. */
static int move_direct(struct strata_execution *x, bool send)
{
    struct strata_set_iterator it;
    struct strata_run run;
    int error = STRATA_OK;
    strata_set_begin(&it, strata_cursor_set(&x->cursor));
    while (error == STRATA_OK && strata_set_next(&it, &run)) {
        for (int i = 0; i < run.count && error == STRATA_OK; i++) {
            int distance = run.first + i, rank = rank_at(x, send ? distance : -distance);
            if (!strata_is_direct(x, send ? &x->input : &x->output, rank)) {
                continue;
            }
            if (distance == 0) {
                if (send && !x->in_place) {
                    copy_own(x);
                }
            } else {
                error = send ? send_direct(x, rank) : receive_direct(x, rank);
            }
        }
    }
    return error;
}

int strata_run_direct(struct strata_execution *x, const struct strata_step *step)
{
    (void)step;
    size_t threshold = x->plan->limits.threshold;
    if (!x->progress.saving && x->progress.longest_out > threshold) {
        (void)strata_save_direct(x);
    }
    int error = x->progress.longest_in > threshold ? move_direct(x, false) : STRATA_OK;
    return error == STRATA_OK && x->progress.longest_out > threshold ? move_direct(x, true) : error;
}
