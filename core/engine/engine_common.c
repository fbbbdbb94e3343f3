/* Helpers for all parts of the engine. */
#include "core/engine/engine_common.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/engine/long_copy.h"
#include "core/engine/simulated_work.h"

void strata_record_error(struct strata_execution *x, int error, const char *format, ...)
{
    if (x->progress.status != STRATA_OK) {
        return;
    }
    x->progress.status = error;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(x->message.text, sizeof x->message.text, format, arguments);
    va_end(arguments);
}

void strata_share(struct strata_execution *x, size_t bytes, strata_chunk_body *body, void *argument)
{
    int threads = 1;
    if (strata_is_sharable(x, bytes)) {
        strata_note_sharable(x, bytes);
        threads = x->workers->count(bytes);
    }
    if (threads > 1) {
        x->shared.helped += (uint64_t)x->workers->run(body, argument, threads);
    } else {
        body(argument, 0, 1);
    }
}

void strata_copy_chunk(void *argument, int chunk, int chunks)
{
    const struct strata_copying_bytes *c = argument;
    const size_t from = (size_t)strata_chunk_begin((int64_t)c->bytes, chunk, chunks);
    const size_t to = (size_t)strata_chunk_begin((int64_t)c->bytes, chunk + 1, chunks);
    strata_copy_bytes(c->to + from, c->from + from, to - from);
    strata_charge_copy(to - from, 1);
}

void strata_share_copy(struct strata_execution *x, unsigned char *to, const unsigned char *from,
                       size_t bytes)
{
    struct strata_copying_bytes c = {to, from, bytes};
    strata_share(x, bytes, strata_copy_chunk, &c);
}

void strata_workshare(struct strata_execution *x, const struct strata_step *step, size_t bytes,
                      strata_chunk_body *body, void *argument)
{
    if (step->workshare) {
        strata_share(x, bytes, body, argument);
    } else {
        body(argument, 0, 1);
    }
}

void strata_count_message(struct strata_execution *x, int peer, size_t bytes)
{
    bool near = x->nodes->node_of[peer] == x->nodes->node_of[x->plan->rank];
    *(near ? &x->count.messages_node : &x->count.messages) += 1;
    *(near ? &x->count.bytes_node : &x->count.bytes) += bytes;
}
